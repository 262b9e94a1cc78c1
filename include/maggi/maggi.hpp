#pragma once
// The tour of the library, in the order in which data flow through it; docs/notation.md says what the letters mean.
//
//     file, MechanismBuilder ─▶ Model ─▶ Simulation ─▶ Motion ─▶ files
//                                            ├─▶ Check, EquationsOfMotion, Comparison
//                                            └─▶ Sweep ─▶ SweepTable
//
//     maggi::Simulation four_bar(maggi::load("four_bar.toml"));
//     std::puts(maggi::to_text(four_bar.check()).c_str());
//     const maggi::Motion motion = four_bar.run({.until = 3.0});
//     maggi::write_report("four_bar.html", motion);
//
// Those who add a formulation, a basis or a kind of system include maggi/expert/*.hpp besides.

// what is given
#include "maggi/formula.hpp"            // a formula as text, with its place in the file
#include "maggi/mechanism.hpp"          // bodies, joints, forces
#include "maggi/mechanism_builder.hpp"  // a model from bodies and joints, built in C++
#include "maggi/model.hpp"              // the whole model: a mechanism, or energies, forces and constraints as formulas

// what is done with it
#include "maggi/choice.hpp"       // an option by its value or by its name
#include "maggi/integrator.hpp"   // the methods of integration
#include "maggi/run_choices.hpp"  // what options can be
#include "maggi/run_options.hpp"  // how it is run
#include "maggi/simulation.hpp"   // the way from the model to its results, each stage computed once
#include "maggi/sweep.hpp"        // many runs with other numbers

// what comes out
#include "maggi/check.hpp"               // degrees of freedom, rank, redundant and hidden constraints
#include "maggi/comparison.hpp"          // every formulation on every basis
#include "maggi/conflict.hpp"            // why there is no consistent start
#include "maggi/equations.hpp"           // M, h, C, γ, D at a state, with names
#include "maggi/error.hpp"               // every error: what, where, what helps
#include "maggi/hidden_constraint.hpp"   // what follows from the model as soon as it moves or is controlled
#include "maggi/ideality.hpp"            // whether reactions that are given are ideal
#include "maggi/initial_conditions.hpp"  // the consistent start
#include "maggi/mode.hpp"                // what is in force at a time
#include "maggi/motion.hpp"              // every stored state by named channels
#include "maggi/outcome.hpp"             // how a run ended
#include "maggi/state.hpp"               // positions, velocities; accelerations, multipliers
#include "maggi/summary.hpp"             // a run in a few numbers
#include "maggi/sweep/table.hpp"         // the results of a sweep

// for people, programs and other tools
#include "maggi/files.hpp"  // models from files; CSV, NumPy, JSON, a page for the browser
#include "maggi/text.hpp"   // the words of the command line
