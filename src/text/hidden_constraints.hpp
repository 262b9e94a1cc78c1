#pragma once
#include <string>

#include "analysis/hidden_constraints.hpp"

namespace maggi::text {

/// For people: what is hidden, where it comes from, what the other branch is; empty if nothing is.
std::string hidden_text(const HiddenConstraints& hidden);

}  // namespace maggi::text
