#pragma once
#include <string>

#include "described.hpp"

namespace maggi::app {

// what completes the commands, options, names and files of a program, in the language of each shell
std::string bash_completion(const DescribedCommand& program);
std::string zsh_completion(const DescribedCommand& program);
std::string fish_completion(const DescribedCommand& program);

}  // namespace maggi::app
