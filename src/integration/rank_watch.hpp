#pragma once
#include <string>
#include <vector>

#include "maggi/formulation/dynamics.hpp"
#include "maggi/integration/integrate.hpp"
#include "maggi/integration/projection.hpp"

namespace maggi::integration {

/// Watches that the rank of the constraints stays what it was at the start, and how close it comes to changing.
///
///     distance = min( smallest sine between an independent row and the others,  min_i ‖row i‖ / its largest so far )
///
/// The sines come with the projection; the second part sees a row that vanishes, which scaled rows do not show.
/// Without projection nothing is watched: off the constraints, redundant rows look independent. steady() allocates
/// nothing while the same rows are independent.
class RankWatch {
 public:
  RankWatch(Dynamics& dynamics, const Projection* projection, Statistics& statistics);

  /// Right after the projection of the start, or of a state from which other rows are in force: decides the rows.
  void begin(const State& start);
  /// Right after the projection of an accepted state: is the rank what it was? If redundant rows are left out of the
  /// solution, the choice which ones follows the motion.
  bool steady(const Instant& at);
  std::string explain_unsteady(const Instant& at);

  /// For a state without accelerations: have the constraints less rank there than at the start?
  bool rank_lost(const Instant& at);
  std::string explain_rank_lost(const Instant& at);

  /// For a run that fails: was the last accepted state so close to a singular configuration that this is the reason?
  bool near_singular() const { return distance_ < near; }
  std::string explain_near(double t) const;

 private:
  static constexpr double near = 0.02;

  void measure();
  double shortest_row();
  bool same_rows() const;
  bool decide_again(const Instant& at);
  std::string help_with_speed() const;
  std::vector<std::string> dependency(const Matrix& C) const;
  const std::string& row_name(int active_row) const { return shape_.rows[dynamics_.active_rows()[active_row]].name; }

  Dynamics& dynamics_;
  const Shape& shape_;
  const Projection* projection_;
  Statistics& statistics_;
  int rank_ = 0, total_rank_ = 0;  // of the position and velocity rows; of all rows
  std::vector<int> redundant_;     // rows that were dependent at the start
  Vector length_, longest_;        // of the rows
  double distance_ = 1.0;
  int closest_ = -1;       // the row that makes the distance
  MetricFactor all_rows_;  // of rank_lost()
  std::string undecided_;  // why the rows could not be decided again
};

}  // namespace maggi::integration
