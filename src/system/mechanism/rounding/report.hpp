#pragma once
#include "system/seam/mechanism_system.hpp"

namespace maggi::mechanism {

/// A finding in words: what was taken as what, by how much the data change or would have to, and the remedy.
std::string in_words(const MechanismSystem::RoundedLoop& loop);

}  // namespace maggi::mechanism
