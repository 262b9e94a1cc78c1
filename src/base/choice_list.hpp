#pragma once
#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/names.hpp"
#include "maggi/choice.hpp"
#include "maggi/error.hpp"

namespace maggi {

/// The values of an enum with their names: what a Choice<Enum> can be.
template <class Enum>
class ChoiceList {
 public:
  struct Entry {
    Enum value;
    std::string name;
  };

  /// `kind` completes "no … is named".
  ChoiceList(std::string_view kind, std::vector<Entry> all) : kind_(kind), all_(std::move(all)) {
    for (const Entry& entry : all_) names_.push_back(entry.name);
  }

  const std::vector<std::string>& names() const { return names_; }
  std::string_view name(Enum value) const { return std::ranges::find(all_, value, &Entry::value)->name; }

  /// Error (model) at `where`, with the nearest name, if no value has this one.
  Enum find(std::string_view name, const Where& where = {}) const {
    const auto found = std::ranges::find(all_, name, &Entry::name);
    if (found != all_.end()) return found->value;
    throw Error(Errc::model, where, fmt::format("no {} is named \"{}\"", kind_, name), suggest_name(name, names_));
  }

 private:
  std::string_view kind_;
  std::vector<Entry> all_;
  std::vector<std::string> names_;
};

/// Specialised for each enum beside what the values mean, where Choice<Enum> is instantiated, too.
template <class Enum>
const ChoiceList<Enum>& choice_list();

template <class Enum>
Choice<Enum>::Choice(std::string_view name) : value_(choice_list<Enum>().find(name)) {}

template <class Enum>
std::string_view Choice<Enum>::name() const {
  return choice_list<Enum>().name(value_);
}

}  // namespace maggi
