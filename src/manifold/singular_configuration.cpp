#include "manifold/singular_configuration.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/cholesky.hpp"
#include "base/decompositions.hpp"
#include "base/largest.hpp"
#include "base/names.hpp"
#include "base/singular_values.hpp"
#include "manifold/projection.hpp"

namespace maggi::integration {

namespace {
std::vector<int> watched_rows(const Dynamics& dynamics) {
  std::vector<int> rows = dynamics.active_rows();
  std::erase_if(rows, [&](int i) { return i >= dynamics.shape().s_p + dynamics.shape().s_v; });
  return rows;
}
}  // namespace

SingularConfiguration::SingularConfiguration(Dynamics& dynamics, const State& at, const State& before, int rank,
                                             double vanishing)
    : dynamics_(dynamics),
      shape_(dynamics.shape()),
      at_(at),
      rank_(rank),
      vanishing_(vanishing),
      rows_(shape_, watched_rows(dynamics)) {
  scale_ = Vector::Ones(rows_.size());
  const Matrix always = null_spaces(before, rank, true).left;
  const Null here = null_spaces(at, -1, false);
  motions_ = here.right;
  left_ = here.left;
  lost_ = static_cast<int>(here.left.cols() - always.cols());
  z_ = here.left - always * (always.transpose() * here.left);
}

SingularConfiguration::SingularConfiguration(Dynamics& dynamics, const State& at, double vanishing)
    : dynamics_(dynamics),
      shape_(dynamics.shape()),
      at_(at),
      rank_(shape_.n() - 1),
      vanishing_(vanishing),
      rows_(shape_, watched_rows(dynamics)),
      scale_(Vector::Ones(rows_.size())) {
  const Null here = null_spaces(at, -1, false);
  motions_ = here.right;
  z_ = left_ = here.left;
  lost_ = rank_ - (rows_.size() - static_cast<int>(left_.cols()));
}

SingularConfiguration::SingularConfiguration(Dynamics& dynamics, const State& at)
    : dynamics_(dynamics),
      shape_(dynamics.shape()),
      at_(at),
      rank_(dynamics.rank()),
      vanishing_(MetricFactor::default_tolerance),
      rows_(shape_, watched_rows(dynamics)),
      scale_(Vector::Ones(rows_.size())) {
  const bool all_watched = rows_.size() == static_cast<int>(dynamics.active_rows().size());
  const Null here = null_spaces(at, all_watched ? rank_ : -1, true);
  // with speeds of heavy bodies in the mass metric, γ would be less than what rounding leaves of gravity in it
  motions_ = here.right / larger(largest(here.right), 1e-300);
  z_ = left_ = here.left;
}

/// rank −1: as many as do not vanish; `scaled`: rows get unit length here.
SingularConfiguration::Null SingularConfiguration::null_spaces(const State& at, int rank, bool scaled) {
  Workspace& w = dynamics_.workspace();
  dynamics_.system().velocity(at, w);
  Matrix L(shape_.n(), shape_.n()), C(rows_.size(), shape_.n());
  shape_.M.scatter(w.terms.M, L);
  rows_.matrix(w.terms.C, C);
  if (!cholesky(L)) L.setIdentity();  // without a metric: that of the coordinates
  Matrix A = C.transpose();
  for (int i = 0; i < rows_.size(); ++i) {
    if (scaled && A.col(i).norm() <= MetricFactor::zero_row) A.col(i).setZero();
    solve_lower(L, A.col(i));
    if (scaled && A.col(i).norm() > 0.0)
      scale_[i] = 1.0 / A.col(i).norm();  // a row may vanish in the configuration itself
    A.col(i) *= scale_[i];
  }
  if (rank == rows_.size()) return {Matrix(rows_.size(), 0), {}};  // of full rank: the motions are not used
  if (A.size() == 0) return {Matrix::Identity(rows_.size(), rows_.size()), Matrix::Identity(shape_.n(), shape_.n())};
  // A Π = Q [R₁ R₂; 0 ~0]:  the last columns of Q, and what is orthogonal to the rows [R₁ R₂]
  const Eigen::ColPivHouseholderQR<Matrix> qr(A);
  const auto R = qr.matrixR().diagonal().cwiseAbs();
  if (rank < 0) rank = static_cast<int>((R.array() > vanishing_ * std::max(R[0], vanishing_)).count());
  const Matrix rows = qr.matrixR().topRows(rank).template triangularView<Eigen::Upper>();
  const Eigen::HouseholderQR<Matrix> across(rows.transpose());
  const Matrix Q = qr.householderQ(), P = across.householderQ();
  Null result{qr.colsPermutation() * P.rightCols(rows_.size() - rank), Q.rightCols(shape_.n() - rank)};
  for (Eigen::Index j = 0; j < result.right.cols(); ++j) solve_lower_transposed(L, result.right.col(j));
  return result;
}

std::vector<std::string> SingularConfiguration::owners() const {
  constexpr double part = 0.02;
  std::vector<std::string> names;
  for (int i = 0; i < rows_.size(); ++i) {
    const std::string& owner = shape_.rows[rows_.rows()[i]].owner;
    if (z_.row(i).norm() > part && std::ranges::find(names, owner) == names.end()) names.push_back(owner);
  }
  return names;
}

std::string SingularConfiguration::explain() const {
  constexpr std::size_t most = 6;
  std::vector<std::string> names = owners();
  std::string others;
  if (names.size() > most) {
    others = fmt::format(" and {} others", names.size() - most);
    names.resize(most);
  }
  return fmt::format("{}{} {} dependent, rank {} instead of {}", list_names(names), others,
                     names.size() == 1 ? "becomes" : "become", rank_ - lost_, rank_);
}

bool SingularConfiguration::locks() {
  constexpr double part = 1e-3;
  const State still{at_.t, at_.q, Vector::Zero(shape_.n())};
  dynamics_.system().velocity(still, dynamics_.workspace());
  Vector demanded(rows_.size());
  rows_.vector(dynamics_.workspace().terms.phi, demanded);
  demanded = demanded.cwiseProduct(scale_);
  return (left_.transpose() * demanded).norm() > part * demanded.norm();
}

/// zᵀS γ at the velocity v.
Vector SingularConfiguration::demand(const Vector& v) {
  const State moving{at_.t, at_.q, v};
  dynamics_.system().acceleration(moving, dynamics_.workspace());
  Vector gamma(rows_.size());
  rows_.vector(dynamics_.workspace().terms.gamma, gamma);
  return left_.transpose() * gamma.cwiseProduct(scale_);
}

/// The forms xᵀQ x = zᵀS γ(q, V x) − zᵀS γ(q, 0), by polarisation.
std::vector<Matrix> SingularConfiguration::quadratic_forms() {
  const auto free = static_cast<int>(motions_.cols());
  std::vector<Matrix> Q(left_.cols(), Matrix::Zero(free, free));
  const Vector rest = demand(Vector::Zero(shape_.n()));
  for (int a = 0; a < free; ++a)
    for (int b = 0; b <= a; ++b) {
      const Vector both =
          demand(motions_.col(a) + motions_.col(b)) - demand(motions_.col(a)) - demand(motions_.col(b)) + rest;
      for (std::size_t j = 0; j < Q.size(); ++j) Q[j](a, b) = Q[j](b, a) = both[static_cast<int>(j)] / 2;
    }
  return Q;
}

std::vector<std::string> SingularConfiguration::contradicting() {
  Workspace& w = dynamics_.workspace();
  left_ = null_spaces(at_, -1, true).left;  // of rows of unit length, so that their residuals can be compared
  dynamics_.system().position(at_, w);
  const Vector f = w.terms.f;
  dynamics_.system().velocity(at_, w);
  const Vector phi = w.terms.phi;
  for (const bool positions : {true, false}) {
    Vector residual(rows_.size());
    for (int i = 0; i < rows_.size(); ++i) {
      const int row = rows_.rows()[i];
      residual[i] = positions ? (row < shape_.s_p ? f[row] : 0.0) : phi[row];
    }
    const Vector left = residual.cwiseProduct(scale_), part = left_ * (left_.transpose() * left);
    constexpr double most = 0.5, rounding = 1e-14;  // the rest could be met
    if (part.norm() < most * left.norm() || largest(residual) < rounding * (1.0 + largest(at_.q))) continue;
    z_ = part / part.norm();
    return owners();
  }
  return {};
}

std::vector<Vector> SingularConfiguration::tangents() {
  const int starts = all_are_found() ? 60 : 20 * lost_;
  const auto free = static_cast<int>(motions_.cols());
  const bool quadratic =
      !shape_.rheonomic && std::ranges::none_of(rows_.rows(), [&](int i) { return shape_.rows[i].nonlinear; });
  freedom_.clear();
  if (shape_.rheonomic) return driven_velocities();
  if (!quadratic || shape_.n() - rank_ != 1 || lost_ < 1 || lost_ > most_lost_) return {};

  const std::vector<Matrix> Q = quadratic_forms();
  std::vector<Vector> directions;
  for (int start = 0; start < starts; ++start) {
    Vector x(free);
    for (int i = 0; i < free; ++i) x[i] = std::cos(1.0 + 2.399963 * (start + 1) * (i + 1));  // spread out
    if (!on_branch(Q, x)) continue;
    const bool known = std::ranges::any_of(directions, [&](const Vector& y) {
      constexpr double same = 1e-6;
      return std::abs(std::abs(x.dot(y)) - 1.0) < same;
    });
    if (!known) directions.push_back(x);
  }
  std::vector<Vector> result;
  const bool too_many = directions.size() > (std::size_t{1} << lost_);  // for isolated solutions of as many forms
  for (const Vector& x : directions) {
    const int freedom = freedom_at(Q, x);
    freedom_.push_back(too_many ? std::max(freedom, 2) : freedom);
    Vector v = motions_ * x;
    Eigen::Index at = v.size() - 1;  // the last one, if they differ by rounding only
    const double size = largest(v);
    while (std::abs(v[at]) < (1.0 - 1e-6) * size) --at;
    result.push_back(v / v[at]);
  }
  return result;
}

/// The degrees of freedom of the motions around the tangent x: 1, and one more for each independent direction n in
/// which the forms vanish, too. Where n is only a double root, they grow with the square of the way.
int SingularConfiguration::freedom_at(const std::vector<Matrix>& Q, const Vector& x) const {
  constexpr double vanishing = 1e-4, way = 0.3;
  const auto free = static_cast<int>(x.size()), count = static_cast<int>(Q.size());
  Largest of_Q;
  for (const Matrix& each : Q) of_Q.note(each.norm());
  Matrix J(count + 1, free);
  for (int j = 0; j < count; ++j) J.row(j) = (Q[j] * x).transpose() / of_Q.value();
  J.row(count) = x.transpose();
  const SingularValues svd(J);
  int freedom = 1;
  for (int k = svd.above(vanishing); k < free; ++k) {
    const Vector beside = (x + way * svd.V.col(k)).normalized();
    Largest left;
    for (const Matrix& each : Q) left.note(beside.dot(each * beside) / of_Q.value());
    freedom += within(left.value(), vanishing);
  }
  return freedom;
}

std::vector<SingularConfiguration::Branch> SingularConfiguration::branches() {
  std::vector<Branch> found;
  for (const Vector& tangent : tangents())
    if (Branch branch{tangent, at_, Vector()}; is_followed(branch)) found.push_back(std::move(branch));
  if (found.empty()) return {};
  const Null nearby = null_spaces(found[0].near, rank_, false);  // permanent null vectors
  z_ = left_ - nearby.left * (nearby.left.transpose() * left_);
  return found;
}

bool SingularConfiguration::is_followed(Branch& branch) {
  constexpr double step_length = 1e-2, aside = 0.1;  // of the step: the branch is curved
  const State still{at_.t, at_.q, Vector::Zero(shape_.n())};
  Workspace& w = dynamics_.workspace();
  dynamics_.system().acceleration(still, w);
  Matrix M(shape_.n(), shape_.n());
  shape_.M.scatter(w.terms.M, M);
  branch.vdot = branch.tangent * (branch.tangent.dot(w.terms.h) / branch.tangent.dot(M * branch.tangent));

  branch.near = still;
  dynamics_.system().move(branch.near.q.data(), Vector(step_length * branch.tangent).data());
  const Vector expected = branch.near.q;
  Projection projection(dynamics_.system(), 1e-12);
  projection.use_rows(dynamics_.active_rows());
  if (!projection(branch.near, w) || largest(branch.near.q - expected) > aside * step_length) return false;
  return projection.independence().rank == rank_;
}

/// Newton's method for xᵀQ_j x = 0, |x| = 1.
bool SingularConfiguration::on_branch(const std::vector<Matrix>& Q, Vector& x) const {
  constexpr int max_iterations = 80;  // in a double root convergence is linear
  constexpr double rounding = 1e-12, settled = 1e-13;
  double moved = 1.0;
  const auto free = static_cast<int>(x.size()), count = static_cast<int>(Q.size());
  Largest of_Q;
  for (const Matrix& each : Q) of_Q.note(each.norm());
  const double size = of_Q.value();
  x.normalize();
  Matrix J(count + 1, free);
  Vector r(count + 1);
  for (int k = 0; k < max_iterations; ++k) {
    for (int j = 0; j < count; ++j) {
      r[j] = x.dot(Q[j] * x) / size;
      J.row(j) = 2.0 / size * (Q[j] * x).transpose();
    }
    r[count] = (x.squaredNorm() - 1.0) / 2;
    J.row(count) = x.transpose();
    if (r.norm() < rounding && moved < settled) return true;
    const Vector step = J.completeOrthogonalDecomposition().solve(r);
    x -= step;
    moved = step.norm();
    if (!x.allFinite()) return false;
  }
  return r.norm() < rounding;
}

/// Where the constraints prescribe the motion: the velocities v₀ + V x with zᵀS γ(v₀ + V x) = 0, by Newton's method
/// with differences, which are exact to rounding as γ is quadratic.
std::vector<Vector> SingularConfiguration::driven_velocities() {
  constexpr int starts = 24, max_iterations = 60;
  constexpr double rounding = 1e-9, same = 1e-5;
  const bool linear = std::ranges::none_of(rows_.rows(), [&](int i) { return shape_.rows[i].nonlinear; });
  if (!linear || shape_.n() != rank_ || lost_ < 1 || lost_ > all_found_ || motions_.cols() != lost_) return {};
  const State still{at_.t, at_.q, Vector::Zero(shape_.n())};
  dynamics_.system().velocity(still, dynamics_.workspace());
  Vector wanted(rows_.size());
  Matrix C(rows_.size(), shape_.n());
  rows_.vector(dynamics_.workspace().terms.phi, wanted);
  rows_.matrix(dynamics_.workspace().terms.C, C);
  Eigen::ColPivHouseholderQR<Matrix> qr;
  qr.setThreshold(vanishing_);
  const Vector v0 = -qr.compute(C).solve(wanted);
  const Matrix needed = z_;  // of the rows that are independent nearby
  const auto demanded = [&](const Vector& x) -> Vector {
    const State moving{at_.t, at_.q, v0 + motions_ * x};
    dynamics_.system().acceleration(moving, dynamics_.workspace());
    Vector gamma(rows_.size());
    rows_.vector(dynamics_.workspace().terms.gamma, gamma);
    return needed.transpose() * gamma.cwiseProduct(scale_);
  };
  std::vector<Vector> found;
  const double size = 1.0 + largest(v0);
  for (int start = 0; start < starts; ++start) {
    Vector x(lost_);
    for (int i = 0; i < lost_; ++i) x[i] = 3 * size * std::cos(1.0 + 2.399963 * (start + 1) * (i + 1));  // spread out
    double moved = size;
    for (int k = 0; k < max_iterations && moved > rounding * size; ++k) {
      const Vector r = demanded(x);
      Matrix J(r.size(), lost_);
      for (int i = 0; i < lost_; ++i)
        J.col(i) =
            (demanded(x + size * Vector::Unit(lost_, i)) - demanded(x - size * Vector::Unit(lost_, i))) / (2 * size);
      const Vector step = J.completeOrthogonalDecomposition().solve(r);
      x -= step;
      moved = step.norm();
      if (!x.allFinite()) break;
    }
    const Vector v = v0 + motions_ * x;
    const bool known =
        std::ranges::any_of(found, [&](const Vector& w) { return (w - v).norm() <= same * (1.0 + v.norm()); });
    if (moved <= rounding * size && !known) found.push_back(v);
  }
  return found;
}

std::string SingularConfiguration::in_words(const Vector& v) const {
  constexpr double none = 1e-6;
  std::string text;
  for (int i = 0; i < shape_.n(); ++i)
    if (std::abs(v[i]) >= none)
      text += fmt::format("{}{} = {:.4g}", text.empty() ? "" : ", ", shape_.velocities[i].name, v[i]);
  return text;
}

std::string SingularConfiguration::explain_tangents() {
  std::string text;
  for (const Vector& v : tangents()) text += (text.empty() ? "" : "; or ") + in_words(v);
  if (!text.empty() && !all_are_found()) text += "; and others";
  return text;
}

std::string SingularConfiguration::explain_other_branches(const Vector& v) {
  constexpr double followed = 0.1;  // by how much v may differ from the tangent of its branch, relatively
  constexpr std::size_t listed = 2;
  std::vector<Vector> others = tangents();
  const auto difference = [&](const Vector& tangent) {
    const Vector along = tangent * (shape_.rheonomic ? 1.0 : v.dot(tangent) / tangent.squaredNorm());
    return (v - along).norm() / (v.norm() + along.norm());
  };
  const auto nearest = std::ranges::min_element(others, {}, difference);
  if (nearest != others.end() && difference(*nearest) < followed) {
    if (!freedom_.empty()) freedom_.erase(freedom_.begin() + (nearest - others.begin()));
    others.erase(nearest);
  }
  int widest = 1;  // of motions that are no isolated branches, of which tangents() gives some
  for (std::size_t k = freedom_.size(); k-- > 0;)
    if (freedom_[k] > 1) {
      if (freedom_[k] > widest) widest = freedom_[k];
      others.erase(others.begin() + static_cast<std::ptrdiff_t>(k));
    }
  const std::string wide = widest > 1 ? fmt::format("motions with {} degrees of freedom branch off here", widest) : "";
  if (others.empty()) return wide.empty() ? "" : "; " + wide;
  if (!wide.empty() || others.size() > listed)
    return fmt::format("; {} other motion{} branch{} off here{}{}", others.size(), others.size() == 1 ? "" : "s",
                       others.size() == 1 ? "es" : "", wide.empty() ? "" : ", and ", wide);
  std::string text = others.size() == 1 ? "; another motion branches off here: " : "; other motions branch off here: ";
  for (std::size_t k = 0; k < others.size(); ++k) text += (k > 0 ? "; or " : "") + in_words(others[k]);
  return text;
}

}  // namespace maggi::integration
