#include "system/mechanism/functions/parameter_variations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "maggi/error.hpp"

namespace maggi::mechanism {

namespace {

/// balance, rows, law, φ and f, one below the other.
Vector residuals(const System& system, const Instant& at, const Acceleration& held, const Vector& sense, Workspace& w) {
  const Shape& s = system.shape();
  const auto or_zeros = [](const Vector& part, std::size_t size) {
    return part.size() > 0 ? part : Vector(Vector::Zero(static_cast<Eigen::Index>(size)));
  };
  const Vector vdot = or_zeros(held.vdot, s.velocities.size()), lambda = or_zeros(held.lambda, s.rows.size()),
               tau = or_zeros(held.tau, s.laws.size()), p = or_zeros(held.p, s.controls.size()),
               senses = or_zeros(sense, s.laws.size());
  const Terms& terms = w.terms;
  Vector all(s.n() + s.m() + static_cast<Eigen::Index>(s.laws.size()) + 2 * s.s_p + s.s_v);
  system.acceleration(at, w);
  if (s.s_a > 0) system.nonlinear_rows(at, vdot.data(), lambda.data(), w);
  auto balance = all.head(s.n());
  auto rows = all.segment(s.n(), s.m());
  balance = terms.h;
  rows = terms.gamma;
  for (int k = 0; k < s.M.size(); ++k) {
    const int i = s.M.row[k], j = s.M.col[k];
    balance[i] -= terms.M[k] * vdot[j];
    if (i != j) balance[j] -= terms.M[k] * vdot[i];
  }
  for (int k = 0; k < s.C.size(); ++k) {
    balance[s.C.col[k]] += terms.C[k] * lambda[s.C.row[k]];
    rows[s.C.row[k]] -= terms.C[k] * vdot[s.C.col[k]];
  }
  for (int k = 0; k < s.T.size(); ++k) balance[s.T.row[k]] += terms.T[k] * tau[s.T.col[k]];
  for (int k = 0; k < s.B.size(); ++k) balance[s.B.row[k]] += terms.B[k] * p[s.B.col[k]];
  if (!s.laws.empty()) system.laws(at, lambda.data(), tau.data(), senses.data(), w);
  all.segment(s.n() + s.m(), static_cast<Eigen::Index>(s.laws.size())) = terms.law;
  system.velocity(at, w);
  all.tail(2 * s.s_p + s.s_v).head(s.s_p + s.s_v) = terms.phi;
  system.position(at, w);
  all.tail(s.s_p) = terms.f;
  return all;
}

[[noreturn]] void refuse(const Channel& parameter, const std::string& why, const std::string& help) {
  throw Error(Errc::model, parameter.where,
              fmt::format("there is no derivative by the parameter \"{}\": {}", parameter.name, why), help);
}

bool same_names(const Shape& a, const Shape& b) {
  const auto equal = [](const auto& x, const auto& y) {
    return std::ranges::equal(x, y, [](const auto& i, const auto& j) { return i.name == j.name; });
  };
  return equal(a.coordinates, b.coordinates) && equal(a.rows, b.rows) && equal(a.laws, b.laws) &&
         equal(a.controls, b.controls);
}

}  // namespace

ParameterVariations::Variation ParameterVariations::make(int parameter, double value) const {
  constexpr double part = 1.0 / 1024;  // a power of two, so that p ± k h are exact as long as p has few digits
  Variation result;
  result.h = part * (value == 0.0 ? 1.0 : std::abs(value));
  const auto changed = [&](double to) {
    Model model = source_->model;
    model.parameters[static_cast<std::size_t>(parameter)].value.text = fmt::format("{}", to);
    Changed one;
    one.system = mechanism_.with_numbers(model, Numbers(model));
    one.workspace = one.system->workspace();
    return one;
  };
  for (int k = 1; k <= steps; ++k) {
    result.ahead.push_back(changed(value + k * result.h));
    result.behind.push_back(changed(value - k * result.h));
  }
  return result;
}

const ParameterVariations::Variation& ParameterVariations::variation(int parameter, const Shape& shape) const {
  if (const auto found = made_.find(parameter); found != made_.end()) return found->second;
  const Channel& named = shape.parameters[static_cast<std::size_t>(parameter)];
  const std::string help = "give it a value around which it may change";
  Variation made;
  try {
    made = make(parameter, source_->numbers.parameters()[static_cast<std::size_t>(parameter)]);
  } catch (const Error& error) {
    refuse(named, fmt::format("with a value beside its own the mechanism cannot be made ({})", error.what()), help);
  }
  const auto differs = [&](const Changed& changed) { return !same_names(changed.system->shape(), shape); };
  if (std::ranges::any_of(made.ahead, differs) || std::ranges::any_of(made.behind, differs))
    refuse(named, "with a value beside its own the mechanism has other coordinates or constraints", help);
  return made_.emplace(parameter, std::move(made)).first->second;
}

Vector ParameterVariations::derivative(int parameter, const Shape& shape, const Instant& at, const Acceleration& held,
                                       const Vector& sense) const {
  constexpr std::array<double, steps> of_order_8{4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};
  constexpr std::array<double, steps> of_order_6{3.0 / 4, -3.0 / 20, 1.0 / 60, 0.0};
  constexpr double agreement = 1e-7;  // of the two; what changes on a scale of |p|/50 has (50 h/p)⁶ ≈ 1e-8
  constexpr double rounding = 1e-13;  // of the residuals
  const Variation& varied = variation(parameter, shape);
  Vector result, check;
  double size = 0.0;
  for (std::size_t k = 0; k < steps; ++k) {
    const Changed &above = varied.ahead[k], &below = varied.behind[k];
    const Vector ahead = residuals(*above.system, at, held, sense, *above.workspace);
    const Vector behind = residuals(*below.system, at, held, sense, *below.workspace);
    if (k == 0) result = check = Vector::Zero(ahead.size());
    result += of_order_8[k] / varied.h * (ahead - behind);
    check += of_order_6[k] / varied.h * (ahead - behind);
    size += ahead.norm() + behind.norm();
  }
  if (!((result - check).norm() <= agreement * result.norm() + rounding * size / varied.h))
    refuse(shape.parameters[static_cast<std::size_t>(parameter)],
           "the forces or constraints do not change smoothly with it here",
           "a corner (abs, min, max, a condition) is close: move the state, or the parameter, off it");
  return result;
}

void ParameterVariations::derivatives(const Shape& shape, const Instant& at, const Acceleration& held,
                                      const Vector& sense, const std::vector<int>& which, Derivatives& d) const {
  const std::scoped_lock lock(busy_);
  const auto columns = static_cast<Eigen::Index>(which.size());
  d.balance_p.resize(shape.n(), columns);
  d.rows_p.resize(shape.m(), columns);
  d.law_p.resize(static_cast<Eigen::Index>(shape.laws.size()), columns);
  d.phi_p.resize(shape.s_p + shape.s_v, columns);
  d.f_p.resize(shape.s_p, columns);
  for (Eigen::Index j = 0; j < columns; ++j) {
    const Vector all = derivative(which[static_cast<std::size_t>(j)], shape, at, held, sense);
    Eigen::Index next = 0;
    for (Matrix* part : {&d.balance_p, &d.rows_p, &d.law_p, &d.phi_p, &d.f_p}) {
      part->col(j) = all.segment(next, part->rows());
      next += part->rows();
    }
  }
}

}  // namespace maggi::mechanism
