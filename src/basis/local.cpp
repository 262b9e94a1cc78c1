#include "basis/local.hpp"

#include <limits>
#include <numeric>

#include "base/largest.hpp"
#include "basis/cramer.hpp"
#include "basis/metric_factor.hpp"
#include "expression/substitute.hpp"
#include "expression/tidy.hpp"
#include "system/formulas/equation_system.hpp"

namespace maggi {

LocalBasis::LocalBasis(int n, int max_rows) : Basis(n), max_rows_(max_rows), partition_(n, n) {}

namespace {

// rounding of C P is that of the partition, ε κ(J); a constraint that is not local misses by its own size
bool are_local(const Matrix& C, const Eigen::Ref<const Matrix>& Y) {
  constexpr double rounding = 1e-8;
  for (Eigen::Index i = 0; i < C.rows(); ++i)
    if ((C.row(i) * Y).norm() > rounding * C.row(i).norm() * (1.0 + Y.norm())) return false;
  return true;
}

/// P of a partition of J: J P = 1 in the rows in use.
Matrix inverse(const LuBasis& partition, Eigen::Index n, Eigen::Index rows) {
  const std::vector<int>& used = partition.independent_rows();
  Matrix P(n, static_cast<Eigen::Index>(used.size()));
  Vector unit = Vector::Zero(rows), column(n);
  for (std::size_t j = 0; j < used.size(); ++j) {
    unit[used[j]] = 1.0;
    partition.particular(unit, column);
    P.col(static_cast<Eigen::Index>(j)) = column;
    unit[used[j]] = 0.0;
  }
  return P;
}

/// The largest ‖row of J‖ ‖column of P‖: how many times further than along itself a local coordinate moves the others.
/// It does not depend on the unit of any of them, and is one over the sine with which a row stands out of the others.
double spread(const Matrix& J, const Matrix& P) {
  return J.rows() > 0 ? largest(J.rowwise().norm().cwiseProduct(P.colwise().norm().transpose())) : 1.0;
}

}  // namespace

bool LocalBasis::compute(const Equations& equations) {
  const Matrix& C = equations.C;
  const Eigen::Index n = C.cols(), all = equations.J.rows();
  if (all == 0 && C.rows() > 0)
    return refuse("the model has no local coordinates: the points that are constrained go to [local]");
  const bool chosen = given_ == all;
  if (chosen && !place(equations.J)) return refuse(partition_.why());
  if (!chosen || (!held_ && spread_ > limit_)) choose(equations);
  if (!P_.allFinite() || J_.norm() * P_.norm() * MetricFactor::default_tolerance >= 1.0)
    return refuse("local coordinates almost depend on each other here");
  if (!are_local(C, Y())) return refuse("a constraint is not a function of the local coordinates");

  const Eigen::Index n_x = J_.rows();
  if (!hat_ || hat_->D().rows() != n_x) {
    hat_ = std::make_unique<EuclideanGramSchmidtBasis>(static_cast<int>(n_x), max_rows_);
    hat_equations_.M = Matrix::Identity(n_x, n_x);
  }
  hat_equations_.C.noalias() = C * P_;
  hat_->hold(held_);
  if (!hat_->compute(hat_equations_)) return refuse(hat_->why());
  rank_ = hat_->rank();
  dependent_ = hat_->dependent_rows();
  selections_ = partition_.selections() + hat_->selections();
  strained_ = partition_.strained() || hat_->strained() || spread_ > limit_;
  const Eigen::Index along = n_x - rank_;
  D_.leftCols(along).noalias() = P_ * D_hat();
  D_.middleCols(along, n - n_x) = Y();
  return true;
}

/// P and Y of the local coordinates that are candidates.
bool LocalBasis::place(const Matrix& J) {
  of_J_.C = J(candidates_, Eigen::all);
  partition_.hold(held_);
  if (!partition_.compute(of_J_)) return false;
  used_.clear();
  for (const int row : partition_.independent_rows()) used_.push_back(candidates_[row]);
  J_ = J(used_, Eigen::all);
  P_ = inverse(partition_, J.cols(), of_J_.C.rows());
  spread_ = spread(J_, P_);
  return true;
}

/// All of them; then, as long as they spread too far, without one that no constraint needs.
void LocalBasis::choose(const Equations& equations) {
  constexpr double too_far = 10.0;
  given_ = equations.J.rows();
  candidates_.resize(given_);
  std::iota(candidates_.begin(), candidates_.end(), 0);
  place(equations.J);
  while (!(spread_ <= too_far)) {
    double least = spread_ / 2;
    std::vector<int> best;
    for (const int left_out : used_) {
      std::vector<int> others = used_;
      std::erase(others, left_out);
      const double found = spread_of(others, equations);
      if (found < least) least = found, best = others;
    }
    if (best.empty()) break;
    candidates_ = best;
    place(equations.J);
  }
  limit_ = std::max(too_far, 10 * spread_);
}

/// The spread of some local coordinates; infinite if a constraint is not a function of them.
double LocalBasis::spread_of(const std::vector<int>& coordinates, const Equations& equations) const {
  const auto n = static_cast<int>(equations.C.cols());
  LuBasis partition(n, n);
  Equations of_J;
  of_J.C = equations.J(coordinates, Eigen::all);
  partition.compute(of_J);
  if (!are_local(equations.C, partition.D())) return std::numeric_limits<double>::infinity();
  return spread(of_J.C(partition.independent_rows(), Eigen::all), inverse(partition, n, of_J.C.rows()));
}

void LocalBasis::particular(const Vector& gamma, Vector& d0) const {
  Vector x(P_.cols());
  hat_->particular(gamma, x);
  d0.noalias() = P_ * x;
}

void LocalBasis::multipliers(const Vector& r, Vector& lambda) const { hat_->multipliers(P_.transpose() * r, lambda); }

/// J̇ of the local coordinates in use.
Matrix LocalBasis::J_rate(const Rates& rates) const { return rates.J(used_, Eigen::all); }

/// Ĉ̇ = (Ċ − Ĉ J̇) P
Rates LocalBasis::hat_rates(const Rates& rates) const { return {{}, (rates.C - C_hat() * J_rate(rates)) * P_, {}}; }

bool LocalBasis::rate(const Rates& rates, Matrix& Ddot) const {
  // [J; G] D = [D̂ 0; 0 1]:  Ḋ = [J; G]⁻¹ ([D̂̇ 0; 0 0] − [J̇; 0] D)
  Matrix D_hat_rate;
  hat_->rate(hat_rates(rates), D_hat_rate);
  Matrix local_rate = -J_rate(rates) * D();
  local_rate.leftCols(D_hat_rate.cols()) += D_hat_rate;
  Ddot.noalias() = P_ * local_rate;
  return true;
}

void LocalBasis::tangent(const Vector& v, Vector& u) const {
  const Eigen::Index along = D_hat().cols();
  u.resize(D().cols());
  u.head(along).noalias() = D_hat().transpose() * (J_ * v);
  u.tail(u.size() - along) = v(free_coordinates());
}

bool LocalBasis::tangent_rate(const Rates& rates, const Vector& v, const Vector& vdot, Vector& udot) const {
  const Eigen::Index along = D_hat().cols();
  Matrix D_hat_rate;
  hat_->rate(hat_rates(rates), D_hat_rate);
  udot.resize(D().cols());
  udot.head(along) = D_hat_rate.transpose() * (J_ * v) + D_hat().transpose() * (J_rate(rates) * v + J_ * vdot);
  udot.tail(udot.size() - along) = vdot(free_coordinates());
  return true;
}

namespace {

using expression::Graph;
using expression::Id;

Id dot(Graph& graph, const FormulaMatrix& A, int row, const FormulaMatrix& B, int other_row) {
  Id sum = graph.constant(0.0);
  for (int j = 0; j < A.cols; ++j) sum = graph.add(sum, graph.multiply(A(row, j), B(other_row, j)));
  return sum;
}

/// Orthonormal columns w of null(Ĉ) from unit vectors e_s, as Gram-Schmidt makes them: the projector 1 − Ĉᵀ(ĈĈᵀ)⁻¹Ĉ
/// and those before taken off, ‖w‖² = w_s.
std::string local_complement(Graph& graph, const FormulaMatrix& C, const std::vector<int>& unit_vectors,
                             FormulaMatrix& W) {
  FormulaMatrix gram{C.rows, C.rows}, right{C.rows, static_cast<int>(unit_vectors.size())}, Y;
  for (int i = 0; i < C.rows; ++i)
    for (int j = 0; j < C.rows; ++j) gram.entries.push_back(dot(graph, C, i, C, j));
  for (int i = 0; i < C.rows; ++i)
    for (const int s : unit_vectors) right.entries.push_back(C(i, s));
  std::string why;
  if (!solve_by_cramer(graph, gram, right, Y, why)) return why;
  W = FormulaMatrix::zero(graph, C.cols, right.cols);
  for (int j = 0; j < right.cols; ++j) {
    const int s = unit_vectors[j];
    for (int x = 0; x < C.cols; ++x) {
      Id entry = graph.constant(x == s ? 1.0 : 0.0);
      for (int i = 0; i < C.rows; ++i) entry = graph.subtract(entry, graph.multiply(C(i, x), Y(i, j)));
      for (int before = 0; before < j; ++before)
        entry = graph.subtract(entry, graph.multiply(W(x, before), W(s, before)));
      W(x, j) = expression::tidy(graph, entry, expression::Fractions::cancel);
    }
    const Id length = graph.unary(expression::Op::sqrt, W(s, j));
    for (int x = 0; x < C.cols; ++x) W(x, j) = graph.divide(W(x, j), length);
  }
  return "";
}

}  // namespace

/// D = [P D̂  Y]
std::string LocalBasis::closed_form(DerivedEquations& equations, std::vector<Id>& D) const {
  Graph& graph = equations.graph;
  const int n = static_cast<int>(D_.rows()), n_x = static_cast<int>(J_.rows()), m = static_cast<int>(C_hat().rows());
  if (rank_ < m) return "the constraints are dependent";
  if (n_x < static_cast<int>(equations.x.size())) return "the local coordinates are dependent";
  for (const bool complete : equations.local.complete)
    if (!complete) return "a constraint is written in other coordinates than those of the points";
  const FormulaMatrix of_points{n_x, n, equations.J};
  FormulaMatrix along{n_x, static_cast<int>(D_hat().cols())}, P, one = FormulaMatrix::zero(graph, n_x, n_x);
  std::vector<Id> free;
  if (std::string why = partition_.closed_form(graph, of_points, free); !why.empty()) return why;
  if (along.cols > 0) {
    FormulaMatrix C{m, n_x};
    std::vector<std::pair<Id, Id>> places;
    for (int i = 0; i < n_x; ++i) places.emplace_back(equations.local.x[i], equations.x[i]);
    for (const Id entry : equations.local.C) C.entries.push_back(expression::substitute(graph, entry, places));
    if (std::string why = local_complement(graph, C, hat_->supplement(), along); !why.empty()) return why;
    for (int i = 0; i < n_x; ++i) one(i, i) = graph.constant(1.0);
    if (std::string why = partition_.solve(graph, of_points, one, P); !why.empty()) return why;
  }
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < along.cols; ++j) {
      Id sum = graph.constant(0.0);
      for (int x = 0; x < n_x; ++x) sum = graph.add(sum, graph.multiply(P(i, x), along(x, j)));
      D.push_back(sum);
    }
    for (int j = 0; j < n - n_x; ++j) D.push_back(free[i * (n - n_x) + j]);
  }
  return "";
}

}  // namespace maggi
