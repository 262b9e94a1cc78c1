#include "analysis/compared_method.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/followed_motion.hpp"
#include "base/largest.hpp"
#include "base/names.hpp"
#include "maggi/error.hpp"
#include "maggi/expert/bases.hpp"
#include "maggi/expert/formulations.hpp"

namespace maggi::analysis {

namespace {

bool wants(const std::vector<std::string>& wanted, const std::string& name) {
  return wanted.empty() || std::find(wanted.begin(), wanted.end(), name) != wanted.end();
}

void raise(std::optional<double>& largest, double value) { largest = larger(largest.value_or(0.0), value); }

}  // namespace

void check_known(const std::vector<std::string>& wanted, std::span<const std::string> names, const char* kind) {
  for (const std::string& name : wanted)
    if (std::find(names.begin(), names.end(), name) == names.end())
      throw Error(Errc::model, {}, fmt::format("no {} is named \"{}\"", kind, name), suggest_name(name, names));
}

std::vector<Method> list_methods(const CompareOptions& options, const System& system) {
  check_known(options.formulations, formulation_choices(), "formulation");
  check_known(options.bases, basis_names(), "basis");
  std::vector<Method> result;
  const auto add = [&](const std::string& formulation, const std::string& basis) {
    result.emplace_back();
    result.back().row.formulation = formulation;
    result.back().row.basis = basis;
  };
  bool on_a_basis = false;
  for (const std::string& formulation : formulation_choices()) {
    if (!wants(options.formulations, formulation)) continue;
    if (formulation == "recursive" && options.formulations.empty() && !Dynamics(system).recursion()) continue;
    if (!needs_basis(formulation)) {
      if (options.bases.empty() || !options.formulations.empty()) add(formulation, "");
      continue;
    }
    on_a_basis = true;
    for (const std::string& basis : basis_names())
      if (wants(options.bases, basis)) add(formulation, basis);
  }
  if (!options.bases.empty() && !on_a_basis)
    throw Error(
        Errc::model, {},
        fmt::format("{} no basis, but {} asked for",
                    options.formulations.size() == 1 ? fmt::format("formulation \"{}\" uses", options.formulations[0])
                                                     : "these formulations use",
                    options.bases.size() == 1 ? "one is" : "some are"),
        "leave the basis out");
  return result;
}

/// D of the independent rows: does it complement all rows, and how well is it conditioned? The condition.
double Method::judge_basis(const ReferenceSolution& reference) {
  const Basis* basis = dynamics->complement();
  if (!basis) return 1.0;
  const Matrix D = basis->D();
  Largest cosine;
  for (Eigen::Index i = 0; i < reference.C().rows(); ++i)
    for (Eigen::Index j = 0; j < D.cols(); ++j) {
      const double scale = reference.C().row(i).norm() * D.col(j).norm();
      if (scale != 0.0) cosine.note(reference.C().row(i).dot(D.col(j)) / scale);
    }
  raise(row.complement_error, cosine.value());
  raise(row.condition, basis->condition());
  return basis->condition();
}

std::string Method::solve_at(const ReferenceSolution& reference, const std::string& place) {
  Acceleration found;
  try {
    enter(*dynamics, reference.moment());
    const State& state = reference.moment().state;
    if (!dynamics->solve(state, found)) return reason(dynamics->explain(state));
  } catch (const Error& error) { return error.cause(); }
  const double condition = judge_basis(reference);
  // the recursion has no use for the matrices that the reference is made of: their own rounding is seen too
  constexpr double of_the_matrices = 100.0;
  const double tolerance = reference.tolerance(condition) * (dynamics->recursion() ? of_the_matrices : 1.0);
  row.tolerance = std::max(row.tolerance, tolerance);
  const auto judge = [&](const char* what, double error, std::optional<double>& largest, bool& wrong) {
    raise(largest, error);
    if (wrong || error <= tolerance) return;
    wrong = true;
    row.disagree(fmt::format("{} is wrong by {:.0e} {}, rounding explains {:.0e}", what, error, place, tolerance));
  };
  judge("v̇", reference.vdot_error(found.vdot), row.vdot_error, wrong_vdot);
  judge("λ", reference.force_error(found), row.lambda_error, wrong_lambda);
  return "";
}

}  // namespace maggi::analysis
