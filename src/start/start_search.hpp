#pragma once
#include <optional>

#include "start/start_blocks.hpp"
#include "start/start_elimination.hpp"
#include "start/start_problem.hpp"

namespace maggi::integration {

/// Beyond it the values given do not determine the rest; at a double root Newton's method ends at √1e-13 = 3e-7.
constexpr double worst_condition = 1e6;

/// What a search came to.
struct Found {
  bool success = false;
  Vector x;                      ///< the solution, or the point with the smallest residual
  std::vector<bool> solved_for;  ///< which unknowns were; the others are given or kept
  double residual = 0.0;      ///< the largest |residual_i| / ‖row i of J‖, rows at x; without success at the guess
  int worst = -1;             ///< the condition that has it; −1 if there are none
  double left = 0.0;          ///< its residual
  bool least_change = false;  ///< more unknowns than conditions: they changed least
  double condition = 1.0;     ///< with which those solved for follow from the others, unless least_change
  int starts = 0;             ///< from how many points it was tried
  double followed = 1.0;      ///< how much of the way from the reference configuration could be followed
  bool finite = true;         ///< x has a value in every formula
};

/// Newton's method for a StartProblem.
///
/// Given values stay, and so does what no condition relates to a misfit (StartBlocks). Where the reference
/// configuration of the model satisfies the conditions, the given values are reached from there in small steps, so that
/// the assembly is the one of the reference configuration:
///
///     x_given(s) = x_reference + s (x − x_reference)_given,   s = 0 … 1                          (0)
///
/// Otherwise, and where this way ends, the search begins at the guess. If every other one has a guess, all of them
/// change, as little as possible in the metric, first without those that rather stay; otherwise the best conditioned
/// dependent ones do. Steps are halved until the residual decreases. Where that ends early the solution is followed
/// from the guess, where it is known, to the wanted one:
///
///     residual(x) = (1 − s) residual(x₀),   s = 0 … 1                                            (1)
///
/// and at last from other points around the guess, further and further away and always the same ones.
///
/// Where there is no solution, x is where one condition is missed by the least that descent finds, while the others are
/// met. A row has no direction where it comes no closer, so that the rows of the guess measure what is left.
class Search {
 public:
  static constexpr int most_starts = 24;

  explicit Search(StartProblem& problem);

  /// Solutions for which it is not true are passed over.
  void accept_only(std::function<bool(const Vector& x)> accepted) { accepted_ = std::move(accepted); }

  Found run(const Vector& x);

  /// The best conditioned dependent unknowns at x: they can be solved for, and the others chosen.
  std::vector<int> choose_dependent(const Vector& x);

  /// From x, solving for these unknowns only.
  Found solve(Vector x, const std::vector<int>& unknown);

 private:
  std::optional<Found> let_stay(const Vector& x);
  std::optional<Found> come_from_reference(const Vector& x);
  bool step_towards(Vector& x, const Vector& goal, double part, const std::vector<int>& unknown);
  std::vector<int> choose_dependent(const Vector& x, const std::vector<int>& among);
  bool evaluate(const Vector& x);
  Vector scaled_residuals() const;
  double scaled_residual() const;
  void settle(Vector& x);
  std::vector<int> disturbed(const std::vector<int>& unknown, const Vector& x) const;
  bool newton(Vector& x, const std::vector<int>& among);
  bool take(Vector& x, const Vector& step);
  bool follow_path(Vector& x, const std::vector<int>& unknown);
  void remember(const Vector& x);
  Found finish(const Vector& x, const std::vector<int>& unknown, int determined);
  Found best(int starts);
  void come_closest();
  double condition(const std::vector<int>& unknown, int rank) const;
  Matrix scaled_by_mass(const std::vector<int>& columns) const;

  StartProblem& p_;
  std::vector<int> open_;      // leaders that are not given and occur in a condition
  bool least_change_ = false;  // all values that are not given have a guess
  StartBlocks blocks_;
  bool on_way_ = false;    // along (0)
  double followed_ = 1.0;  // Found::followed
  Elimination reduced_;
  Vector offset_, residual_;  // (1 − s) residual(x₀); the residual less this
  double best_residual_ = 0.0;
  Vector best_, weights_;  // 1/‖row‖ at the guess
  std::function<bool(const Vector&)> accepted_ = [](const Vector&) { return true; };
};

}  // namespace maggi::integration
