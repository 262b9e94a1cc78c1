#include "sliders.hpp"

#include <fmt/format.h>

#include "maggi/model/numbers.hpp"

namespace maggi::app {

namespace {

/// Does it need no parameter?
bool is_number(const Formula& formula) {
  try {
    Numbers(Model{})(formula, "it");
    return true;
  } catch (const Error&) { return false; }
}

}  // namespace

void Slider::set(double number) {
  value = number;
  formula->text = fmt::format("{}", number);  // where it stands in the file stays: a fault is shown there
}

std::vector<Slider> sliders(Model& model) {
  const Numbers numbers(model);
  std::vector<Slider> result;
  const auto add = [&](const char* kind, const std::string& name, const std::string& unit, Formula& formula) {
    result.push_back({kind, name, unit, numbers(formula, fmt::format("\"{}\"", name)), &formula});
  };
  for (Parameter& p : model.parameters)
    if (is_number(p.value)) add("parameter", p.name, p.unit, p.value);
  for (Coordinate& c : model.coordinates) {
    if (c.start) add("start", c.name, c.unit, *c.start);
    if (c.speed) add("speed", c.name + "'", c.unit.empty() ? "" : c.unit + "/s", *c.speed);
  }
  for (Joint& joint : model.mechanism.joints) {
    const auto name = [&](const JointValue& v) { return joint.name + (v.component.empty() ? "" : "." + v.component); };
    for (JointValue& v : joint.start) add("start", name(v), "", v.value);
    for (JointValue& v : joint.speed) add("speed", name(v) + "'", "", v.value);
  }
  return result;
}

}  // namespace maggi::app
