// maggi new: a model file to start from.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <optional>

#include "commands.hpp"
#include "io/file/file.hpp"
#include "io/toml/templates.hpp"
#include "maggi/error.hpp"
#include "output.hpp"
#include "text/words.hpp"

namespace maggi::app {

namespace {

struct NewChoice {
  std::string name;
  std::optional<std::string> out;
  std::optional<int> loops, links;
  bool force = false;
};

std::string list() {
  std::string text = "A model file to start from:\n";
  for (const io::Template& each : io::templates())
    text += fmt::format("  maggi new {:<22} {}\n", each.name + (each.size.empty() ? "" : " --" + each.size + " N"),
                        each.about);
  return text;
}

/// How many loops or links; an option that the template does not have is a mistake.
int size(const io::Template& model, const NewChoice& choice) {
  int result = model.usual_size;
  for (const auto& [option, value] : {std::pair("loops", choice.loops), std::pair("links", choice.links)}) {
    if (!value) continue;
    if (model.size != option)
      throw Error(Errc::model, {}, fmt::format("\"{}\" has no --{}", model.name, option),
                  model.size.empty() ? "" : fmt::format("it has --{}", model.size));
    result = *value;
  }
  return result;
}

void write_new(const NewChoice& choice) {
  if (choice.name.empty()) return print(list());
  const io::Template& model = io::find_template(choice.name);
  const std::string text = model.text(size(model, choice));
  const std::filesystem::path path = choice.out.value_or(model.name + ".toml");
  std::error_code ignored;
  if (!choice.force && std::filesystem::exists(path, ignored))
    throw Error(Errc::io, {}, fmt::format("{} exists", path.string()),
                "--force replaces it, --out FILE writes another file");
  write_file(path, text);
  print(fmt::format("{0}: {1}; maggi run {0} simulates it\n", path.string(), model.about));
}

}  // namespace

void add_new(CLI::App& app, int& /*exit_code*/) {
  const auto choice = std::make_shared<NewChoice>();
  CLI::App* command = app.add_subcommand("new", "Write a model file to start from");
  command->add_option("TEMPLATE", choice->name, "which; without it they are listed")->type_name("");
  command->add_option("--loops", choice->loops, "four-bars of a chain [2]")->type_name("N")->check(CLI::PositiveNumber);
  command->add_option("--links", choice->links, "rods of a pendulum [5]")->type_name("N")->check(CLI::PositiveNumber);
  command->add_option("--out", choice->out, "file to write [TEMPLATE.toml]")->type_name("FILE");
  command->add_flag("--force", choice->force, "replace the file if it exists");
  command->footer(
      "Examples:\n"
      "  maggi new                                  the templates\n"
      "  maggi new four-bar\n"
      "  maggi new chain --loops 40 --out chain_40.toml");
  command->callback([choice] { write_new(*choice); });
}

}  // namespace maggi::app
