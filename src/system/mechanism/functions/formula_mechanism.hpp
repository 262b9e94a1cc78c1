#pragma once
#include <array>
#include <memory>

#include "system/formulas/equation_system.hpp"
#include "system/mechanism/functions/system_with_functions.hpp"
#include "system/mechanism/functions/zeros_kept.hpp"

namespace maggi::mechanism {

/// A mechanism with formulas over its output functions s(q): constraints (among them the gaps of its loops), forces,
/// laws, controls, events and outputs. The formulas are a system of their own in which s are the coordinates; here they
/// are carried over to the velocities of the mechanism, ṡ = S v.
///
///     C = Ĉ S      γ = γ̂ − Ĉ Ṡ v      h = h + Sᵀ ĥ      T = Sᵀ T̂      B = Sᵀ B̂
///
/// Derivatives go the same way: ds = S δ, dṡ and ds̈ from the mechanism, those of the formulas by s, ṡ and s̈, and the
/// forces F̂ = ĥ + Ĉᵀλ + T̂ τ + B̂ p of the formulas are held while the mechanism differentiates Sᵀ F̂.
class FormulaMechanism final : public MechanismSystem {
 public:
  /// `before`: one with other numbers; if its formulas are the same, they are not derived again.
  FormulaMechanism(std::unique_ptr<SystemWithFunctions> mechanism, Model over_functions,
                   std::shared_ptr<const MechanismSource> source, bool leaves_zeros_out, const FormulaMechanism* before,
                   MakeMechanism make);

  EquationSystem& formulas() { return formulas_; }  ///< over the output functions, for compiling
  const EquationSystem& formulas() const { return formulas_; }

  /// All equations as formulas over the joint coordinates and their rates, whose names formulas of the model may use,
  /// and over the parameters of formulas(); the numbers of bodies and joints are constants. Without what is not needed
  /// to read constraints, h and controls: rates, laws and outputs.
  /// Error (model) with the reason if they cannot be written as formulas.
  DerivedEquations derive() const;

  const std::vector<Branch>& tree() const override { return mechanism_->tree(); }
  const std::vector<RoundedLoop>& rounded_loops() const override { return mechanism_->rounded_loops(); }
  const std::vector<Loop>& loops() const override { return mechanism_->loops(); }
  bool planar() const override { return mechanism_->planar(); }
  std::unique_ptr<MechanismSystem> with_numbers(const Model& changed, const Numbers& numbers) const override;
  std::unique_ptr<MechanismSystem> with_constraints(const std::vector<Constraint>& all) const override {
    return mechanism_->with_constraints(all);
  }
  std::unique_ptr<MechanismSystem> absolute_twin() const override { return mechanism_->absolute_twin(); }
  std::size_t own_outputs() const override { return mechanism_->shape().outputs.size(); }
  std::vector<Placement> placements(const State& at) const override { return mechanism_->placements(at); }
  std::optional<Followed> followed_by(int row, const State& at) const override;
  std::optional<MeetingEnds> meeting_ends(const State& at, double within) const override {
    return mechanism_->meeting_ends(at, within);
  }

  Matrix absolute_rows(const Instant& at, const Acceleration& a, const std::vector<int>& rows,
                       Workspace& w) const override;

  const Shape& shape() const override { return shape_; }
  const Start& start() const override { return start_; }
  std::unique_ptr<Workspace> workspace() const override;
  std::unique_ptr<Recursion> recursion() const override;
  void position(const Instant& at, Workspace& w) const override;
  void velocity(const Instant& at, Workspace& w) const override;
  void acceleration(const Instant& at, Workspace& w) const override;
  void nonlinear_rows(const Instant& at, const double* vdot, const double* lambda, Workspace& w) const override;
  void laws(const Instant& at, const double* lambda, const double* tau, const double* sense,
            Workspace& w) const override;
  void rates(const Instant& at, const double* vdot, Workspace& w) const override;
  Energy energy(const Instant& at, Workspace& w) const override;
  void outputs(const Instant& at, const Acceleration& a, Workspace& w, std::span<double> values) const override;
  void events(const Instant& at, const Acceleration& a, Workspace& w, std::span<double> values) const override;
  void velocity_derivatives(const Instant& at, Workspace& w, Derivatives& d) const override;
  void acceleration_derivatives(const Instant& at, const Acceleration& held, const Vector& sense, Workspace& w,
                                Derivatives& d) const override;
  void parameter_derivatives(const Instant& at, const Acceleration& held, const Vector& sense,
                             const std::vector<int>& which, Workspace& w, Derivatives& d) const override;
  void coordinate_rates(const double* q, const double* v, double* qdot) const override {
    mechanism_->coordinate_rates(q, v, qdot);
  }
  void move(double* q, const double* delta) const override { mechanism_->move(q, delta); }
  void move_rates(const double* delta, const double* rate, double* v) const override {
    mechanism_->move_rates(delta, rate, v);
  }
  void drawing(const Instant& at, Workspace& w, std::span<double> values) const override;

 private:
  /// A product of two packed matrices, entry by entry: out[k] += a[i] b[j].
  using Product = std::vector<std::array<int, 3>>;

  void fill_shape();
  void add_local_coordinates();
  void fill_J(const Vector& of_mechanism, const Vector& of_functions, Vector& J) const;
  void fill_start();
  void see_forces(const Instant& at, const Acceleration& a, Workspace& w) const;

  std::unique_ptr<SystemWithFunctions> mechanism_;
  Model over_functions_;
  EquationSystem formulas_;
  Shape shape_;
  Start start_;
  Product C_, T_, B_;    // Ĉ S, Sᵀ T̂, Sᵀ B̂
  std::vector<int> J_;   // entries of S that are entries of J
  std::vector<int> M_;   // where the entries of the mechanism's own M go
  bool curved_ = false;  // some rows are not linear in v̇
  MakeMechanism make_;
  ZerosKept zeros_kept_;
};

}  // namespace maggi::mechanism
