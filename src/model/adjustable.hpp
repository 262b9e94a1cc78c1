#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "maggi/model.hpp"

namespace maggi {

/// A number of a model that can be given another value: a parameter, or a position or speed given at the start.
struct Adjustable {
  enum class Kind { parameter, start, speed };
  Kind kind;
  std::string name;  ///< "l", "x", "hinge.angle", "x'"
  std::string unit;
  Formula* formula;  ///< its place in the model

  void set(double number);  ///< to the last bit; where it stands in the file stays: a fault is shown there
};

/// In the order of the model.
std::vector<Adjustable> adjustables(Model& model);
/// The one with this name. Error (model) at `where`, else at the file, with the nearest name if there is none.
Adjustable adjustable(Model& model, std::string_view name, const Where& where = {});

}  // namespace maggi
