#include "analysis/complete_system.hpp"

#include "system/make_system.hpp"

namespace maggi {

std::unique_ptr<System> make_complete_system(const Model& model, HiddenConstraints& hidden) {
  hidden = find_hidden_constraints(model);
  if (!hidden.unfinished.empty() && !model.controls.empty()) throw Error(Errc::model, {model.file}, hidden.unfinished);
  return make_system(with_hidden_constraints(model, hidden));
}

}  // namespace maggi
