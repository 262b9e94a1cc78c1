#include "manifold/extreme_value.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/decompositions.hpp"
#include "base/largest.hpp"
#include "manifold/projection.hpp"
#include "system/seam/mechanism_system.hpp"

namespace maggi::integration {

namespace {

constexpr int most_free = 12;  // motions that the other constraints leave; the search costs their square

/// The motions that the other rows leave, and how s changes along them.
class ExtremeSearch {
 public:
  ExtremeSearch(Dynamics& dynamics, int row, const State& from)
      : dynamics_(dynamics), row_(row), at_(from), projection_(dynamics.system()) {
    std::vector<int> others = dynamics.active_rows();
    std::erase_if(others, [&](int i) { return i == row || i >= dynamics.shape().s_p + dynamics.shape().s_v; });
    others_ = RowSelection(dynamics.shape(), others);
    projection_.use_rows(others);
    at_.v.setZero();
  }

  /// Newton's method; false if there is no extreme value near the beginning.
  bool run() {
    constexpr int most_steps = 40;
    constexpr double settled = 1e-11, longest = 0.1, far = 0.3;  // of a displacement, with lengths about one
    double way = 0.0;
    for (int k = 0; k < most_steps; ++k) {
      if (!projection_.positions(at_, dynamics_.workspace()) || !expand()) return false;
      Vector step = -V_ * curvature_.colPivHouseholderQr().solve(slope_);
      const double length = largest(step);
      if (!within(length, far / settled)) return false;
      if (length > longest) step *= longest / length;
      dynamics_.system().move(at_.q.data(), step.data());
      way += std::min(length, longest);
      if (way > far * (1.0 + largest(at_.q))) return false;
      if (length < settled * (1.0 + largest(at_.q)))
        return projection_.positions(at_, dynamics_.workspace()) && expand() && definite();
    }
    return false;
  }

  const State& at() const { return at_; }
  bool greatest() const { return greatest_; }

 private:
  /// V, s_q V and the second derivatives of s along V; false if s is constant there, or V is too large.
  bool expand() {
    const int n = dynamics_.shape().n();
    Workspace& w = dynamics_.workspace();
    dynamics_.system().velocity(at_, w);
    Matrix C(others_.size(), n), all(1, n);
    others_.matrix(w.terms.C, C);
    RowSelection(dynamics_.shape(), {row_}).matrix(w.terms.C, all);
    if (!find_free(C)) return false;
    const Eigen::Index free = V_.cols();
    const Vector s_q = all.row(0).transpose();
    slope_ = V_.transpose() * s_q;
    // s̈ = s_q v̇ − γ_s, less what time alone makes of it
    const auto second = [&](const Vector& v) {
      const State moving{at_.t, at_.q, v};
      dynamics_.system().acceleration(moving, w);
      Vector gamma(others_.size());
      others_.vector(w.terms.gamma, gamma);
      return Second{gamma, -w.terms.gamma[row_]};
    };
    const Second rest = second(Vector::Zero(n));
    const auto form = [&](const Vector& v) {
      const Second forward = second(v), back = second(-v);  // without what is linear in v
      const double own = (forward.s + back.s) / 2 - rest.s;
      return own + s_q.dot(pseudo_inverse_ * ((forward.gamma + back.gamma) / 2 - rest.gamma));
    };
    curvature_.resize(free, free);
    for (Eigen::Index a = 0; a < free; ++a) curvature_(a, a) = form(V_.col(a));
    for (Eigen::Index a = 0; a < free; ++a)
      for (Eigen::Index b = 0; b < a; ++b)
        curvature_(a, b) = curvature_(b, a) = (form(V_.col(a) + V_.col(b)) - curvature_(a, a) - curvature_(b, b)) / 2;
    return curvature_.allFinite() && slope_.allFinite();
  }

  /// V: a basis of the velocities with C v = 0, and the least v with C v = γ; false if V is none or too large.
  bool find_free(const Matrix& C) {
    const Eigen::Index n = C.cols();
    V_ = Matrix::Identity(n, n);
    pseudo_inverse_ = Matrix::Zero(n, C.rows());
    if (C.rows() > 0) {
      const Eigen::ColPivHouseholderQR<Matrix> qr(C.transpose());
      V_ = Matrix(qr.householderQ()).rightCols(n - qr.rank());
      pseudo_inverse_ = C.completeOrthogonalDecomposition().pseudoInverse();
    }
    return V_.cols() >= 1 && V_.cols() <= most_free;
  }

  bool definite() {
    constexpr double clear = 1e-8;  // of the largest
    const Vector values = Eigen::SelfAdjointEigenSolver<Matrix>(curvature_, Eigen::EigenvaluesOnly).eigenvalues();
    const double low = values[0], high = values[values.size() - 1];
    greatest_ = high < 0.0;
    return low * high > 0.0 && std::min(std::abs(low), std::abs(high)) > clear * largest(values);
  }

  struct Second {
    Vector gamma;
    double s;
  };
  Dynamics& dynamics_;
  int row_;
  State at_;
  RowSelection others_;
  Projection projection_;
  Matrix V_, pseudo_inverse_, curvature_;
  Vector slope_;
  bool greatest_ = true;
};

/// "foot.angle = 0.97, …": the first coordinates, from where they count.
std::string place(const Shape& shape, const State& at) {
  constexpr int most = 4;
  const double rounding = 1e-9 * (1.0 + largest(at.q));  // as Newton's method leaves it
  std::string text;
  for (int i = 0; i < std::min(shape.nq(), most); ++i)
    text += fmt::format("{}{} = {:.6g}", i > 0 ? ", " : "", shape.coordinates[i].name,
                        std::abs(at.q[i]) < rounding ? 0.0 : at.q[i]);
  return shape.nq() > most ? text + " …" : text;
}

std::string describe(const Dynamics& dynamics, const ExtremeValue& extreme) {
  const Row& row = dynamics.shape().rows[extreme.row];
  const char *which = extreme.greatest ? "greatest" : "least", *beyond = extreme.greatest ? "more" : "less";
  const auto* mechanism = dynamic_cast<const MechanismSystem*>(&dynamics.system());
  const auto followed = mechanism ? mechanism->followed_by(extreme.row, extreme.at) : std::nullopt;
  const std::string where = place(dynamics.shape(), extreme.at);
  if (!followed)
    return fmt::format(
        "the mechanism locks: \"{}\" asks for {} than the others admit; its formula has its {} value here "
        "({})",
        row.name, beyond, which, where);
  const std::string value =
      fmt::format("{:.6g}{}{}", followed->value, followed->unit.empty() ? "" : " ", followed->unit);
  return fmt::format("the mechanism locks: \"{}\" asks for {} and {}; {} has its {} value {} here ({})", row.name,
                     value, beyond, followed->name, which, value, where);
}

}  // namespace

std::optional<ExtremeValue> find_extreme_value(Dynamics& dynamics, const State& from) {
  const Shape& shape = dynamics.shape();
  if (!shape.rheonomic) return std::nullopt;
  const State still{from.t, from.q, Vector::Zero(shape.n())};
  dynamics.system().velocity(still, dynamics.workspace());
  const Vector demand = dynamics.workspace().terms.phi;  // f_t
  for (const int row : dynamics.active_rows()) {
    if (row >= shape.s_p || demand[row] == 0.0) continue;
    ExtremeSearch search(dynamics, row, from);
    if (!search.run()) continue;
    if (search.greatest() != (demand[row] < 0.0)) continue;  // f = s − g: the demand goes the other way
    ExtremeValue extreme{row, search.greatest(), 0.0, search.at(), ""};
    dynamics.system().position(extreme.at, dynamics.workspace());
    extreme.time_left = std::abs(dynamics.workspace().terms.f[row] / demand[row]);
    extreme.text = describe(dynamics, extreme);
    return extreme;
  }
  return std::nullopt;
}

}  // namespace maggi::integration
