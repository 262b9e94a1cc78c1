#pragma once
#include <string>
#include <vector>

#include "model/adjustable.hpp"

namespace maggi {

/// A number of the model that may be dragged: a parameter that is no formula over others, a value given at the start.
struct Slider {
  std::string kind;  ///< "parameter", "start", "speed"
  double value = 0.0;
  Adjustable adjustable;
};

/// In the order of the model. Error if a number of the model is none.
std::vector<Slider> sliders(Model& model);

}  // namespace maggi
