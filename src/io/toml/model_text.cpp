#include "integration/settings.hpp"
#include "io/toml/model_file.hpp"
#include "io/toml/part_text.hpp"
#include "model/validate.hpp"

namespace maggi {

namespace {

using fields::given;
using io::item_text;
using io::key_of;
using io::KeyTexts;
using io::Section;
using io::text_of;

/// A driver's constraint is written like one that a user gives: as one equation.
template <class Part>
const Part& as_written(const Part& part) {
  return part;
}
Constraint as_written(const Constraint& constraint) {
  Constraint result = constraint;
  if (!result.equals.empty()) result.formula.text += " = " + result.equals.text;
  return result;
}

const std::string& name_of(const GeneralisedForce& force) { return force.coordinate; }
template <class Part>
const std::string& name_of(const Part& part) {
  return part.name;
}

/// Writes the tables of a model by fields::keys_of<Model>.
class ModelWriter {
 public:
  explicit ModelWriter(const Model& model) : model_(model) {
    fields::for_each(fields::keys_of<Model>, [this](const auto& entry) { add(entry); });
  }
  std::string text() const { return head_ + tables_; }

 private:
  template <class Get>
  void add(const fields::Member<Get>& member) {
    const auto& value = std::invoke(member.get, model_);
    if (given(value, std::invoke(member.get, usual_)))
      head_ += fmt::format("{} = {}\n", member.key.name, text_of(member.key, value));
  }
  template <class Get>
  void add(const fields::Table<Get>& table, const std::string& path = "") {
    write(path + std::string(table.heading.name), table.heading, std::invoke(table.get, model_));
  }
  template <class... Entries>
  void add(const fields::Group<Entries...>& group) {
    Section section(group.heading.name);
    const std::string path = std::string(group.heading.name) + ".";
    fields::for_each(group.entries, [&](const auto& entry) { add_inside(entry, section, path); });
    tables_ += section.text();
  }
  template <class... Get>
  void add(const fields::Mixed<Get...>& mixed) {
    Section section(mixed.heading.name);
    const auto add_items = [&](const auto& get) {
      for (const auto& item : std::invoke(get, model_)) section.add(item.name, item_text(item));
    };
    fields::for_each(mixed.gets, add_items);
    tables_ += section.text();
  }
  template <class Get>
  void add(const fields::Inner<Get>& /*no key gives it*/) {}

  template <class Get>
  void add_inside(const fields::Member<Get>& member, Section& section, const std::string& /*path*/) {
    const auto& value = std::invoke(member.get, model_);
    if (given(value, std::invoke(member.get, usual_)))
      section.add(std::string(member.key.name), text_of(member.key, value));
  }
  template <class Get>
  void add_inside(const fields::Table<Get>& table, Section& /*section*/, const std::string& path) {
    add(table, path);
  }

  template <class Item>
  void write(const std::string& title, const fields::Heading& heading, const std::vector<Item>& items) {
    Section section(title);
    for (const Item& item : items) {
      if (heading.broad) {
        Section own(fmt::format("{}.{}", title, key_of(name_of(item))));
        KeyTexts(item, own);
        tables_ += own.text();
      } else {
        section.add(name_of(item), item_text(as_written(item)));
      }
    }
    tables_ += section.text();
  }
  template <class Settings>
  void write(const std::string& title, const fields::Heading& /*heading*/, const Settings& settings) {
    Section section(title);
    KeyTexts(settings, section);
    tables_ += section.text();
  }

  const Model& model_;
  const Model usual_{};
  std::string head_, tables_;
};

}  // namespace

std::string write_model(const Model& model) {
  validate(model);
  check_names(model);
  return ModelWriter(model).text();
}

}  // namespace maggi
