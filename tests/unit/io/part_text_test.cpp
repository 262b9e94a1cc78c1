// Every part of a model is read back as it was written, whatever it says: random parts, made by the lists of their
// keys.
#include "io/toml/part_text.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "io/toml/read_part.hpp"

namespace maggi {
namespace {

using fields::Form;
using fields::Key;
using fields::keys_of;

/// Gives members random values of the form that their keys have.
class RandomValues {
 public:
  explicit RandomValues(unsigned seed) : random_(seed) {}

  template <class Part>
  void fill(Part& part) {
    fields::for_each(keys_of<Part>, [&](const auto& entry) { set(entry, part); });
  }

 private:
  template <class Get, class Part>
  void set(const fields::Member<Get>& member, Part& part) {
    auto&& value = std::invoke(member.get, part);
    if (member.key.alone != fields::Alone::no || below(2) == 0) make(member.key, value);
  }
  template <class Which, class Get, class Part>
  void set(const fields::OneOf<Which, Get>& one_of, Part& part) {
    auto& which = std::invoke(one_of.which, part);
    which = static_cast<std::remove_reference_t<decltype(which)>>(below(one_of.kinds.size()));
    make(one_of.key, std::invoke(one_of.get, part));
  }
  template <class Get, class Part>
  void set(const fields::Items<Get>& items, Part& part) {
    auto& values = std::invoke(items.get, part);
    values.resize(1 + below(3));
    for (auto& value : values) value.name = name(), fill(value);
  }
  template <class Part>
  void set(const fields::Spelling&, Part&) {}
  template <class Get, class Part>
  void set(const fields::Inner<Get>&, Part&) {}

  std::size_t below(std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random_); }
  std::string name() { return fmt::format("{}_{}", below(2) ? "a" : "name with \"quotes\"", count_++); }
  std::string joint() { return fmt::format("joint_{}", below(9)); }
  Formula formula() {
    static const std::array<const char*, 6> texts{"0.1", "-3", "2*m", "sin(x) + y'", "m\n + 1", "1e-300"};
    return texts[below(texts.size())];
  }
  std::size_t length(const Key& key) {
    return key.form == Form::list ? 1 + below(3) : key.form == Form::one_or_list ? 1 + below(2) : 3;
  }

  void make(const Key&, Formula& value) { value = formula(); }
  void make(const Key&, std::optional<Formula>& value) { value = formula(); }
  void make(const Key& key, std::vector<Formula>& value) {
    value.resize(length(key));
    for (Formula& each : value) each = formula();
  }
  void make(const Key& key, std::string& value) {
    value = key.form == Form::unit ? (below(2) ? "kg m^2" : "rad/s") : name();
  }
  void make(const Key&, std::optional<std::string>& value) { value = name(); }
  void make(const Key&, std::tuple<std::string&, Where&> value) { std::get<0>(value) = "box"; }
  void make(const Key&, std::tuple<Reference&, std::string&> value) {
    std::get<0>(value).name = joint();
    if (below(2)) std::get<1>(value) = "angle_1";
  }
  void make(const Key&, bool& value) { value = below(2) == 0; }
  template <class Enum>
  requires std::is_enum_v<Enum>
  void make(const Key& key, Enum& value) { value = static_cast<Enum>(below(key.choices.size())); }
  void make(const Key& key, Triple& value) {
    const std::size_t kind = key.form == Form::place ? below(3) : 0;
    if (kind > 0) value.frame.name = kind == 1 ? "arm" : "arm.tip";
    if (kind < 2) make(key, value.values);
  }
  void make(const Key& key, std::vector<Marker>& value) {
    value.resize(1 + below(2));
    for (Marker& marker : value)
      marker.name = name(), make({.name = "", .form = Form::place, .about = key.about}, marker.at);
  }
  void make(const Key&, Reference& value) { value.name = name(); }
  void make(const Key&, std::vector<Reference>& value) {
    value.resize(1 + below(3));
    for (Reference& each : value) each.name = name();
  }
  void make(const Key&, std::array<Reference, 2>& value) { value[0].name = joint(), value[1].name = name(); }
  void make(const Key&, std::vector<GeneralisedForce>& value) {
    value.resize(1 + below(3));
    for (GeneralisedForce& each : value) each.coordinate = name(), each.formula = formula();
  }
  void make(const Key&, std::vector<Coupling::Term>& value) {
    value.resize(1 + below(3));
    for (Coupling::Term& each : value) each.coordinate.name = name(), each.factor = formula();
  }
  template <class Value>
  void components(std::vector<Value>& values) {
    values.resize(1 + below(2));
    if (values.size() > 1 || below(2))
      for (Value& value : values) value.component = name();
  }
  void make(const Key&, std::vector<JointValue>& value) {
    components(value);
    for (JointValue& each : value) each.value = formula();
  }
  void make(const Key&, std::vector<JointLimit>& value) {
    components(value);
    for (JointLimit& each : value) each.lower = formula(), fill(each);
  }
  void make(const Key&, std::optional<JointFriction>& value) { fill(value.emplace()); }

  std::mt19937 random_;
  int count_ = 0;
};

/// Are the members equal, apart from their places?
class Same {
 public:
  template <class Part>
  static void expect(const Part& a, const Part& b) {
    fields::for_each(keys_of<Part>, [&](const auto& entry) { compare(entry, a, b); });
  }

 private:
  template <class Get, class Part>
  static void compare(const fields::Member<Get>& member, const Part& a, const Part& b) {
    EXPECT_TRUE(same(std::invoke(member.get, a), std::invoke(member.get, b))) << member.key.name;
  }
  template <class Which, class Get, class Part>
  static void compare(const fields::OneOf<Which, Get>& one_of, const Part& a, const Part& b) {
    EXPECT_EQ(std::invoke(one_of.which, a), std::invoke(one_of.which, b));
    EXPECT_TRUE(same(std::invoke(one_of.get, a), std::invoke(one_of.get, b)));
  }
  template <class Get, class Part>
  static void compare(const fields::Items<Get>& items, const Part& a, const Part& b) {
    const auto &of_a = std::invoke(items.get, a), &of_b = std::invoke(items.get, b);
    ASSERT_EQ(of_a.size(), of_b.size());
    for (std::size_t i = 0; i < of_a.size(); ++i) {
      EXPECT_EQ(of_a[i].name, of_b[i].name);
      expect(of_a[i], of_b[i]);
    }
  }
  template <class Part>
  static void compare(const fields::Spelling&, const Part&, const Part&) {}
  template <class Get, class Part>
  static void compare(const fields::Inner<Get>&, const Part&, const Part&) {}

  template <class Value>
  requires(std::is_arithmetic_v<Value> || std::is_enum_v<Value>) static bool same(Value a, Value b) { return a == b; }
  static bool same(const std::string& a, const std::string& b) { return a == b; }
  static bool same(const Where&, const Where&) { return true; }
  static bool same(const Formula& a, const Formula& b) { return a.text == b.text; }
  static bool same(const Reference& a, const Reference& b) { return a.name == b.name; }
  static bool same(const Triple& a, const Triple& b) { return same(a.values, b.values) && same(a.frame, b.frame); }
  static bool same(const Marker& a, const Marker& b) { return a.name == b.name && same(a.at, b.at); }
  static bool same(const GeneralisedForce& a, const GeneralisedForce& b) {
    return a.coordinate == b.coordinate && same(a.formula, b.formula);
  }
  static bool same(const Coupling::Term& a, const Coupling::Term& b) {
    return same(a.coordinate, b.coordinate) && same(a.factor, b.factor);
  }
  static bool same(const JointValue& a, const JointValue& b) {
    return a.component == b.component && same(a.value, b.value);
  }
  static bool same(const JointLimit& a, const JointLimit& b) {
    expect(a, b);
    return a.component == b.component;
  }
  static bool same(const JointFriction& a, const JointFriction& b) {
    expect(a, b);
    return true;
  }
  template <class Value>
  static bool same(const std::optional<Value>& a, const std::optional<Value>& b) {
    return a.has_value() == b.has_value() && (!a || same(*a, *b));
  }
  template <class Value>
  static bool same(const std::vector<Value>& a, const std::vector<Value>& b) {
    return std::ranges::equal(a, b, [](const Value& x, const Value& y) { return same(x, y); });
  }
  static bool same(const std::array<Reference, 2>& a, const std::array<Reference, 2>& b) {
    return same(a[0], b[0]) && same(a[1], b[1]);
  }
  template <class First, class Second>
  static bool same(const std::tuple<First&, Second&>& a, const std::tuple<First&, Second&>& b) {
    return same(std::get<0>(a), std::get<0>(b)) && same(std::get<1>(a), std::get<1>(b));
  }
};

template <class Part>
class PartText : public testing::Test {};

using Parts = testing::Types<Parameter, Coordinate, Definition, LocalPoint, GeneralisedForce, Constraint, Control, Law,
                             Friction, Event, ReactionForce, StartForce, Output, Sketch::Point, Sketch::Line,
                             Sketch::Circle, Body, Joint, Spring, JointForce, BodyForce, Bushing, Coupling, Driver>;
TYPED_TEST_SUITE(PartText, Parts);

TYPED_TEST(PartText, IsReadBackAsItWasWritten) {
  constexpr fields::Heading heading{"parts", "parts", fields::Beside::either, "part", "..."};
  for (unsigned seed = 1; seed <= 200; ++seed) {
    TypeParam part;
    RandomValues(seed).fill(part);
    const std::string text = "part = " + io::item_text(part) + "\n";
    SCOPED_TRACE(text);
    const io::SourceText source("part.toml", text);
    const toml::table root = io::parse_toml(source);
    TypeParam read;
    io::ItemReader(heading, nullptr)(io::TomlValue(source, root).entries().front(), read);
    Same::expect(part, read);
    EXPECT_EQ(io::item_text(read), io::item_text(part));
  }
}

}  // namespace
}  // namespace maggi
