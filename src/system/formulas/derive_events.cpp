#include "system/formulas/derive_events.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/names.hpp"
#include "model/numbers.hpp"

namespace maggi {

namespace {

using expression::Id;

class EventDerivation {
 public:
  EventDerivation(const Model& model, const ParseFormula& parse, Shape& shape, DerivedEquations& equations)
      : model_(model), parse_(parse), shape_(shape), e_(equations), g_(equations.graph) {}

  void derive() {
    std::vector<std::pair<std::string, Where>> taken;
    std::vector<int> switched_on(shape_.m(), 0), switched_off(shape_.m(), 0);
    for (const Event& e : model_.events) {
      check_name(e.name, "event", e.where, taken);
      taken.emplace_back(e.name, e.where);
      const Id when = parse_(e.when, Reach::output, fmt::format("event \"{}\"", e.name));
      const auto depends_on = [&](const std::vector<Id>& variables) { return g_.depends_on(when, variables); };
      if (!depends_on({e_.t}) && !depends_on(e_.q) && !depends_on(e_.v) && !depends_on(e_.a) && !depends_on(e_.lambda))
        throw Error(Errc::model, e.when.where,
                    fmt::format("the formula of event \"{}\" never changes, so it never crosses zero", e.name),
                    "use coordinates, velocities, multipliers or t in it; at = ... is a time");
      Switch event{e.name, e.crossing, {}, {}, e.stop, e.where};
      for (const Reference& row : e.switch_on) ++switched_on[event.on.emplace_back(switched_row(row, e))];
      for (const Reference& row : e.switch_off) ++switched_off[event.off.emplace_back(switched_row(row, e))];
      check_switches(event);
      e_.events.push_back(when);
      shape_.events.push_back(std::move(event));
    }
    for (const Event& e : model_.events) {
      for (const Reference& row : e.switch_on) check_difference(row, e, true, switched_off);
      for (const Reference& row : e.switch_off) check_difference(row, e, false, switched_on);
    }
    for (int i = 0; i < shape_.m(); ++i)
      if (const Row& row = shape_.rows[i];
          !row.active_at_start && !row.one_sided && switched_on[i] == 0 && is_given(row))
        throw Error(
            Errc::model, row.where,
            fmt::format("constraint \"{}\" is never in force: active = false, and no event switches it on", row.name),
            fmt::format("write an [event] with switch_on = [\"{}\"], or delete the constraint", row.name));
  }

 private:
  /// Is the row a constraint of the model, and not one that follows from something else?
  bool is_given(const Row& row) const {
    return std::ranges::find(model_.constraints, row.name, &Constraint::name) != model_.constraints.end();
  }

  int switched_row(const Reference& reference, const Event& e) const {
    std::vector<std::string> names;
    for (const Constraint& c : model_.constraints) names.push_back(c.name);
    const auto found = std::ranges::find(shape_.rows, reference.name, &Row::name);
    if (std::ranges::find(names, reference.name) == names.end() || found == shape_.rows.end())
      throw Error(Errc::model, reference.where,
                  fmt::format("event \"{}\" switches \"{}\", but no constraint has this name", e.name, reference.name),
                  suggest_name(reference.name, names));
    if (!found->has_multiplier())
      throw Error(Errc::model, reference.where,
                  fmt::format("event \"{}\" switches \"{}\", which a control keeps", e.name, reference.name),
                  "a control cannot make velocities jump; switch a constraint with a reaction of its own");
    if (found->one_sided)
      throw Error(Errc::model, reference.where,
                  fmt::format("event \"{}\" switches \"{}\", which is one-sided", e.name, reference.name),
                  "it switches itself, whenever it presses");
    return static_cast<int>(found - shape_.rows.begin());
  }

  void check_switches(const Switch& event) const {
    if (event.on.empty() && event.off.empty() && !event.stop)
      throw Error(Errc::model, event.where, fmt::format("event \"{}\" does nothing", event.name),
                  "give it switch_on = [...], switch_off = [...] or stop = true");
    for (const int row : event.on)
      if (std::ranges::find(event.off, row) != event.off.end())
        throw Error(Errc::model, event.where,
                    fmt::format("event \"{}\" switches \"{}\" both on and off", event.name, shape_.rows[row].name),
                    "keep one of the two");
  }

  /// A row that is on can be switched on only if it is switched off somewhere.
  void check_difference(const Reference& reference, const Event& e, bool on, const std::vector<int>& back) const {
    const int i = switched_row(reference, e);
    if (shape_.rows[i].active_at_start != on || back[i] > 0) return;
    throw Error(Errc::model, reference.where,
                fmt::format("event \"{}\" switches {} \"{}\", which is {} all the time", e.name, on ? "on" : "off",
                            reference.name, on ? "on" : "off"),
                on ? "write active = false in the constraint, or an event that switches it off"
                   : "remove active = false from the constraint, or write an event that switches it on");
  }

  const Model& model_;
  const ParseFormula& parse_;
  Shape& shape_;
  DerivedEquations& e_;
  const expression::Graph& g_;
};

}  // namespace

void derive_events(const Model& model, const ParseFormula& parse, Shape& shape, DerivedEquations& equations) {
  EventDerivation(model, parse, shape, equations).derive();
}

}  // namespace maggi
