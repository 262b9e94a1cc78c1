#pragma once
#include <string>
#include <utility>
#include <vector>

#include "maggi/expert/derivative.hpp"
#include "maggi/expert/parse.hpp"
#include "maggi/expert/shape.hpp"
#include "maggi/model.hpp"
#include "system/formulas/derived_equations.hpp"
#include "system/formulas/reach.hpp"

namespace maggi {

/// The names of a model: what they stand for, and in which formulas they may stand.
class ModelNames {
 public:
  ModelNames(const Model& model, Shape& shape, DerivedEquations& equations);

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
  struct Defined {
    std::string name;
    Id id;
    Reach reach;
  };

  void declare_point(const LocalPoint& point, std::vector<std::pair<std::string, Where>>& taken);
  void declare_with_primes(const std::string& name, Id id, expression::Derivative& total);
  Reach reach_of(Id id) const;

  const Model& model_;
  Shape& shape_;
  DerivedEquations& e_;
  expression::Graph& g_;
  std::vector<Defined> definitions_;
  std::size_t defined_ = 0;  // definitions of the model read so far
  int n_ = 0;
};

}  // namespace maggi
