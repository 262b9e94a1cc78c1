// The lists of keys are complete: a member of a part that no list has would be read, written and copied by nobody.
#include <gtest/gtest.h>

#include <set>
#include <utility>

#include "model/model_tables.hpp"

namespace maggi {
namespace {

using namespace fields;

/// Converts to the type of any member.
struct Any {
  template <class Member>
  operator Member() const;  // NOLINT(google-explicit-constructor): never called
};

template <class Part, std::size_t... I>
constexpr bool takes(std::index_sequence<I...>) {
  return requires { Part{(void(I), Any{})...}; };
}

/// How many members an aggregate has: how many values it can be made of.
template <class Part, std::size_t Count = 48>
constexpr std::size_t member_count() {
  if constexpr (Count == 0 || takes<Part>(std::make_index_sequence<Count>()))
    return Count;
  else
    return member_count<Part, Count - 1>();
}

template <class Part, class Value>
constexpr std::size_t weight(Value Part::*) {
  return 1;
}
template <class First, class Second>
constexpr std::size_t weight(const Both<First, Second>&) {
  return 2;
}

struct Listed {
  std::size_t count = 0;
  template <class Get>
  constexpr void operator()(const Member<Get>& member) {
    count += weight(member.get);
  }
  template <class Which, class Get>
  constexpr void operator()(const OneOf<Which, Get>&) {
    count += 2;
  }
  template <class Get>
  constexpr void operator()(const Items<Get>&) {
    ++count;
  }
  template <class Get>
  constexpr void operator()(const Inner<Get>&) {
    ++count;
  }
  constexpr void operator()(const Spelling&) {}
};

template <class Part>
constexpr std::size_t listed() {
  Listed listed;
  for_each(keys_of<Part>, [&](const auto& entry) { listed(entry); });
  return listed.count;
}

struct Counted {
  int a = 0;
  std::optional<Formula> b{};
  std::array<Reference, 2> c{};
  std::vector<Formula> d{};
};
static_assert(member_count<Counted>() == 4);

// besides its keys a part has a name and a place
template <class Part>
constexpr bool complete = member_count<Part>() == listed<Part>() + 2;
// or a place only
template <class Part>
constexpr bool complete_without_name = member_count<Part>() == listed<Part>() + 1;

static_assert(complete<Parameter> && complete<Coordinate> && complete<Definition> && complete<LocalCoordinate>);
static_assert(complete<LocalPoint> && complete<GeneralisedForce> && complete<StartForce> && complete<Friction>);
static_assert(complete<Constraint> && complete<Control> && complete<Law> && complete<Event> && complete<ReactionForce>);
static_assert(complete<Output> && complete<Sketch::Point> && complete<Sketch::Line> && complete<Sketch::Circle>);
static_assert(complete<Body> && complete<Joint> && complete<Spring> && complete<JointForce> && complete<BodyForce>);
static_assert(complete<Bushing> && complete<Coupling> && complete<Driver>);
static_assert(complete_without_name<SimulationSettings> && complete_without_name<JointLimit>);
static_assert(complete_without_name<JointFriction>);

/// How many members of the model, of its mechanism and of its drawing the list of tables has.
class ModelMembers {
 public:
  std::size_t model = 0, mechanism = 0, drawing = 0;
  ModelMembers() {
    for_each(keys_of<Model>, [this](const auto& entry) { see(entry); });
  }

 private:
  template <class Value>
  void count(Value Model::*) {
    ++model;
  }
  template <class Value>
  void count(const Path<Mechanism Model::*, Value>&) {
    ++mechanism;
  }
  template <class Value>
  void count(const Path<Sketch Model::*, Value>&) {
    ++drawing;
  }
  template <class... Entries>
  void see(const Group<Entries...>& group) {
    for_each(group.entries, [this](const auto& entry) { see(entry); });
  }
  template <class... Get>
  void see(const Mixed<Get...>& mixed) {
    for_each(mixed.gets, [this](const auto& get) { count(get); });
  }
  template <class Entry>
  void see(const Entry& entry) {
    count(entry.get);
  }
};

// a model and a mechanism declare their copies and are no aggregates; bindings name each member, or do not compile
template <class... Members>
constexpr std::size_t count_of(const Members&...) {
  return sizeof...(Members);
}
std::size_t members_of(const Model& model) {
  const auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y] = model;
  return count_of(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y);
}
std::size_t members_of(const Mechanism& mechanism) {
  const auto& [a, b, c, d, e, f, g, h, i, j, k, l, m] = mechanism;
  return count_of(a, b, c, d, e, f, g, h, i, j, k, l, m);
}

TEST(Fields, EveryMemberOfTheModelIsInTheListOfTables) {
  const ModelMembers members;
  EXPECT_EQ(members.model + 3,
            members_of(Model{}));  // mechanism and drawing are listed by their members; places are no keys
  EXPECT_EQ(members.mechanism, members_of(Mechanism{}));
  EXPECT_EQ(members.drawing, member_count<Sketch>());
}

template <class Part>
void expect_names_differ() {
  std::set<std::string_view> names;
  const auto see = [&](std::string_view name) { EXPECT_TRUE(names.insert(name).second) << name; };
  for_each(keys_of<Part>, [&](const auto& entry) {
    if constexpr (requires { entry.kinds; }) {
      for (const Kind& kind : entry.kinds) see(kind.name);
    } else if constexpr (requires { entry.key; }) {
      see(entry.key.name);
    }
  });
}

TEST(Fields, EachKeyStandsOnceInItsPart) {
  expect_names_differ<Body>();
  expect_names_differ<Joint>();
  expect_names_differ<JointForce>();
  expect_names_differ<Coupling>();
  expect_names_differ<Constraint>();
  expect_names_differ<SimulationSettings>();
}

TEST(Fields, WhatStandsInEveryKindOfModelIsCopied) {
  Model model, copy;
  model.title = "a";
  model.file = "b";
  model.kinetic = "x'^2";
  model.mechanism.bodies.push_back({.name = "arm"});
  model.constraints.push_back({.name = "c", .formula = "x", .equals = "1"});
  model.start_multipliers.push_back({"c", 2.0});
  model.start_reactions.push_back({"x", 2.0});
  GeneralTables(model, copy);
  EXPECT_EQ(copy.title, "a");
  EXPECT_EQ(copy.file, "b");
  EXPECT_TRUE(copy.kinetic.empty());
  EXPECT_TRUE(copy.mechanism.bodies.empty());
  ASSERT_EQ(copy.constraints.size(), 1u);
  EXPECT_EQ(copy.constraints[0].equals.text, "1");
  EXPECT_EQ(copy.start_multipliers.size(), 1u);
  EXPECT_TRUE(copy.start_reactions.empty());
}

TEST(Fields, FormulasOverTheMotionAreVisitedAndNumbersAreNot) {
  Model model;
  model.parameters.push_back({"m", "parameter", "", {}});
  model.constraints.push_back({.name = "c", .formula = "formula", .equals = "equals", .restitution = "number"});
  model.controls.push_back({"F", {{"x", "along"}}, "", {}});
  model.frictions.push_back({.name = "f", .on = {}, .along = {"speed"}, .coefficient = "mu", .normal = "N"});
  model.drawing.points.push_back({.name = "P", .at = {"px"}});
  std::set<std::string> seen;
  struct See {
    std::set<std::string>& seen;
    void operator()(const Formula& formula) const { seen.insert(formula.text); }
    void operator()(const GeneralisedForce& force) const { seen.insert(force.coordinate + ": " + force.formula.text); }
  };
  for_each_formula(model, See{seen});
  seen.erase("");
  EXPECT_EQ(seen, (std::set<std::string>{"formula", "equals", "x: along", "speed", "mu", "N", "px"}));
}

}  // namespace
}  // namespace maggi
