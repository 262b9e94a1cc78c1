#include "io/json/model_schema.hpp"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

#include "text/model_keys.hpp"

namespace maggi {

namespace {

using Json = nlohmann::ordered_json;
using fields::Alone;
using fields::Form;
using text::ModelKey;
using text::ModelPart;
using text::ModelTable;

const Json plain_schema = {{"type", {"number", "string"}}};

/// { value = 30, unit = "mm" }
Json quantity_schema() {
  Json value = {{"description", "number or formula in this unit"}};
  value.update(plain_schema);
  const Json unit = {{"description", "unit, as mm, deg, N m/rad"}, {"type", "string"}};
  return {{"type", "object"},
          {"properties", {{"value", value}, {"unit", unit}}},
          {"required", {"value", "unit"}},
          {"additionalProperties", false}};
}

/// Values that many keys have are written once.
Json defined(std::string_view name) { return {{"$ref", "#/definitions/" + std::string(name)}}; }
const Json one_schema = defined("number");
const Json name_schema = {{"type", "string"}};

Json list_of(const Json& items, int least = 1) { return {{"type", "array"}, {"items", items}, {"minItems", least}}; }
Json table_of(const Json& values) { return {{"type", "object"}, {"additionalProperties", values}}; }
Json either(const Json& first, const Json& second) { return {{"anyOf", {first, second}}}; }
Json exactly(int number, Json list) {
  list["minItems"] = list["maxItems"] = number;
  return list;
}

Json object_of(const std::vector<ModelKey>& keys);

Json place_schema() {
  Json in_frame = table_of(list_of(one_schema));
  in_frame["minProperties"] = in_frame["maxProperties"] = 1;
  return {{"anyOf", {list_of(one_schema), name_schema, in_frame}}};
}

Json value_schema(const ModelKey& key) {
  switch (key.key.form) {
    case Form::text:
    case Form::unit:
    case Form::name: return name_schema;
    case Form::choice: return {{"type", "string"}, {"enum", key.choices}};
    case Form::flag: return {{"type", "boolean"}};
    case Form::dimension: return {{"enum", {2, 3}}};
    case Form::one: return one_schema;
    case Form::list: return list_of(one_schema);
    case Form::one_or_list: return either(one_schema, list_of(one_schema));
    case Form::matrix: return list_of(list_of(one_schema));
    case Form::place: return defined("place");
    case Form::places: return table_of(defined("place"));
    case Form::name_or_names: return either(name_schema, list_of(name_schema, 0));
    case Form::names:
      return list_of(key.choices.empty() ? name_schema : Json{{"type", "string"}, {"enum", key.choices}}, 0);
    case Form::bodies: return exactly(2, list_of(name_schema));
    case Form::by_name: return table_of(one_schema);
    case Form::of_coordinate: return either(one_schema, table_of(one_schema));
    case Form::limits: {
      const Json limit = either(exactly(2, list_of(one_schema)), object_of(key.keys));
      return either(limit, table_of(limit));
    }
    case Form::table: return object_of(key.keys);
  }
  return {};
}

/// "stiffness [N/m]; default: 0".
std::string description(const ModelKey& key) {
  std::string text(key.key.about);
  if (!key.key.unit.empty()) text += " [" + std::string(key.key.unit) + "]";
  if (!key.by_default.empty()) text += "; default: " + key.by_default;
  return text;
}

/// A default that is a value of the key and not a sentence.
void add_default(const ModelKey& key, Json& schema) {
  const std::string& text = key.by_default;
  double number = 0.0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (key.key.form == Form::flag)
    schema["default"] = text == "true";
  else if (std::ranges::find(key.choices, text) != key.choices.end())
    schema["default"] = text;
  else if (key.key.form == Form::one && fault == std::errc() && end == text.data() + text.size())
    schema["default"] = number;
}

Json key_schema(const ModelKey& key) {
  Json schema = {{"description", description(key)}};
  const Json value = value_schema(key);
  if (value.contains("$ref"))
    schema["allOf"] = Json::array({value});  // beside a reference nothing else counts
  else
    schema.update(value);
  add_default(key, schema);
  return schema;
}

/// A table with these keys and no other.
Json object_of(const std::vector<ModelKey>& keys) {
  Json properties = Json::object();
  for (const ModelKey& key : keys) properties[std::string(key.key.name)] = key_schema(key);
  return {{"type", "object"}, {"properties", properties}, {"additionalProperties", false}};
}

/// A part by its keys, or by the value of its first key where that may stand alone.
Json keys_schema(const std::vector<ModelKey>& keys) {
  switch (keys.front().key.alone) {
    case Alone::only: return value_schema(keys.front());
    case Alone::may: return either(value_schema(keys.front()), object_of(keys));
    case Alone::no: break;
  }
  return object_of(keys);
}

Json part_schema(const ModelPart& part) {
  if (part.items) return table_of(keys_schema(part.keys.front().keys));
  Json schema = keys_schema(part.keys);
  if (part.first.empty()) return schema;
  Json choices = Json::array();
  for (const std::string& key : part.first) choices.push_back({{"required", Json::array({key})}});
  schema["oneOf"] = choices;
  return schema;
}

Json table_schema(const ModelTable& table) {
  Json schema = {{"description", table.heading.about}};
  if (!table.parts.empty()) {
    Json items = Json::array();
    for (const ModelPart& part : table.parts) items.push_back(part_schema(part));
    schema.update(table_of(items.size() == 1 ? items.front() : Json{{"anyOf", items}}));
    return schema;
  }
  schema.update(object_of(table.keys));
  for (const ModelTable& inside : table.tables)
    schema["properties"][std::string(inside.heading.name)] = table_schema(inside);
  return schema;
}

}  // namespace

std::string model_schema_json() {
  Json schema = {{"$schema", "http://json-schema.org/draft-07/schema#"}, {"title", "maggi model file"}};
  Json file = table_schema(text::model_keys());
  file["description"] = "A model of maggi: coordinates and formulas, or bodies and joints. Units are SI.";
  schema.update(file);
  schema["definitions"] = {{"number", {{"anyOf", {plain_schema, quantity_schema()}}}}, {"place", place_schema()}};
  return schema.dump(2) + "\n";
}

}  // namespace maggi
