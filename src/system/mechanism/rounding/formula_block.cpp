#include "system/mechanism/rounding/formula_block.hpp"

#include <algorithm>
#include <cmath>

#include "base/largest.hpp"
#include "base/singular_values.hpp"
#include "system/seam/mechanism_system.hpp"

namespace maggi::mechanism {

namespace {

std::vector<int> places(const std::vector<int>& some, int all) {
  std::vector<int> result(all, -1);
  for (std::size_t k = 0; k < some.size(); ++k) result[some[k]] = static_cast<int>(k);
  return result;
}

}  // namespace

FormulaBlock::FormulaBlock(const System& system, std::vector<int> rows, std::vector<int> columns, double size,
                           const TypedNumbers& numbers, Make make)
    : system_(&system),
      numbers_(numbers),
      make_(std::move(make)),
      rows_(std::move(rows)),
      columns_(std::move(columns)),
      row_at_(places(rows_, system.shape().m())),
      column_at_(places(columns_, system.shape().n())),
      w_(system.workspace()),
      p_(Vector::Zero(numbers.count())) {
  const Shape& shape = system.shape();
  const Start& start = system.start();
  at_ = {start.t, start.origin, Vector::Zero(shape.n())};
  Vector given(shape.n());
  for (int i = 0; i < shape.n(); ++i) given[i] = start.q[i].value;
  if (start.origin.size() == 0) at_.q = Vector::Zero(shape.nq());
  system.move(at_.q.data(), given.data());
  reference_.assign(at_.q.begin(), at_.q.end());
  std::vector<std::string> names;
  for (const int row : rows_)
    if (std::ranges::find(names, shape.rows[row].owner) == names.end()) names.push_back(shape.rows[row].owner);
  owners_.resize(names.size());
  find_scales(size);
}

void FormulaBlock::find_scales(double size) {
  constexpr int samples = 5;
  constexpr double around = 0.3;  // sizes: far enough to tell a row that vanishes here from one that is short
  const Shape& shape = system_->shape();
  column_scale_ = Vector::Ones(n());
  Largest largest_length(size);
  const auto angle = [&](int column) { return shape.velocities[column].unit == "rad/s"; };
  for (const int column : columns_)
    if (shape.identity_rates && !angle(column)) largest_length.note(reference_[column]);
  for (int j = 0; j < n(); ++j)
    if (!angle(columns_[j]) && largest_length.value() > 0.0) column_scale_[j] = largest_length.value();
  row_scale_ = Vector::Ones(m());
  std::vector<std::vector<double>> lengths(m());
  for (int k = 0; k < samples; ++k) {
    Vector away(n());
    for (int j = 0; j < n(); ++j) away[j] = around * std::cos(1.0 + 2.4 * k + 3.7 * j + 1.3 * k * j);
    Configuration q = reference_;
    move(q, away);
    const Vector length = natural_lengths(q, largest_length.value());
    for (int i = 0; i < m(); ++i) lengths[i].push_back(length[i]);
  }
  for (int i = 0; i < m(); ++i) {
    std::ranges::nth_element(lengths[i], lengths[i].begin() + samples / 2);
    if (const double median = lengths[i][samples / 2]; median > 0.0 && std::isfinite(median)) row_scale_[i] = median;
  }
  Largest remote;
  for (int j = 0; j < n(); ++j)
    if (shape.identity_rates) remote.note(reference_[columns_[j]] / column_scale_[j]);
  remote_ = remote.value();
}

/// Of the rows: of a mechanism in the velocities of its bodies. In joint coordinates a row that follows from a joint is
/// nothing but the error of the data.
Vector FormulaBlock::natural_lengths(const Configuration& q, double size) {
  const auto* mechanism = dynamic_cast<const MechanismSystem*>(system_);
  evaluate(q);
  if (!mechanism) return C_.rowwise().norm();
  const State state{at_.t, Eigen::Map<const Vector>(q.data(), static_cast<Eigen::Index>(q.size())), at_.v};
  Acceleration rest;
  rest.vdot = Vector::Zero(system_->shape().n());
  rest.lambda = Vector::Zero(system_->shape().m());
  Matrix rows = mechanism->absolute_rows(state, rest, rows_, *w_);
  if (body_scale_.size() == 0) {
    body_scale_ = Vector::Ones(rows.cols());
    const auto twin = mechanism->absolute_twin();
    for (Eigen::Index k = 0; k < rows.cols() && size > 0.0; ++k)
      if (twin->shape().velocities[static_cast<std::size_t>(k)].unit != "rad/s") body_scale_[k] = size;
  }
  return (rows * body_scale_.asDiagonal()).rowwise().norm();
}

bool FormulaBlock::close(double tolerance) {
  constexpr int most = 40;
  constexpr double longest = 0.3;
  Configuration q = reference_;
  for (int k = 0; k < most; ++k) {
    evaluate(q);
    const double size = largest(f_);
    if (!std::isfinite(size)) return false;
    if (size <= tolerance) {
      reference_ = q;
      return true;
    }
    const SingularValues svd(C_);
    const double mu = 0.01 * std::min(0.1, size) * std::min(0.1, size) + tolerance * tolerance;
    const int r = std::min(m(), n());
    const Vector sigma = svd.sigma.head(r);
    Vector step =
        svd.V.leftCols(r) *
        (svd.U.leftCols(r).transpose() * f_).cwiseProduct(sigma).cwiseQuotient((sigma.array().square() + mu).matrix());
    if (const double length = largest(step); length > longest) step *= longest / length;
    move(q, -step);
  }
  return false;
}

void FormulaBlock::move(Configuration& q, const Vector& displacement) const {
  Vector delta = Vector::Zero(system_->shape().n());
  for (int j = 0; j < n(); ++j) delta[columns_[j]] = column_scale_[j] * displacement[j];
  system_->move(q.data(), delta.data());
}

void FormulaBlock::evaluate(const System& system, Workspace& w, const Configuration& q, Vector& f, Matrix* C) const {
  const State state{at_.t, Eigen::Map<const Vector>(q.data(), static_cast<Eigen::Index>(q.size())), at_.v};
  system.position(state, w);
  f.resize(m());
  for (int i = 0; i < m(); ++i) f[i] = w.terms.f[rows_[i]] / row_scale_[i];
  if (!C) return;
  *C = Matrix::Zero(m(), n());
  const Pattern& pattern = system.shape().C;
  for (int k = 0; k < pattern.size(); ++k) {
    const int i = row_at_[pattern.row[k]], j = column_at_[pattern.col[k]];
    if (i >= 0 && j >= 0) (*C)(i, j) = w.terms.C[k] * column_scale_[j] / row_scale_[i];
  }
}

void FormulaBlock::change(const Vector& p) {
  if (p == p_) return;
  p_ = p;
  changed_ = make_(numbers_.with(p));
  system_ = changed_.get();
  w_ = system_->workspace();
}

/// By central differences: of functions of size 1 they have 10 digits.
Matrix FormulaBlock::f_by_changes() const {
  constexpr double step = 1e-5;
  Matrix F(m(), changes());
  Vector ahead, behind;
  for (int k = 0; k < changes(); ++k) {
    for (const auto& [sign, f] : {std::pair{1.0, &ahead}, std::pair{-1.0, &behind}}) {
      const auto system = make_(numbers_.with(p_ + sign * step * Vector::Unit(changes(), k)));
      evaluate(*system, *system->workspace(), last_, *f, nullptr);
    }
    F.col(k) = (ahead - behind) / (2 * step);
  }
  return F;
}

}  // namespace maggi::mechanism
