#pragma once
#include "model/given.hpp"
#include "model/model_fields.hpp"

/// The tables of a model as a whole.
namespace maggi::fields {

/// Visits the keys and tables of a model file with their names, the kind of model in which they may stand, and whether
/// the model says something there.
template <class Visit>
class TableVisit {
 public:
  TableVisit(const Model& model, Visit visit) : model_(model), visit_(visit) {
    for_each(keys_of<Model>, [this](const auto& entry) { see(entry); });
  }

 private:
  template <class Get>
  bool says(const Get& get) const {
    return says_value(std::invoke(get, model_), std::invoke(get, usual_));
  }
  template <class Value>
  static bool says_value(const Value& value, const Value& usual) {
    return given(value, usual);
  }
  static bool says_value(const SimulationSettings&, const SimulationSettings&) { return false; }

  template <class Get>
  void see(const Member<Get>& member) const {
    visit_(member.key.name, member.key.beside, says(member.get));
  }
  template <class Get>
  void see(const Table<Get>& table) const {
    visit_(table.heading.name, table.heading.beside, says(table.get));
  }
  template <class... Entries>
  void see(const Group<Entries...>& group) const {
    bool any = false;
    for_each(group.entries, [&](const auto& entry) { any = any || says(entry.get); });
    visit_(group.heading.name, group.heading.beside, any);
  }
  template <class... Get>
  void see(const Mixed<Get...>& mixed) const {
    bool any = false;
    for_each(mixed.gets, [&](const auto& get) { any = any || says(get); });
    visit_(mixed.heading.name, mixed.heading.beside, any);
  }
  template <class Get>
  void see(const Inner<Get>& /*no key gives it*/) const {}

  const Model& model_;
  const Model usual_{};
  Visit visit_;
};

template <class Visit>
void for_each_table(const Model& model, Visit visit) {
  TableVisit<Visit>(model, visit);
}

/// Copies what may stand in every kind of model, and what no key gives.
class GeneralTables {
 public:
  GeneralTables(const Model& from, Model& to) : from_(from), to_(to) {
    for_each(keys_of<Model>, [this](const auto& entry) { copy(entry); });
  }

 private:
  template <class Get>
  void copy_member(const Get& get, Beside beside) {
    if (beside == Beside::either) std::invoke(get, to_) = std::invoke(get, from_);
  }
  template <class Get>
  void copy(const Member<Get>& member) {
    copy_member(member.get, member.key.beside);
  }
  template <class Get>
  void copy(const Table<Get>& table) {
    copy_member(table.get, table.heading.beside);
  }
  template <class... Entries>
  void copy(const Group<Entries...>& group) {
    if (group.heading.beside == Beside::either) for_each(group.entries, [this](const auto& entry) { copy(entry); });
  }
  template <class... Get>
  void copy(const Mixed<Get...>& mixed) {
    for_each(mixed.gets, [&](const auto& get) { copy_member(get, mixed.heading.beside); });
  }
  template <class Get>
  void copy(const Inner<Get>& inner) {
    copy_member(inner.get, Beside::either);
  }

  const Model& from_;
  Model& to_;
};

/// Visits every formula over the motion that is in the model, and every GeneralisedForce, which names a coordinate.
template <class Visit>
class FormulaVisit {
 public:
  FormulaVisit(const Model& model, Visit visit) : visit_(visit) { see_part(model); }

 private:
  template <class Part>
  void see_part(const Part& part) const {
    for_each(keys_of<Part>, [&](const auto& entry) { see(entry, part); });
  }

  template <class Get, class Part>
  void see(const Member<Get>& member, const Part& part) const {
    if (member.key.over == Over::motion) see_value(std::invoke(member.get, part));
  }
  template <class Which, class Get, class Part>
  void see(const OneOf<Which, Get>& one_of, const Part& part) const {
    if (one_of.key.over == Over::motion) see_value(std::invoke(one_of.get, part));
  }
  template <class Get, class Part>
  void see(const Items<Get>& items, const Part& part) const {
    see_value(std::invoke(items.get, part));
  }
  template <class Get, class Part>
  void see(const Inner<Get>& inner, const Part& part) const {
    see_value(std::invoke(inner.get, part));
  }
  template <class Part>
  void see(const Spelling& /*the member that it gives is visited*/, const Part& /*part*/) const {}
  template <class Get>
  void see(const Table<Get>& table, const Model& model) const {
    see_value(std::invoke(table.get, model));
  }
  template <class... Entries>
  void see(const Group<Entries...>& group, const Model& model) const {
    for_each(group.entries, [&](const auto& entry) { see(entry, model); });
  }
  template <class... Get>
  void see(const Mixed<Get...>& mixed, const Model& model) const {
    for_each(mixed.gets, [&](const auto& get) { see_value(std::invoke(get, model)); });
  }

  void see_value(const Formula& formula) const { visit_(formula); }
  void see_value(const GeneralisedForce& force) const { visit_(force); }
  void see_value(const Triple& triple) const { see_value(triple.values); }
  template <class Value>
  void see_value(const std::optional<Value>& value) const {
    if (value) see_value(*value);
  }
  template <class Value>
  void see_value(const std::vector<Value>& values) const {
    for (const Value& value : values) see_value(value);
  }
  template <class Part>
  void see_value(const Part& part) const {
    if constexpr (!std::is_null_pointer_v<std::remove_cv_t<decltype(keys_of<Part>)>>) see_part(part);
  }

  Visit visit_;
};

template <class Visit>
void for_each_formula(const Model& model, Visit visit) {
  FormulaVisit<Visit>(model, visit);
}

}  // namespace maggi::fields
