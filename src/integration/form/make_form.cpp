#include "integration/form/make_form.hpp"

#include "integration/form/feedback_form.hpp"
#include "integration/form/independent_form.hpp"
#include "integration/form/tangent_form.hpp"
#include "integration/form/work_form.hpp"

namespace maggi::integration {

std::unique_ptr<Form> make_form(Dynamics& dynamics, const State& start, const IntegrateOptions& options) {
  std::unique_ptr<Form> form;
  std::optional<Continuity> continuity;
  if (options.continuity) continuity = options.continuity->value();
  if (options.unknowns == Unknowns::tangent)
    form = std::make_unique<TangentForm>(dynamics, start, continuity);
  else if (options.unknowns == Unknowns::independent)
    form = std::make_unique<IndependentForm>(dynamics, start);
  else
    form = std::make_unique<VelocityForm>(dynamics);
  if (options.drift == Drift::pi)
    form = std::make_unique<FeedbackForm>(dynamics, std::move(form), options.alpha, options.beta);
  const Shape& shape = dynamics.shape();
  if (!shape.laws.empty() && shape.has_energy) form = std::make_unique<WorkForm>(dynamics, std::move(form));
  return form;
}

}  // namespace maggi::integration
