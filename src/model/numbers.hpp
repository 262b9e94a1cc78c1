#pragma once
#include <string_view>
#include <vector>

#include "maggi/expert/expression.hpp"
#include "maggi/expert/parse.hpp"
#include "maggi/model.hpp"

namespace maggi {

/// The numbers of a model: its parameters, evaluated in order, and every other number, which may be a formula over
/// them.
class Numbers {
 public:
  /// Error if a parameter is a duplicate, has a reserved or malformed name, is not finite, or uses a name that is not
  /// above it.
  explicit Numbers(const Model& model);
  /// The same numbers for a model with the same parameters that has coordinates besides.
  Numbers(const Numbers& of, const std::vector<Coordinate>& coordinates);

  const std::vector<double>& parameters() const { return values_; }  ///< in the order of the model

  /// The value of a formula over the parameters. `what` names it in the message: "the start of \"x1\"".
  double operator()(const Formula& formula, std::string_view what) const;
  /// Does the formula contain nothing but parameters? Otherwise it needs the motion.
  bool covers(const Formula& formula) const;

 private:
  void forbid(const std::vector<Coordinate>& coordinates);

  expression::Graph graph_;  // parameters as constants: folding is the evaluation
  expression::Scope scope_;
  std::vector<double> values_;
};

/// Error unless `name` is free, well formed and not a word of the formula language.
void check_name(const std::string& name, std::string_view kind, const Where& where,
                const std::vector<std::pair<std::string, Where>>& taken);

}  // namespace maggi
