#include "spelling.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>

#include "maggi/error.hpp"
#include "text/words.hpp"

namespace maggi::app {

namespace {

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(command->get_name());
  return names;
}

std::vector<std::string> option_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    for (const std::string& name : option->get_snames()) names.push_back("-" + name);
  }
  return names;
}

bool looks_like_option(const std::string& word) {
  if (word.size() < 2 || word[0] != '-') return false;
  const auto first = static_cast<unsigned char>(word[word[1] == '-' && word.size() > 2 ? 2 : 1]);
  return std::isalpha(first) != 0;
}

std::string help_for(const std::string& misspelt, const std::vector<std::string>& names, const std::string& command) {
  const std::string nearest = nearest_name(misspelt.starts_with("--") ? misspelt : "-" + misspelt, names);
  return nearest.empty() ? fmt::format("maggi {}{}--help lists them", command, command.empty() ? "" : " ")
                         : "did you mean " + nearest + "?";
}

}  // namespace

void check_words(const CLI::App& app, const std::vector<std::string>& words) {
  const CLI::App* command = &app;
  std::string name;  // of the command
  for (const std::string& word : words) {
    if (word == "--") return;
    const std::vector<std::string> names = option_names(*command);
    if (looks_like_option(word)) {
      const std::string option = word.substr(0, word.find('='));
      if (!contains(names, option))
        throw Error(Errc::model, {},
                    fmt::format("{} has no option {}", name.empty() ? "maggi" : "maggi " + name, option),
                    help_for(option, names, name));
    } else if (command == &app) {
      const std::vector<std::string> commands = command_names(app);
      if (!contains(commands, word))
        throw Error(
            Errc::model, {}, fmt::format("no command is named \"{}\"", word),
            word.ends_with(".toml") ? fmt::format("did you mean maggi run {}?", word) : suggest_name(word, commands));
      command = app.get_subcommand(word);
      name = word;
    }
  }
}

std::vector<std::string> repeat_pairs(std::vector<std::string> words) {
  std::vector<std::string> result;
  std::string option;  // the one whose pairs come
  for (std::string& word : words) {
    if (word == "--set" || word == "--over") {
      option = word;
    } else if (word.find('=') == std::string::npos || word.starts_with('-')) {
      option.clear();
    } else if (!option.empty() && result.back() != option) {
      result.push_back(option);
    }
    result.push_back(std::move(word));
  }
  return result;
}

}  // namespace maggi::app
