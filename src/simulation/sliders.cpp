#include "simulation/sliders.hpp"

#include <fmt/format.h>

#include "model/numbers.hpp"

namespace maggi {

namespace {

/// Does it need no parameter?
bool is_number(const Formula& formula) {
  try {
    Numbers(Model{})(formula, "it");
    return true;
  } catch (const Error&) { return false; }
}

}  // namespace

std::vector<Slider> sliders(Model& model) {
  using Kind = Adjustable::Kind;
  const Numbers numbers(model);
  std::vector<Slider> result;
  for (const Adjustable& each : adjustables(model)) {
    if (each.kind == Kind::parameter && !is_number(*each.formula)) continue;
    const char* kind = each.kind == Kind::parameter ? "parameter" : each.kind == Kind::start ? "start" : "speed";
    result.push_back({kind, numbers(*each.formula, fmt::format("\"{}\"", each.name)), each});
  }
  return result;
}

}  // namespace maggi
