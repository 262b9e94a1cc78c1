#pragma once
#include <string>

#include "maggi/error.hpp"

namespace maggi {

/// A formula or a number as the user gave it, with its place. Numbers may be formulas over the parameters everywhere.
struct Formula {
  std::string text;
  Where where;  ///< of the first character of `text`

  Formula() = default;
  Formula(const char* formula) : text(formula) {}  // NOLINT(google-explicit-constructor): models read like equations
  Formula(std::string formula, Where place = {}) : text(std::move(formula)), where(std::move(place)) {}  // NOLINT
  Formula(double number);                                                                                // NOLINT
  bool empty() const { return text.empty(); }
  bool operator==(const Formula&) const = default;
};

/// A part of the model called by its name.
struct Reference {
  std::string name;
  Where where{};
  bool operator==(const Reference&) const = default;
};

}  // namespace maggi
