#pragma once
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace maggi::app {

/// Error with the nearest valid name if a word of the command line is no command, or no option of its command.
void check_words(const CLI::App& app, const std::vector<std::string>& words);

/// "--set a=1 b=2" as "--set a=1 --set b=2", the same with --over.
std::vector<std::string> repeat_pairs(std::vector<std::string> words);

}  // namespace maggi::app
