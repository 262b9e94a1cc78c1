#include "system/formulas/read_start.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/names.hpp"

namespace maggi {

namespace {

class StartReader {
 public:
  StartReader(const Model& model, const Numbers& numbers, const Shape& shape)
      : model_(model), numbers_(numbers), shape_(shape) {}

  Start read() const {
    Start start;
    if (model_.simulation.from) start.t = numbers_(*model_.simulation.from, "the start time");
    for (const Coordinate& c : model_.coordinates) {
      start.q.push_back(value(c.start, c.guess, c.weight, "the start of \"" + c.name + "\""));
      start.v.push_back(value(c.speed, c.speed_guess, c.speed_weight, "the speed of \"" + c.name + "\""));
      start.vdot.push_back(value(c.acceleration, {}, {}, "the acceleration of \"" + c.name + "\""));
    }
    start.lambda = forces(model_.start_multipliers, shape_.rows, "constraint", "the multiplier of ");
    start.reaction = forces(model_.start_reactions, shape_.coordinates, "coordinate", "the reaction on ");
    return start;
  }

 private:
  Start::Value value(const std::optional<Formula>& given, const std::optional<Formula>& guess,
                     const std::optional<Formula>& weight, const std::string& what) const {
    Start::Value result;
    if (given) result = {.value = numbers_(*given, what), .given = true, .where = given->where};
    if (guess) result = {.value = numbers_(*guess, "the guess for " + what), .guessed = true, .where = guess->where};
    if (weight) result.weight = numbers_(*weight, "the weight of " + what);
    if (!(result.weight > 0.0))
      throw Error(Errc::model, weight->where, fmt::format("the weight of {} is {:.6g}", what, result.weight),
                  "weights are positive; the larger, the less a guess is changed");
    return result;
  }

  template <class Items>  // anything whose elements have a name
  std::vector<Start::Value> forces(const std::vector<StartForce>& given, const Items& items, const char* kind,
                                   const std::string& what) const {
    std::vector<Start::Value> values(items.size());
    for (const StartForce& force : given) {
      std::vector<std::string> names;
      for (const auto& item : items) names.push_back(item.name);
      const auto found = std::ranges::find(names, force.name);
      if (found == names.end())
        throw Error(Errc::model, force.where, fmt::format("no {} is named \"{}\"", kind, force.name),
                    suggest_name(force.name, names));
      values[found - names.begin()] = value(force.value, {}, {}, what + "\"" + force.name + "\"");
    }
    return values;
  }

  const Model& model_;
  const Numbers& numbers_;
  const Shape& shape_;
};

}  // namespace

Start read_start(const Model& model, const Numbers& numbers, const Shape& shape) {
  return StartReader(model, numbers, shape).read();
}

}  // namespace maggi
