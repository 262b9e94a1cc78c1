#include "analysis/servo.hpp"

#include <algorithm>
#include <cmath>

#include "base/largest.hpp"
#include "basis/realisation.hpp"
#include "dynamics/open_controls.hpp"

namespace maggi {

namespace {

/// How often a row is differentiated until accelerations appear, counted from the constraints of the model.
int derivatives(const Row& row, const HiddenConstraints& hidden) {
  int count = static_cast<int>(Level::acceleration) - static_cast<int>(row.level);
  for (const HiddenConstraint& h : hidden.found)
    if (h.constraint.name == row.name) count += h.derivatives;
  return count;
}

std::vector<Dependency::Term> combination(const Vector& factors, const std::vector<int>& rows) {
  constexpr double rounding = 1e-9;
  Eigen::Index main;
  const double size = largest(factors, &main);
  std::vector<Dependency::Term> terms;
  for (Eigen::Index i = 0; i < factors.size(); ++i)
    if (std::abs(factors[i]) > rounding * size) terms.push_back({rows[i], factors[i] / factors[main]});
  return terms;
}

}  // namespace

std::string_view realisation_name(ServoRealisation::Kind kind) {
  switch (kind) {
    case ServoRealisation::Kind::orthogonal: return "orthogonal";
    case ServoRealisation::Kind::mixed: return "mixed";
    case ServoRealisation::Kind::tangential: return "tangential";
  }
  return "";
}

std::optional<ServoRealisation> find_realisation(Dynamics& dynamics, const State& at, const HiddenConstraints& hidden) {
  const Shape& shape = dynamics.shape();
  if (shape.controls.empty()) return std::nullopt;
  std::vector<int> ideal, servo;
  for (const int i : dynamics.active_rows()) {
    if (shape.rows[i].has_multiplier())
      ideal.push_back(i);
    else if (!shape.rows[i].hidden)
      servo.push_back(i);
  }
  Workspace& w = dynamics.workspace();
  dynamics.system().acceleration(at, w);
  const int n = shape.n(), controls = static_cast<int>(shape.controls.size());
  Matrix M(n, n), C(shape.m(), n), B = Matrix::Zero(n, controls);
  shape.M.scatter(w.terms.M, M);
  shape.C.scatter(w.terms.C, C);
  shape.B.scatter(w.terms.B, B);
  const Realisation realisation(M, C(ideal, Eigen::all), C(servo, Eigen::all), B);

  ServoRealisation result;
  result.controls = controls;
  result.servo = static_cast<int>(servo.size());
  result.rank = realisation.rank();
  result.kind = result.rank == result.servo ? ServoRealisation::Kind::orthogonal
                : result.rank > 0           ? ServoRealisation::Kind::mixed
                                            : ServoRealisation::Kind::tangential;
  result.free = dynamics.free_controls();
  const Matrix open = open_controls(dynamics, at);
  for (int j = 0; j < controls; ++j)
    if (!open.row(shape.m() + j).isZero(0.0)) result.not_unique.push_back(j);
  for (Eigen::Index j = 0; j < realisation.unreached().cols(); ++j)
    result.unreached.push_back(combination(realisation.unreached().col(j), servo));
  result.index = 1;
  for (const int i : dynamics.rows().rows())
    result.index = std::max(result.index, 1 + derivatives(shape.rows[i], hidden));
  result.internal = dynamics.freedom();
  return result;
}

}  // namespace maggi
