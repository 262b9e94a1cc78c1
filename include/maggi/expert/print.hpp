#pragma once
#include <string>

#include "maggi/expert/expression.hpp"

namespace maggi::expression {

/// As the user would write it, with few parentheses; parse(print(e)) gives e again (unless it is nested too deeply to
/// be parsed). Common parts are written out each time; a text of more than 10 MB is refused with an Error.
std::string print(const Graph& graph, Id expression);

/// For a paper: fractions, \sin, \dot q for q', Greek letters by name (theta_1 → \theta_{1}), subscripts.
std::string print_latex(const Graph& graph, Id expression);

}  // namespace maggi::expression
