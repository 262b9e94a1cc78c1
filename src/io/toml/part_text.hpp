#pragma once
#include <functional>

#include "io/toml/value_text.hpp"
#include "model/given.hpp"
#include "model/model_fields.hpp"

/// Parts of a model are written by the lists of their keys, fields::keys_of.
namespace maggi::io {

std::string text_of(const Key& key, const std::vector<JointLimit>& limits);
std::string text_of(const Key& key, const std::optional<JointFriction>& friction);

/// Collects the keys of a part that say something, and their values, into Braces or a Section.
template <class Part, class Target>
class KeyTexts {
 public:
  KeyTexts(const Part& part, Target& target) : part_(part), target_(target) {
    fields::for_each(fields::keys_of<Part>, [this](const auto& entry) { add(entry); });
  }

 private:
  template <class Get>
  void add(const fields::Member<Get>& member) {
    const auto& value = std::invoke(member.get, part_);
    if (fields::given(value, std::invoke(member.get, usual_)))
      target_.add(std::string(member.key.name), text_of(member.key, value));
  }
  template <class Which, class Get>
  void add(const fields::OneOf<Which, Get>& one_of) {
    const auto which = static_cast<std::size_t>(std::invoke(one_of.which, part_));
    target_.add(std::string(one_of.kinds[which].name), text_of(one_of.key, std::invoke(one_of.get, part_)));
  }
  template <class Get>
  void add(const fields::Items<Get>& items);
  void add(const fields::Spelling& /*the member that it gives is written*/) {}
  template <class Get>
  void add(const fields::Inner<Get>& /*no key gives it*/) {}

  const Part& part_;
  Target& target_;
  const Part usual_{};
};

template <class Part>
std::string keys_text(const Part& part) {
  Braces braces;
  KeyTexts(part, braces);
  return braces.text();
}

/// A part can be written as the value of its first key alone if it says nothing else.
template <class Part, class First>
std::string item_text_by(const Part& part, const First& /*first*/) {
  return keys_text(part);
}
template <class Part, class Get>
std::string item_text_by(const Part& part, const fields::Member<Get>& first) {
  using fields::Alone;
  if (first.key.alone == Alone::no) return keys_text(part);
  const std::string alone = text_of(first.key, std::invoke(first.get, part));
  const Part usual{};
  Part rest = part;
  auto&& value = std::invoke(first.get, rest);
  value = std::invoke(first.get, usual);
  return first.key.alone == Alone::only || keys_text(rest) == "{}" ? alone : keys_text(part);
}

/// What stands behind the name of an item.
template <class Part>
std::string item_text(const Part& part) {
  return item_text_by(part, std::get<0>(fields::keys_of<Part>));
}

template <class Part, class Target>
template <class Get>
void KeyTexts<Part, Target>::add(const fields::Items<Get>& items) {
  for (const auto& item : std::invoke(items.get, part_)) target_.add(key_of(item.name), item_text(item));
}

}  // namespace maggi::io
