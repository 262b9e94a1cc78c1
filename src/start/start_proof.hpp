#pragma once
#include "maggi/conflict.hpp"
#include "start/start_attempt.hpp"

namespace maggi::integration {

/// What is certain about an attempt that failed with these demands and values given, in words; sets the kind of proof.
///
///     reach    f or φ of a row, over all values that are not given, has bounds without 0       (interval arithmetic)
///     linear   J x = b with constant J, and rank [J b] > rank J; not with contacts, which have several modes
std::string prove(const System& system, Workspace& w, const Start& start, const Demands& demands,
                  const StartAttempt& attempt, Conflict::Proof& proof);

}  // namespace maggi::integration
