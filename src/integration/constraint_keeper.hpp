#pragma once
#include <string>
#include <vector>

#include "maggi/formulation/dynamics.hpp"
#include "maggi/integration/integrate.hpp"
#include "maggi/integration/projection.hpp"

namespace maggi::integration {

/// Keeps states on the constraints, if drift control is wanted, and watches that the rank stays what it was.
/// keep() and steady() allocate nothing as long as the same rows stay independent.
class ConstraintKeeper {
 public:
  ConstraintKeeper(Dynamics& dynamics, bool project, Statistics& statistics);

  bool projects() const { return project_; }

  /// Projects a state. false if the constraints cannot be met near it; then explain_lost() says which.
  bool keep(State& state);
  bool keep(double t, double* y);  ///< y = [q; v]

  /// The rank at the start, right after keep() of the start.
  void begin(const State& start);
  /// Right after keep() of an accepted state: is the rank what it was at the start? If redundant rows are left out of
  /// the solution, the choice which ones follows the motion.
  bool steady(const Instant& at);
  /// Have the constraints less rank at this state than they had at the start? For states without accelerations.
  bool rank_lost(const Instant& at);
  /// Is the last state kept so close to a singular configuration that steps shrink because of it?
  bool near_singular() const;

  Residuals residuals(const State& state) { return projection_.residuals(state, dynamics_.workspace()); }
  std::string explain_lost();
  std::string explain_singular(const Instant& at);   ///< after steady()
  std::string explain_rank_lost(const Instant& at);  ///< after rank_lost()
  std::string explain_near_singular(double t) const;

 private:
  bool same_rows() const;
  bool decide_again(const Instant& at);
  std::vector<std::string> dependency(const Matrix& C, const MetricFactor& factor) const;
  const std::string& row_name(int factor_row) const;

  Dynamics& dynamics_;
  const Shape& shape_;
  Projection projection_;
  Statistics& statistics_;
  bool project_;
  int rank_ = 0, total_rank_ = 0;  // of the position and velocity rows; of all rows
  std::vector<int> redundant_;     // rows that were dependent at the start
  MetricFactor all_rows_;
  State state_, failed_;   // for y; where keep() failed last
  std::string undecided_;  // why the rows could not be decided again
};

}  // namespace maggi::integration
