#include "completions.hpp"

#include <fmt/format.h>

#include <string_view>

namespace maggi::app {

namespace {

/// The text with a backslash before each of the characters.
std::string escaped(const std::string& text, std::string_view characters) {
  std::string result;
  for (const char c : text) {
    if (characters.find(c) != std::string_view::npos) result += '\\';
    result += c;
  }
  return result;
}

/// In single quotes; for bash and zsh, which have no other way to write a quote.
std::string quoted(const std::string& text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

std::string joined(const std::vector<std::string>& words, const char* between = " ") {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : between) + word;
  return text;
}

std::string all_names(const DescribedCommand& command) {
  std::vector<std::string> names;
  for (const DescribedOption& option : command.options)
    names.insert(names.end(), option.names.begin(), option.names.end());
  return joined(names);
}

// ---------------------------------------------------------------------------------------------------- bash

/// What to call for the values of an option; the functions stand at the head of the script.
std::string bash_values(const DescribedOption& option, const std::string& prefix) {
  switch (option.value) {
    case Value::choice: return prefix + "words " + quoted(joined(option.choices));
    case Value::file: return prefix + "files";
    case Value::model: return prefix + "files '*.toml'";
    case Value::folder: return prefix + "folders";
    case Value::any:
    case Value::none: break;
  }
  return ":";
}

std::string bash_command(const DescribedCommand& command, const std::string& prefix) {
  std::string after_option, alone = ":";
  for (const DescribedOption& option : command.options) {
    if (option.positional()) {
      if (alone == ":") alone = bash_values(option, prefix);
    } else if (option.value != Value::none) {
      after_option +=
          fmt::format("        {}) {}; return ;;\n", joined(option.names, "|"), bash_values(option, prefix));
    }
  }
  return fmt::format(
      "    {}) case $previous in\n{}      esac\n      if [[ $current == -* ]]; then {}words {}; else {}; fi ;;\n",
      command.name, after_option, prefix, quoted(all_names(command)), alone);
}

}  // namespace

std::string bash_completion(const DescribedCommand& program) {
  const std::string prefix = "_" + program.name + "_";
  std::vector<std::string> first;
  std::string cases;
  for (const DescribedCommand& command : program.commands) {
    first.push_back(command.name);
    cases += bash_command(command, prefix);
  }
  return fmt::format(R"bash(# bash completion of {0}, written from its own options

_{0}_words() {{ mapfile -t COMPREPLY < <(compgen -W "$1" -- "$current"); }}
_{0}_folders() {{
  compopt -o filenames 2>/dev/null
  mapfile -t COMPREPLY < <(compgen -d -- "$current")
}}
_{0}_files() {{ # [PATTERN]
  local name
  _{0}_folders
  while IFS= read -r name; do
    [[ -d $name ]] || COMPREPLY+=("$name")
  done < <(compgen -f ${{1:+-X "!$1"}} -- "$current")
}}

_{0}() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD - 1]}} command= i
  if [[ $current == = ]]; then # --option=
    current=
  elif [[ $previous == = ]]; then
    previous=${{COMP_WORDS[COMP_CWORD - 2]}}
  fi
  for ((i = 1; i < COMP_CWORD; ++i)); do
    [[ ${{COMP_WORDS[i]}} == -* ]] || {{ command=${{COMP_WORDS[i]}}; break; }}
  done
  COMPREPLY=()
  case $command in
    '') _{0}_words {1} ;;
{2}  esac
}}
complete -F _{0} {0}
)bash",
                     program.name, quoted(joined(first) + " " + all_names(program)), cases);
}

// ---------------------------------------------------------------------------------------------------- zsh

namespace {

std::string zsh_values(const DescribedOption& option) {
  const std::string message = ":" + escaped(option.placeholder, ":[]\\") + ":";
  switch (option.value) {
    case Value::none: return "";
    case Value::any: return message;
    case Value::choice: return message + "(" + joined(option.choices) + ")";
    case Value::file: return message + "_files";
    case Value::model: return message + "_files -g \"*.toml\"";
    case Value::folder: return message + "_files -/";
  }
  return "";
}

std::string zsh_arguments(const DescribedCommand& command) {
  std::string text = "_arguments -s";
  for (const DescribedOption& option : command.options) {
    if (option.positional()) text += " \\\n        " + quoted((option.repeats ? "*" : "") + zsh_values(option));
    for (const std::string& name : option.names)
      text += " \\\n        " + quoted((option.repeats ? "*" : "") + name + "[" + escaped(option.description, ":[]\\") +
                                       "]" + zsh_values(option));
  }
  return text;
}

}  // namespace

std::string zsh_completion(const DescribedCommand& program) {
  std::string commands, cases;
  for (const DescribedCommand& command : program.commands) {
    commands += "      " + quoted(command.name + ":" + escaped(command.description, ":\\")) + "\n";
    cases += fmt::format("    {}) {} ;;\n", command.name, zsh_arguments(command));
  }
  return fmt::format(R"zsh(#compdef {0}
# zsh completion of {0}, written from its own options

_{0}() {{
  local -a commands
  if ((CURRENT == 2)); then
    commands=(
{1}    )
    _describe command commands
    {2}
    return
  fi
  shift words
  ((CURRENT--))
  case $words[1] in
{3}  esac
}}

_{0} "$@"
)zsh",
                     program.name, commands, zsh_arguments({program.name, "", "", program.options, {}}), cases);
}

// ---------------------------------------------------------------------------------------------------- fish

namespace {

std::string fish_quoted(const std::string& text) { return "'" + escaped(text, "'\\") + "'"; }

std::string fish_values(const DescribedOption& option) {
  const char* const only = option.positional() ? " -f" : " -x";  // of these; -x: one must follow
  switch (option.value) {
    case Value::none: return "";
    case Value::any: return only;
    case Value::choice: return fmt::format("{} -a {}", only, fish_quoted(joined(option.choices)));
    case Value::file: return " -r -F";
    case Value::model: return fmt::format(" -k{} -a '(__fish_complete_suffix .toml)'", only);
    case Value::folder: return fmt::format("{} -a '(__fish_complete_directories)'", only);
  }
  return "";
}

std::string fish_option(const std::string& program, const std::string& condition, const DescribedOption& option) {
  std::string names;
  for (const std::string& name : option.names)
    names += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  return fmt::format("complete -c {} -n {}{}{} -d {}\n", program, condition, names, fish_values(option),
                     fish_quoted(option.description));
}

}  // namespace

std::string fish_completion(const DescribedCommand& program) {
  std::string text =
      fmt::format("# fish completion of {0}, written from its own options\n\ncomplete -c {0} -f\n", program.name);
  for (const DescribedOption& option : program.options)
    text += fish_option(program.name, "__fish_use_subcommand", option);
  for (const DescribedCommand& command : program.commands) {
    text += fmt::format("\ncomplete -c {} -n __fish_use_subcommand -a {} -d {}\n", program.name, command.name,
                        fish_quoted(command.description));
    for (const DescribedOption& option : command.options)
      text += fish_option(program.name, fish_quoted("__fish_seen_subcommand_from " + command.name), option);
  }
  return text;
}

}  // namespace maggi::app
