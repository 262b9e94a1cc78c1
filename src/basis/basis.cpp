#include "maggi/basis/basis.hpp"

#include <fmt/format.h>

#include "basis/qr.hpp"
#include "maggi/base/error.hpp"
#include "maggi/base/names.hpp"

namespace maggi {

std::span<const std::string> basis_names() {
  static const std::vector<std::string> names{"qr"};
  return names;
}

std::unique_ptr<Basis> make_basis(std::string_view name, int n, int max_rows) {
  if (name == "qr") return std::make_unique<QrBasis>(n, max_rows);
  throw Error(Errc::model, {}, fmt::format("no basis is named \"{}\"", name), suggest_name(name, basis_names()));
}

}  // namespace maggi
