#include "model/check_blank.hpp"

namespace maggi {

void check_not_blank(const Formula& formula, const std::string& label) {
  if (!formula.empty() && formula.text.find_first_not_of(" \t\r\n") == std::string::npos)
    refuse(formula.where, label + " is empty", "write a formula or remove the line");
}

}  // namespace maggi
