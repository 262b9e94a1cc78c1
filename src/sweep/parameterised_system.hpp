#pragma once
#include <memory>
#include <span>
#include <vector>

#include "system/formulas/equation_system.hpp"

namespace maggi::sweep {

/// A system from formulas whose parameters can be changed while its workspaces are in use: nothing is derived,
/// compiled or allocated for another run. One object per thread.
class ParameterisedSystem final : public System {
 public:
  explicit ParameterisedSystem(const EquationSystem& derived)
      : formulas_(derived, derived.parameters(), derived.start()), parameters_(derived.parameters()) {}

  /// Takes other numbers, and so do the workspaces it has made, which must still exist.
  void set_parameters(std::span<const double> values) {
    parameters_.assign(values.begin(), values.end());
    for (Workspace* w : made_) formulas_.set_parameters(parameters_, *w);
  }

  const Shape& shape() const override { return formulas_.shape(); }
  const Start& start() const override { return formulas_.start(); }
  std::unique_ptr<Workspace> workspace() const override {
    std::unique_ptr<Workspace> w = formulas_.workspace();
    formulas_.set_parameters(parameters_, *w);
    made_.push_back(w.get());
    return w;
  }

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
  EquationSystem formulas_;
  std::vector<double> parameters_;
  mutable std::vector<Workspace*> made_;
};

}  // namespace maggi::sweep
