#pragma once
#include <set>
#include <vector>

#include "maggi/expert/shape.hpp"
#include "maggi/model.hpp"
#include "model/numbers.hpp"
#include "system/mechanism/quantities/quantity.hpp"
#include "system/mechanism/reference/drawing.hpp"

namespace maggi::mechanism {

/// What formulas say about a mechanism: constraints, drivers, couplings, limits, friction, forces, events, outputs.
/// They are functions of quantities s(q) of the mechanism and of time, so that they make a model of their own in which
/// the quantities are the coordinates and nothing has a mass.
///
///     ṡ = S v      C = Ĉ S      γ = γ̂ − Ĉ Ṡ v      h = … + Sᵀ ĥ
class Formulas {
 public:
  Formulas(const Model& model, const Numbers& numbers, const Drawing& drawing);

  bool empty() const { return quantities_.empty(); }
  const std::vector<Quantity>& quantities() const { return quantities_; }
  bool uses_coordinates_of(const std::string& joint) const { return with_coordinates_.contains(joint); }

  /// The model over the quantities; `gaps` are the rows by which joints close loops, in their order.
  Model model(const std::vector<Row>& gaps) const;

 private:
  Model model_;  // what the user wrote, with all that mechanisms have besides written as formulas
  std::vector<Quantity> quantities_;
  std::set<std::string> with_coordinates_;
};

}  // namespace maggi::mechanism
