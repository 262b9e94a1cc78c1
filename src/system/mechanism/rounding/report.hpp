#pragma once
#include "system/seam/mechanism_system.hpp"

namespace maggi::mechanism {

/// A finding in words: what was taken as what, by how much the data change or would have to, and the remedy.
std::string in_words(const MechanismSystem::RoundedLoop& loop);
/// "set data_tolerance = 5e-4 if it should move, or correct the data"
std::string remedy_of_lock(const MechanismSystem::RoundedLoop& loop);

}  // namespace maggi::mechanism
