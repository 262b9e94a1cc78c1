// maggi schema: the keys of the model file, for editors and for readers.
#include <CLI/CLI.hpp>
#include <memory>

#include "commands.hpp"
#include "maggi/files.hpp"
#include "maggi/text.hpp"
#include "output.hpp"

namespace maggi::app {

void add_schema(CLI::App& app, int& /*exit_code*/) {
  const auto reference = std::make_shared<bool>(false);
  CLI::App* command = app.add_subcommand("schema", "A JSON Schema of the model file, for editors");
  command->add_flag("--reference", *reference, "the same keys as a page in Markdown, for readers");
  command->footer("Example:\n  maggi schema > maggi.schema.json");
  command->callback([reference] { print(*reference ? model_reference() : model_schema()); });
}

}  // namespace maggi::app
