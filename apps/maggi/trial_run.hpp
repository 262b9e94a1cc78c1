#pragma once
#include "at_start.hpp"
#include "integration/settings.hpp"

namespace maggi::app {

/// How often a run will evaluate its equations: counted for a fixed step, otherwise from a trial over the first part of
/// the time, which ends after 1/64 of it or after `most` evaluations; 0 if the trial fails. The trial leaves nothing
/// behind.
double expected_evaluations(AtStart& at, const Settings& settings, long most = 5000);

}  // namespace maggi::app
