#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/decompositions.hpp"
#include "base/largest.hpp"
#include "base/names.hpp"
#include "manifold/singular_configuration.hpp"
#include "system/seam/mechanism_system.hpp"

// SingularConfiguration: what the second order forbids of the motions that the rows admit.

namespace maggi::integration {

/// A combination of the forms that is positive for some motions and negative for none; of several forms, combinations
/// are tried at random.
bool SingularConfiguration::find_self_stress() {
  constexpr int trials = 60;
  constexpr double clear = 1e-4;       // of the largest eigenvalue, and of γ: below, data may have been rounded
  constexpr double of_double = 1e-13;  // tens of operations in the kinematics of a loop
  constexpr double rounding = 1e-8;  // of ‖row‖ ‖v‖²: where gaps of a loop move alike, γ is what rounding leaves of it
  const bool positions = std::ranges::all_of(rows_.rows(), [&](int i) { return i < shape_.s_p; });
  if (shape_.rheonomic || !positions || motions_.cols() == 0 || left_.cols() == 0) return false;
  Matrix C(rows_.size(), shape_.n());
  dynamics_.system().velocity(at_, dynamics_.workspace());
  rows_.matrix(dynamics_.workspace().terms.C, C);
  const double longest = C.rowwise().norm().cwiseProduct(scale_).norm();
  // rows of a mechanism may be nothing but rounding in its joint coordinates; in absolute velocities they are not
  const auto* mechanism = dynamic_cast<const MechanismSystem*>(&dynamics_.system());
  const Acceleration none{Vector::Zero(shape_.n()), Vector::Zero(shape_.m()), Vector::Zero(shape_.n()),
                          Vector::Zero(shape_.laws.size()), Vector::Zero(shape_.controls.size())};
  const double natural =
      mechanism
          ? (scale_.asDiagonal() * mechanism->absolute_rows(at_, none, rows_.rows(), dynamics_.workspace())).norm()
          : 0.0;
  const std::vector<Matrix> Q = quadratic_forms();
  Largest of_gamma;
  for (Eigen::Index a = 0; a < motions_.cols(); ++a) {
    of_gamma.note(curvature(motions_.col(a)));
    of_gamma.note(rounding / clear * longest * motions_.col(a).squaredNorm());
    of_gamma.note(of_double / clear * natural * motions_.col(a).squaredNorm());
  }
  const auto definite = [&](const Vector& weights) {
    Matrix sum = Matrix::Zero(motions_.cols(), motions_.cols());
    for (std::size_t j = 0; j < Q.size(); ++j) sum += weights[static_cast<Eigen::Index>(j)] * Q[j];
    const Eigen::SelfAdjointEigenSolver<Matrix> eigen(sum);
    const double most = largest(eigen.eigenvalues()), least = clear * std::max(most, of_gamma.value());
    Matrix forbidden(motions_.rows(), 0);
    double sign = 0.0;
    for (Eigen::Index k = 0; k < motions_.cols(); ++k) {
      const double value = eigen.eigenvalues()[k];
      if (std::abs(value) <= rounding * most) continue;
      if (std::abs(value) <= least || sign * value < 0.0) return false;
      sign = value;
      forbidden.conservativeResize(Eigen::NoChange, forbidden.cols() + 1);
      forbidden.rightCols(1) = motions_ * eigen.eigenvectors().col(k);
    }
    if (forbidden.cols() <= forbidden_.cols()) return false;
    forbidden_ = forbidden;
    stress_ = (left_ * weights).cwiseProduct(scale_);
    return true;
  };
  forbidden_.resize(motions_.rows(), 0);
  for (int trial = 0; trial < trials; ++trial) {
    Vector weights = Vector::Zero(left_.cols());
    if (trial < weights.size())
      weights[trial] = 1.0;
    else
      for (Eigen::Index i = 0; i < weights.size(); ++i)
        weights[i] = std::cos(1.0 + 2.399963 * (trial + 1) * static_cast<double>(i + 1));
    definite(weights);
    if (weights.size() == 1 || forbidden() == motions_.cols()) break;
  }
  return forbidden() > 0;
}

/// ‖S (γ(q, v) − γ(q, 0))‖
double SingularConfiguration::curvature(const Vector& v) {
  const auto gamma = [&](const Vector& at) -> Vector {
    const State moving{at_.t, at_.q, at};
    dynamics_.system().acceleration(moving, dynamics_.workspace());
    Vector result(rows_.size());
    rows_.vector(dynamics_.workspace().terms.gamma, result);
    return result.cwiseProduct(scale_);
  };
  return (gamma(v) - gamma(Vector::Zero(shape_.n()))).norm();
}

std::string SingularConfiguration::explain_rigidity() {
  constexpr double part = 1e-6;  // of the forces: rounding
  if (!find_self_stress()) return "";
  z_ = stress_ / stress_.norm();
  const State still{at_.t, at_.q, Vector::Zero(shape_.n())};
  dynamics_.system().acceleration(still, dynamics_.workspace());
  const Vector& h = dynamics_.workspace().terms.h;
  loaded_ = (forbidden_.transpose() * h).norm() > part * h.norm() * forbidden_.norm();
  Matrix M(shape_.n(), shape_.n());
  shape_.M.scatter(dynamics_.workspace().terms.M, M);
  momentum_ = M * forbidden_;
  std::string free;
  for (Eigen::Index a = 0; a < std::min<Eigen::Index>(forbidden_.cols(), 2); ++a)
    free += (free.empty() ? "" : "; or ") + in_words(forbidden_.col(a) / largest(forbidden_.col(a)));
  return fmt::format("a self-stress of {} locks the motion: {} is free to first order, and the second order forbids it",
                     list_names(owners()), free);
}

bool SingularConfiguration::forbids(const Vector& v) const {
  constexpr double part = 1e-6;  // of the velocities: rounding
  return (momentum_.transpose() * v).norm() > part * momentum_.norm() * v.norm();
}

}  // namespace maggi::integration
