#include "maggi/check.hpp"

#include <algorithm>

#include "simulation/check_data.hpp"

namespace maggi {

std::vector<Dependency> Check::Data::beyond_joints() const {
  std::vector<Dependency> result;
  if (!mechanism()) return result;
  const auto is_of_joint = [&](int row) {
    const Row& each = shape().rows[row];
    return each.component.starts_with("cut_") ||
           std::ranges::find(constraints().rows, each.name, &Row::name) != constraints().rows.end();
  };
  for (const Dependency& d : reduced.dependencies)
    if (!is_of_joint(d.row) ||
        std::ranges::any_of(d.combination, [&](const Dependency::Term& term) { return !is_of_joint(term.row); }))
      result.push_back(d);
  return result;
}

int Check::degrees_of_freedom() const { return data_->dof; }
int Check::rank() const { return data_->redundancy().rank; }
int Check::constraints() const { return static_cast<int>(data_->constraints().constraints().size()); }
bool Check::singular_configuration() const { return data_->redundancy().singular_pose(); }
std::string Check::formulation() const { return data_->formulation; }
std::string Check::reason() const { return data_->reason; }

std::vector<std::string> Check::redundant() const {
  std::vector<std::string> names;
  for (const Dependency& d : data_->redundancy().dependencies) names.push_back(data_->constraints().rows[d.row].name);
  return names;
}

std::vector<std::string> Check::not_unique() const {
  std::vector<std::string> names;
  for (const int i : data_->constraints().constraints())
    if (!data_->redundancy().unique[i]) names.push_back(data_->constraints().rows[i].name);
  return names;
}

std::vector<std::string> Check::hidden() const {
  std::vector<std::string> formulas;
  for (const HiddenConstraint& h : data_->hidden.found) formulas.push_back(h.constraint.formula.text);
  return formulas;
}

}  // namespace maggi
