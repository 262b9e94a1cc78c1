#include "maggi/mechanism.hpp"

namespace maggi {

std::vector<std::string> reaction_frame_names() { return {"world", "joint", "body"}; }

}  // namespace maggi
