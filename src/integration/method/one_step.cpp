#include "integration/method/one_step.hpp"

namespace maggi::integration {

namespace {
constexpr std::size_t line = 8, own_vectors = 5;
}

OneStep::OneStep(int size, Tolerance tolerance, int vectors)
    : tolerance_(tolerance),
      size_(size),
      stride_((static_cast<std::size_t>(size) + line - 1) / line * line),
      memory_((own_vectors + static_cast<std::size_t>(vectors)) * stride_),
      next_(memory_.data()),
      y_(take()),
      y_new_(take()),
      y_kept_(take()),
      k1_(take()),
      k_kept_(take()) {}

}  // namespace maggi::integration
