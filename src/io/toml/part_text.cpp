#include "io/toml/part_text.hpp"

namespace maggi::io {

std::string text_of(const Key& /*key*/, const std::vector<JointLimit>& limits) {
  return by_coordinate(limits, [](const JointLimit& limit) { return keys_text(limit); });
}

std::string text_of(const Key& /*key*/, const std::optional<JointFriction>& friction) { return keys_text(*friction); }

}  // namespace maggi::io
