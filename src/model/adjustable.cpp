#include "model/adjustable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

#include "base/names.hpp"
#include "model/model_fields.hpp"

namespace maggi {

namespace {

using fields::Adjusts;
using Kind = Adjustable::Kind;

/// What `name` is measured in, and its rate.
std::string unit_of(const std::string& unit, Adjusts what) {
  return unit.empty() || what == Adjusts::value ? unit : unit + "/s";
}
std::string unit_of(const Parameter& parameter, Adjusts what) { return unit_of(parameter.unit, what); }
std::string unit_of(const Coordinate& coordinate, Adjusts what) { return unit_of(coordinate.unit, what); }
std::string unit_of(const Body&, Adjusts) { return ""; }
std::string unit_of(const Joint&, Adjusts) { return ""; }

Kind kind_of(const Parameter&, Adjusts) { return Kind::parameter; }
template <class Part>
Kind kind_of(const Part&, Adjusts what) {
  return what == Adjusts::value ? Kind::start : Kind::speed;
}

/// Adds those numbers of a part that its list of keys marks.
template <class Part>
class AdjustableNumbers {
 public:
  AdjustableNumbers(Part& part, std::vector<Adjustable>& out) : part_(part), out_(out) {
    fields::for_each(fields::keys_of<Part>, [this](const auto& entry) { add(entry); });
  }

 private:
  template <class Get>
  void add(const fields::Member<Get>& member) {
    if (member.key.adjusts != Adjusts::no) add(member.key.adjusts, std::invoke(member.get, part_));
  }
  template <class Entry>
  void add(const Entry& /*no number of its own*/) {}

  void add(Adjusts what, Formula& value, const std::string& component = "") {
    std::string name = part_.name + (component.empty() ? "" : "." + component) + (what == Adjusts::rate ? "'" : "");
    out_.push_back({kind_of(part_, what), std::move(name), unit_of(part_, what), &value});
  }
  void add(Adjusts what, std::optional<Formula>& value) {
    if (value) add(what, *value);
  }
  void add(Adjusts what, std::vector<JointValue>& values) {
    for (JointValue& value : values) add(what, value.value, value.component);
  }
  template <class Value>
  void add(Adjusts, const Value&) {
    assert(!"only numbers are adjusted");
  }

  Part& part_;
  std::vector<Adjustable>& out_;
};

}  // namespace

void Adjustable::set(double number) { formula->text = fmt::format("{}", number); }

std::vector<Adjustable> adjustables(Model& model) {
  std::vector<Adjustable> result;
  for (Parameter& parameter : model.parameters) AdjustableNumbers(parameter, result);
  for (Coordinate& coordinate : model.coordinates) AdjustableNumbers(coordinate, result);
  for (Body& body : model.mechanism.bodies) AdjustableNumbers(body, result);
  for (Joint& joint : model.mechanism.joints) AdjustableNumbers(joint, result);
  return result;
}

Adjustable adjustable(Model& model, std::string_view name, const Where& where) {
  const std::vector<Adjustable> all = adjustables(model);
  const auto found = std::ranges::find(all, name, &Adjustable::name);
  if (found != all.end()) return *found;
  std::vector<std::string> names;
  for (const Adjustable& each : all) names.push_back(each.name);
  throw Error(Errc::model, where.file.empty() ? Where{model.file} : where,
              fmt::format("no parameter, and no value given at the start, is named \"{}\"", name),
              names.empty() ? "the model has none" : suggest_name(std::string(name), names));
}

Formula& find_number(Model& model, std::string_view name, const Where& where) {
  return *adjustable(model, name, where).formula;
}

}  // namespace maggi
