#pragma once
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/dual.hpp"
#include "model/numbers.hpp"

namespace maggi::mechanism {

/// The numbers of a model with their derivatives by some of its parameters, as many as Dual has directions. Parameters
/// that are formulas over such a one follow it.
class DualNumbers {
 public:
  /// `first`: the parameter that belongs to direction 0; those after it to the others.
  DualNumbers(const Model& model, const Numbers& numbers, std::size_t first);

  /// As Numbers; Error too if a derivative is not finite.
  Dual operator()(const Formula& formula, std::string_view what) const;
  bool covers(const Formula& formula) const { return numbers_.covers(formula); }
  const Numbers& without_derivatives() const { return numbers_; }

 private:
  const Numbers& numbers_;
  expression::Graph graph_;
  expression::Scope scope_;
  std::vector<expression::Id> parameters_;  // variables
  std::vector<Dual> values_;                // of the parameters
};

inline const Numbers& plain(const Numbers& numbers) { return numbers; }
inline const Numbers& plain(const DualNumbers& numbers) { return numbers.without_derivatives(); }

/// Numbers, or numbers with derivatives.
template <class Real>
using NumbersOver = std::conditional_t<std::is_same_v<Real, double>, Numbers, DualNumbers>;

}  // namespace maggi::mechanism
