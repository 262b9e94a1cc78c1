#pragma once
#include <vector>

#include "maggi/model.hpp"
#include "maggi/note.hpp"
#include "model/numbers.hpp"

namespace maggi {

/// What a reader of a mechanism would ask about: angles that look like degrees, bodies and distances that look like
/// millimetres, joints far from the bodies that they join, bodies that no joint holds, starts beyond a stop, nothing
/// that would make the mechanism move. Geometry in the frame of a body and numbers that follow from the motion are not
/// examined. The model is valid, and the numbers are its own.
std::vector<Note> lint(const Model& model, const Numbers& numbers);

}  // namespace maggi
