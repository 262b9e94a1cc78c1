#pragma once
#include <string>
#include <vector>

#include "analysis/comparison.hpp"

namespace maggi::text {

/// For people: a table, the cheapest first, then who refuses, fails or is wrong, and the verdict.
std::string comparison_text(const Comparison& found, const std::string& title, const CompareOptions& options);

/// "augmented, maggi (qr, svd)"
std::string method_names(const std::vector<const ComparisonRow*>& rows);

}  // namespace maggi::text
