#include "manual_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

namespace maggi::app {

namespace {

/// Text that roff prints as it stands, hyphens and quotes included.
std::string plain(const std::string& text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '\\': result += "\\e"; break;
      case '-': result += "\\-"; break;
      case '\'': result += "\\(aq"; break;
      case '^': result += "\\(ha"; break;
      case '~': result += "\\(ti"; break;
      case '`': result += "\\(ga"; break;
      default: result += c;
    }
  }
  return result.starts_with('.') ? "\\&" + result : result;
}

std::string bold(const std::string& text) { return "\\fB" + plain(text) + "\\fR"; }
std::string italic(const std::string& text) { return "\\fI" + plain(text) + "\\fR"; }

std::string upper(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

std::string header(const std::string& title, const std::string& description) {
  return fmt::format(".TH {} 1 \"\" \"maggi {}\" \"maggi manual\"\n.SH NAME\n{} \\- {}\n", plain(upper(title)),
                     MAGGI_VERSION, plain(title), plain(description));
}

std::string left_side(const DescribedOption& option) {
  if (option.positional()) return italic(option.placeholder);
  std::string text;
  for (const std::string& name : option.names) text += (text.empty() ? "" : ", ") + bold(name);
  return option.placeholder.empty() ? text : text + " " + italic(option.placeholder);
}

std::string option_list(const DescribedCommand& command) {
  std::string text;
  for (const bool positional : {true, false})
    for (const DescribedOption& option : command.options)
      if (option.positional() == positional)
        text += fmt::format(".TP\n{}\n{}\n", left_side(option), plain(option.description));
  return text;
}

/// The paragraphs of a footer: examples under their heading, as they stand; other text as notes.
std::string footer(const std::string& text) {
  std::string result, section;
  const auto under = [&](const char* heading) {
    if (section != heading) result += fmt::format(".SH {}\n", section = heading);
  };
  std::istringstream lines(text);
  bool literal = false;
  const auto end_literal = [&] {
    if (literal) result += ".EE\n";
    literal = false;
  };
  for (std::string line; std::getline(lines, line);) {
    if (line == "Examples:" || line == "Example:") {
      end_literal();
      under("EXAMPLES");
    } else if (line.starts_with("  ")) {
      if (section.empty()) under("NOTES");
      if (!literal) result += ".EX\n";
      literal = true;
      result += plain(line) + "\n";
    } else if (line.empty()) {
      end_literal();
      if (section == "NOTES") result += ".PP\n";
    } else {
      end_literal();
      under("NOTES");
      result += plain(line) + "\n";
    }
  }
  end_literal();
  return result;
}

std::string see_also(const std::vector<std::string>& pages) {
  std::string text = ".SH SEE ALSO\n";
  for (std::size_t i = 0; i < pages.size(); ++i)
    text += fmt::format(".BR {} (1){}\n", plain(pages[i]), i + 1 < pages.size() ? "," : "");
  return text;
}

}  // namespace

std::string manual_page(const DescribedCommand& program) {
  std::string text = header(program.name, program.description);
  text += fmt::format(".SH SYNOPSIS\n{} {} [{} ...]\n.SH COMMANDS\n", bold(program.name), italic("COMMAND"),
                      italic("OPTION"));
  std::vector<std::string> pages;
  for (const DescribedCommand& command : program.commands) {
    text += fmt::format(".TP\n{}\n{}\n", bold(command.name), plain(command.description));
    pages.push_back(program.name + "-" + command.name);
  }
  return text + ".SH OPTIONS\n" + option_list(program) + footer(program.footer) + see_also(pages);
}

std::string manual_page(const DescribedCommand& program, const DescribedCommand& command) {
  std::string text = header(program.name + "-" + command.name, command.description);
  text += fmt::format(".SH SYNOPSIS\n{}", bold(program.name + " " + command.name));
  for (const DescribedOption& option : command.options) {
    if (!option.positional()) continue;
    const std::string word = italic(option.placeholder) + (option.repeats ? " ..." : "");
    text += option.required ? " " + word : " [" + word + "]";
  }
  text += fmt::format(" [{} ...]\n.SH OPTIONS\n", italic("OPTION"));
  return text + option_list(command) + footer(command.footer) + see_also({program.name});
}

}  // namespace maggi::app
