#pragma once
#include <set>
#include <vector>

#include "maggi/expert/shape.hpp"
#include "maggi/model.hpp"
#include "model/numbers.hpp"
#include "system/mechanism/functions/output_function.hpp"
#include "system/mechanism/reference/drawing.hpp"

namespace maggi::mechanism {

/// What formulas say about a mechanism: constraints, drivers, couplings, limits, friction, forces, events, outputs.
/// They depend on output functions s(q) of the mechanism and on time, so that they make a model of their own in which
/// the output functions are the coordinates and nothing has a mass.
///
///     ṡ = S v      C = Ĉ S      γ = γ̂ − Ĉ Ṡ v      h = … + Sᵀ ĥ
template <class Real>
class FormulasOver {
 public:
  /// `keeps_zeros`: see ZerosKept.
  FormulasOver(const Model& model, const NumbersOver<Real>& numbers, const DrawingOver<Real>& drawing,
               bool keeps_zeros);

  bool empty() const { return functions_.empty(); }
  bool leaves_zeros_out() const { return leaves_zeros_out_; }  ///< some term, because its factor is zero now
  const std::vector<OutputFunctionOver<Real>>& functions() const { return functions_; }
  bool uses_coordinates_of(const std::string& joint) const { return with_coordinates_.contains(joint); }

  /// The model over the output functions; `gaps` are the rows by which joints close loops, in their order.
  Model model(const std::vector<Row>& gaps) const;

 private:
  Model model_;  // what the user wrote, with all that mechanisms have besides written as formulas
  std::vector<OutputFunctionOver<Real>> functions_;
  std::set<std::string> with_coordinates_;
  bool leaves_zeros_out_ = false;
};
using Formulas = FormulasOver<double>;

}  // namespace maggi::mechanism
