#pragma once
#include "integration/start_search.hpp"
#include "maggi/formulation/formulation.hpp"

namespace maggi::integration {

/// The stages one after the other, as far as they succeed.
class StartAttempt {
 public:
  StartAttempt(const System& system, Workspace& w, const Start& start, Demands demands);

  /// Up to this stage; velocities that fail are tried again together with the positions, and forces in every mode of
  /// the contacts.
  bool run(Stage last);

  const State& state() const { return state_; }
  const Acceleration& acceleration() const { return a_; }  ///< after Stage::everything
  const Vector& sense() const { return sense_; }           ///< of all laws, after Stage::everything
  const std::vector<bool>& found_q() const { return found_q_; }
  const std::vector<bool>& found_v() const { return found_v_; }
  double condition_position() const { return condition_position_; }
  double condition_velocity() const { return condition_velocity_; }
  bool least_change() const { return least_change_; }
  bool together() const { return together_; }  ///< positions and velocities were found at once

  // of the last stage, which is the one that failed
  Stage stage() const { return stage_; }
  const Found& found() const { return found_; }
  const std::string& objection() const { return objection_; }  ///< to the best solution, if it is none for contacts
  const std::vector<Unknown>& unknowns() const { return unknowns_; }
  const std::vector<Condition>& conditions() const { return conditions_; }

 private:
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
  double condition_position_ = 1.0, condition_velocity_ = 1.0;
  bool least_change_ = false, together_ = false;
  Stage stage_ = Stage::positions;
  Found found_;
  std::string objection_;
  std::vector<Unknown> unknowns_;
  std::vector<Condition> conditions_;
};

/// Whether v̇, λ or a reaction is given: then everything is found together.
bool gives_forces(const Start& start);

/// All rows, and all laws of the shape.
Demands all_demands(const Shape& shape, const std::vector<int>& rows);

}  // namespace maggi::integration
