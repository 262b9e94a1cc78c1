#include "model_choice.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "maggi/files.hpp"
#include "text/words.hpp"

namespace maggi::app {

namespace {

void change(Model& model, const std::string& text) {
  const std::size_t equals = text.find('=');
  const std::string name = text.substr(0, equals);
  const Where where{"--set " + name};
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
    throw Error(Errc::model, {"--set " + text}, "not of the form name=value", "for example --set m=3");
  find_number(model, name, where) = Formula(text.substr(equals + 1), where);
}

}  // namespace

void ModelChoice::add_to(CLI::App& command) {
  command.add_option("FILE", file, "model file (docs/model-file.md)")->required()->type_name("");
  command.add_option("--set", changes, "change a parameter, or a value given at the start; may be repeated")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
  command
      .add_option("--data-tolerance", data_tolerance,
                  "errors of the data of joints and constraints that are rounding, by the size of a loop, in rad "
                  "[1e-6]; 0: none")
      ->type_name("X");
}

Model ModelChoice::read() const {
  Model model = load(file);
  for (const std::string& text : changes) change(model, text);
  if (data_tolerance) {
    if (!model.mechanism.given() && model.constraints.empty())
      throw Error(Errc::model, {"--data-tolerance"},
                  fmt::format("{} has no joints or constraints whose data could be rounded", file),
                  "leave the option out");
    model.mechanism.data_tolerance = Formula(*data_tolerance, {"--data-tolerance"});
  }
  return model;
}

}  // namespace maggi::app
