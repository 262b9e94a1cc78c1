#include "integration/settings.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/names.hpp"
#include "basis/continuity.hpp"
#include "integration/method/integrators.hpp"
#include "maggi/expert/bases.hpp"
#include "maggi/expert/formulations.hpp"

namespace maggi {

template <>
const ChoiceList<Further>& choice_list() {
  static const ChoiceList<Further> list("group of further channels",
                                        {{Further::tangent, "tangent"}, {Further::reactions, "reactions"}});
  return list;
}
template class Choice<Further>;

namespace {

constexpr double stored_by_default = 500;

/// A smaller rtol without an atol makes both smaller: otherwise atol would decide the steps of everything
/// that is smaller than atol/rtol. Below the least, rounding of quantities of size 1 would decide them: 45 ε.
double usual_atol(double rtol) {
  constexpr double least = 1e-14;
  const IntegrateOptions usual;
  return std::max(least, usual.atol * std::min(1.0, rtol / usual.rtol));
}

void check_choice(const std::optional<std::string>& name, std::span<const std::string> names, std::string_view kind,
                  const Where& where) {
  if (name && std::ranges::find(names, *name) == names.end())
    throw Error(Errc::model, where, fmt::format("no {} is named \"{}\"", kind, *name), suggest_name(*name, names));
}

template <class Enum>
void check_choice(const std::optional<std::string>& name, const Where& where) {
  if (name) choice_list<Enum>().find(*name, where);
}

template <class Target>
void set(Target& target, const std::optional<std::string>& name) {
  if (name) target = *name;
}

std::vector<std::string> and_auto(std::span<const std::string> names) {
  std::vector<std::string> all{"auto"};
  all.insert(all.end(), names.begin(), names.end());
  return all;
}

}  // namespace

bool shows(const SimulationSettings& settings, Further channels) {
  return std::ranges::any_of(settings.also, [&](const Reference& each) {
    return choice_list<Further>().find(each.name, each.where) == channels;
  });
}

std::optional<Continuity> continuity_of(const SimulationSettings& settings) {
  if (!settings.continuity) return std::nullopt;
  return choice_list<Continuity>().find(*settings.continuity);
}

void check_names(const Model& model) {
  const SimulationSettings& given = model.simulation;
  const auto place = [&](const char* key) {
    const auto found = model.places.find(std::string("simulation.") + key);
    return found == model.places.end() ? given.where : found->second;
  };
  check_choice(given.formulation, and_auto(formulation_choices()), "formulation", place("formulation"));
  check_choice(given.basis, basis_names(), "basis", place("basis"));
  check_choice<Integrator>(given.integrator, place("integrator"));
  check_choice<Drift>(given.drift, place("drift"));
  check_choice<Unknowns>(given.unknowns, place("unknowns"));
  check_choice<Continuity>(given.continuity, place("continuity"));
  for (const Reference& channels : given.also) check_choice<Further>(channels.name, channels.where);
}

Settings settings(const Model& model, const Numbers& number) {
  const SimulationSettings& given = model.simulation;
  Settings result;
  check_names(model);
  set(result.formulation, given.formulation);
  set(result.basis, given.basis);
  set(result.integrate.integrator, given.integrator);
  set(result.integrate.drift, given.drift);
  set(result.integrate.unknowns, given.unknowns);
  for (const Reference& channels : given.also) result.also.push_back(choice_list<Further>().find(channels.name));
  result.continuity = continuity_of(given);
  if (result.integrate.unknowns == Unknowns::tangent || !result.shows(Further::tangent))
    set(result.integrate.continuity, given.continuity);
  integration::check_available(integration::entry_of(result.integrate.integrator), given.where);

  if (!given.until)
    throw Error(Errc::model, given.where.file.empty() ? Where{model.file} : given.where, "no end time is given",
                "write until = 10 into [simulation], or use --until 10");
  const auto value = [&](const std::optional<Formula>& formula, const char* name, double otherwise) {
    return formula ? number(*formula, name) : otherwise;
  };
  IntegrateOptions& o = result.integrate;
  const double from = value(given.from, "from", 0.0);
  o.until = value(given.until, "until", o.until);
  o.output = value(given.output, "output", std::max(0.0, (o.until - from) / stored_by_default));
  o.rtol = value(given.rtol, "rtol", o.rtol);
  o.atol = value(given.atol, "atol", usual_atol(o.rtol));
  o.step = value(given.step, "step", o.step);
  if (!given.stabilisation.empty()) {
    if (!has_rates(o.drift))
      throw Error(Errc::model, given.stabilisation[0].where,
                  fmt::format("stabilisation is of no use with drift = {}", o.drift.name()),
                  "it gives the rates of drift = baumgarte and drift = pi");
    if (given.stabilisation.size() != 2)
      throw Error(Errc::model, given.stabilisation[0].where,
                  fmt::format("stabilisation has {} numbers, expected 2", given.stabilisation.size()),
                  "α and β in 1/s, as [20, 20]");
    o.alpha = number(given.stabilisation[0], "stabilisation");
    o.beta = number(given.stabilisation[1], "stabilisation");
  }
  return result;
}

}  // namespace maggi
