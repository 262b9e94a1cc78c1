#include "start/start_problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "start/start_blocks.hpp"

namespace maggi::integration {

namespace {

/// Those of the rows that belong to the first `count` of the shape.
std::vector<int> below(const std::vector<int>& rows, int count) {
  std::vector<int> result;
  std::copy_if(rows.begin(), rows.end(), std::back_inserter(result), [count](int i) { return i < count; });
  return result;
}

Start::Value value_or_none(const std::vector<Start::Value>& values, int i) {
  return values.empty() ? Start::Value{} : values[i];
}

}  // namespace

StartProblem::StartProblem(const System& system, Workspace& w, const Start& start, const Demands& demands,
                           const Vector& sense, Stage stage, const State& at)
    : system_(system),
      shape_(system.shape()),
      w_(w),
      displacement_(system, start),
      reference_(start.reference),
      stage_(stage),
      sense_(sense),
      state_(at) {
  select_rows(demands);
  list_unknowns(start);
  list_conditions(start);
  const int n = shape_.n();
  const auto laws = static_cast<Eigen::Index>(shape_.laws.size());
  const auto controls = static_cast<Eigen::Index>(shape_.controls.size());
  a_ = {Vector::Zero(n), Vector::Zero(shape_.m()), Vector::Zero(n), Vector::Zero(laws), Vector::Zero(controls)};
  const auto N = static_cast<Eigen::Index>(unknowns_.size());
  residual_.resize(static_cast<Eigen::Index>(conditions_.size()));
  J_.resize(residual_.size(), N);
  metric_ = Matrix::Zero(N, N);
  M_.resize(n, n);
  C_position_.resize(position_.size(), n);
  C_velocity_.resize(velocity_.size(), n);
  C_.resize(all_.size(), n);
  C_forces_.resize(forces_.size(), n);
  T_ = Matrix::Zero(n, laws);
  B_ = Matrix::Zero(n, controls);
}

void StartProblem::select_rows(const Demands& demands) {
  std::vector<int> rows = demands.rows, forces;
  std::ranges::copy_if(demands.forces, std::back_inserter(forces),
                       [&](int i) { return shape_.rows[i].has_multiplier(); });
  if (stage_ == Stage::everything) {
    for (const Contact& contact : shape_.contacts)
      if (demands.laws[contact.laws[0]] && Vector(sense_(contact.laws)).isZero(0.0)) {
        rows.insert(rows.end(), contact.rows.begin(), contact.rows.end());
        forces.insert(forces.end(), contact.rows.begin(), contact.rows.end());
      }
    std::ranges::sort(rows);
    std::ranges::sort(forces);
    all_ = RowSelection(shape_, rows);
    forces_ = RowSelection(shape_, forces);
    for (std::size_t i = 0; i < demands.laws.size(); ++i)
      if (demands.laws[i]) laws_.push_back(static_cast<int>(i));
  }
  if (stage_ != Stage::velocities) position_ = RowSelection(shape_, below(rows, shape_.s_p));
  if (stage_ != Stage::positions) velocity_ = RowSelection(shape_, below(rows, shape_.s_p + shape_.s_v));
  linear_ = stage_ == Stage::velocities && std::ranges::none_of(rows, [&](int i) {
              return shape_.rows[i].level == Level::velocity && shape_.rows[i].nonlinear;
            });
}

void StartProblem::list_unknowns(const Start& start) {
  const auto end = [this] { return static_cast<int>(unknowns_.size()); };
  const auto velocity = [this](int i) { return shape_.velocities[i].name; };
  if (stage_ != Stage::velocities) {
    q_ = end();
    add_unknowns(start.q, [this](int i) { return displacement_name(shape_, i); });
  }
  if (stage_ != Stage::positions) {
    v_ = end();
    add_unknowns(start.v, velocity);
  }
  if (stage_ != Stage::everything) return;
  vdot_at_ = end();
  add_unknowns(start.vdot, [&](int i) { return velocity(i) + "'"; });
  lambda_at_ = end();
  for (const int i : forces_.rows())
    unknowns_.push_back({"lambda." + shape_.rows[i].name, value_or_none(start.lambda, i), false});
  for (const Channel& law : shape_.laws) unknowns_.push_back({"force." + law.name, {}, false});
  for (const Channel& control : shape_.controls) unknowns_.push_back({"control." + control.name, {}, false});
  for (int i = vdot_at_; i < end(); ++i) unknowns_[i].follows = true;
}

void StartProblem::add_unknowns(const std::vector<Start::Value>& values, const std::function<std::string(int)>& name) {
  for (int i = 0; i < shape_.n(); ++i) unknowns_.push_back({name(i), value_or_none(values, i), false});
}

void StartProblem::list_conditions(const Start& start) {
  const auto add = [this](const RowSelection& rows, std::string_view rate) {
    for (const int i : rows.rows()) {
      const std::string& unit = shape_.rows[i].unit;
      const bool is_rate = !rate.empty() && shape_.rows[i].level == Level::position && !unit.empty();
      conditions_.push_back({i, shape_.rows[i].name, is_rate ? unit + std::string(rate) : unit});
    }
  };
  add(position_, "");
  add(velocity_, "/s");
  add(all_, "/s^2");
  if (stage_ != Stage::everything) return;
  for (int i = 0; i < shape_.n(); ++i)
    conditions_.push_back({-1, "the balance of forces on " + displacement_name(shape_, i), ""});
  for (const int i : laws_) conditions_.push_back({-1, "the law of " + shape_.laws[i].name, shape_.laws[i].unit});
  for (int i = 0; i < shape_.n(); ++i)
    if (const Start::Value value = value_or_none(start.reaction, i); value.given) {
      reaction_.emplace_back(i, value.value);
      conditions_.push_back({-1, "reaction." + displacement_name(shape_, i), ""});
    }
}

std::vector<std::vector<int>> StartProblem::occurrences() const {
  if (stage_ != Stage::positions && stage_ != Stage::velocities) return {};
  std::vector<int> condition_of(shape_.m(), -1);
  for (std::size_t i = 0; i < conditions_.size(); ++i) condition_of[conditions_[i].row] = static_cast<int>(i);
  return coordinates_of_rows(shape_, condition_of, static_cast<int>(conditions_.size()));
}

void StartProblem::unpack(const Vector& x, State& state, Acceleration& a) const {
  const int n = shape_.n();
  if (q_ >= 0) state.q = displacement_.q(x.segment(q_, n));
  if (v_ >= 0) state.v = x.segment(v_, n);
  if (stage_ != Stage::everything) return;
  a.vdot = x.segment(vdot_at_, n);
  forces_.expand(x.segment(lambda_at_, forces_.size()), a.lambda);
  a.tau = x.segment(lambda_at_ + forces_.size(), T_.cols());
  a.p = x.tail(B_.cols());
}

Vector StartProblem::reaction(const Vector& x) {
  fill_residual(x, residual_);
  return a_.reaction;
}

bool StartProblem::evaluate(const Vector& x) {
  fill_residual(x, residual_);
  fill_metric();
  if (!residual_.allFinite() || !metric_.allFinite()) return false;
  J_.setZero();
  fill_exact_derivatives(x);
  if (stage_ == Stage::motion || stage_ == Stage::everything) fill_derivatives(x);
  return J_.allFinite();
}

void StartProblem::fill_residual(const Vector& x, Vector& residual) {
  unpack(x, state_, a_);
  const Terms& terms = w_.terms;
  const int first = position_.size(), second = first + velocity_.size(), third = second + all_.size();
  if (stage_ != Stage::velocities) {
    system_.position(state_, w_);
    for (int i = 0; i < position_.size(); ++i) residual[i] = terms.f[position_.rows()[i]];
    position_.matrix(terms.C, C_position_);
  }
  if (stage_ != Stage::positions) {
    system_.velocity(state_, w_);
    for (int i = 0; i < velocity_.size(); ++i) residual[first + i] = terms.phi[velocity_.rows()[i]];
    velocity_.matrix(terms.C, C_velocity_);
  }
  if (stage_ == Stage::everything) {
    system_.acceleration(state_, w_);
    if (shape_.s_a > 0) system_.nonlinear_rows(state_, a_.vdot.data(), a_.lambda.data(), w_);
    all_.matrix(terms.C, C_);
    for (int i = 0; i < all_.size(); ++i) residual[second + i] = C_.row(i).dot(a_.vdot) - terms.gamma[all_.rows()[i]];
    shape_.M.scatter(terms.M, M_);
    fill_forces(residual.tail(residual.size() - third));
  }
  shape_.M.scatter(terms.M, M_);
}

/// The balance of forces, the laws, the reactions given.
void StartProblem::fill_forces(VectorRef residual) {
  const Terms& terms = w_.terms;
  forces_.matrix(terms.C, C_forces_);
  a_.reaction.setZero();
  for (int i = 0; i < forces_.size(); ++i) a_.reaction += C_forces_.row(i).transpose() * a_.lambda[forces_.rows()[i]];
  shape_.T.scatter(terms.T, T_);
  shape_.B.scatter(terms.B, B_);
  a_.reaction += T_ * a_.tau + B_ * a_.p;
  residual.head(shape_.n()) = M_ * a_.vdot - terms.h - a_.reaction;
  Eigen::Index next = shape_.n();
  if (!laws_.empty()) system_.laws(state_, a_.lambda.data(), a_.tau.data(), sense_.data(), w_);
  for (const int law : laws_) residual[next++] = terms.law[law];
  for (const auto& [coordinate, given] : reaction_) residual[next++] = a_.reaction[coordinate] - given;
}

void StartProblem::fill_exact_derivatives(const Vector& x) {
  const int n = shape_.n();
  const int first = position_.size(), second = first + velocity_.size(), third = second + all_.size();
  if (q_ >= 0) {
    J_.block(0, q_, first, n) = C_position_;
    if (!displacement_.trivial()) J_.block(0, q_, first, n) *= displacement_.tangent(x.segment(q_, n));
  }
  if (v_ >= 0) J_.block(first, v_, velocity_.size(), n) = C_velocity_;
  if (stage_ != Stage::everything) return;
  J_.block(second, vdot_at_, all_.size(), n) = C_;
  J_.block(third, vdot_at_, n, n) = M_;
  if (shape_.s_a > 0) {
    Matrix curvature(n, n);
    shape_.M.scatter(w_.terms.curvature, curvature);
    J_.block(third, vdot_at_, n, n) -= curvature;
  }
  fill_force_derivatives(third);
}

/// By λ, τ and p of what fill_forces() fills.
void StartProblem::fill_force_derivatives(int first) {
  Matrix of_forces(shape_.n(), forces_.size() + T_.cols() + B_.cols());  // ∂r/∂(λ, τ, p)
  of_forces << C_forces_.transpose(), T_, B_;
  J_.block(first, lambda_at_, of_forces.rows(), of_forces.cols()) = -of_forces;
  int next = first + shape_.n();
  for (const int law : laws_) {
    const auto gradient = w_.terms.law_gradient.row(law);
    J_.row(next).segment(lambda_at_, forces_.size()) = gradient(forces_.rows());
    J_.row(next++).segment(lambda_at_ + forces_.size(), T_.cols()) = gradient.tail(T_.cols());
  }
  for (const auto& [coordinate, given] : reaction_)
    J_.row(next++).segment(lambda_at_, of_forces.cols()) = of_forces.row(coordinate);
}

/// By positions and velocities of all but f, of which C is the derivative, as it is of φ by velocities.
void StartProblem::fill_derivatives(const Vector& x) {
  const int n = shape_.n(), first = position_.size(), second = first + velocity_.size(), third = second + all_.size();
  Derivatives& d = derivatives_;
  const Matrix T = displacement_.tangent(x.segment(q_, n));
  system_.velocity_derivatives(state_, w_, d);
  J_.block(first, q_, velocity_.size(), n) = d.phi_q(velocity_.rows(), Eigen::all) * T;
  if (stage_ != Stage::everything) return;

  Matrix given_q, given_v;  // of h − M v̇, which the reactions are what balance has besides
  if (!reaction_.empty()) {
    system_.acceleration_derivatives(state_, {a_.vdot, {}, {}}, {}, w_, d);
    given_q = d.balance_q, given_v = d.balance_v;
  }
  system_.acceleration_derivatives(state_, a_, sense_, w_, d);
  const auto fill = [&](int column, const Matrix& rows, const Matrix& balance, const Matrix& law, const Matrix& given) {
    J_.block(second, column, all_.size(), n) = -rows(all_.rows(), Eigen::all);
    J_.block(third, column, n, n) = -balance;
    int next = third + n;
    for (const int i : laws_) J_.row(next++).segment(column, n) = law.row(i);
    for (const auto& [coordinate, value] : reaction_)
      J_.row(next++).segment(column, n) = balance.row(coordinate) - given.row(coordinate);
  };
  fill(q_, d.rows_q, d.balance_q, d.law_q, given_q);
  fill(v_, d.rows_v, d.balance_v, d.law_v, given_v);
  J_.block(second, q_, J_.rows() - second, n) *= T;
}

void StartProblem::fill_metric() {
  const int n = shape_.n();
  const auto weight = [this](int i) { return rather_stays(unknowns_[i].start) ? 1.0 : unknowns_[i].start.weight; };
  for (const int part : {q_, v_}) {
    if (part < 0) continue;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        metric_(part + i, part + j) = M_(i, j) * std::sqrt(weight(part + i) * weight(part + j));
  }
}

}  // namespace maggi::integration
