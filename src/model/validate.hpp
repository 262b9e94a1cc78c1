#pragma once
#include "maggi/model.hpp"

namespace maggi {

/// The rules about what a model may say: which parts go together, what each part needs, what excludes what. Everything
/// that makes a system out of a model asks this first, wherever the model comes from, so that nothing in a model is
/// accepted and then ignored. Formulas are not read here; names that formulas use, and numbers, are checked where they
/// are understood (Numbers, EquationSystem, the reference configuration of a mechanism).
///
/// Error (model) with cause and help, and with the place in the file if there is one.
void validate(const Model& model);

}  // namespace maggi
