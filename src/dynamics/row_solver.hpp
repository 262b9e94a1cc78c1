#pragma once
#include <memory>
#include <string>
#include <string_view>

#include "maggi/expert/formulation.hpp"
#include "maggi/expert/system.hpp"

namespace maggi {

/// v̇ and λ of the rows in use:
///
///     M v̇ = h + G λ,   C v̇ = γ
///
/// along the recursion of the system where there is one, all forces of constraints are ideal and no row is of
/// acceleration level, otherwise by a formulation on matrices. The matrices, and the formulation on them, are there for
/// states at which the recursion gives up: close to singular configurations.
class RowSolver {
 public:
  /// `formulation` may be "auto"; `basis` may be "". Error if the names are unknown or do not fit together.
  RowSolver(const System& system, Workspace& workspace, std::string_view formulation, std::string_view basis);

  void use_rows(const std::vector<int>& rows);
  const RowSelection& rows() const { return rows_; }
  void need_matrices();    ///< memory for the equations as matrices, and the formulation that solves them
  void meet_singular_M();  ///< the mass matrix is singular, but not on the admissible motions

  std::string_view formulation() const;                ///< the name of the one in use
  const std::string& basis() const { return basis_; }  ///< the name of the basis in use; empty if none
  bool automatic() const { return automatic_; }
  bool asked_for() const { return asked_for_; }  ///< the formulation or the basis
  const Basis* complement() const;               ///< of the last solution; may be none
  Recursion* recursion() const { return recursion_.get(); }
  bool recursive() const { return recursion_ != nullptr; }

  /// For the recursion: all that it needs is evaluated at this state.
  void evaluate_without_matrices(const Instant& at);
  void evaluate_C(const Instant& at);  ///< of all rows: where the recursion is used, none is of acceleration level
  bool solve_recursively();            ///< from the terms

  void load_matrices(const Instant& at);  ///< the equations from the terms, and their rates if they are needed
  bool solve_matrices();                  ///< the equations; false if something is not solvable or not finite
  Equations& equations() { return equations_; }

  Vector& vdot() { return vdot_; }      ///< n
  Vector& lambda() { return lambda_; }  ///< in the order of rows()
  const Vector& vdot() const { return vdot_; }
  const Vector& lambda() const { return lambda_; }

  std::string explain() const;  ///< why the formulation refuses; empty if it does not say

 private:
  [[noreturn]] void refuse_nonideal(std::string_view asked_for) const;
  void check_method_without_inertia() const;
  void choose(std::string_view formulation);
  void fill_rates(const Instant& at);
  void resize_equations();
  const Shape& shape() const { return system_.shape(); }

  const System& system_;
  Workspace& workspace_;
  std::unique_ptr<Recursion> recursion_;  // none: matrices
  std::unique_ptr<Formulation> formulation_;
  bool automatic_;
  bool asked_for_;                   // the formulation or the basis
  std::string on_matrices_, basis_;  // the formulation for matrices
  bool needs_J_ = false;             // of the local coordinates, for the basis
  RowSelection rows_;
  Equations equations_;
  Vector gamma_;  // of the rows in use
  Vector vdot_, lambda_;
};

}  // namespace maggi
