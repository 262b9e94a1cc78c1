#pragma once
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "dynamics/force_sharing.hpp"
#include "dynamics/law_iteration.hpp"
#include "dynamics/multiplier_share.hpp"
#include "dynamics/row_decision.hpp"
#include "dynamics/row_solver.hpp"
#include "maggi/mode.hpp"

namespace maggi {

/// (q, v, t) ↦ v̇, λ, τ, p. What integrators call. It ties together
///
///     RowDecision    which rows are in force and which of them are independent; once per step at most
///     RowSolver      v̇ and λ of these rows, along the joints or by a formulation on matrices
///     LawIteration   forces along other directions than Cᵀ: force laws, friction, controls
///
/// One object per thread.
class Dynamics {
 public:
  /// `formulation` may be "auto"; `basis` may be "". Error if the names are unknown or do not fit together.
  Dynamics(const System& system, std::string_view formulation = "auto", std::string_view basis = "");
  ~Dynamics();

  const System& system() const { return system_; }
  const Shape& shape() const { return system_.shape(); }
  Workspace& workspace() { return *workspace_; }
  std::string_view formulation() const { return solver_.formulation(); }  ///< the name of the one in use
  const std::string& basis() const { return solver_.basis(); }      ///< the name of the basis in use; empty if none
  const Basis* complement() const { return solver_.complement(); }  ///< of the last solution; may be none
  bool solved_recursively() const { return solved_recursively_; }   ///< was the last solution the recursion's?
  Recursion* recursion() { return solver_.recursion(); }            ///< in use, over rows(); none: matrices
  std::string reason() const;                                       ///< why it was chosen

  const Mode& mode() const { return mode_; }
  void set_mode(Mode mode);  ///< decide_rows() must follow
  /// The sense in which a contact slides, where nothing else changes.
  void turn(const Contact& contact, const Eigen::Ref<const Vector>& sense);

  /// Where rows that are nonlinear in v̇ admit several accelerations: those near these are looked for from now on.
  /// decide_rows() must follow.
  void begin_near(const Vector& vdot) { laws_.begin_near(vdot); }

  /// The rank decision at this state, on all active rows; the independent ones are used from now on.
  /// Error (model) if there is an admissible motion without inertia, or if a law uses a reaction that is not unique.
  void decide_rows(const Instant& at);
  /// Of all active rows. Those in use are as many, unless servo rows follow from others once the controls keep these.
  int rank() const { return decision_.rank(); }
  int freedom() const { return shape().n() - rank(); }
  const RowSelection& rows() const { return solver_.rows(); }
  const std::vector<int>& dependent_rows() const { return decision_.dependent(); }
  const std::vector<int>& active_rows() const { return decision_.active().rows(); }

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
  /// Forces of rows that press and contacts that stick which are not unique in the last solution of solve().
  const ForceSharing& sharing() const { return sharing_; }

  /// n × rows(): the directions in which the rows in use act, without laws; of those that controls keep, of the
  /// controls that keep them. Only where there are laws or controls.
  const Matrix& acting() const { return laws_.acting(); }
  /// By how many values the controls could be others, with the same motion.
  int free_controls() const;

  /// Do the laws determine the forces here? Costs one solution, and the laws for all signs of up to six reactions.
  /// `list`: the solutions are looked for even if there can be only one.
  const LawSolutions& law_solutions(const Instant& at, bool list = false) { return laws_.solutions(at, list); }

  /// Why the last accelerate() or solve() failed, in words and names.
  std::string explain(const Instant& at);
  /// After explain(): the reason is that the formulation or the basis asked for does not solve these equations.
  bool method_refuses() const { return method_refuses_ && solver_.asked_for(); }

  long evaluations() const { return evaluations_; }

 private:
  bool solve_rows(const Instant& at, bool stabilised);
  bool decide_recursively(const Instant& at);
  void decide_on_matrices(const Instant& at);
  void use_rows();
  void need_matrices();
  void check_finite(const Instant& at) const;
  void find_feedback(const Instant& at);
  void separate_forces(Acceleration& result) const;
  void name_sticking_forces(Acceleration& result) const;
  void share_reaction(const Instant& at, Acceleration& result);
  void refuse_open_laws() const;
  bool only_resting_contacts_use(int row) const;

  const System& system_;
  std::unique_ptr<Workspace> workspace_;
  Mode mode_;
  RowDecision decision_;
  RowSolver solver_;
  LawIteration laws_;
  MultiplierShare share_;
  ForceSharing sharing_;
  Vector before_;  // λ before it is shared
  double alpha_ = 0.0, beta_ = 0.0;
  Vector feedback_;  // what is taken off γ
  Vector own_;       // the part of a reaction that is Cᵀλ
  bool solved_recursively_ = false;
  bool method_refuses_ = false;
  long evaluations_ = 0;
};

}  // namespace maggi
