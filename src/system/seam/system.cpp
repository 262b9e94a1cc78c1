#include "maggi/expert/system.hpp"

#include <fmt/format.h>

#include <cmath>

namespace maggi {

namespace {
int first_bad(const Vector& values) {
  for (int k = 0; k < values.size(); ++k)
    if (!std::isfinite(values[k])) return k;
  return -1;
}
}  // namespace

Interval System::bounds(int, Level, double, std::span<const Interval>, std::span<const Interval>,
                        const Workspace&) const {
  return {};
}

std::string first_not_finite(const Shape& shape, const Terms& terms) {
  if (const int k = first_bad(terms.M); k >= 0)
    return fmt::format("entry [{}, {}] of the mass matrix", shape.velocities[shape.M.row[k]].name,
                       shape.velocities[shape.M.col[k]].name);
  if (const int k = first_bad(terms.h); k >= 0) return fmt::format("the force on \"{}\"", shape.velocities[k].name);
  if (const int k = first_bad(terms.C); k >= 0)
    return fmt::format("the derivative of constraint \"{}\" by \"{}\"", shape.rows[shape.C.row[k]].name,
                       shape.velocities[shape.C.col[k]].name);
  if (const int k = first_bad(terms.gamma); k >= 0)
    return fmt::format("the second derivative of constraint \"{}\"", shape.rows[k].name);
  if (const int k = first_bad(terms.J); k >= 0)
    return fmt::format("the derivative of local coordinate \"{}\" by \"{}\"", shape.local[shape.J.row[k]].name,
                       shape.velocities[shape.J.col[k]].name);
  return "";
}

}  // namespace maggi
