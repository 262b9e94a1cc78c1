#pragma once
#include <memory>

#include "maggi/expert/system.hpp"
#include "maggi/model.hpp"
#include "maggi/run_options.hpp"
#include "model/numbers.hpp"
#include "system/formulas/unconstrained_equations.hpp"
#include "system/seam/mechanism_system.hpp"

namespace maggi {

class FormulaDerivatives;

/// A system from formulas: T and V (or M and h), forces and constraints in, exact M, h, C, γ and their rates out,
/// as tapes that share every common sub-expression.
///
///     M_ij = ∂²T/∂v_i∂v_j      h_i = Q_i + ∂T/∂q_i − ∂V/∂q_i − (d/dt at fixed v)(∂T/∂v_i)
class EquationSystem final : public System {
 public:
  /// Error with file, line and column if a formula or a name is wrong or makes no sense.
  explicit EquationSystem(const Model& model);
  /// The same of a model that has passed validate(), whose numbers are known.
  EquationSystem(const Model& model, const Numbers& numbers);
  /// The same with what derive_unconstrained() gives for this model, or for one with fewer constraints.
  EquationSystem(const Model& model, const Numbers& numbers, UnconstrainedEquations unconstrained);
  /// The equations of another system with the numbers of `changed`, a model that differs from its model in the values
  /// of parameters and of the start only: nothing is derived or compiled again, and both share what was. Only if
  /// can_share(changed). Error as above if a number makes no sense.
  EquationSystem(const EquationSystem& derived, const Model& changed, const Numbers& numbers);
  /// The same with numbers that have been read already.
  EquationSystem(const EquationSystem& derived, std::vector<double> parameters, Start start);
  ~EquationSystem() override;

  /// May a model be given other numbers without being derived again? Not if the derivation checks numbers that it does
  /// not keep: a mass matrix written with two different halves, friction whose coefficients need definitions.
  static bool can_share(const Model& model, const Numbers& numbers);

  bool shares_with(const EquationSystem& other) const { return compiled_ == other.compiled_; }

  const DerivedEquations& derived() const;
  const std::vector<double>& parameters() const;                            ///< values given in the model
  void set_parameters(std::span<const double> values, Workspace& w) const;  ///< for this workspace from now on

  /// Has all formulas evaluated by machine code from now on, made by the C compiler of the machine, here and in every
  /// system that shares them; threads may evaluate meanwhile. It gives the same bits as the tapes, for all parameters,
  /// and is kept in $XDG_CACHE_HOME/maggi
  /// (~/.cache/maggi). Where that cannot be had, or a bit differs at the start, the tapes stay. The answer says what
  /// happened, in words. `evaluations`: how many are expected; 0 if that is not known. Error (io) if it is `always` and
  /// there is no compiler.
  std::string compile(Compile when, double evaluations = 0.0);

  /// Findings about numbers typed in constraints; see make_system().
  const std::vector<MechanismSystem::RoundedLoop>& rounded() const { return rounded_; }
  void note_rounded(std::vector<MechanismSystem::RoundedLoop> found) { rounded_ = std::move(found); }

  const Shape& shape() const override;
  const Start& start() const override;
  std::unique_ptr<Workspace> workspace() const override;
  void position(const Instant& at, Workspace& w) const override;
  void velocity(const Instant& at, Workspace& w) const override;
  void acceleration(const Instant& at, Workspace& w) const override;
  void nonlinear_rows(const Instant& at, const double* vdot, const double* lambda, Workspace& w) const override;
  void laws(const Instant& at, const double* lambda, const double* tau, const double* sense,
            Workspace& w) const override;
  void rates(const Instant& at, const double* vdot, Workspace& w) const override;
  void directions(const Instant& at, Workspace& w) const override;
  Energy energy(const Instant& at, Workspace& w) const override;
  void outputs(const Instant& at, const Acceleration& a, Workspace& w, std::span<double> values) const override;
  void events(const Instant& at, const Acceleration& a, Workspace& w, std::span<double> values) const override;
  void velocity_derivatives(const Instant& at, Workspace& w, Derivatives& d) const override;
  void acceleration_derivatives(const Instant& at, const Acceleration& held, const Vector& sense, Workspace& w,
                                Derivatives& d) const override;
  void parameter_derivatives(const Instant& at, const Acceleration& held, const Vector& sense,
                             const std::vector<int>& which, Workspace& w, Derivatives& d) const override;
  Interval bounds(int row, Level level, double t, std::span<const Interval> q, std::span<const Interval> v,
                  const Workspace& w) const override;
  void coordinate_rates(const double* q, const double* v, double* qdot) const override;
  void move(double* q, const double* delta) const override;
  void move_rates(const double* delta, const double* rate, double* v) const override;
  void drawing(const Instant& at, Workspace& w, std::span<double> values) const override;

 private:
  struct Compiled;
  std::shared_ptr<Compiled> compiled_;
  std::shared_ptr<const FormulaDerivatives> derivatives_;
  Shape shape_;
  std::vector<double> parameters_;
  Start start_;
  std::vector<MechanismSystem::RoundedLoop> rounded_;
};

}  // namespace maggi
