#include "results/reaction_parts.hpp"

#include <algorithm>

namespace maggi::results {

namespace {

std::vector<std::string> names_of(const std::vector<Channel>& channels) {
  std::vector<std::string> names;
  for (const Channel& each : channels) names.push_back(each.name);
  return names;
}

}  // namespace

ReactionParts::ReactionParts(const System& system)
    : system_(system), shape_(system.shape()), workspace_(system.workspace()) {
  std::vector<std::string> owners;
  std::vector<bool> react;
  for (const Row& row : shape_.rows) {
    owners.push_back(row.owner);
    react.push_back(row.has_multiplier() && row.of_model());
  }
  add(shape_.C, true, owners, react, of_rows_);
  add(shape_.T, false, names_of(shape_.laws), std::vector<bool>(shape_.laws.size(), true), of_laws_);
  add(shape_.B, false, names_of(shape_.controls), std::vector<bool>(shape_.controls.size(), true), of_controls_);
}

/// A matrix that maps forces to r, or (C) its transpose.
void ReactionParts::add(const Pattern& pattern, bool transposed, const std::vector<std::string>& owners,
                        const std::vector<bool>& some, std::vector<Term>& terms) {
  for (int k = 0; k < pattern.size(); ++k) {
    const int force = transposed ? pattern.row[k] : pattern.col[k],
              entry = transposed ? pattern.col[k] : pattern.row[k];
    if (!some[force]) continue;
    const int part = part_of(owners[force], entry);
    if (transposed && !std::ranges::count(parts_[part].rows, force)) parts_[part].rows.push_back(force);
    terms.push_back({part, k, force});
  }
}

int ReactionParts::part_of(const std::string& owner, int entry) {
  const auto found =
      std::ranges::find_if(parts_, [&](const Part& part) { return part.entry == entry && part.of == owner; });
  if (found != parts_.end()) return static_cast<int>(found - parts_.begin());
  const Channel& along = shape_.identity_rates ? shape_.coordinates[entry] : shape_.velocities[entry];
  parts_.push_back({owner, along.name, entry, {}});
  return static_cast<int>(parts_.size()) - 1;
}

void ReactionParts::evaluate(const State& state, const Acceleration& a, Vector& values) {
  system_.acceleration(state, *workspace_);
  if (shape_.s_a > 0) system_.nonlinear_rows(state, a.vdot.data(), a.lambda.data(), *workspace_);
  values.setZero(static_cast<Eigen::Index>(parts_.size()));
  const Terms& terms = workspace_->terms;
  for (const Term& term : of_rows_) values[term.part] += terms.C[term.packed] * a.lambda[term.factor];
  for (const Term& term : of_laws_) values[term.part] += terms.T[term.packed] * a.tau[term.factor];
  for (const Term& term : of_controls_) values[term.part] += terms.B[term.packed] * a.p[term.factor];
}

}  // namespace maggi::results
