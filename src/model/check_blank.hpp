#pragma once
#include "model/model_fields.hpp"
#include "model/refuse.hpp"

namespace maggi {

/// Error if a formula is there but blank. `label` is what messages call it: "x1.start".
void check_not_blank(const Formula& formula, const std::string& label);

/// Numbers and formulas of a part may be left out, but are not blank. `label` is what messages call the part: "x1".
template <class Part>
class BlankCheck {
 public:
  BlankCheck(const Part& part, const std::string& label) : part_(part), label_(label) {
    fields::for_each(fields::keys_of<Part>, [this](const auto& entry) { see(entry); });
  }

 private:
  template <class Get>
  void see(const fields::Member<Get>& member) const {
    const std::string key(member.key.name);
    check(std::invoke(member.get, part_), label_.empty() ? key : label_ + "." + key);
  }
  template <class Entry>
  void see(const Entry& /*no key of its own*/) const {}

  void check(const Formula& formula, const std::string& label) const { check_not_blank(formula, label); }
  void check(const std::optional<Formula>& formula, const std::string& label) const {
    if (formula) need(*formula, label);
  }
  void check(const std::vector<Formula>& formulas, const std::string& label) const {
    for (const Formula& formula : formulas) need(formula, label);
  }
  template <class Value>
  void check(const Value& /*no formula*/, const std::string& /*label*/) const {}

  void need(const Formula& formula, const std::string& label) const {
    if (formula.empty())
      refuse(formula.where.line > 0 ? formula.where : part_.where, label + " is empty",
             "write a formula or remove the line");
    check_not_blank(formula, label);
  }

  const Part& part_;
  const std::string& label_;
};

template <class Part>
void check_blank(const Part& part, const std::string& label) {
  BlankCheck<Part>(part, label);
}

}  // namespace maggi
