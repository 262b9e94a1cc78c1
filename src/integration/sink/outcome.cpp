#include "maggi/outcome.hpp"

namespace maggi {

std::string_view outcome_name(Outcome outcome) {
  switch (outcome) {
    case Outcome::reached_end: return "reached the end";
    case Outcome::stopped: return "stopped by an event";
    case Outcome::step_too_small: return "step too small";
    case Outcome::constraints_lost: return "constraints lost";
    case Outcome::singular: return "singular configuration";
    case Outcome::undetermined: return "forces not determined";
    case Outcome::interrupted: return "interrupted";
    case Outcome::failed: return "failed";
    case Outcome::assembled: return "assembled";
  }
  return "";
}

}  // namespace maggi
