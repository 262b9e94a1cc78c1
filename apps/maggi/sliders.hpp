#pragma once
#include <string>
#include <vector>

#include "maggi/model/model.hpp"

namespace maggi::app {

/// A number of the model that may be dragged: a parameter that is no formula over others, a value given at the start.
struct Slider {
  std::string kind;  ///< "parameter", "start", "speed"
  std::string name;  ///< "l", "x", "hinge.angle", "x'"
  std::string unit;
  double value = 0.0;
  Formula* formula = nullptr;  ///< its place in the model

  void set(double number);
};

/// In the order of the model. Error if a number of the model is none.
std::vector<Slider> sliders(Model& model);

}  // namespace maggi::app
