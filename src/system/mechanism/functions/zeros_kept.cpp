#include "system/mechanism/functions/zeros_kept.hpp"

#include <algorithm>

#include "maggi/error.hpp"

namespace maggi::mechanism {

const System* ZerosKept::get(const Shape& shape) const {
  if (!needed_) return nullptr;
  const std::scoped_lock lock(busy_);
  if (made_) return made_.get();
  const auto source = std::make_shared<MechanismSource>(source_->model, source_->numbers);
  source->keeps_zeros = true;
  std::unique_ptr<System> made = make_(source, nullptr);
  const auto same_names = [](const auto& a, const auto& b) {
    return std::ranges::equal(a, b, [](const auto& x, const auto& y) { return x.name == y.name; });
  };
  const Shape& s = made->shape();
  if (!same_names(s.coordinates, shape.coordinates) || !same_names(s.rows, shape.rows) ||
      !same_names(s.laws, shape.laws) || !same_names(s.controls, shape.controls))
    throw Error(Errc::model, {source_->model.file},
                "there are no derivatives by the parameters: with values beside its own the mechanism has other "
                "coordinates, constraints or force laws",
                "a parameter that is zero leaves a part out: give it a value around which it may change");
  made_ = std::move(made);
  return made_.get();
}

}  // namespace maggi::mechanism
