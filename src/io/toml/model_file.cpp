#include "io/toml/model_file.hpp"

#include <fmt/format.h>

#include "io/file/text_file.hpp"
#include "io/toml/read_part.hpp"
#include "io/toml/table_file.hpp"

namespace maggi {

namespace {

using fields::Heading;
using io::example_of;
using io::Field;
using io::ItemReader;
using io::need_table;
using io::read_fields;
using io::TomlValue;

/// Reads the tables of a file by fields::keys_of<Model>, in the order of the file, and keeps where they begin.
class ModelReader {
 public:
  ModelReader(Model& model, const TomlValue& file) : model_(model) {
    std::vector<Field> fields;
    fields::for_each(fields::keys_of<Model>, [&](const auto& entry) { add(entry, fields); });
    read_fields(file, fields);
    for (const TomlValue& entry : file.entries()) model_.places.emplace(entry.key(), entry.where());
  }

 private:
  using Fields = std::vector<Field>;
  template <class Get>
  using ItemOf = typename std::remove_reference_t<std::invoke_result_t<Get, Model&>>::value_type;

  template <class Get>
  void add(const fields::Member<Get>& member, Fields& fields) {
    fields.push_back({std::string(member.key.name), [this, &member](const TomlValue& value) {
                        io::read(value, member.key, std::invoke(member.get, model_));
                      }});
  }
  template <class Get>
  void add(const fields::Table<Get>& table, Fields& fields) {
    add_table(table.heading, fields, [this, &table](const TomlValue& value) {
      read_table(value, table.heading, std::invoke(table.get, model_));
    });
  }
  template <class... Entries>
  void add(const fields::Group<Entries...>& group, Fields& fields) {
    add_table(group.heading, fields, [this, &group](const TomlValue& table) {
      Fields inside;
      fields::for_each(group.entries, [&](const auto& entry) { add(entry, inside); });
      read_fields(table, inside);
      keep_places(table);
    });
  }
  template <class... Get>
  void add(const fields::Mixed<Get...>& mixed, Fields& fields) {
    add_table(mixed.heading, fields, [this, &mixed](const TomlValue& table) {
      for (const TomlValue& item : table.entries()) read_mixed(item, mixed);
    });
  }
  template <class Get>
  void add(const fields::Inner<Get>& /*no key gives it*/, Fields& /*fields*/) {}

  static void add_table(const Heading& heading, Fields& fields, const std::function<void(const TomlValue&)>& read) {
    fields.push_back({std::string(heading.name), [&heading, read](const TomlValue& table) {
                        need_table(table, help_for(table, heading));
                        read(table);
                      }});
  }
  static std::string help_for(const TomlValue& table, const Heading& heading) {
    if (heading.sample.empty()) return fmt::format("write [{}] and below it {}", table.key(), heading.example);
    const std::string example = example_of(heading, heading.sample);
    return table.title().front() == '[' ? one_line_each(table, heading)
                                        : fmt::format("write {}.{}", table.key(), example);
  }
  static std::string one_line_each(const TomlValue& table, const Heading& heading) {
    return fmt::format("write [{}] and below it one line for each, as {}", table.key(),
                       example_of(heading, heading.sample));
  }

  template <class Item>
  void read_table(const TomlValue& table, const Heading& heading, std::vector<Item>& items) {
    const ItemReader read(heading, &model_.frictions);
    for (const TomlValue& entry : table.entries()) read(entry, items.emplace_back());
    if (items.empty() && heading.name == "coordinates") table.fail("is empty", one_line_each(table, heading));
  }
  void read_table(const TomlValue& table, const Heading& /*heading*/, SimulationSettings& settings) {
    settings.where = table.where();
    io::read_keys(table, settings);
    keep_places(table);
  }

  /// An item is of the type whose first key it has.
  template <class... Get>
  void read_mixed(const TomlValue& item, const fields::Mixed<Get...>& mixed) {
    need_table(item, "write " + example_of(mixed.heading, item.key()));
    std::string kind;
    std::function<void()> read;
    const auto look_for = [&](const auto& get) {
      auto& items = std::invoke(get, model_);
      using Part = ItemOf<decltype(get)>;
      for (const std::string& key : io::first_keys(std::get<0>(fields::keys_of<Part>))) {
        if (!item.find(key)) continue;
        if (read) item.fail(fmt::format("is both \"{}\" and \"{}\"", kind, key), "give each its own name");
        kind = key;
        read = [&] { ItemReader(mixed.heading, nullptr)(item, items.emplace_back()); };
      }
    };
    fields::for_each(mixed.gets, look_for);
    if (!read) refuse_mixed(item, mixed);
    read();
  }
  /// A key that is misspelt is named as such.
  template <class... Get>
  [[noreturn]] void refuse_mixed(const TomlValue& item, const fields::Mixed<Get...>& mixed) {
    Fields any;
    fields::for_each(mixed.gets, [&](const auto& get) {
      using Part = ItemOf<decltype(get)>;
      Part ignored;
      const io::KeyFields<Part> keys(item, ignored);
      for (const Field& field : keys.list()) any.push_back({field.key, [](const TomlValue&) {}});
    });
    read_fields(item, any);
    item.fail(mixed.nothing, "write " + example_of(mixed.heading, item.key()));
  }

  void keep_places(const TomlValue& table) {
    for (const TomlValue& entry : table.entries()) {
      const std::string name = table.key() + "." + entry.key();
      model_.places.emplace(name, entry.value_where());
      if (!entry.is_list()) continue;
      const std::vector<TomlValue> rows = entry.elements();
      for (std::size_t i = 0; i < rows.size(); ++i)
        model_.places.emplace(fmt::format("{}[{}]", name, i + 1), rows[i].where());
    }
  }

  Model& model_;
};

}  // namespace

Model parse_model(std::string_view toml_text, std::string file_name) {
  const io::SourceText source(file_name, toml_text);
  const toml::table root = io::parse_toml(source);
  Model model;
  model.file = std::move(file_name);
  model.tables = io::read_tables(toml_text, model.file);
  ModelReader(model, TomlValue(source, root));
  return model;
}

Model read_model(const std::filesystem::path& path) { return parse_model(io::read_text_file(path), path.string()); }

}  // namespace maggi
