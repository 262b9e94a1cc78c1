#include "start/start_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <random>
#include <utility>

#include "base/decompositions.hpp"
#include "base/largest.hpp"
#include "basis/metric_factor.hpp"
#include "start/newton_limits.hpp"

namespace maggi::integration {

namespace {

constexpr double smallest_s_step = 1e-3;  // of the path (1): below it turns back, or ends

std::vector<int> select(const StartProblem& p, bool follows, bool also_given) {
  std::vector<int> result;
  for (std::size_t i = 0; i < p.unknowns().size(); ++i)
    if (p.unknowns()[i].follows == follows && (also_given || !p.unknowns()[i].start.given))
      result.push_back(static_cast<int>(i));
  return result;
}

double size_of(const Vector& x) { return 1.0 + largest(x); }

}  // namespace

Search::Search(StartProblem& problem)
    : p_(problem),
      open_(select(problem, false, false)),
      blocks_(problem.occurrences(), open_, static_cast<int>(problem.unknowns().size())),
      reduced_(select(problem, false, true), select(problem, true, false)),
      offset_(Vector::Zero(static_cast<Eigen::Index>(problem.conditions().size()))),
      residual_(offset_),
      best_residual_(std::numeric_limits<double>::infinity()) {
  least_change_ = std::ranges::all_of(open_, [&](int i) { return p_.unknowns()[i].start.guessed; });
  std::erase_if(open_, [&](int i) { return !blocks_.related(i); });
}

Found Search::run(const Vector& x) {
  if (p_.conditions().empty()) return finish(x, {}, 0);
  if (evaluate(x)) weights_ = p_.J().rowwise().norm().unaryExpr(&scale_of_length);
  if (const std::optional<Found> found = come_from_reference(x)) return *found;
  if (const std::optional<Found> found = let_stay(x)) return *found;
  const std::vector<int> moving = evaluate(x) ? disturbed(open_, x) : open_;
  std::optional<std::mt19937> random;  // its seeding costs more than most searches
  for (int start = 0; start < most_starts; ++start) {
    Vector trial = x;
    if (start > 0) {  // a guess may be a singular configuration, or too far away
      if (!random) random.emplace(20021993).discard(2 * open_.size());
      std::uniform_real_distribution<double> shift(-0.1 * start, 0.1 * start);
      for (const int i : moving) trial[i] += shift(*random);
    }
    settle(trial);
    const std::vector<int> dependent = choose_dependent(trial);
    const auto determined = static_cast<int>(dependent.size());
    const Vector from = trial;
    for (const std::vector<int>* unknown : {&dependent, &std::as_const(open_)}) {  // what is kept may be in the way
      if (least_change_ && unknown == &dependent) continue;
      trial = from;
      if (newton(trial, *unknown) && accepted_(trial)) return finish(trial, *unknown, determined);
      if (p_.linear()) continue;
      trial = from;
      if (start == 0 && follow_path(trial, *unknown) && accepted_(trial)) return finish(trial, *unknown, determined);
    }
    if (p_.linear() || open_.empty()) return best(1);  // there is no better guess
  }
  return best(most_starts);
}

/// A solution at which all that rather stay have stayed, near the guess.
std::optional<Found> Search::let_stay(const Vector& x) {
  std::vector<int> others;
  std::ranges::copy_if(open_, std::back_inserter(others), [&](int i) { return !rather_stays(p_.unknowns()[i].start); });
  if (others.size() == open_.size()) return std::nullopt;
  Vector at = x;
  settle(at);
  const Vector from = at;
  const auto determined = static_cast<int>(choose_dependent(from, others).size());
  const bool near = newton(at, others);
  if (!near && (p_.linear() || !follow_path(at = from, others))) return std::nullopt;
  Found found = finish(at, others, determined);
  return accepted_(at) && found.condition < worst_condition ? std::optional(std::move(found)) : std::nullopt;
}

/// (0), if all that is not given begins in the reference configuration and the conditions hold there.
std::optional<Found> Search::come_from_reference(const Vector& x) {
  constexpr double near = 0.05, first = 0.1, shortest = 1e-4;  // [rad] or [m] that a given value changes
  const Vector reference = p_.reference();
  if (reference.size() == 0) return std::nullopt;
  Vector change = x - reference;
  for (const int i : open_)
    if (change[i] != 0.0) return std::nullopt;  // a guess chooses the assembly
  const double length = largest(change);
  if (!(length > near)) return std::nullopt;
  Vector at = reference;
  if (!evaluate(at) || !within(scaled_residual(), newton_acceptable * size_of(at))) return std::nullopt;
  std::vector<int> others;
  std::ranges::copy_if(open_, std::back_inserter(others), [&](int i) { return !rather_stays(p_.unknowns()[i].start); });
  double s = 0.0, step = first / length;
  on_way_ = true;
  while (s < 1.0 && step * length >= shortest) {
    const double next = std::min(1.0, s + step);
    Vector trial = at;
    if (step_towards(trial, x, (next - s) / (1.0 - s), others)) {
      at = trial, s = next, step *= 1.5;
    } else {
      step *= 0.5;
    }
  }
  on_way_ = false;
  followed_ = s;
  if (s < 1.0) return std::nullopt;
  Found found = finish(at, others, static_cast<int>(choose_dependent(at, others).size()));
  return accepted_(at) && found.condition < worst_condition ? std::optional(std::move(found)) : std::nullopt;
}

/// Moves the given values by `part` of what they are from the goal, and the others along the tangent; then satisfies
/// the conditions. false if the correction is not small beside the step: it may lead to another assembly.
bool Search::step_towards(Vector& x, const Vector& goal, double part, const std::vector<int>& unknown) {
  constexpr double small = 0.25;
  if (!evaluate(x)) return false;
  Vector tangent = Vector::Zero(x.size());
  for (std::size_t i = 0; i < p_.unknowns().size(); ++i)
    if (const auto k = static_cast<Eigen::Index>(i); p_.unknowns()[i].start.given) tangent[k] = part * (goal[k] - x[k]);
  const auto n = static_cast<int>(unknown.size());
  MetricFactor factor(n, static_cast<int>(p_.conditions().size()));
  const Matrix J = p_.J()(Eigen::all, unknown);
  if (n > 0 && !factor.compute(p_.metric()(unknown, unknown), J) && !factor.compute(Matrix::Identity(n, n), J))
    return false;
  Vector delta(n);
  if (n > 0) factor.least_change(-p_.J() * tangent, delta);
  tangent(unknown) = delta;
  const Vector predicted = x + tangent;
  x = predicted;
  return newton(x, unknown) && within(largest(x - predicted), small * largest(tangent));
}

Found Search::solve(Vector x, const std::vector<int>& unknown) {
  return newton(x, unknown) ? finish(x, unknown, static_cast<int>(unknown.size())) : best(1);
}

bool Search::evaluate(const Vector& x) {
  if (!p_.evaluate(x)) return false;
  residual_ = p_.residual() - offset_;
  return true;
}

/// |residual_i| / ‖row i of J‖: in the units of the unknowns.
Vector Search::scaled_residuals() const {
  return residual_.cwiseAbs().cwiseProduct(p_.J().rowwise().norm().unaryExpr(&scale_of_length));
}

double Search::scaled_residual() const { return largest(scaled_residuals()); }

/// The followers that fit x best; twice, as rows may be nonlinear in v̇.
void Search::settle(Vector& x) {
  for (int i = 0; i < 2 && !reduced_.followers().empty(); ++i) {
    if (!evaluate(x)) return;
    reduced_.compute(p_.J(), residual_);
    x(reduced_.followers()) += reduced_.follow(Vector::Zero(static_cast<Eigen::Index>(reduced_.leaders().size())));
  }
}

/// Columns of the reduced conditions by √mass, so that units do not matter, and rows of length 1. A column without mass
/// is as long as the longest of the others.
Matrix Search::scaled_by_mass(const std::vector<int>& columns) const {
  Matrix A = reduced_.J()(Eigen::all, columns);
  std::vector<Eigen::Index> massless;
  double longest = 0.0;
  for (Eigen::Index j = 0; j < A.cols(); ++j) {
    const double mass = p_.metric()(columns[j], columns[j]);
    if (!(mass > 0.0)) {
      massless.push_back(j);
      continue;
    }
    A.col(j) /= std::sqrt(mass);
    longest = larger(longest, A.col(j).norm());
  }
  for (const Eigen::Index j : massless)
    if (const double norm = A.col(j).norm(); norm > 0.0) A.col(j) *= (longest > 0.0 ? longest : 1.0) / norm;
  for (Eigen::Index i = 0; i < A.rows(); ++i)
    if (const double norm = A.row(i).norm(); norm > 0.0) A.row(i) /= norm;
  return A;
}

std::vector<int> Search::choose_dependent(const Vector& x) { return choose_dependent(x, open_); }

std::vector<int> Search::choose_dependent(const Vector& x, const std::vector<int>& among) {
  if (among.empty() || !evaluate(x)) return among;
  reduced_.compute(p_.J(), residual_);
  Eigen::ColPivHouseholderQR<Matrix> qr;
  qr.setThreshold(MetricFactor::default_tolerance);
  qr.compute(scaled_by_mass(among));
  std::vector<int> dependent;
  for (Eigen::Index k = 0; k < qr.rank(); ++k) dependent.push_back(among[qr.colsPermutation().indices()[k]]);
  std::sort(dependent.begin(), dependent.end());
  return dependent;
}

/// Those of the unknowns that have to change, as x was evaluated.
std::vector<int> Search::disturbed(const std::vector<int>& unknown, const Vector& x) const {
  return blocks_.disturbed(unknown, scaled_residuals(), newton_tolerance * size_of(x));
}

bool Search::newton(Vector& x, const std::vector<int>& among) {
  if (!evaluate(x)) return false;
  remember(x);
  const double size = size_of(x);
  const std::vector<int> unknown = disturbed(among, x);
  if (unknown.empty() && reduced_.followers().empty()) return within(scaled_residual(), newton_acceptable * size);
  const auto rows = static_cast<int>(p_.conditions().size()), n = static_cast<int>(unknown.size());
  MetricFactor factor(n, rows);
  Vector delta(n), leaders(static_cast<Eigen::Index>(reduced_.leaders().size())), step(x.size());
  LastStep last;
  for (int iteration = 0; iteration < newton_most_iterations; ++iteration) {
    if (within(scaled_residual(), newton_tolerance * size) && last.is_done(scaled_residual(), size)) return true;
    last.note(scaled_residual());
    reduced_.compute(p_.J(), residual_);
    const Matrix J = reduced_.J()(Eigen::all, unknown);
    if (n > 0 && !factor.compute(p_.metric()(unknown, unknown), J) && !factor.compute(Matrix::Identity(n, n), J))
      return false;
    if (n > 0) factor.least_change(-reduced_.r(), delta);
    leaders.setZero();
    leaders(unknown) = delta;
    const double length = largest(delta);
    if (p_.stage() != Stage::velocities && length > size) leaders *= size / length;  // stay near the guess
    step.setZero();
    step.head(leaders.size()) = leaders;
    if (!reduced_.followers().empty()) step(reduced_.followers()) = reduced_.follow(leaders);
    if (!step.allFinite()) return false;
    if (!take(x, step)) break;
    remember(x);
  }
  return within(scaled_residual(), newton_acceptable * size);
}

/// Moves along the step, halved until the residual decreases; false if it never does.
bool Search::take(Vector& x, const Vector& step) {
  const Vector from = x;
  const Vector weights = p_.J().rowwise().norm().unaryExpr(&scale_of_length);
  const double merit = residual_.cwiseProduct(weights).norm();
  for (double length = 1.0; length > 1e-4; length *= 0.5) {
    x = from + length * step;
    if (evaluate(x) && residual_.cwiseProduct(weights).norm() < (1.0 - 0.1 * length) * merit) return true;
  }
  x = from;
  evaluate(x);
  return false;
}

bool Search::follow_path(Vector& x, const std::vector<int>& unknown) {
  if (!evaluate(x)) return false;
  const Vector at_guess = p_.residual();
  double s = 0.0, step = 0.25;
  while (s < 1.0 && step >= smallest_s_step) {
    const double next = std::min(1.0, s + step);
    offset_ = (1.0 - next) * at_guess;
    Vector trial = x;
    if (newton(trial, unknown)) {
      x = trial;
      s = next;
      step *= 2.0;
    } else {
      step *= 0.25;
    }
  }
  offset_.setZero();
  return s >= 1.0;
}

void Search::remember(const Vector& x) {
  if (on_way_ || !offset_.isZero(0.0)) return;  // these are no solutions with the values given
  const double residual = scaled_residual();
  if (!(residual < best_residual_)) return;
  best_residual_ = residual;
  best_ = x;
}

/// Levenberg's and Marquardt's descent from the point with the smallest residual so far. What is missed most there is
/// to be missed as little as can be, while the other conditions, with a hundred times its weight, are met.
void Search::come_closest() {
  constexpr int most = 200;
  constexpr double still = 1e-10;  // of a step, relative: the sum of squares is flat there to rounding
  const bool applies = best_.size() > 0 && weights_.size() > 0 && !open_.empty() && reduced_.followers().empty();
  if (!applies || p_.linear() || !evaluate(best_)) return;
  Vector x = best_, weights = 100.0 * weights_;
  Eigen::Index worst;
  largest(scaled_residuals(), &worst);
  weights[worst] = weights_[worst];
  const auto miss = [&] { return residual_.cwiseProduct(weights).norm(); };
  double damping = 1e-3, merit = miss();
  for (int iteration = 0; iteration < most; ++iteration) {
    const Matrix A = weights.asDiagonal() * p_.J()(Eigen::all, open_);
    const Vector gradient = A.transpose() * residual_.cwiseProduct(weights);
    Matrix N = A.transpose() * A;
    N.diagonal().array() += damping;
    const Vector step = -N.ldlt().solve(gradient);
    if (!step.allFinite() || step.norm() < still * size_of(x)) break;
    Vector trial = x;
    trial(open_) += step;
    if (evaluate(trial) && miss() < merit) {
      x = trial, merit = miss();
      damping = std::max(damping / 10, 1e-12);
    } else {
      damping *= 10;
      evaluate(x);
    }
  }
  best_ = x;
}

Found Search::best(int starts) {
  come_closest();
  Found found =
      finish(best_.size() > 0 ? best_ : Vector(Vector::Zero(static_cast<Eigen::Index>(p_.unknowns().size()))), {}, 0);
  found.success = false;
  found.starts = starts;
  found.finite = best_.size() > 0 && found.finite;
  if (found.finite && weights_.size() > 0) {
    found.residual = largest(residual_.cwiseProduct(weights_), &found.worst);
    found.left = residual_[found.worst];
  }
  return found;
}

Found Search::finish(const Vector& x, const std::vector<int>& unknown, int determined) {
  Found found;
  found.success = true;
  found.followed = followed_;
  found.x = x;
  found.solved_for.assign(p_.unknowns().size(), false);
  for (const int i : unknown) found.solved_for[i] = true;
  for (const int i : reduced_.followers()) found.solved_for[i] = true;
  if (p_.conditions().empty()) return found;
  found.finite = evaluate(x);
  if (!found.finite) return found;
  found.residual = largest(scaled_residuals(), &found.worst);
  found.left = residual_[found.worst];
  found.least_change = static_cast<int>(unknown.size()) > determined;
  if (!found.least_change) {
    reduced_.compute(p_.J(), residual_);
    found.condition = condition(unknown, determined);
  }
  return found;
}

/// Largest singular value of all columns to the r-th one of those of the unknowns.
double Search::condition(const std::vector<int>& unknown, int r) const {
  if (r == 0) return 1.0;
  std::vector<int> every(reduced_.leaders().size());
  for (std::size_t i = 0; i < every.size(); ++i) every[i] = static_cast<int>(i);
  const Matrix A = scaled_by_mass(every);
  const Vector all = Eigen::JacobiSVD<Matrix>(A).singularValues();
  const Vector some = Eigen::JacobiSVD<Matrix>(A(Eigen::all, unknown)).singularValues();
  return some.size() < r ? std::numeric_limits<double>::infinity() : all[0] / std::max(some[r - 1], 1e-300);
}

}  // namespace maggi::integration
