#include "maggi/expert/formulations.hpp"

#include <fmt/format.h>

#include <array>

#include "base/names.hpp"
#include "basis/continuity.hpp"
#include "formulation/augmented.hpp"
#include "formulation/compatibility.hpp"
#include "formulation/elimination.hpp"
#include "formulation/maggi.hpp"
#include "formulation/maggi_rates.hpp"
#include "formulation/minimal.hpp"
#include "formulation/null_space.hpp"
#include "formulation/orthonormal.hpp"
#include "formulation/partitioning.hpp"
#include "formulation/range_space.hpp"
#include "formulation/udwadia_kalaba.hpp"
#include "maggi/error.hpp"
#include "maggi/expert/bases.hpp"

namespace maggi {

namespace {

template <class Kind>
std::unique_ptr<Formulation> make(int n, int max_rows, std::string_view /*basis*/) {
  return std::make_unique<Kind>(n, max_rows);
}

template <class Kind>
std::unique_ptr<Formulation> make_on_basis(int n, int max_rows, std::string_view basis) {
  return std::make_unique<Kind>(n, make_basis(basis, n, max_rows));
}

std::unique_ptr<Formulation> make_maggi_rates(int n, int max_rows, std::string_view basis) {
  return std::make_unique<MaggiRates>(n, make_smooth_basis(basis, std::nullopt, n, max_rows));
}

struct Entry {
  const char* name;
  const char* default_basis;  // "" if it uses none
  bool divides_by_mass;       // needs M > 0, not only DᵀMD > 0
  std::unique_ptr<Formulation> (*make)(int n, int max_rows, std::string_view basis);
};

constexpr std::array entries{
    Entry{"augmented", "", false, make<Augmented>},
    Entry{"range-space", "", true, make<RangeSpace>},
    Entry{"null-space", "", false, make<NullSpace>},
    Entry{"elimination", "", true, make<Elimination>},
    Entry{"maggi", "qr", false, make_on_basis<Maggi>},
    Entry{"maggi-rates", "lu", false, make_maggi_rates},
    Entry{"orthonormal", "", true, make<Orthonormal>},
    Entry{"partitioning", "", false, make<Partitioning>},
    Entry{"udwadia-kalaba", "", false, make<UdwadiaKalaba>},
    Entry{"compatibility", "qr", false, make_on_basis<Compatibility>},
    Entry{"minimal", "qr", false, make_on_basis<Minimal>},
    Entry{"recursive", "", false, nullptr},  // solves without matrices
};

const Entry& find(std::string_view name) {
  for (const Entry& entry : entries)
    if (name == entry.name) return entry;
  throw Error(Errc::model, {}, fmt::format("no formulation is named \"{}\"", name),
              suggest_name(name, formulation_choices()));
}

}  // namespace

std::span<const std::string> formulation_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const Entry& entry : entries)
      if (entry.make) all.emplace_back(entry.name);
    return all;
  }();
  return names;
}

std::span<const std::string> formulation_choices() {
  static const std::vector<std::string> choices = [] {
    std::vector<std::string> all;
    for (const Entry& entry : entries) all.emplace_back(entry.name);
    return all;
  }();
  return choices;
}

std::span<const std::string> nonideal_formulation_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> some;
    for (const Entry& entry : entries)
      if (entry.make && entry.make(1, 1, entry.default_basis)->solves_nonideal()) some.emplace_back(entry.name);
    return some;
  }();
  return names;
}

bool divides_by_mass(std::string_view formulation) { return find(formulation).divides_by_mass; }
std::string_view default_basis(std::string_view formulation) { return find(formulation).default_basis; }
bool needs_basis(std::string_view formulation) { return !default_basis(formulation).empty(); }

std::unique_ptr<Formulation> make_formulation(std::string_view name, std::string_view basis, int n, int max_rows) {
  const Entry& entry = find(name);
  if (!needs_basis(name) && !basis.empty()) {
    std::vector<std::string> with_basis;
    for (const Entry& other : entries)
      if (needs_basis(other.name)) with_basis.emplace_back(other.name);
    throw Error(Errc::model, {}, fmt::format("formulation \"{}\" uses no basis, but \"{}\" is asked for", name, basis),
                fmt::format("leave the basis out, or take {}", list_names(with_basis)));
  }
  return entry.make(n, max_rows, basis.empty() ? entry.default_basis : basis);
}

}  // namespace maggi
