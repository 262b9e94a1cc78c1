#pragma once
#include <array>
#include <functional>
#include <span>
#include <string_view>
#include <tuple>

namespace maggi::fields {

/// How the value of a key is written in a model file.
enum class Form {
  text,           ///< a text in quotes
  unit,           ///< the name of a unit
  choice,         ///< one of several names
  flag,           ///< true or false
  dimension,      ///< 2 or 3
  one,            ///< a number or a formula
  list,           ///< a list of them
  one_or_list,    ///< one of them or a list
  matrix,         ///< a list of rows
  place,          ///< [1, 0, 0] in the world frame, { arm = [1, 0, 0] } in that of a body, or a marker "arm.tip"
  places,         ///< a table of places by name
  name,           ///< the name of another part
  name_or_names,  ///< a name or a list of names
  names,          ///< a list of names
  bodies,         ///< the names of two bodies
  by_name,        ///< a table with a formula for each name: { x = 1, y = "-x" }
  of_coordinate,  ///< of the only coordinate, or a table with one for each: 0.2, { angle_1 = 0.2 }
  limits,         ///< [lower, upper] or a table with keys; or one for each coordinate
  table,          ///< a table with keys
};

/// What the formulas of a value may contain: parameters only, or also coordinates, velocities and time.
enum class Over { parameters, motion };

/// In what kind of model a key may stand.
enum class Beside { either, formulas, bodies };

/// Can the value stand for the whole part: m = 2 instead of m = { value = 2 }?
enum class Alone { no, may, only };

/// Is the number one that sweeps, sliders and --set change: the value of what the part is named after, or its rate?
enum class Adjusts { no, value, rate };

/// What everyone who writes, reads or explains a key has to know of it.
struct Key {
  std::string_view name;
  Form form = Form::one;
  std::string_view about;
  std::string_view unit{};        ///< "kg"; "N/m or N m/rad"; empty: any, or none
  std::string_view by_default{};  ///< what holds without it
  Over over = Over::parameters;
  std::span<const std::string_view> choices{};
  Beside beside = Beside::either;
  Alone alone = Alone::no;
  Adjusts adjusts = Adjusts::no;
};

/// A key and the member of a part that it gives: get(part).
template <class Get>
struct Member {
  Get get;
  Key key;
};
template <class Get>
Member(Get, Key) -> Member<Get>;

/// A member of a part that no key gives: the program sets it.
template <class Get>
struct Inner {
  Get get;
};
template <class Get>
Inner(Get) -> Inner<Get>;

/// One of several keys, which say by their names what the part is: position = "...", revolute = [...].
struct Kind {
  std::string_view name, about;
};
template <class Which, class Get>
struct OneOf {
  std::span<const Kind> kinds;  ///< in the order of the values of `which`
  Which which;
  Get get;
  Key key;                       ///< of the value; without a name
  std::string_view twice, help;  ///< message about two of them; {0} the part, {1} and {2} the keys
  std::string_view none{};       ///< message if none is there; empty: validate() says it
};
template <class Which, class Get>
OneOf(std::span<const Kind>, Which, Get, Key, std::string_view, std::string_view, std::string_view = {})
    -> OneOf<Which, Get>;

/// A key that gives a member in other words: at = 2 for when = "t - 2". The reader translates; nobody writes it.
struct Spelling {
  Key key;
  std::string_view instead_of{};     ///< a key that cannot stand beside it
  std::string_view twice{}, help{};  ///< message if both are there
};

/// Any other key of the part is the name of an item of its own, one of std::vector get(part).
template <class Get>
struct Items {
  Get get;
  Key key;  ///< of an item
};
template <class Get>
Items(Get, Key) -> Items<Get>;

/// A table of the file: its name, and how an item or a value in it is written.
struct Heading {
  std::string_view name, about;
  Beside beside = Beside::either;
  std::string_view sample{};   ///< name of an item
  std::string_view example{};  ///< its value; {0} stands for its name
  bool broad = false;          ///< each item is written as a table of its own
};
/// A table with an item for each element of the std::vector get(model), or with the keys of the struct get(model).
template <class Get>
struct Table {
  Get get;
  Heading heading;
};
template <class Get>
Table(Get, Heading) -> Table<Get>;

/// A table with members of the model.
template <class... Entries>
struct Group {
  Heading heading;
  std::tuple<Entries...> entries;
};
template <class... Entries>
Group(Heading, std::tuple<Entries...>) -> Group<Entries...>;

/// A table with items of several types; the first key of a type tells it from the others.
template <class... Get>
struct Mixed {
  Heading heading;
  std::tuple<Get...> gets;
  std::string_view nothing;  ///< message about an item that is of no type
};
template <class... Get>
Mixed(Heading, std::tuple<Get...>, std::string_view) -> Mixed<Get...>;

/// A member of a member.
template <class Outer, class Inside>
struct Path {
  Outer outer;
  Inside inside;
  template <class Part>
  constexpr auto& operator()(Part& part) const {
    return part.*outer.*inside;
  }
};
template <class Outer, class Inside>
Path(Outer, Inside) -> Path<Outer, Inside>;

/// Two members that one key gives.
template <class First, class Second>
struct Both {
  First first;
  Second second;
  template <class Part>
  constexpr auto operator()(Part& part) const {
    return std::tie(part.*first, part.*second);
  }
};
template <class First, class Second>
Both(First, Second) -> Both<First, Second>;

/// The keys of a part: a tuple of the above. The one list of what a part of a model consists of, besides its name and
/// its place: reader, writer, schema, reference and copies visit it.
template <class Part>
inline constexpr auto keys_of = nullptr;

template <class Entries, class Visit>
constexpr void for_each(const Entries& entries, Visit&& visit) {
  std::apply([&](const auto&... entry) { (visit(entry), ...); }, entries);
}

}  // namespace maggi::fields
