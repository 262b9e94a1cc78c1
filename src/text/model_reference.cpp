#include <fmt/format.h>

#include "maggi/text.hpp"
#include "text/model_keys.hpp"

namespace maggi {

namespace {

using fields::Alone;
using fields::Beside;
using fields::Form;
using fields::Over;
using text::ModelKey;
using text::ModelPart;
using text::ModelTable;

constexpr std::string_view introduction = R"(# Keys of the model file

This page is what `maggi schema --reference` prints: every key of the [model file](model-file.md), with its unit and
what holds without it. A *number* may be a formula over the parameters; a *formula* may also contain coordinates,
velocities and time. Tables of bodies and joints cannot stand beside tables of coordinates and energies.
)";

/// How the value is written, for a reader.
std::string value_words(const ModelKey& described) {
  const fields::Key& key = described.key;
  const std::string one = key.over == Over::motion ? "formula" : "number";
  switch (key.form) {
    case Form::text: return "text";
    case Form::unit: return "unit";
    case Form::choice: {
      std::string names;
      for (const std::string& name : described.choices) names += (names.empty() ? "`\"" : ", `\"") + name + "\"`";
      return names;
    }
    case Form::flag: return "`true` or `false`";
    case Form::dimension: return "2 or 3";
    case Form::one: return one;
    case Form::list: return fmt::format("list of {}s", one);
    case Form::one_or_list: return fmt::format("{0} or list of {0}s", one);
    case Form::matrix: return fmt::format("list of rows of {}s", one);
    case Form::place:
      return "list of numbers, `{ BODY = [...] }`" + std::string(key.unit.empty() ? "" : " or `\"BODY.MARKER\"`");
    case Form::places: return "table of points by name";
    case Form::name: return "name";
    case Form::name_or_names: return "name or list of names";
    case Form::names:
      return described.choices.empty()
                 ? "list of names"
                 : "list of `\"" + fmt::format("{}", fmt::join(described.choices, "\"`, `\"")) + "\"`";
    case Form::bodies: return "list of two names";
    case Form::by_name: return fmt::format("table of {}s by name", one);
    case Form::of_coordinate: return "number, or table with one for each coordinate";
    case Form::limits: return "list, table with keys, or table with one for each coordinate";
    case Form::table: return "table with keys";
  }
  return "";
}

void add_rows(std::string& page, const std::vector<ModelKey>& keys, const std::string& before = "") {
  for (const ModelKey& each : keys) {
    page += fmt::format("| `{}{}` | {} | {} | {} | {} |\n", before, each.key.name, value_words(each), each.key.unit,
                        each.by_default, each.key.about);
    if (each.owner.empty()) add_rows(page, each.keys, before + std::string(each.key.name) + ".");
  }
}

void add_keys(std::string& page, const std::vector<ModelKey>& keys) {
  if (keys.empty()) return;
  page += "\n| key | value | unit | default | meaning |\n|---|---|---|---|---|\n";
  add_rows(page, keys);
}

std::string_view place_words(Beside beside) {
  switch (beside) {
    case Beside::either: return "";
    case Beside::formulas: return " It cannot stand beside bodies and joints.";
    case Beside::bodies: return " It belongs to bodies and joints.";
  }
  return "";
}

void add_part(std::string& page, const ModelPart& part) {
  const ModelKey& first = part.keys.front();
  if (first.key.alone == Alone::only) {
    page += fmt::format("\nAn item is a {}: {}.\n", value_words(first), first.key.about);
    return;
  }
  if (first.key.alone == Alone::may) page += fmt::format("\nAn item may also be its `{}` alone.\n", first.key.name);
  if (part.items) {
    page += fmt::format("\nAn item is a table of {}: a formula, or a table with keys.\n", first.key.about);
    return add_keys(page, first.keys);
  }
  add_keys(page, part.keys);
}

void add_table(std::string& page, const ModelTable& table, const std::string& path) {
  const std::string name = path + std::string(table.heading.name);
  page += fmt::format("\n## [{}]\n\nThis table contains {}.{}\n", name, table.heading.about,
                      place_words(table.heading.beside));
  if (!table.heading.sample.empty()) {
    const std::string value = fmt::format(fmt::runtime(table.heading.example), table.heading.sample);
    page += fmt::format("\n```text\n{} = {}\n```\n", table.heading.sample, value);
  }
  add_keys(page, table.keys);
  for (const ModelPart& part : table.parts) add_part(page, part);
  for (const ModelTable& inside : table.tables) add_table(page, inside, name + ".");
}

}  // namespace

std::string model_reference() {
  const ModelTable file = text::model_keys();
  std::string page(introduction);
  page += "\n## Before the first table\n";
  add_keys(page, file.keys);
  for (const ModelTable& table : file.tables) add_table(page, table, "");
  return page;
}

}  // namespace maggi
