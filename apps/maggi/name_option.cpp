#include "name_option.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "text/words.hpp"

namespace maggi::app {

namespace {
const std::string names_mark = "one of ";  // a validator of names has them in its own name, to be read by choices_of()
}

CLI::Validator one_of(std::span<const std::string> names, const std::string& kind,
                      std::span<const std::string> offered) {
  const std::vector<std::string> valid(names.begin(), names.end());
  CLI::Validator validator(
      [valid, kind](std::string& name) {
        if (std::find(valid.begin(), valid.end(), name) != valid.end()) return std::string();
        return fmt::format("no {} is named \"{}\" ({})", kind, name, suggest_name(name, valid));
      },
      "");
  return validator.name(names_mark + text::listed(offered.empty() ? names : offered));
}

std::vector<std::string> choices_of(CLI::Option& option) {
  for (int i = 0;; ++i) {
    try {
      const std::string& name = option.get_validator(i)->get_name();
      if (!name.starts_with(names_mark)) continue;
      std::vector<std::string> names = CLI::detail::split(name.substr(names_mark.size()), ',');
      for (std::string& each : names) CLI::detail::trim(each);
      return names;
    } catch (const CLI::OptionNotFound&) {  // there are no more
      return {};
    }
  }
}

void add_name(CLI::App& command, const char* option, std::optional<std::string>& target, const char* kind,
              std::span<const std::string> names, const std::string& otherwise) {
  command.add_option(option, target, fmt::format("{}: {} [{}]", kind, text::listed(names), otherwise))
      ->type_name("NAME")
      ->check(one_of(names, kind));
}

void add_names(CLI::App& command, const char* option, std::vector<std::string>& target, const char* kind,
               std::span<const std::string> names, const std::string& otherwise) {
  command
      .add_option(option, target,
                  fmt::format("only this {}, or several (a,b): {} [{}]", kind, text::listed(names), otherwise))
      ->type_name("NAME")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(one_of(names, kind));
}

}  // namespace maggi::app
