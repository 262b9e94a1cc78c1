#pragma once
#include "system/formulas/equation_system.hpp"

namespace maggi::sweep {

/// A system from formulas with the numbers of another model, which differs from theirs in values of parameters and of
/// the start only: nothing is derived or compiled anew.
class WithNumbers final : public System {
 public:
  /// Not if numbers_in_shape(changed). `formulas` must outlive it.
  WithNumbers(const EquationSystem& formulas, const Model& changed);
  WithNumbers(const EquationSystem& formulas, std::vector<double> parameters, Start start)
      : formulas_(formulas), parameters_(std::move(parameters)), start_(std::move(start)) {}

  /// Are numbers of the model part of the shape, or checked when laws are derived (one-sided constraints, friction)?
  static bool numbers_in_shape(const Model& model);

  /// Takes other numbers, and so do the workspaces it has made, which must still exist.
  void set_parameters(std::span<const double> values);

  const EquationSystem& formulas() const { return formulas_; }
  const std::vector<double>& parameters() const { return parameters_; }

  const Shape& shape() const override { return formulas_.shape(); }
  const Start& start() const override { return start_; }
  std::unique_ptr<Workspace> workspace() const override;

  void position(const Instant& at, Workspace& w) const override { formulas_.position(at, w); }
  void velocity(const Instant& at, Workspace& w) const override { formulas_.velocity(at, w); }
  void acceleration(const Instant& at, Workspace& w) const override { formulas_.acceleration(at, w); }
  void nonlinear_rows(const Instant& at, const double* vdot, const double* lambda, Workspace& w) const override {
    formulas_.nonlinear_rows(at, vdot, lambda, w);
  }
  void laws(const Instant& at, const double* lambda, const double* tau, const double* sense,
            Workspace& w) const override {
    formulas_.laws(at, lambda, tau, sense, w);
  }
  void rates(const Instant& at, const double* vdot, Workspace& w) const override { formulas_.rates(at, vdot, w); }
  void directions(const Instant& at, Workspace& w) const override { formulas_.directions(at, w); }
  Energy energy(const Instant& at, Workspace& w) const override { return formulas_.energy(at, w); }
  void outputs(const Instant& at, const Acceleration& a, Workspace& w, std::span<double> values) const override {
    formulas_.outputs(at, a, w, values);
  }
  void events(const Instant& at, const Acceleration& a, Workspace& w, std::span<double> values) const override {
    formulas_.events(at, a, w, values);
  }
  void velocity_derivatives(const Instant& at, Workspace& w, Derivatives& d) const override {
    formulas_.velocity_derivatives(at, w, d);
  }
  void acceleration_derivatives(const Instant& at, const Acceleration& held, const Vector& sense, Workspace& w,
                                Derivatives& d) const override {
    formulas_.acceleration_derivatives(at, held, sense, w, d);
  }
  void parameter_derivatives(const Instant& at, const Acceleration& held, const Vector& sense,
                             const std::vector<int>& which, Workspace& w, Derivatives& d) const override {
    formulas_.parameter_derivatives(at, held, sense, which, w, d);
  }
  Interval bounds(int row, Level level, double t, std::span<const Interval> q, std::span<const Interval> v,
                  const Workspace& w) const override {
    return formulas_.bounds(row, level, t, q, v, w);
  }
  void coordinate_rates(const double* q, const double* v, double* qdot) const override {
    formulas_.coordinate_rates(q, v, qdot);
  }
  void move(double* q, const double* delta) const override { formulas_.move(q, delta); }
  void move_rates(const double* delta, const double* rate, double* v) const override {
    formulas_.move_rates(delta, rate, v);
  }
  void drawing(const Instant& at, Workspace& w, std::span<double> values) const override {
    formulas_.drawing(at, w, values);
  }

 private:
  const EquationSystem& formulas_;
  std::vector<double> parameters_;
  Start start_;
  mutable std::vector<Workspace*> made_;
};

}  // namespace maggi::sweep
