// Names of what can be chosen, in the words of the model file.
#include "maggi/mechanism.hpp"
#include "model/joint_entries.hpp"

namespace maggi {

std::string_view joint_type_name(JointType type) { return mechanism::entry_of(type).name; }

std::vector<std::string> reaction_frame_names() { return {"world", "joint", "body"}; }

}  // namespace maggi
