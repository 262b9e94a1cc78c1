#include "start/start_elimination.hpp"

namespace maggi::integration {

namespace {

constexpr double rank_tolerance = 1e-10;  // of rows and columns of length 1
constexpr double no_derivative = 1e-8;    // a row this short is what rounding left of it: it says nothing about x

}  // namespace

void Elimination::compute(const Matrix& J, const Vector& r) {
  J_x_ = J(Eigen::all, leaders_);
  r_ = r;
  if (followers_.empty()) {
    reduced_J_ = J_x_;
    reduced_r_ = r_;
    return;
  }
  Matrix J_y = J(Eigen::all, followers_);
  column_scale_ = J_y.colwise().norm().transpose().unaryExpr(&scale_of_length);
  J_y *= column_scale_.asDiagonal();
  const Vector row_scale = J_y.rowwise().norm().unaryExpr(&scale_of_length);
  J_y = row_scale.asDiagonal() * J_y;
  J_x_ = row_scale.asDiagonal() * J_x_;
  r_ = row_scale.asDiagonal() * r_;
  qr_.setThreshold(rank_tolerance);
  qr_.compute(J_y);
  const Eigen::Index left = J_y.rows() - qr_.rank();
  reduced_J_ = Matrix(qr_.householderQ().adjoint() * J_x_).bottomRows(left);
  reduced_r_ = Vector(qr_.householderQ().adjoint() * r_).tail(left);
  for (Eigen::Index i = 0; i < left; ++i)
    if (reduced_J_.row(i).norm() < no_derivative) reduced_J_.row(i).setZero();
}

Vector Elimination::follow(const Vector& delta) const {
  if (followers_.empty()) return {};
  return column_scale_.asDiagonal() * qr_.solve(-r_ - J_x_ * delta);
}

}  // namespace maggi::integration
