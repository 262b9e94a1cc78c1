// Names of what can be chosen, in the words of the model file.
#include "maggi/model.hpp"
#include "model/formula_fields.hpp"
#include "model/mechanism_fields.hpp"

namespace maggi {

std::string_view level_name(Level level) { return fields::level_kinds[static_cast<std::size_t>(level)].name; }

std::string_view joint_type_name(JointType type) { return fields::joint_kinds[static_cast<std::size_t>(type)].name; }

std::vector<std::string> reaction_frame_names() {
  return {fields::reaction_frames.begin(), fields::reaction_frames.end()};
}

}  // namespace maggi
