#pragma once
#include <string>

#include "maggi/error.hpp"
#include "model/numbers.hpp"
#include "system/mechanism/functions/function_finder.hpp"

namespace maggi::mechanism {

/// A number that becomes part of a formula: as a formula over parameters if the user gave it so, since the formulas
/// then stay as they are when a parameter changes.
struct Factor {
  double value = 0.0;
  std::string text = "0";
};

/// Writes everything that a mechanism has besides the bodies and joints of the tree as formulas over its output
/// functions, into a model of their own.
struct FormulaWriter {
  const Numbers& numbers;
  const Drawing& drawing;
  FunctionFinder& functions;
  Model& model;

  Factor number(const Formula& formula, const std::string& what) const;
  Factor number_or_zero(const Formula& formula, const std::string& what) const {
    return formula.empty() ? Factor() : number(formula, what);
  }

  Constraint& add_row(const std::string& owner, const std::string& component, const Formula& formula,
                      const std::string& unit, const Where& where);
  void add_force(const std::string& function, Formula formula, const Where& where);
  void add_potential(const std::string& text);
  /// Spring and damper along an output function.
  void add_spring(const std::string& name, const Factor& stiffness, const Factor& rest, const Factor& damping,
                  const Where& where);
};

/// A place some columns further on.
Where moved(Where where, int columns);
/// A formula with something before and behind it; what is in it stays where it was.
Formula enclosed(const std::string& before, const Formula& formula, const std::string& behind);

}  // namespace maggi::mechanism
