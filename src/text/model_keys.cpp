#include "text/model_keys.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "maggi/run_choices.hpp"
#include "model/model_fields.hpp"

namespace maggi::text {

namespace {

using fields::keys_of;

ModelKey described(const fields::Key& key) {
  return {key, std::string(key.by_default), {key.choices.begin(), key.choices.end()}, {}, ""};
}

template <class Part>
std::vector<ModelKey> keys_inside();

/// The keys of a value that is a table.
template <class Value>
std::vector<ModelKey> keys_of_value(const Value&) {
  return {};
}
std::vector<ModelKey> keys_of_value(const std::vector<JointLimit>&) { return keys_inside<JointLimit>(); }
std::vector<ModelKey> keys_of_value(const std::optional<JointFriction>&) { return keys_inside<JointFriction>(); }

template <class Part>
class PartDescription {
 public:
  PartDescription() {
    fields::for_each(keys_of<Part>, [this](const auto& entry) { add(entry); });
  }
  ModelPart part;

 private:
  template <class Get>
  void add(const fields::Member<Get>& member) {
    ModelKey key = described(member.key);
    key.keys = keys_of_value(std::invoke(member.get, usual_));
    part.keys.push_back(std::move(key));
  }
  template <class Which, class Get>
  void add(const fields::OneOf<Which, Get>& one_of) {
    for (const fields::Kind& kind : one_of.kinds) {
      fields::Key key = one_of.key;
      key.name = kind.name;
      key.about = kind.about;
      part.keys.push_back(described(key));
      part.first.emplace_back(kind.name);
    }
  }
  void add(const fields::Spelling& spelling) {
    ModelKey key = described(spelling.key);
    if (spelling.key.form == fields::Form::table) {  // friction inside a constraint, which it is on
      key.keys = keys_inside<Friction>();
      std::erase_if(key.keys, [](const ModelKey& each) { return each.key.name == "on"; });
      key.owner = "friction";
    }
    part.keys.push_back(std::move(key));
  }
  template <class Get>
  void add(const fields::Items<Get>& items) {
    ModelKey key = described(items.key);
    using Item = typename std::remove_reference_t<std::invoke_result_t<Get, Part&>>::value_type;
    key.keys = keys_inside<Item>();
    part.keys.push_back(std::move(key));
    part.items = true;
  }
  template <class Get>
  void add(const fields::Inner<Get>& /*no key gives it*/) {}

  const Part usual_{};
};

template <class Part>
std::vector<ModelKey> keys_inside() {
  return PartDescription<Part>().part.keys;
}

/// The [simulation] names methods and takes their defaults.
void add_choices(std::vector<ModelKey>& keys) {
  const RunChoices& choices = run_choices();
  const RunOptions& usual = choices.defaults;
  std::vector<std::string> formulations = choices.formulations;
  formulations.insert(formulations.begin(), "auto");
  std::vector<std::string> integrators;
  for (const IntegratorFacts& integrator : choices.integrators) integrators.emplace_back(integrator.name);
  const std::map<std::string_view, std::vector<std::string>> names{
      {"formulation", formulations}, {"basis", choices.bases},       {"integrator", integrators},
      {"drift", choices.drifts},     {"unknowns", choices.unknowns}, {"continuity", choices.continuities},
      {"also", choices.also}};
  const std::map<std::string_view, std::string> defaults{
      {"rtol", fmt::format("{:g}", *usual.rtol)},
      {"atol", fmt::format("{:g}, less in proportion to a smaller `rtol`", *usual.atol)},
      {"integrator", std::string(usual.integrator->name())},
      {"drift", std::string(usual.drift->name())},
      {"unknowns", std::string(usual.unknowns->name())},
      {"stabilisation", fmt::format("[{:g}, {:g}]", choices.alpha, choices.beta)}};
  for (ModelKey& key : keys) {
    if (const auto found = names.find(key.key.name); found != names.end()) key.choices = found->second;
    if (const auto found = defaults.find(key.key.name); found != defaults.end()) key.by_default = found->second;
  }
}

class FileDescription {
 public:
  ModelTable file;

  FileDescription() {
    fields::for_each(keys_of<Model>, [this](const auto& entry) { add(entry, file); });
  }

 private:
  template <class Get>
  using ItemOf = typename std::remove_reference_t<std::invoke_result_t<Get, Model&>>;

  template <class Get>
  static void add(const fields::Member<Get>& member, ModelTable& table) {
    table.keys.push_back(described(member.key));
  }
  template <class Get>
  static void add(const fields::Table<Get>& given, ModelTable& parent) {
    parent.tables.push_back(table_of(given.heading, static_cast<const ItemOf<Get>*>(nullptr)));
  }
  template <class... Entries>
  static void add(const fields::Group<Entries...>& group, ModelTable& parent) {
    ModelTable table{group.heading, {}, {}, {}};
    fields::for_each(group.entries, [&](const auto& entry) { add(entry, table); });
    parent.tables.push_back(std::move(table));
  }
  template <class... Get>
  static void add(const fields::Mixed<Get...>& mixed, ModelTable& parent) {
    ModelTable table{mixed.heading, {}, {}, {}};
    fields::for_each(mixed.gets, [&](const auto& get) {
      using Part = typename ItemOf<std::remove_cvref_t<decltype(get)>>::value_type;
      ModelPart part = PartDescription<Part>().part;
      if (part.first.empty()) part.first.emplace_back(part.keys.front().key.name);
      table.parts.push_back(std::move(part));
    });
    parent.tables.push_back(std::move(table));
  }
  template <class Get>
  static void add(const fields::Inner<Get>& /*no key gives it*/, ModelTable&) {}

  template <class Part>
  static ModelTable table_of(const fields::Heading& heading, const std::vector<Part>*) {
    return {heading, {PartDescription<Part>().part}, {}, {}};
  }
  static ModelTable table_of(const fields::Heading& heading, const SimulationSettings*) {
    ModelTable table{heading, {}, keys_inside<SimulationSettings>(), {}};
    add_choices(table.keys);
    return table;
  }
};

}  // namespace

ModelTable model_keys() { return FileDescription().file; }

}  // namespace maggi::text
