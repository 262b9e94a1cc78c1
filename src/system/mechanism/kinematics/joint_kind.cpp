#include "system/mechanism/kinematics/joint_kind.hpp"

namespace maggi::mechanism {

std::string unit_of(Freedom freedom) { return freedom == Freedom::slide ? "m" : "rad"; }

bool is_rotation(Holds holds) {
  switch (holds) {
    case Holds::about:
    case Holds::tilt:
    case Holds::cross:
    case Holds::turning:
    case Holds::carried_about: return true;
    case Holds::along:
    case Holds::distance:
    case Holds::thread:
    case Holds::ball_height:
    case Holds::disc_height:
    case Holds::ball_slip:
    case Holds::disc_slip:
    case Holds::carried_along: return false;
  }
  return false;
}

std::string unit_of(Holds holds) { return is_rotation(holds) ? "rad" : "m"; }

}  // namespace maggi::mechanism
