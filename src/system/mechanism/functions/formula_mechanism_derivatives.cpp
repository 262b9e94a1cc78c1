#include "system/mechanism/functions/formula_mechanism.hpp"
#include "system/mechanism/functions/formula_workspace.hpp"

namespace maggi::mechanism {

namespace {

void scatter(const Pattern& pattern, const Vector& values, Matrix& dense) {
  dense.resize(pattern.rows, pattern.cols);
  pattern.scatter(values, dense);
}

/// A part that is left out stands for zeros.
void take(const Vector& given, std::size_t size, Vector& part) {
  part.setZero(static_cast<Eigen::Index>(size));
  if (given.size() > 0) part = given;
}

}  // namespace

void FormulaMechanism::velocity_derivatives(const Instant& at, Workspace& w, Derivatives& d) const {
  FormulaWorkspace& workspace = memory_of(w);
  Matrix &S = workspace.S, &C = workspace.C;
  mechanism_->velocity(at, *workspace.mechanism);
  const FunctionValues& m = mechanism_->function_values(*workspace.mechanism);
  formulas_.velocity(seen(at, m), *workspace.formulas);
  scatter(mechanism_->function_pattern(), m.S, S);
  scatter(formulas_.shape().C, workspace.formulas->terms.C, C);
  formulas_.velocity_derivatives(seen(at, m), *workspace.formulas, workspace.over_functions);
  const FunctionDerivatives& slopes = mechanism_->velocity_slopes(at, *workspace.mechanism);
  d.phi_q.noalias() = workspace.over_functions.phi_q * S;
  d.phi_q.noalias() += C.topRows(shape_.s_p + shape_.s_v) * slopes.rate_q;
}

void FormulaMechanism::acceleration_derivatives(const Instant& at, const Acceleration& held, const Vector& sense,
                                                Workspace& w, Derivatives& d) const {
  FormulaWorkspace& workspace = memory_of(w);
  Acceleration& all = workspace.held;
  take(held.vdot, shape_.velocities.size(), all.vdot);
  take(held.lambda, shape_.rows.size(), all.lambda);
  take(held.tau, shape_.laws.size(), all.tau);
  take(held.p, shape_.controls.size(), all.p);
  see_forces(at, all, w);
  const FunctionValues& m = mechanism_->function_values(*workspace.mechanism);
  Matrix &S = workspace.S, &C = workspace.C, &K = workspace.curvature, &sum = workspace.by_functions;
  scatter(mechanism_->function_pattern(), m.S, S);
  scatter(formulas_.shape().C, workspace.formulas->terms.C, C);
  scatter(formulas_.shape().M, workspace.formulas->terms.curvature, K);  // ∂(Ĉᵀλ)/∂s̈
  Derivatives& over = workspace.over_functions;
  formulas_.acceleration_derivatives(seen(at, m), workspace.of_functions, sense, *workspace.formulas, over);
  const FunctionDerivatives& slopes =
      mechanism_->acceleration_slopes(at, all.vdot.data(), workspace.forces.data(), *workspace.mechanism);

  sum.noalias() = over.balance_q * S;
  sum.noalias() += over.balance_v * slopes.rate_q;
  sum.noalias() += K * slopes.acceleration_q;
  d.balance_q = slopes.balance_q;
  d.balance_q.noalias() += S.transpose() * sum;
  sum.noalias() = over.balance_v * S;
  sum.noalias() += K * slopes.acceleration_v;
  d.balance_v = slopes.balance_v;
  d.balance_v.noalias() += S.transpose() * sum;
  d.rows_q.noalias() = over.rows_q * S;
  d.rows_q.noalias() += over.rows_v * slopes.rate_q;
  d.rows_q.noalias() -= C * slopes.acceleration_q;
  d.rows_v.noalias() = over.rows_v * S;
  d.rows_v.noalias() -= C * slopes.acceleration_v;
  d.law_q.noalias() = over.law_q * S;
  d.law_q.noalias() += over.law_v * slopes.rate_q;
  d.law_v.noalias() = over.law_v * S;
}

/// As those by positions, with ds, dṡ and ds̈ by the parameters, and what the formulas themselves contain of these.
void FormulaMechanism::parameter_derivatives(const Instant& at, const Acceleration& held, const Vector& sense,
                                             const std::vector<int>& which, Workspace& w, Derivatives& d) const {
  if (const System* all = zeros_kept_.get(shape_))
    return all->parameter_derivatives(at, held, sense, which, *all->workspace(), d);
  FormulaWorkspace& workspace = memory_of(w);
  Acceleration& all = workspace.held;
  take(held.vdot, shape_.velocities.size(), all.vdot);
  take(held.lambda, shape_.rows.size(), all.lambda);
  take(held.tau, shape_.laws.size(), all.tau);
  take(held.p, shape_.controls.size(), all.p);
  see_forces(at, all, w);
  const FunctionValues& m = mechanism_->function_values(*workspace.mechanism);
  Matrix &S = workspace.S, &C = workspace.C, &K = workspace.curvature;
  scatter(mechanism_->function_pattern(), m.S, S);
  scatter(formulas_.shape().C, workspace.formulas->terms.C, C);
  scatter(formulas_.shape().M, workspace.formulas->terms.curvature, K);
  Derivatives& over = workspace.over_functions;
  formulas_.velocity_derivatives(seen(at, m), *workspace.formulas, over);
  formulas_.acceleration_derivatives(seen(at, m), workspace.of_functions, sense, *workspace.formulas, over);
  formulas_.parameter_derivatives(seen(at, m), workspace.of_functions, sense, which, *workspace.formulas, over);
  FunctionParameterDerivatives slopes;
  mechanism_->parameter_slopes(at, all.vdot.data(), workspace.forces.data(), which, slopes);
  const Matrix &s_p = slopes.value_p, &rate_p = slopes.rate_p, &acceleration_p = slopes.acceleration_p;
  const int velocity_rows = shape_.s_p + shape_.s_v;
  d.balance_p = slopes.balance_p +
                S.transpose() * (over.balance_q * s_p + over.balance_v * rate_p + K * acceleration_p + over.balance_p);
  d.rows_p = over.rows_q * s_p + over.rows_v * rate_p - C * acceleration_p + over.rows_p;
  d.law_p = over.law_q * s_p + over.law_v * rate_p + over.law_p;
  d.phi_p = over.phi_q * s_p + C.topRows(velocity_rows) * rate_p + over.phi_p;
  d.f_p = C.topRows(shape_.s_p) * s_p + over.f_p;
}

}  // namespace maggi::mechanism
