#pragma once
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "maggi/base/pivoted_qr.hpp"
#include "maggi/formulation/dynamics.hpp"
#include "maggi/integration/integrate.hpp"
#include "maggi/integration/projection.hpp"

namespace maggi::integration {

/// Watches that the rank of the constraints stays what it was at the start, and how close it comes to changing.
///
///     distance = min( smallest sine between an independent row and the others,  min_i ‖row i‖ / its largest so far )
///
/// The sines come with the projection; the second part sees a row that vanishes, which scaled rows do not show. Beside
/// rows that are redundant for ever one of these may say the same; what counts is then whether the others are enough:
///
///     S C L⁻ᵀ,  S = diag(1/largest ‖row i‖ so far),  M = L Lᵀ at the start:   |R_rr| / |R_11| of its pivoted QR
///
/// if that is more than the shortest row has left. Large systems with redundant rows are not asked: it takes matrices.
/// Without projection nothing is watched: off the constraints, redundant rows look independent. steady() allocates
/// nothing while the same rows are independent.
class RankWatch {
 public:
  RankWatch(Dynamics& dynamics, Projection* projection, Statistics& statistics);

  /// Right after the projection of the start, or of a state from which other rows are in force: decides the rows.
  void begin(const State& start);
  /// Right after the projection of an accepted state: is the rank what it was? If redundant rows are left out of the
  /// solution, the choice which ones follows the motion.
  bool steady(const Instant& at);
  std::string explain_unsteady(const Instant& at);

  /// At the last state of begin() or steady(); at any state on the motion.
  double distance() const { return distance_; }
  double distance(const Instant& at);
  /// After a step of size h to this state: when a singular pose may be reached, as far as v and v̇ tell; infinity if
  /// none is so close that one of the next steps could step over it.
  double pose_ahead(const State& state, double h);
  double rough_pose() const { return rough_pose_; }  ///< the same without looking at the constraints there
  void note_passed() { statistics_.distance_to_singularity = 0.0; }
  int rank() const { return rank_; }  ///< of the position and velocity rows

  /// For a state without accelerations: have the constraints less rank there than at the start?
  bool rank_lost(const Instant& at);
  std::string explain_rank_lost(const Instant& at);

  /// For a run that fails: was the last accepted state so close to a singular configuration that this is the reason?
  bool near_singular() const { return distance_ < near; }
  std::string explain_near(double t) const;

 private:
  static constexpr double near = 0.05;

  struct Distance {
    double value;
    int row;  // that makes it
  };

  void measure(double t);
  bool vanishes_near(const State& state, double width, double& pose);
  void rely_on_rows();
  Distance find_distance(const Independence& found);
  Distance shortest_row();
  void find_metric(const State& start);
  double left_without_short_rows();
  void go_ahead(const State& state, double time);
  bool same_rows() const;
  bool strained();
  void find_lengths();
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
  Vector length_, longest_;        // of the rows, squared
  Vector since_choice_;            // the longest since the rows were chosen
  double clearest_ = 0.0;          // the largest distance since then
  double distance_ = 1.0;
  double t_ = 0.0, before_t_ = 0.0, before_ = 0.0;         // of the distance; the one before it
  double looked_ = 0.0;                                    // how far ahead the pose was that turned out to be none
  double seen_ = std::numeric_limits<double>::infinity();  // when the pose is that did not turn out to be none
  int closest_ = -1;                                       // the row that makes the distance
  std::optional<MetricFactor> all_rows_, probe_;           // of rank_lost(); of distance(at)
  std::optional<PivotedQr> lengthy_;                       // of left_without_short_rows(), with the next two
  Matrix L_, A_;
  RowSelection watched_;  // of position and velocity level
  double rough_pose_ = 0.0;
  std::optional<Projection> rough_;  // of vanishes_near()
  std::vector<int> relied_on_;       // by both projections
  Independence there_;               // of distance(at)
  Matrix M_, C_;
  State ahead_;  // of pose_ahead()
  Vector way_, vdot_;
  std::string undecided_;  // why the rows could not be decided again
};

}  // namespace maggi::integration
