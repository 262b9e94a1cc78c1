#include "sweep/with_numbers.hpp"

#include <algorithm>
#include <cassert>

#include "system/formulas/read_start.hpp"

namespace maggi::sweep {

WithNumbers::WithNumbers(const EquationSystem& formulas, const Model& changed) : formulas_(formulas) {
  assert(!numbers_in_shape(changed));
  const Numbers numbers(changed);
  parameters_ = numbers.parameters();
  start_ = read_start(changed, numbers, shape());
}

void WithNumbers::set_parameters(std::span<const double> values) {
  parameters_.assign(values.begin(), values.end());
  for (Workspace* w : made_) formulas_.set_parameters(parameters_, *w);
}

bool WithNumbers::numbers_in_shape(const Model& model) {
  return !model.frictions.empty() || std::ranges::any_of(model.constraints, &Constraint::one_sided);
}

std::unique_ptr<Workspace> WithNumbers::workspace() const {
  std::unique_ptr<Workspace> w = formulas_.workspace();
  formulas_.set_parameters(parameters_, *w);
  made_.push_back(w.get());
  return w;
}

}  // namespace maggi::sweep
