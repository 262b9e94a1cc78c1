#pragma once
#include <string>
#include <utility>
#include <vector>

#include "maggi/expert/derivative.hpp"
#include "maggi/expert/parse.hpp"
#include "maggi/model.hpp"
#include "system/formulas/unconstrained_equations.hpp"

namespace maggi {

/// The names of a model: what they stand for, and in which formulas they may stand.
class ModelNames {
 public:
  /// `known`: where what the names stand for is kept; both must outlive it.
  ModelNames(const Model& model, UnconstrainedEquations& known);

  void declare();  ///< variables for all that has a name; Error if one is taken or cannot be one
  /// Definitions may use those above them; name' and name'' are their time derivatives.
  void define();
  /// Local coordinates are definitions that are functions of the configuration, x = g(q), with J = ∂g/∂q.
  void locate();

  /// The names a formula of this reach may use; the others are known, with the reason why they may not stand here.
  expression::Scope scope(Reach reach, const std::string& what) const;
  expression::Id parse(const Formula& formula, Reach reach, const std::string& what) const;

 private:
  using Id = expression::Id;

  void declare_point(const LocalPoint& point, std::vector<std::pair<std::string, Where>>& taken);
  void declare_with_primes(const std::string& name, Id id, expression::Derivative& total);
  Reach reach_of(Id id) const;

  const Model& model_;
  Shape& shape_;
  DerivedEquations& e_;
  expression::Graph& g_;
  UnconstrainedEquations& known_;
};

}  // namespace maggi
