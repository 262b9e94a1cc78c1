#pragma once
#include <optional>

#include "maggi/expert/formulation.hpp"
#include "start/start_search.hpp"

namespace maggi::integration {

/// What Newton's method with sparse matrices has left.
struct LeftBySparse {
  int row = -1;  ///< of the shape
  double residual = 0.0;
};

/// n + m, beyond which nothing is searched for with matrices that are not sparse: each takes 8 (n + m)² bytes, and a
/// factor minutes.
inline constexpr int most_dense = 3000;

/// The stages one after the other, as far as they succeed.
class StartAttempt {
 public:
  StartAttempt(const System& system, Workspace& w, const Start& start, Demands demands);

  /// Up to this stage; beyond Stage::velocities, velocities that fail are tried again together with the positions, and
  /// forces in every mode of the contacts. Large systems are tried with sparse matrices first, and the largest with
  /// nothing else.
  bool run(Stage last);
  bool run_forces();  ///< the last part of Stage::everything, after Stage::motion

  const State& state() const { return state_; }
  const Vector& displacement() const { return displacement_; }  ///< of the positions, from the origin of the start
  const Acceleration& acceleration() const { return a_; }       ///< after Stage::everything
  const Vector& sense() const { return sense_; }                ///< of all laws, after Stage::everything
  const std::vector<bool>& found_q() const { return found_q_; }
  const std::vector<bool>& found_v() const { return found_v_; }
  double condition_position() const { return condition_position_; }
  double condition_velocity() const { return condition_velocity_; }
  bool least_change() const { return least_change_; }
  bool together() const { return together_; }  ///< positions and velocities were found at once
  /// How much of the way from the reference configuration to the values given could be followed; 1: all, or it is not
  /// far.
  double followed() const { return followed_; }

  /// Set if the system is too large for the search with matrices that are not sparse: the row that the guess leaves
  /// unsatisfied.
  const std::optional<LeftBySparse>& too_large() const { return too_large_; }

  // of the last stage, which is the one that failed
  Stage stage() const { return stage_; }
  const Found& found() const { return found_; }
  const std::string& objection() const { return objection_; }  ///< to the best solution, if it is none for contacts
  const std::vector<Unknown>& unknowns() const { return unknowns_; }
  const std::vector<Condition>& conditions() const { return conditions_; }

 private:
  bool run_sparse();
  bool run_sparse(bool let_stay);
  bool run_stage(Stage stage);
  bool find_forces();
  static Vector guess(const StartProblem& problem, const Vector& displacement, const Vector& v);
  void report(const StartProblem& problem, const Found& found);
  void accept(const StartProblem& problem);
  Acceleration name_sticking_forces(Acceleration a, const Vector& sense) const;

  const System& system_;
  Workspace& w_;
  const Start& start_;
  Demands demands_;
  State state_;
  Vector displacement_;  // belongs to state_.q
  Acceleration a_;
  Vector sense_;
  std::vector<bool> found_q_, found_v_;
  double condition_position_ = 1.0, condition_velocity_ = 1.0, followed_ = 1.0;
  bool least_change_ = false, together_ = false;
  Stage stage_ = Stage::positions;
  Found found_;
  std::optional<LeftBySparse> too_large_;
  std::string objection_;
  std::vector<Unknown> unknowns_;
  std::vector<Condition> conditions_;
};

/// The state of find_initial_conditions() alone, where every row is in force and no force is given; nothing if there is
/// none. Whether the rows depend on each other there is not asked.
std::optional<State> find_start_state(const System& system, Workspace& w, const Start& start);

/// Whether v̇, λ or a reaction is given: then everything is found together.
bool gives_forces(const Start& start);

/// All rows, and all laws of the shape.
Demands all_demands(const Shape& shape, const std::vector<int>& rows);

}  // namespace maggi::integration
