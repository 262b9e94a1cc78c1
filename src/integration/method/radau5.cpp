#include "integration/method/radau5.hpp"

#include <algorithm>
#include <limits>

namespace maggi::integration {

namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();

struct Coefficients {
  Coefficients() {
    const double s = std::sqrt(6.0);
    Eigen::Matrix3d A;
    A << (88 - 7 * s) / 360, (296 - 169 * s) / 1800, (-2 + 3 * s) / 225,  //
        (296 + 169 * s) / 1800, (88 + 7 * s) / 360, (-2 - 3 * s) / 225,   //
        (16 - s) / 36, (16 + s) / 36, 1.0 / 9;
    c << (4 - s) / 10, (4 + s) / 10, 1.0;
    e << -(13 + 7 * s) / 3, (-13 + 7 * s) / 3, -1.0 / 3;
    const double p = std::cbrt(81.0), q = std::cbrt(9.0);  // the eigenvalues of A in closed form
    const Eigen::Vector3cd w = eigenvector(A, {(12 - p + q) / 60, -(p + q) * std::sqrt(3.0) / 60});
    T << eigenvector(A, (6 + p - q) / 30).real(), w.real(), w.imag();
    T_inverse = T.inverse();
    lambda = T_inverse * A.inverse() * T;
    gamma = lambda(0, 0);
    pair = {lambda(1, 1), -lambda(1, 2)};
  }

  /// What two rows of A − κ are orthogonal to.
  static Eigen::Vector3cd eigenvector(const Eigen::Matrix3d& A, std::complex<double> kappa) {
    const std::complex<double> a = A(0, 0) - kappa, b = A(1, 1) - kappa;
    return {A(0, 1) * A(1, 2) - A(0, 2) * b, A(0, 2) * A(1, 0) - a * A(1, 2), a * b - A(0, 1) * A(1, 0)};
  }

  Eigen::Vector3d c, e;
  Eigen::Matrix3d T, T_inverse, lambda;  // of (2)
  double gamma = 0.0;
  std::complex<double> pair;  // α − iβ: the system of W₂ + iW₃
};

const Coefficients& coefficients() {
  static const Coefficients all;
  return all;
}

/// The values at θ of the polynomials of degree 3 that are 0 at 0 and at two of the points c, and 1 at the third.
Eigen::Vector3d lagrange(double theta) {
  const Eigen::Vector3d& c = coefficients().c;
  Eigen::Vector3d value;
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    value[i] = theta * (theta - c[j]) * (theta - c[k]) / (c[i] * (c[i] - c[j]) * (c[i] - c[k]));
  }
  return value;
}

}  // namespace

Radau5::Radau5(int size, Tolerance tolerance)
    : OneStep(size, tolerance, 0),
      J_(Matrix::Zero(size, size)),
      Z_(Matrix::Zero(size, 3)),
      F_(size, 3),
      W_(size, 3),
      R_(size, 3),
      before_(Matrix::Zero(size, 3)),
      shifted_(size, size),
      shifted_pair_(size, size),
      real_(size),
      pair_(size),
      part_(size),
      part_pair_(size),
      right_pair_(size),
      estimate_(size),
      stage_(size),
      direction_(Vector::LinSpaced(size, 1.0, 2.0)),
      image_(size) {}

const StepRule& Radau5::rule() const {
  static constexpr StepRule rule{.order = 4, .beta = 0.0, .smallest = 0.2, .largest = 8.0, .worth = 1.2};
  return rule;
}

void Radau5::forget() {
  of_J_ = before_h_ = std::numeric_limits<double>::quiet_NaN();
  t_ = of_J_;
  wanted_ = true;
}

bool Radau5::compute(Form& form, double t, double h) {
  if (size() == 0) {
    t_ = t, h_ = h, error_ = 0.0;
    return true;
  }
  again_ = t == t_;
  if (!again_) {
    before_ = Z_;
    before_h_ = std::isnan(t_) ? t_ : h_;
  }
  t_ = t, h_ = h;
  if (wanted_ && !find_jacobian(form)) return false;
  predict();
  if (!iterate(form)) {
    if (of_J_ == t || !find_jacobian(form)) return false;
    predict();
    if (!iterate(form)) return false;
  }
  Eigen::Map<Vector>(y_new_, size()) = Eigen::Map<const Vector>(y_, size()) + Z_.col(2);
  return estimate_error(form);
}

bool Radau5::find_jacobian(Form& form) {
  if (!form.jacobian(t_, y_, k1_, J_)) return false;
  of_J_ = t_;
  factored_ = 0.0;
  wanted_ = false;
  find_spread();
  return true;
}

/// The largest |λ| of J by repeated multiplication; of a pair the two last ones tell, together.
void Radau5::find_spread() {
  constexpr int times = 8;
  double last = 0.0, now = 0.0;
  for (int k = 0; k < times; ++k) {
    image_.noalias() = J_ * direction_;
    last = now, now = image_.norm();
    if (!(now > 0.0)) break;
    direction_ = image_ / now;
  }
  spread_ = std::sqrt(last * now);
  if (!(spread_ > 0.0)) direction_.setLinSpaced(size(), 1.0, 2.0);
}

void Radau5::factorise() {
  if (factored_ == h_) return;
  const Coefficients& all = coefficients();
  shifted_ = -J_;
  shifted_.diagonal().array() += all.gamma / h_;
  real_.compute(shifted_);
  shifted_pair_ = -J_.cast<std::complex<double>>();
  shifted_pair_.diagonal().array() += all.pair / h_;
  pair_.compute(shifted_pair_);
  factored_ = h_;
}

/// The stages that the polynomial of the last step promises.
void Radau5::predict() {
  if (std::isnan(before_h_)) {
    Z_.setZero();
    return;
  }
  for (int i = 0; i < 3; ++i)
    Z_.col(i) = before_.lazyProduct(lagrange(1.0 + coefficients().c[i] * h_ / before_h_)) - before_.col(2);
}

/// Newton's method on (1) with the matrices of (2). false if it does not converge, or not soon enough.
bool Radau5::iterate(Form& form) {
  constexpr int most = 8;
  constexpr double well = 0.05;  // convergence with which J is good for the next step, too
  const Coefficients& all = coefficients();
  const double goal = std::max(10 * eps / tolerance_.rtol, std::min(0.03, std::sqrt(tolerance_.rtol)));
  factorise();
  W_.noalias() = Z_.lazyProduct(all.T_inverse.transpose());
  double last = 0.0, slowness = 0.0;
  for (int k = 0; k < most; ++k) {
    for (int i = 0; i < 3; ++i) {
      stage_ = Eigen::Map<const Vector>(y_, size()) + Z_.col(i);
      if (!form(t_ + all.c[i] * h_, stage_.data(), F_.col(i).data())) return false;
    }
    R_.noalias() = F_.lazyProduct(all.T_inverse.transpose()) - W_.lazyProduct(all.lambda.transpose() / h_);
    part_ = real_.solve(R_.col(0));
    right_pair_.real() = R_.col(1), right_pair_.imag() = R_.col(2);
    part_pair_ = pair_.solve(right_pair_);
    R_.col(0) = part_, R_.col(1) = part_pair_.real(), R_.col(2) = part_pair_.imag();
    W_ += R_;
    Z_.noalias() = W_.lazyProduct(all.T.transpose());

    const double now = norm(R_);
    if (!std::isfinite(now)) return false;
    if (k > 0) slowness = k == 1 ? now / last : std::sqrt(slowness * now / last);
    if (k > 0 && slowness >= 0.99) return false;
    const double left = k > 0 ? slowness / (1 - slowness) * now : now;
    if (left <= goal) {
      wanted_ = slowness > well;
      return true;
    }
    if (k > 0 && left * std::pow(slowness, most - 2 - k) > goal) return false;
    last = now;
  }
  return false;
}

/// Of the columns, in units of the tolerance.
double Radau5::norm(const Matrix& x) const {
  double sum = 0.0;
  for (int i = 0; i < size(); ++i) {
    const double scale = tolerance_.scale(y_[i]);
    sum += x.row(i).squaredNorm() / (scale * scale);
  }
  return std::sqrt(sum / static_cast<double>(x.size()));
}

/// (3); where it is too large at a step that follows no other, once more with the rate beside y that it points to.
bool Radau5::estimate_error(Form& form) {
  const auto size_of_estimate = [&] {
    double sum = 0.0;
    for (int i = 0; i < size(); ++i) sum += error(i) * error(i);
    return std::sqrt(sum / size());
  };
  image_.noalias() = Z_.lazyProduct(coefficients().e / h_);
  part_ = image_ + Eigen::Map<const Vector>(k1_, size());
  estimate_ = real_.solve(part_);
  error_ = size_of_estimate();
  if (error_ < 1.0 || !(again_ || std::isnan(before_h_))) return true;
  stage_ = Eigen::Map<const Vector>(y_, size()) + estimate_;
  if (!form(t_, stage_.data(), part_.data())) return true;
  part_ += image_;
  estimate_ = real_.solve(part_);
  error_ = size_of_estimate();
  return true;
}

void Radau5::interpolate(Form&, double t, double* y) {
  const double theta = (t - t_) / h_;
  const Eigen::Vector3d part = lagrange(theta);
  for (int i = 0; i < size(); ++i)
    y[i] = y_[i] + Z_(i, 0) * part[0] + Z_(i, 1) * part[1] + Z_(i, 2) * part[2] + theta * (y_kept_[i] - y_new_[i]);
}

}  // namespace maggi::integration
