#pragma once
#include <optional>
#include <string>
#include <vector>

#include "base/pivoted_qr.hpp"
#include "dynamics/dynamics.hpp"
#include "integration/sink/options.hpp"
#include "integration/sink/result.hpp"
#include "integration/sink/sink.hpp"
#include "manifold/projection.hpp"

namespace maggi::integration {

/// Monitors whether the rank of the constraints stays what it was at the start, and how close it comes to changing.
///
///     distance = min( smallest sine between an independent row and the others,  min_i ‖row i‖ / its largest so far )
///
/// The sines come with the projection; the second part detects a row that vanishes, which scaled rows do not show. If
/// some rows are permanently redundant, a vanishing row may be replaced by one of them; the test is then whether the
/// remaining rows still have full rank:
///
///     S C L⁻ᵀ,  S = diag(1/largest ‖row i‖ so far),  M = L Lᵀ at the start:   |R_rr| / |R_11| of its pivoted QR
///
/// unless the shortest row has a larger relative length. This test needs matrices and is not made for large systems.
/// All states are those on the constraints, whatever controls the drift: off them, redundant rows look independent.
/// keeps_rank() allocates nothing while the same rows are independent.
class RankMonitor {
 public:
  RankMonitor(Dynamics& dynamics, Projection* projection, Statistics& statistics);

  /// Right after the projection of the start, or of a state from which other rows are in force: decides the rows.
  void begin(const State& start);
  /// Right after the projection of an accepted state: is the rank what it was? If redundant rows are left out of the
  /// solution, the choice of these rows follows the motion.
  bool keeps_rank(const Instant& at);
  std::string explain_rank_change(const Instant& at);

  /// At the last state of begin() or keeps_rank(); at any state on the motion.
  double distance() const { return distance_; }
  double distance(const Instant& at);

  /// Zero where the distance is zero, and decreasing no faster than the rows turn:
  ///
  ///     clearance = smallest sine · min_i ‖row i‖ / its largest so far
  ///
  /// A row that becomes short loses its direction in proportion to its length. The first overload: right after the
  /// projection of a state, which need not become the last one; the second: at any state on the motion.
  double clearance() { return find_clearance(projection_->independence()); }
  double clearance(const Instant& at);
  struct Measured {
    double t, clearance;
  };
  Measured last() const { return last_; }  ///< of the last state, and of the one before it
  Measured before() const { return before_; }

  const RowSelection& rows() const { return watched_; }    ///< of position and velocity level
  double longest(int row) const { return longest_[row]; }  ///< its largest length so far, squared
  int choice() const { return choice_; }                   ///< changes when other rows are chosen as independent ones
  void note_crossing() { statistics_.distance_to_singularity = 0.0; }
  int rank() const { return rank_; }  ///< of the position and velocity rows

  /// For a state without accelerations: do the constraints have less rank there than at the start?
  bool rank_lost(const Instant& at);
  std::string explain_rank_lost(const Instant& at);

  /// For a run that fails: was the last accepted state so close to a singular configuration that this is the reason?
  bool near_singular() const { return distance_ < near; }
  std::string explain_near(double t) const;

 private:
  static constexpr double near = 0.05;

  struct Distance {
    double value;
    int row;  // where it occurs
  };

  void measure(double t);
  void choose_rows();
  const Independence* examine(const Instant& at);
  Distance find_distance(const Independence& rows);
  double find_clearance(const Independence& rows);
  bool irreplaceable(const Independence& rows) const;
  void note_lengths();
  Distance shortest_row();
  void find_metric(const State& start);
  double left_without_short_rows();
  bool same_rows() const;
  bool ill_conditioned();
  bool decide_again(const Instant& at);
  std::string help_with_speed() const;
  std::vector<std::string> dependency(const Matrix& C) const;
  const std::string& row_name(int active_row) const { return shape_.rows[dynamics_.active_rows()[active_row]].name; }

  Dynamics& dynamics_;
  const Shape& shape_;
  Projection* projection_;
  Statistics& statistics_;
  int rank_ = 0, total_rank_ = 0;  // of the position and velocity rows; of all rows
  std::vector<int> redundant_;     // rows that were dependent at the start
  Vector length_;                  // of the rows that are watched, squared
  Vector longest_;                 // of all rows, squared: the largest so far,
  Vector since_choice_;            // and since the rows were chosen
  std::vector<bool> relied_on_;    // of the rows that are watched: those of the solution
  double clearest_ = 0.0;          // the largest distance since then
  double distance_ = 1.0;
  Measured last_{0.0, 0.0}, before_{0.0, 0.0};
  int closest_ = -1;  // the row with the smallest distance
  int choice_ = 0;
  std::optional<MetricFactor> all_rows_, probe_;  // of rank_lost(); of distance(at)
  std::optional<PivotedQr> lengthy_;              // of left_without_short_rows(), with the next two
  Matrix L_, A_;
  RowSelection watched_;  // of position and velocity level
  Independence there_;    // of distance(at)
  Matrix M_, C_;
  std::string undecided_;  // why the rows could not be decided again
};

}  // namespace maggi::integration
