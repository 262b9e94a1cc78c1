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
  bool over_parameters = false;
};

/// Writes everything that a mechanism has besides the bodies and joints of the tree as formulas over its output
/// functions, into a model of their own.
template <class Real>
struct FormulaWriterOver {
  const Numbers& numbers;
  const DrawingOver<Real>& drawing;
  FunctionFinderOver<Real>& functions;
  Model& model;
  bool keeps_zeros;        ///< see ZerosKept
  bool& leaves_zeros_out;  ///< set if it does

  /// Is a term with this factor to be left out?
  bool is_zero(const Factor& factor) {
    if (factor.value != 0.0 || (factor.over_parameters && keeps_zeros)) return false;
    leaves_zeros_out = leaves_zeros_out || factor.over_parameters;
    return true;
  }

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
