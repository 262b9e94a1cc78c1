#include "maggi/formulation/formulation.hpp"

#include <fmt/format.h>

#include <array>

#include "formulation/augmented.hpp"
#include "formulation/compatibility.hpp"
#include "formulation/elimination.hpp"
#include "formulation/maggi.hpp"
#include "formulation/minimal.hpp"
#include "formulation/null_space.hpp"
#include "formulation/orthonormal.hpp"
#include "formulation/partitioning.hpp"
#include "formulation/range_space.hpp"
#include "formulation/udwadia_kalaba.hpp"
#include "maggi/base/error.hpp"
#include "maggi/base/names.hpp"

namespace maggi {

namespace {

template <class Kind>
std::unique_ptr<Formulation> make(int n, int max_rows, std::string_view /*basis*/) {
  return std::make_unique<Kind>(n, max_rows);
}

template <class Kind>
std::unique_ptr<Formulation> make_on_basis(int n, int max_rows, std::string_view basis) {
  return std::make_unique<Kind>(n, make_basis(basis.empty() ? "qr" : basis, n, max_rows));
}

struct Entry {
  const char* name;
  bool on_basis;
  std::unique_ptr<Formulation> (*make)(int n, int max_rows, std::string_view basis);
};

constexpr std::array entries{
    Entry{"augmented", false, make<Augmented>},
    Entry{"range-space", false, make<RangeSpace>},
    Entry{"null-space", false, make<NullSpace>},
    Entry{"elimination", false, make<Elimination>},
    Entry{"maggi", true, make_on_basis<Maggi>},
    Entry{"orthonormal", false, make<Orthonormal>},
    Entry{"partitioning", false, make<Partitioning>},
    Entry{"udwadia-kalaba", false, make<UdwadiaKalaba>},
    Entry{"compatibility", true, make_on_basis<Compatibility>},
    Entry{"minimal", true, make_on_basis<Minimal>},
};

const Entry& find(std::string_view name) {
  for (const Entry& entry : entries)
    if (name == entry.name) return entry;
  throw Error(Errc::model, {}, fmt::format("no formulation is named \"{}\"", name),
              suggest_name(name, formulation_names()));
}

}  // namespace

std::span<const std::string> formulation_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const Entry& entry : entries) all.emplace_back(entry.name);
    return all;
  }();
  return names;
}

bool needs_basis(std::string_view formulation) { return find(formulation).on_basis; }

std::unique_ptr<Formulation> make_formulation(std::string_view name, std::string_view basis, int n, int max_rows) {
  const Entry& entry = find(name);
  if (!entry.on_basis && !basis.empty()) {
    std::vector<std::string> with_basis;
    for (const Entry& other : entries)
      if (other.on_basis) with_basis.emplace_back(other.name);
    throw Error(Errc::model, {}, fmt::format("formulation \"{}\" uses no basis, but \"{}\" is asked for", name, basis),
                fmt::format("leave the basis out, or take {}", list_names(with_basis)));
  }
  return entry.make(n, max_rows, basis);
}

}  // namespace maggi
