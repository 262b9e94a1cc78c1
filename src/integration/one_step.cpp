#include "integration/one_step.hpp"

#include <cassert>

#include "integration/dop853.hpp"
#include "integration/dopri5.hpp"
#include "integration/explicit_step.hpp"
#include "integration/radau5.hpp"

namespace maggi::integration {

namespace {
constexpr std::size_t line = 8, own = 5;
}

OneStep::OneStep(int size, Tolerance tolerance, int vectors)
    : tolerance_(tolerance),
      size_(size),
      stride_((static_cast<std::size_t>(size) + line - 1) / line * line),
      memory_((own + static_cast<std::size_t>(vectors)) * stride_),
      next_(memory_.data()),
      y_(take()),
      y_new_(take()),
      y_kept_(take()),
      k1_(take()),
      k_kept_(take()) {}

std::unique_ptr<OneStep> make_step(std::string_view method, int size, Tolerance tolerance) {
  if (method == "dop853") return std::make_unique<ExplicitStep<Dop853>>(size, tolerance);
  if (method == "radau5") return std::make_unique<Radau5>(size, tolerance);
  assert(method == "dopri5");
  return std::make_unique<ExplicitStep<Dopri5>>(size, tolerance);
}

}  // namespace maggi::integration
