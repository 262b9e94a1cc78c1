#pragma once
#include <string>

#include "described.hpp"

namespace maggi::app {

/// The manual page of a program, section 1, as roff.
std::string manual_page(const DescribedCommand& program);

/// That of one of its commands: maggi-run(1).
std::string manual_page(const DescribedCommand& program, const DescribedCommand& command);

}  // namespace maggi::app
