#include "described.hpp"

#include <CLI/CLI.hpp>

#include "name_option.hpp"

namespace maggi::app {

namespace {

Value value_of(const DescribedOption& option) {
  if (!option.choices.empty()) return Value::choice;
  const std::string& holder = option.placeholder;
  if (holder.empty()) return Value::none;
  if (holder == "FILE") return option.positional() ? Value::model : Value::file;
  return holder == "DIR" || holder == "RUN" ? Value::folder : Value::any;
}

DescribedOption described(CLI::Option& option) {
  DescribedOption result;
  for (const std::string& name : option.get_snames()) result.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) result.names.push_back("--" + name);
  const bool takes_value = option.get_items_expected_max() > 0;
  if (takes_value) result.placeholder = option.get_positional() ? option.get_name(true) : option.get_type_name();
  result.description = option.get_description();
  result.choices = choices_of(option);
  result.required = option.get_required();
  result.repeats = takes_value && option.get_items_expected_max() > 1;
  result.value = value_of(result);
  return result;
}

}  // namespace

DescribedCommand described(const CLI::App& app) {
  DescribedCommand result{app.get_name(), app.get_description(), app.get_footer(), {}, {}};
  for (const CLI::Option* option : app.get_options())  // a validator is reached through an option that is not const
    result.options.push_back(described(const_cast<CLI::Option&>(*option)));
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    result.commands.push_back(described(*command));
  return result;
}

}  // namespace maggi::app
