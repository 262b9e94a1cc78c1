#include "maggi/analysis/comparison.hpp"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <ctime>

#include "analysis/extended_solution.hpp"
#include "maggi/base/error.hpp"
#include "maggi/base/names.hpp"
#include "maggi/integration/initial_conditions.hpp"

namespace maggi {

namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr double rounding = 20 * epsilon;                // times n and a condition number: some ten times what is seen
constexpr double largest_tolerance = 1e-3;               // beyond, nothing could be called wrong
constexpr double above_median = 100, above_rtol = 1000;  // ends of motions

double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

struct Method {
  ComparisonRow row;
  std::unique_ptr<Dynamics> dynamics;  // none if it has failed

  void fail(std::string reason) {
    row.failure = std::move(reason);
    dynamics.reset();
  }
};

void check_names(const std::vector<std::string>& wanted, std::span<const std::string> names, const char* kind) {
  for (const std::string& name : wanted)
    if (std::find(names.begin(), names.end(), name) == names.end())
      throw Error(Errc::model, {}, fmt::format("no {} is named \"{}\"", kind, name), suggest_name(name, names));
}

bool wants(const std::vector<std::string>& wanted, const std::string& name) {
  return wanted.empty() || std::find(wanted.begin(), wanted.end(), name) != wanted.end();
}

std::vector<Method> list_methods(const CompareOptions& options) {
  check_names(options.formulations, formulation_names(), "formulation");
  check_names(options.bases, basis_names(), "basis");
  std::vector<Method> result;
  const auto add = [&](const std::string& formulation, const std::string& basis) {
    result.emplace_back();
    result.back().row.formulation = formulation;
    result.back().row.basis = basis;
  };
  for (const std::string& formulation : formulation_names()) {
    if (!wants(options.formulations, formulation)) continue;
    if (!needs_basis(formulation) && options.bases.empty()) add(formulation, "");
    if (!needs_basis(formulation)) continue;
    for (const std::string& basis : basis_names())
      if (wants(options.bases, basis)) add(formulation, basis);
  }
  if (result.empty())
    throw Error(
        Errc::model, {},
        fmt::format("no method is left: {} no basis, but {} asked for",
                    options.formulations.size() == 1 ? fmt::format("formulation \"{}\" uses", options.formulations[0])
                                                     : "these formulations use",
                    options.bases.size() == 1 ? "one is" : "some are"),
        "leave the basis out");
  return result;
}

/// The equations at the start and what they say: the reference solution, scales and conditions.
struct Reference {
  Equations equations;  // independent rows
  Matrix C;             // all active rows
  Vector vdot, lambda;  // n, m
  Vector S, P;          // n, m  scales (2), (3)
  double force = 0.0;   // ‖S⁻¹h‖
  double condition = 1.0;

  Reference(Dynamics& dynamics, const InitialConditions& start);
  double vdot_error(const Vector& other) const { return error(S, vdot, other); }
  double lambda_error(const Vector& other) const { return error(P, lambda, other); }

 private:
  double error(const Vector& scale, const Vector& value, const Vector& other) const;
  void find_scales(const RowSelection& active);
  void find_condition();
};

Reference::Reference(Dynamics& dynamics, const InitialConditions& start) {
  const Shape& shape = dynamics.shape();
  const Acceleration& a = start.acceleration;
  Workspace& w = dynamics.workspace();
  dynamics.system().acceleration(start.state, w);
  if (shape.s_a > 0) dynamics.system().nonlinear_rows(start.state, a.vdot.data(), a.lambda.data(), w);

  const RowSelection& rows = dynamics.rows();
  const RowSelection active(shape, dynamics.active_rows());
  equations = {Matrix(shape.n(), shape.n()), w.terms.h, Matrix(rows.size(), shape.n()), Vector(rows.size())};
  shape.M.scatter(w.terms.M, equations.M);
  rows.matrix(w.terms.C, equations.C);
  rows.vector(w.terms.gamma, equations.gamma);
  C.resize(active.size(), shape.n());
  active.matrix(w.terms.C, C);

  Vector lambda_active;
  solve_extended(equations, C, vdot, lambda_active);
  lambda = Vector::Zero(shape.m());
  active.expand(lambda_active, lambda);
  find_scales(active);
  find_condition();
}

void Reference::find_scales(const RowSelection& active) {
  S = equations.M.diagonal().cwiseMax(0.0).cwiseSqrt();
  force = 0.0;
  for (Eigen::Index i = 0; i < S.size(); ++i) {
    if (S[i] == 0.0)
      S[i] = 1.0;  // no inertia of its own
    else
      force = std::hypot(force, equations.h[i] / S[i]);
  }
  P = Vector::Zero(lambda.size());
  const Vector norms = (C * S.cwiseInverse().asDiagonal()).rowwise().norm();
  active.expand(norms, P);
}

void Reference::find_condition() {
  const Matrix M = S.cwiseInverse().asDiagonal() * equations.M * S.cwiseInverse().asDiagonal();
  const Matrix A = (equations.C * S.cwiseInverse().asDiagonal()).rowwise().normalized();
  const auto spread = [](const Matrix& metric) {
    const Vector values = Eigen::SelfAdjointEigenSolver<Matrix>(metric, Eigen::EigenvaluesOnly).eigenvalues();
    return values[0] > 0.0 ? values[values.size() - 1] / values[0] : std::numeric_limits<double>::infinity();
  };
  // a singular mass matrix counts with the constraints added: what is without inertia is held by them
  condition = std::min(spread(M), spread(M + A.transpose() * A));
  if (A.rows() == 0) return;
  const Vector sigma = Eigen::JacobiSVD<Matrix>(A).singularValues();
  condition *= std::pow(sigma[0] / sigma[sigma.size() - 1], 2);
}

double Reference::error(const Vector& scale, const Vector& value, const Vector& other) const {
  const double difference = scale.cwiseProduct(other - value).norm();
  return difference == 0.0 ? 0.0 : difference / (scale.cwiseProduct(value).norm() + force);
}

/// D of the independent rows: does it complement all rows, and how well is it conditioned?
void judge_basis(Method& method, const Reference& reference) {
  const int n = reference.equations.n();
  const auto basis = make_basis(method.row.basis, n, std::max(1, reference.equations.m()));
  if (!basis->compute(reference.equations.M, reference.equations.C)) return;  // the formulation will say why
  const Matrix D = basis->D();
  double largest = 0.0;
  for (Eigen::Index i = 0; i < reference.C.rows(); ++i)
    for (Eigen::Index j = 0; j < D.cols(); ++j) {
      const double scale = reference.C.row(i).norm() * D.col(j).norm();
      if (scale > 0.0) largest = std::max(largest, std::abs(reference.C.row(i).dot(D.col(j))) / scale);
    }
  method.row.complement_error = largest;
  method.row.condition = basis->condition();
}

/// What Dynamics::explain() says, without the names that the row has already.
std::string reason(const std::string& explanation) {
  constexpr std::string_view before = "refuses: ";
  const std::size_t at = explanation.find(before);
  return at == std::string::npos ? explanation : explanation.substr(at + before.size());
}

void solve_start(Method& method, const System& system, const State& start, const Reference& reference) {
  ComparisonRow& row = method.row;
  if (!row.basis.empty()) judge_basis(method, reference);
  row.tolerance = std::min(
      largest_tolerance, rounding * system.shape().n() * reference.condition * std::pow(row.condition.value_or(1), 2));
  try {
    method.dynamics = std::make_unique<Dynamics>(system, row.formulation, row.basis);
    method.dynamics->decide_rows(start);
    Acceleration found;
    if (!method.dynamics->solve(start, found)) {
      method.fail(reason(method.dynamics->explain(start)));
      return;
    }
    row.vdot_error = reference.vdot_error(found.vdot);
    row.lambda_error = reference.lambda_error(found.lambda);
  } catch (const Error& error) {
    method.fail(error.cause());
    return;
  }
  const auto judge = [&](const char* what, double error) {
    if (!(error <= row.tolerance))
      row.disagreement += fmt::format("{}{} is wrong by {:.0e}, rounding explains {:.0e}",
                                      row.disagreement.empty() ? "" : ", ", what, error, row.tolerance);
  };
  judge("v̇", *row.vdot_error);
  judge("λ", *row.lambda_error);
}

/// The least CPU time of an evaluation over several short batches, which are interleaved between the methods: what else
/// the machine does then hits all of them, and the least is free of it.
void measure(std::vector<Method>& methods, const State& at, double seconds) {
  constexpr int rounds = 8;
  std::vector<long> count(methods.size(), 1);
  Vector vdot(at.v.size());
  const auto batch = [&](Method& method, long evaluations) {
    const double begin = cpu_seconds();
    for (long i = 0; i < evaluations; ++i) method.dynamics->accelerate(at, vdot.data());
    return cpu_seconds() - begin;
  };
  for (int round = 0; round <= rounds; ++round)
    for (std::size_t i = 0; i < methods.size(); ++i) {
      if (!methods[i].dynamics) continue;
      if (round == 0) {
        while (batch(methods[i], count[i]) < 0.5 * seconds / rounds) count[i] *= 2;
        continue;
      }
      const double each = batch(methods[i], count[i]) / static_cast<double>(count[i]);
      methods[i].row.seconds = std::min(methods[i].row.seconds.value_or(each), each);
    }
}

/// What is kept of a motion.
class Observer final : public Sink {
 public:
  explicit Observer(const System& system) : system_(system), workspace_(system.workspace()) {}

  void accept(const Sample& sample) override {
    last_ = sample.state;
    largest_q_ = std::max(largest_q_, sample.state.q.lpNorm<Eigen::Infinity>());
    largest_v_ = std::max(largest_v_, sample.state.v.lpNorm<Eigen::Infinity>());
    motion_.drift = std::max(motion_.drift, sample.residuals.position);
    motion_.velocity_drift = std::max(motion_.velocity_drift, sample.residuals.velocity);
    if (!system_.shape().has_energy || !system_.shape().energy_changes.empty()) return;
    const double energy = system_.energy(sample.state, *workspace_).total;
    if (!first_energy_) first_energy_ = energy;
    motion_.energy_drift = std::max(motion_.energy_drift.value_or(0.0), std::abs(energy - *first_energy_));
  }

  const ComparisonRow::Motion& motion() const { return motion_; }

  /// Of the last state, in the largest value on this way.
  double end_error(const Observer& other) const {
    const auto part = [](const Vector& a, const Vector& b, double largest) {
      const double difference = (a - b).lpNorm<Eigen::Infinity>();
      return difference == 0.0 ? 0.0 : difference / std::max(largest, epsilon);
    };
    return std::max(part(last_.q, other.last_.q, largest_q_), part(last_.v, other.last_.v, largest_v_));
  }

 private:
  const System& system_;
  std::unique_ptr<Workspace> workspace_;
  State last_;
  double largest_q_ = 0.0, largest_v_ = 0.0;
  std::optional<double> first_energy_;
  ComparisonRow::Motion motion_;
};

/// Integrates; why the end was not reached, or nothing.
std::string follow(Dynamics& dynamics, const State& start, Observer& observer, const IntegrateOptions& options,
                   Statistics& statistics) {
  try {
    const Run run = integrate(dynamics, start, observer, options);
    statistics = run.statistics;
    if (run.outcome == Outcome::reached_end) return "";
    return fmt::format("{} at t = {:.6g} s{}{}", outcome_name(run.outcome), run.t, run.explanation.empty() ? "" : ": ",
                       reason(run.explanation));
  } catch (const Error& error) {
    if (error.code() != Errc::numerics) throw;
    return error.cause();
  }
}

IntegrateOptions tighter(IntegrateOptions options) {
  const double rtol = std::max(1e-13, std::min(1e-12, options.rtol / 100));
  options.atol *= rtol / options.rtol;
  options.rtol = rtol;
  options.step = 0.0;
  options.integrator = IntegrateOptions().integrator;
  options.drift = IntegrateOptions().drift;
  return options;
}

bool stopped(const IntegrateOptions& options) { return options.interrupt != nullptr && options.interrupt->load(); }

void judge_ends(std::vector<Method>& methods, double rtol) {
  std::vector<double> errors;
  for (const Method& method : methods)
    if (method.row.motion && method.row.motion->end_error) errors.push_back(*method.row.motion->end_error);
  if (errors.empty()) return;
  std::nth_element(errors.begin(), errors.begin() + errors.size() / 2, errors.end());
  const double median = errors[errors.size() / 2];
  for (Method& method : methods) {
    ComparisonRow& row = method.row;
    if (!row.motion || !row.motion->end_error) continue;
    if (!(*row.motion->end_error <= std::max(above_median * median, above_rtol * rtol)))
      row.disagreement +=
          fmt::format("{}the motion ends {:.0e} away from the reference, half of the methods end within {:.0e}",
                      row.disagreement.empty() ? "" : ", ", *row.motion->end_error, median);
  }
}

void run_all(std::vector<Method>& methods, const System& system, const State& start, const IntegrateOptions& options,
             Comparison& result) {
  Observer exact(system);
  Statistics statistics;
  Dynamics automatic(system);
  automatic.decide_rows(start);
  result.reference_failure = follow(automatic, start, exact, tighter(options), statistics);
  for (Method& method : methods) {
    if (stopped(options)) break;
    if (!method.dynamics) continue;
    Observer observer(system);
    const double begin = cpu_seconds();
    const std::string failure = follow(*method.dynamics, start, observer, options, statistics);
    if (stopped(options)) break;
    if (!failure.empty()) {
      method.fail(failure);
      continue;
    }
    ComparisonRow::Motion motion = observer.motion();
    motion.seconds = cpu_seconds() - begin;
    motion.steps = statistics.steps;
    motion.evaluations = statistics.evaluations;
    if (result.reference_failure.empty()) motion.end_error = exact.end_error(observer);
    method.row.motion = motion;
  }
  result.interrupted = stopped(options);
  judge_ends(methods, options.rtol);
}

}  // namespace

Comparison compare(const System& system, const CompareOptions& options) {
  std::vector<Method> all = list_methods(options);
  Dynamics automatic(system);
  const InitialConditions start = find_initial_conditions(automatic, system.start());
  const Reference reference(automatic, start);

  Comparison result;
  result.t = start.state.t;
  result.condition = reference.condition;
  for (Method& method : all) solve_start(method, system, start.state, reference);
  if (options.timing > 0.0) measure(all, start.state, options.timing);
  if (options.run) run_all(all, system, start.state, options.integrate, result);
  for (Method& method : all) result.rows.push_back(std::move(method.row));
  return result;
}

}  // namespace maggi
