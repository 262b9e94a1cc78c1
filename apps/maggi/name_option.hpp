#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
class Validator;
}  // namespace CLI

namespace maggi::app {

/// Refuses what is none of the names, with the nearest. `offered`: those to choose from, if not all.
CLI::Validator one_of(std::span<const std::string> names, const std::string& kind,
                      std::span<const std::string> offered = {});

/// The names that are offered for an option, if it was given one_of().
std::vector<std::string> choices_of(CLI::Option& option);

/// An option that takes one of the names; `otherwise` says what holds without it.
void add_name(CLI::App& command, const char* option, std::optional<std::string>& target, const char* kind,
              std::span<const std::string> names, const std::string& otherwise);

/// An option that takes some of them: separated by commas, or the option repeated.
void add_names(CLI::App& command, const char* option, std::vector<std::string>& target, const char* kind,
               std::span<const std::string> names, const std::string& otherwise = "all");

}  // namespace maggi::app
