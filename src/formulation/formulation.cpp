#include "maggi/formulation/formulation.hpp"

#include <fmt/format.h>

#include "formulation/augmented.hpp"
#include "formulation/maggi.hpp"
#include "maggi/base/error.hpp"
#include "maggi/base/names.hpp"

namespace maggi {

std::span<const std::string> formulation_names() {
  static const std::vector<std::string> names{"augmented", "maggi"};
  return names;
}

bool needs_basis(std::string_view formulation) { return formulation == "maggi"; }

std::unique_ptr<Formulation> make_formulation(std::string_view name, std::string_view basis, int n, int max_rows) {
  if (name == "augmented") {
    if (!basis.empty())
      throw Error(Errc::model, {},
                  fmt::format("formulation \"augmented\" uses no basis, but \"{}\" is asked for", basis),
                  "leave the basis out, or take formulation \"maggi\"");
    return std::make_unique<Augmented>(n, max_rows);
  }
  if (name == "maggi") return std::make_unique<Maggi>(n, make_basis(basis.empty() ? "qr" : basis, n, max_rows));
  throw Error(Errc::model, {}, fmt::format("no formulation is named \"{}\"", name),
              suggest_name(name, formulation_names()));
}

}  // namespace maggi
