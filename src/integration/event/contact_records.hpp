#pragma once
#include <vector>

#include "integration/event/event_source.hpp"

namespace maggi::integration {

/// What became of one-sided rows and of contacts between the mode before and that of the consequence, one record each.
void report_contacts(const Shape& shape, const Mode& before, Consequence& consequence, const std::vector<int>& hit);

}  // namespace maggi::integration
