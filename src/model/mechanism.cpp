#include "maggi/mechanism.hpp"

#include "model/mechanism_fields.hpp"

namespace maggi {

std::vector<std::string> reaction_frame_names() {
  return {fields::reaction_frames.begin(), fields::reaction_frames.end()};
}

std::string_view joint_type_name(JointType type) { return fields::joint_kinds[static_cast<std::size_t>(type)].name; }

}  // namespace maggi
