#pragma once
#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "io/toml/read_value.hpp"
#include "io/toml/spellings.hpp"
#include "model/model_fields.hpp"

/// Parts of a model are read by the lists of their keys, fields::keys_of.
namespace maggi::io {

void read(const TomlValue& value, const Key& key, std::vector<JointLimit>& target);
void read(const TomlValue& value, const Key& key, std::optional<JointFriction>& target);

/// Friction inside a constraint goes to `frictions`.
void translate(const TomlValue& entry, const TomlValue& table, Constraint& constraint,
               std::vector<Friction>* frictions);

/// What takes the keys of a table into a part. Friction inside a constraint goes to `frictions`.
template <class Part>
class KeyFields {
 public:
  KeyFields(const TomlValue& table, Part& part, std::vector<Friction>* frictions = nullptr)
      : table_(table), part_(part), frictions_(frictions) {
    fields::for_each(fields::keys_of<Part>, [this](const auto& entry) { add(entry); });
  }
  KeyFields(const KeyFields&) = delete;
  KeyFields& operator=(const KeyFields&) = delete;

  const std::vector<Field>& list() const { return list_; }
  void remove(std::string_view key) {
    std::erase_if(list_, [&](const Field& field) { return field.key == key; });
  }

 private:
  template <class Get>
  void add(const fields::Member<Get>& member) {
    add(member.key.name, [this, &member](const TomlValue& value) {
      auto&& target = std::invoke(member.get, part_);
      read(value, member.key, target);
    });
  }
  template <class Which, class Get>
  void add(const fields::OneOf<Which, Get>& one_of) {
    for (std::size_t i = 0; i < one_of.kinds.size(); ++i)
      add(one_of.kinds[i].name, [this, &one_of, i](const TomlValue& value) {
        refuse_second(one_of, value);
        auto& which = std::invoke(one_of.which, part_);
        which = static_cast<std::remove_reference_t<decltype(which)>>(i);
        read(value, one_of.key, std::invoke(one_of.get, part_));
      });
  }
  void add(const fields::Spelling& spelling) {
    add(spelling.key.name, [this, &spelling](const TomlValue& value) {
      if (!spelling.instead_of.empty() && table_.find(spelling.instead_of))
        table_.fail(spelling.twice, std::string(spelling.help));
      translate(value, table_, part_, frictions_);
    });
  }
  template <class Get>
  void add(const fields::Inner<Get>& /*no key gives it*/) {}

  void add(std::string_view key, std::function<void(const TomlValue&)> read) {
    list_.push_back({std::string(key), std::move(read)});
  }

  /// Error if one of the other keys stands above this one.
  template <class Which, class Get>
  void refuse_second(const fields::OneOf<Which, Get>& one_of, const TomlValue& value) const {
    for (const TomlValue& above : table_.entries()) {
      if (above.key() == value.key()) return;
      if (std::ranges::find(one_of.kinds, above.key(), &fields::Kind::name) != one_of.kinds.end())
        throw Error(Errc::model, value.where(),
                    fmt::format(fmt::runtime(one_of.twice), table_.key(), above.key(), value.key()),
                    std::string(one_of.help));
    }
  }

  const TomlValue& table_;
  Part& part_;
  std::vector<Friction>* frictions_;
  std::vector<Field> list_;
};

template <class Part>
void read_keys(const TomlValue& table, Part& part, std::vector<Friction>* frictions = nullptr) {
  const KeyFields<Part> fields(table, part, frictions);
  read_fields(table, fields.list());
}

/// The keys that tell what a part is: its first key, or the names of its kinds.
template <class Get>
std::vector<std::string> first_keys(const fields::Member<Get>& member) {
  return {std::string(member.key.name)};
}
template <class Which, class Get>
std::vector<std::string> first_keys(const fields::OneOf<Which, Get>& one_of) {
  std::vector<std::string> names;
  for (const fields::Kind& kind : one_of.kinds) names.emplace_back(kind.name);
  return names;
}

/// "x = { start = 0.0 }".
std::string example_of(const fields::Heading& heading, std::string_view name);

/// Items of a table, each under its name.
class ItemReader {
 public:
  ItemReader(const fields::Heading& heading, std::vector<Friction>* frictions)
      : heading_(heading), frictions_(frictions) {}

  template <class Part>
  void operator()(const TomlValue& value, Part& part) const {
    name(value, part);
    read_named(value, part, std::get<0>(fields::keys_of<Part>));
  }

 private:
  template <class Part>
  static void name(const TomlValue& value, Part& part) {
    part.name = value.key();
    part.where = value.where();
  }
  static void name(const TomlValue& value, GeneralisedForce& force) {
    force.coordinate = value.key();
    force.where = value.where();
  }

  template <class Part, class Get>
  void read_named(const TomlValue& value, Part& part, const fields::Member<Get>& first) const {
    using fields::Alone;
    const Alone alone = first.key.alone;
    if (alone == Alone::only || (alone == Alone::may && !value.is_table())) {
      auto&& target = std::invoke(first.get, part);
      return read(value, first.key, target);
    }
    read_table(value, part);
  }
  template <class Part, class Which, class Get>
  void read_named(const TomlValue& value, Part& part, const fields::OneOf<Which, Get>& first) const {
    read_table(value, part);
    const std::vector<std::string> kinds = first_keys(first);
    if (!first.none.empty() &&
        std::ranges::none_of(kinds, [&](const auto& kind) { return value.find(kind).has_value(); }))
      value.fail(first.none, "write " + example_of(heading_, value.key()));
  }
  template <class Part>
  void read_named(const TomlValue& value, Part& part, const fields::Spelling& /*first*/) const {
    read_table(value, part);
  }
  /// A table of further items.
  template <class Part, class Get>
  void read_named(const TomlValue& value, Part& part, const fields::Items<Get>& items) const {
    need_table_of(value, example_of(heading_, value.key()), part);
    for (const TomlValue& entry : value.entries()) (*this)(entry, std::invoke(items.get, part).emplace_back());
  }

  template <class Part>
  void read_table(const TomlValue& value, Part& part) const {
    const std::string example = example_of(heading_, value.key());
    need_table_of(value, example, part);
    check_words(value, example, part);
    read_keys(value, part, frictions_);
    settle(part);
  }

  const fields::Heading& heading_;
  std::vector<Friction>* frictions_;
};

}  // namespace maggi::io
