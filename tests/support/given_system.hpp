#pragma once
#include <memory>

#include "maggi/expert/equations.hpp"
#include "maggi/expert/system.hpp"

namespace maggi::test {

/// A system that is just numbers: M, h, C, γ and the rates given with them (or zero) at every state, all rows at
/// acceleration level. With B, the last rows are kept by as many controls.
class GivenSystem final : public System {
 public:
  explicit GivenSystem(Equations equations, Matrix B = {}) : equations_(std::move(equations)), B_(std::move(B)) {
    const int n = equations_.n(), m = equations_.m();
    for (int i = 0; i < n; ++i) {
      shape_.coordinates.push_back({"q" + std::to_string(i), "", {}});
      shape_.velocities.push_back({"q" + std::to_string(i) + "'", "", {}});
    }
    for (int i = 0; i < m; ++i) {
      Row row;
      row.name = row.owner = "row" + std::to_string(i);
      row.level = Level::acceleration;
      shape_.rows.push_back(row);
    }
    shape_.s_a = m;
    const auto controls = static_cast<int>(B_.cols());
    shape_.T = {n, 0, false, {}, {}};
    shape_.B = {n, controls, false, {}, {}};
    for (int j = 0; j < controls; ++j) {
      shape_.controls.push_back({"p" + std::to_string(j), "", {}});
      shape_.rows[m - controls + j].kind = RowKind::servo;
    }
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < controls; ++j) shape_.B.add(i, j);
    shape_.M = {n, n, true, {}, {}};
    shape_.C = {m, n, false, {}, {}};
    for (int i = 0; i < n; ++i)
      for (int j = 0; j <= i; ++j) shape_.M.add(i, j);
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < n; ++j) shape_.C.add(i, j);
    const auto n_x = static_cast<int>(equations_.J.rows());
    shape_.J = {n_x, n, false, {}, {}};
    for (int i = 0; i < n_x; ++i) {
      shape_.local.push_back({"x" + std::to_string(i), "x" + std::to_string(i), "", "", {}});
      for (int j = 0; j < n; ++j) shape_.J.add(i, j);
    }
  }

  const Shape& shape() const override { return shape_; }
  const Start& start() const override { return start_; }
  std::unique_ptr<Workspace> workspace() const override {
    auto w = std::make_unique<Workspace>();
    w->terms.M.resize(shape_.M.size());
    w->terms.C.resize(shape_.C.size());
    w->terms.J.resize(shape_.J.size());
    w->terms.B.resize(shape_.B.size());
    w->terms.Jdot = Vector::Zero(shape_.J.size());
    w->terms.Mdot = Vector::Zero(shape_.M.size());
    w->terms.Cdot = Vector::Zero(shape_.C.size());
    w->terms.psi = Vector::Zero(shape_.s_a);
    acceleration({0.0, nullptr, nullptr}, *w);
    return w;
  }
  void acceleration(const Instant&, Workspace& w) const override {
    for (int k = 0; k < shape_.M.size(); ++k) w.terms.M[k] = equations_.M(shape_.M.row[k], shape_.M.col[k]);
    for (int k = 0; k < shape_.C.size(); ++k) w.terms.C[k] = equations_.C(shape_.C.row[k], shape_.C.col[k]);
    for (int k = 0; k < shape_.J.size(); ++k) w.terms.J[k] = equations_.J(shape_.J.row[k], shape_.J.col[k]);
    for (int k = 0; k < shape_.B.size(); ++k) w.terms.B[k] = B_(shape_.B.row[k], shape_.B.col[k]);
    w.terms.h = equations_.h;
    w.terms.gamma = equations_.gamma;
  }
  void position(const Instant& at, Workspace& w) const override { acceleration(at, w); }
  void velocity(const Instant& at, Workspace& w) const override { acceleration(at, w); }
  void nonlinear_rows(const Instant&, const double*, const double*, Workspace&) const override {}
  void laws(const Instant&, const double*, const double*, const double*, Workspace&) const override {}
  void rates(const Instant&, const double*, Workspace& w) const override {
    if (equations_.rate.M.size() == 0) return;
    for (int k = 0; k < shape_.J.size(); ++k) w.terms.Jdot[k] = equations_.rate.J(shape_.J.row[k], shape_.J.col[k]);
    for (int k = 0; k < shape_.M.size(); ++k) w.terms.Mdot[k] = equations_.rate.M(shape_.M.row[k], shape_.M.col[k]);
    for (int k = 0; k < shape_.C.size(); ++k) w.terms.Cdot[k] = equations_.rate.C(shape_.C.row[k], shape_.C.col[k]);
  }
  Energy energy(const Instant&, Workspace&) const override { return {}; }
  void outputs(const Instant&, const Acceleration&, Workspace&, std::span<double>) const override {}
  void coordinate_rates(const double*, const double*, double*) const override {}
  void move(double*, const double*) const override {}
  void move_rates(const double*, const double*, double*) const override {}
  void velocity_derivatives(const Instant&, Workspace&, Derivatives& d) const override {
    d.phi_q.setZero(0, shape_.n());
  }
  void acceleration_derivatives(const Instant&, const Acceleration&, const Vector&, Workspace&,
                                Derivatives& d) const override {
    for (Matrix* balance : {&d.balance_q, &d.balance_v}) balance->setZero(shape_.n(), shape_.n());
    for (Matrix* rows : {&d.rows_q, &d.rows_v}) rows->setZero(shape_.m(), shape_.n());
    for (Matrix* law : {&d.law_q, &d.law_v}) law->setZero(0, shape_.n());
  }
  void parameter_derivatives(const Instant&, const Acceleration&, const Vector&, const std::vector<int>&, Workspace&,
                             Derivatives&) const override {}

 private:
  Equations equations_;
  Matrix B_;
  Shape shape_;
  Start start_;
};

}  // namespace maggi::test
