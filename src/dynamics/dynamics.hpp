#pragma once
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "basis/metric_factor.hpp"
#include "dynamics/law_solutions.hpp"
#include "maggi/expert/formulation.hpp"
#include "maggi/expert/system.hpp"
#include "maggi/mode.hpp"

namespace maggi {

class LinearLaws;
class Realisation;
class ReducedLaws;

/// (q, v, t) ↦ v̇, λ, τ, p: a system, the rows in use, and a formulation. What integrators call.
///
/// Rows that depend on others are left out of the solution (they follow from the others as long as they are
/// compatible); which ones is decided by decide_rows(), once per step at most, on rows scaled in the mass metric. One
/// object per thread.
///
/// Where the system offers an Recursion and all forces of constraints are ideal, `recursive` solves along it; the
/// matrices, and the formulation on them, are there for states at which it gives up: close to singular poses.
///
/// Forces of laws and controls are solved for with them: a law, linearised, adds −T ∂τ/∂λ to the directions in which
/// the constraints act, and a row kept by a control acts along its column of B. Both are M v̇ = h + G λ.
class Dynamics {
 public:
  /// `formulation` may be "auto"; `basis` may be "". Error if the names are unknown or do not fit together.
  Dynamics(const System& system, std::string_view formulation = "auto", std::string_view basis = "");
  ~Dynamics();

  const System& system() const { return system_; }
  const Shape& shape() const { return system_.shape(); }
  Workspace& workspace() { return *workspace_; }
  std::string_view formulation() const;                            ///< the name of the one in use
  const std::string& basis() const { return basis_; }              ///< the name of the basis in use; empty if none
  const Basis* complement() const;                                 ///< of the last solution; may be none
  bool solved_recursively() const { return solved_recursively_; }  ///< was the last solution the recursion's?
  Recursion* recursion() { return recursion_.get(); }              ///< in use, over rows(); none: matrices
  std::string reason() const;                                      ///< why it was chosen

  const Mode& mode() const { return mode_; }
  void set_mode(Mode mode);  ///< decide_rows() must follow
  /// The sense in which a contact slides, where nothing else changes.
  void turn(const Contact& contact, const Eigen::Ref<const Vector>& sense);

  /// The rank decision at this state, on all active rows; the independent ones are used from now on.
  /// Error (model) if there is an admissible motion without inertia, or if a law uses a reaction that is not unique.
  void decide_rows(const Instant& at);
  /// Of all active rows. Those in use are as many, unless servo rows follow from others once the controls keep these.
  int rank() const { return rank_; }
  int freedom() const { return shape().n() - rank(); }
  const RowSelection& rows() const { return rows_; }
  const std::vector<int>& dependent_rows() const { return dependent_; }
  const std::vector<int>& active_rows() const { return active_.rows(); }

  /// v̇ at a state; the hot path. false if something is not finite or not solvable; explain() says what.
  bool accelerate(const Instant& at, double* vdot);

  /// Power on the system of all forces of constraints, laws and controls at the last solution [W]: reaction · v.
  double reaction_power(const Instant& at);

  /// Baumgarte's terms, in accelerate() only:  γ ← γ − 2α φ − β² f for position rows, γ − 2α φ for velocity rows.
  /// solve() gives the accelerations and reactions of the constraints themselves.
  void stabilise(double alpha, double beta);

  std::pair<double, double> stabilisation() const { return {alpha_, beta_}; }  ///< α and β; 0: none

  /// λ, τ and p of the last solution, as they act: λ of the rows in use, those by which a contact sticks among them; 0
  /// for all other rows.
  void last_forces(Acceleration& a) const;

  /// v̇, λ and the reaction, for all rows: λ of redundant rows is the one of least norm, λ of inactive rows is 0. The
  /// force of a contact is its τ whether it slides or sticks; λ of the rows by which it sticks is 0.
  bool solve(const Instant& at, Acceleration& result);

  /// Do the laws determine the forces here? Costs one solution, and the laws for all signs of up to six reactions.
  /// `list`: the solutions are looked for even if there can be only one.
  const LawSolutions& law_solutions(const Instant& at, bool list = false);

  /// Why the last accelerate() or solve() failed, in words and names.
  std::string explain(const Instant& at);

  long evaluations() const { return evaluations_; }

 private:
  void use_rows(const std::vector<int>& rows);
  void find_rows_that_controls_keep();
  void expand_multipliers(Vector& lambda) const;
  [[noreturn]] void throw_weightless() const;
  [[noreturn]] void refuse_nonideal(std::string_view asked_for) const;
  void refuse_open_laws() const;
  bool solve_rows(const Instant& at, bool stabilised);
  bool solve_recursively();
  bool decide_recursively(const Instant& at);
  void decide_on_matrices(const Instant& at);
  void evaluate_without_matrices(const Instant& at);
  void evaluate_C(const Instant& at);
  void check_finite(double t) const;
  void give_up_recursion();
  void need_matrices();
  bool order_long_rows_first();
  void find_feedback(const Instant& at);
  void find_directions();
  bool linearise_laws(const Instant& at);
  bool laws_met(const Instant& at);
  bool next_iterate(const Instant& at);
  void fill_rates(const Instant& at);
  bool iterate(const Instant& at);
  void start_afresh();
  std::string explain_faulty_law() const;
  void separate_forces(Acceleration& result) const;

  const System& system_;
  std::unique_ptr<Workspace> workspace_;
  std::unique_ptr<Recursion> recursion_;  // none: matrices
  std::unique_ptr<Formulation> formulation_;
  bool automatic_;
  std::string on_matrices_, basis_;  // the formulation for matrices
  Mode mode_;
  RowSelection active_, rows_;       // all rows switched on; those in use, independent
  std::vector<int> dependent_;       // active, but not in use
  std::vector<int> order_, in_use_;  // memory of the decision
  bool nonlinear_ = false;           // a row in use is nonlinear in v̇
  // matrices, once they are needed
  Equations equations_, all_;  // of the rows in use; of all active rows
  std::optional<MetricFactor> factor_;
  std::unique_ptr<Basis> distribution_;  // gives λ of least norm if rows are redundant
  Vector gamma_;                         // of the rows in use
  Vector vdot_, lambda_, lambda_all_, previous_;
  Matrix curvature_;
  Matrix T_, B_, acting_;                      // n × laws, n × controls; G without the laws
  Vector tau_;                                 // of all laws
  std::unique_ptr<LinearLaws> linear_laws_;    // at the last iterate
  std::unique_ptr<ReducedLaws> reduced_laws_;  // none without laws, like those above
  LawSolutions law_solutions_;                 // the last that were asked for
  int faulty_law_ = -1;                        // the one that could not be evaluated or has no say in its force
  bool undecided_ = false;                     // the iteration on the laws did not end
  double alpha_ = 0.0, beta_ = 0.0;
  Vector feedback_;  // what is taken off γ
  long evaluations_ = 0;
  RowSelection reacting_;  // the active rows with a reaction of their own
  RowSelection servo_;     // and those that controls keep
  Matrix C_reacting_, C_servo_;
  std::unique_ptr<Realisation> realisation_;  // none without controls
  bool redundant_ = false;                    // some of these are not in use
  bool solved_recursively_ = false;
  int rank_ = 0;
};

}  // namespace maggi
