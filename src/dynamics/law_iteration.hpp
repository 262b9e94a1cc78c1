#pragma once
#include <memory>
#include <string>

#include "dynamics/law_solutions.hpp"
#include "dynamics/row_solver.hpp"
#include "maggi/mode.hpp"

namespace maggi {

class LinearLaws;
class Realisation;
class ReducedLaws;

/// Forces along other directions than Cᵀ, found with v̇ and λ: those of laws, τ, and of controls, p.
///
/// A row that a control keeps acts along its column of B; where there are more controls than such rows, along B Sᵀ, so
/// that p = Sᵀy is the least of all that keep them, see Realisation::effects(). A law, linearised at (λ, τ), adds −T
/// ∂τ/∂λ to the directions in which the constraints act:
///
///     τ = τ_given − K λ,     M v̇ = h + T τ_given + (Cᵀ − T K) λ,     both are  M v̇ = h + G λ
///
/// Newton's method on (v̇, λ, τ), together with rows that are nonlinear in v̇. For laws in |N| this is the iteration on
/// the signs of the normal forces N; it may go round in circles, and then all signs are tried.
class LawIteration {
 public:
  /// All of them must outlive it.
  LawIteration(const System& system, Workspace& workspace, const Mode& mode, RowSolver& solver);
  ~LawIteration();

  void use_rows();                      ///< those of the solver have changed
  void begin_near(const Vector& vdot);  ///< the iteration on rows that are nonlinear in v̇ begins here next
  void begin();                         ///< another solution: no law has been found faulty
  void find_directions();               ///< T, B and G without the laws, from the terms; C of the equations is filled
  /// Is one solution of linear equations not enough?
  bool needed() const { return nonlinear_ || tau_.size() > 0; }
  bool solve(const Instant& at);  ///< v̇ and λ of the solver, and τ

  void expand(Vector& lambda) const;  ///< λ of the rows in use; rows that controls keep have none
  void controls(Vector& p) const;     ///< what keeps these rows
  void reaction(Vector& force) const { force.noalias() = acting_ * solver_.lambda() + T_ * tau_; }
  double power(const Eigen::Ref<const Vector>& v) const;  ///< of all forces of constraints, laws and controls [W]

  const Vector& tau() const { return tau_; }             ///< of all laws
  const Matrix& T() const { return T_; }                 ///< n × laws
  const Matrix& B() const { return B_; }                 ///< n × controls
  const Matrix& acting() const { return acting_; }       ///< G without the laws
  const Vector& multipliers() const { return lambda_; }  ///< m, at the last iterate

  /// Do the laws determine the forces here?
  const LawSolutions& solutions(const Instant& at, bool list);

  std::string explain(const Instant& at);  ///< why the last solution failed; empty if it is not the laws' fault

 private:
  bool iterate(const Instant& at);
  void find_shares();
  double change_of_solution();
  bool next(const Instant& at);
  void curve(const Instant& at);
  void outweigh_curvature();
  bool is_nonlinear(int row) const;
  bool linearise(const Instant& at);
  double residual_of_laws(const Instant& at);
  bool try_all_signs(const Instant& at);
  void forget();
  std::string explain_faulty_law() const;
  const Shape& shape() const { return system_.shape(); }

  const System& system_;
  Workspace& workspace_;
  const Mode& mode_;
  RowSolver& solver_;
  bool nonlinear_ = false;                // a row in use is nonlinear in v̇
  Vector lambda_, previous_;              // m; n: v̇ before
  Vector force_, previous_force_;         // n
  Vector branch_;                         // v̇ found last, if a row is nonlinear in it
  Matrix curvature_;                      // Σ λ ψ_v̇v̇
  Vector bent_, inertia_, along_;         // n: what rows nonlinear in v̇ add to h; diagonal of M; a direction
  Matrix T_, B_, acting_;                 // acting: G without the laws
  std::vector<int> reacting_, kept_;      // rows in use, by their place: with a reaction, kept by controls
  std::unique_ptr<Realisation> shares_;   // none unless there are more controls than rows that they keep
  Matrix share_, C_reacting_, C_kept_;    // share: controls × rows kept, p = share y
  Vector tau_;                            // of all laws
  std::unique_ptr<LinearLaws> linear_;    // at the last iterate
  std::unique_ptr<ReducedLaws> reduced_;  // none without laws, like those above
  LawSolutions solutions_;                // the last that were asked for
  int faulty_ = -1;                       // the law that could not be evaluated, or does not determine its force
  bool undecided_ = false;                // the iteration did not end
};

}  // namespace maggi
