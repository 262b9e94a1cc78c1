#include "model/adjustable.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/names.hpp"

namespace maggi {

void Adjustable::set(double number) { formula->text = fmt::format("{}", number); }

std::vector<Adjustable> adjustables(Model& model) {
  using Kind = Adjustable::Kind;
  std::vector<Adjustable> result;
  for (Parameter& p : model.parameters) result.push_back({Kind::parameter, p.name, p.unit, &p.value});
  for (Coordinate& c : model.coordinates) {
    if (c.start) result.push_back({Kind::start, c.name, c.unit, &*c.start});
    if (c.speed) result.push_back({Kind::speed, c.name + "'", c.unit.empty() ? "" : c.unit + "/s", &*c.speed});
  }
  for (Joint& joint : model.mechanism.joints) {
    const auto name = [&](const JointValue& v) { return joint.name + (v.component.empty() ? "" : "." + v.component); };
    for (JointValue& v : joint.start) result.push_back({Kind::start, name(v), "", &v.value});
    for (JointValue& v : joint.speed) result.push_back({Kind::speed, name(v) + "'", "", &v.value});
  }
  return result;
}

Adjustable adjustable(Model& model, std::string_view name) {
  const std::vector<Adjustable> all = adjustables(model);
  const auto found = std::ranges::find(all, name, &Adjustable::name);
  if (found != all.end()) return *found;
  std::vector<std::string> names;
  for (const Adjustable& each : all) names.push_back(each.name);
  throw Error(Errc::model, {model.file},
              fmt::format("no parameter, and no value given at the start, is named \"{}\"", name),
              names.empty() ? "the model has none" : suggest_name(std::string(name), names));
}

}  // namespace maggi
