#include "system/mechanism/kinematics/joint_kind.hpp"

namespace maggi::mechanism {

std::string unit_of(Freedom freedom) { return freedom == Freedom::slide ? "m" : "rad"; }

std::string unit_of(Holds holds) {
  switch (holds) {
    case Holds::about:
    case Holds::tilt:
    case Holds::cross:
    case Holds::turning:
    case Holds::carried_about: return "rad";
    default: return "m";
  }
}

}  // namespace maggi::mechanism
