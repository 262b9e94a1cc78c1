#pragma once
#include <string>

#include "maggi/comparison.hpp"

namespace maggi::text {

/// For people: a table, the cheapest first, then who refuses, fails or is wrong, and the verdict.
std::string comparison_text(const Comparison& found);

/// What is wrong with a comparison, a line each: methods that disagree, no reference, an interrupt. Empty if nothing
/// is.
std::string comparison_complaint(const Comparison& found, const std::string& file);

}  // namespace maggi::text
