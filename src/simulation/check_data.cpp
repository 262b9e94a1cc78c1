#include "maggi/check.hpp"

#include <algorithm>

#include "simulation/check_data.hpp"

namespace maggi {

bool Check::Data::turns_only(const std::string& joint) const {
  return std::ranges::find(hinges, joint) != hinges.end();
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
