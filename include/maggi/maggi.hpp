#pragma once
// The library in the order in which data flows through it; docs/notation.md says what the letters mean.

#include "maggi/error.hpp"      // every error: what, where, what helps
#include "maggi/formula.hpp"    // a formula as text, with its place
#include "maggi/mechanism.hpp"  // bodies, joints, forces
#include "maggi/model.hpp"      // energies, forces, constraints as formulas
