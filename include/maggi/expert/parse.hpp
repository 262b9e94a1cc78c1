#pragma once
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "maggi/error.hpp"
#include "maggi/expert/expression.hpp"
#include "maggi/expert/spline.hpp"

namespace maggi::expression {

/// The names a formula may use. A name carries its primes: x, x' and x'' are three names.
class Scope {
 public:
  void declare(const std::string& name, Id id);
  /// A name that exists but may not stand here, with the reason: "a position constraint cannot contain a velocity".
  void forbid(const std::string& name, const std::string& reason, const std::string& help);

  void declare_table(const std::string& file, std::shared_ptr<const Table> table) { tables_[file] = std::move(table); }
  const Table* table(const std::string& file) const;  ///< nullptr if there is none

  bool has(const std::string& name) const;  ///< declared or forbidden

  /// The node of a name; nullptr if there is none or it is forbidden.
  const Id* known(const std::string& name) const;

  /// The node of a name, or an Error at `where` with the reason or the nearest name.
  Id find(const std::string& name, const Where& where) const;

 private:
  struct Entry {
    Id id = 0;
    std::string reason, help;  // reason empty: usable
  };
  std::map<std::string, Entry> entries_;
  std::map<std::string, std::shared_ptr<const Table>> tables_;
};

/// Text to graph.
///
///     comparison = sum [ ("<" | "<=" | ">" | ">=" | "==" | "!=") sum ]
///     sum        = product { ("+" | "-") product }
///     product    = factor { ("*" | "/") factor }
///     factor     = ("+" | "-") factor | power
///     power      = atom [ "^" factor ]                      right-associative, −x^2 = −(x^2), 2^-1 allowed
///     atom       = number [ unit | "[" unit "]" ] | name{'} | function "(" comparison {"," comparison} ")" | "("
///     comparison ")" [ "[" unit "]" ]
///                | "table" "(" '"' file '"' "," comparison ")"
///     name       = letter { letter | digit | "_" } { "." name }
///
///     functions    sin cos tan asin acos atan atan2 sinh cosh tanh exp log sqrt abs sign min max pow if
///     constants    pi, and unless the model gives the name to something deg = π/180, rpm = 2π/60 (rad/s)
///     unit         mm, deg, N m/rad, kg/m^3 (expression/units.hpp); a number with a unit is converted to the SI
///
/// Errors carry the column inside the file: `where` is the place of the first character of `text`; columns count
/// characters, as editors do, not bytes.
/// Nesting deeper than `max_depth` and texts longer than `max_length` are refused with a clear Error.
Id parse(std::string_view text, Graph& graph, const Scope& scope, const Where& where);

/// "left = right" gives left − right; without "=" the formula itself (which is to be zero). A comparison is refused:
/// == does not state an equation.
Id parse_equation(std::string_view text, Graph& graph, const Scope& scope, const Where& where);

/// A name that a text mentions, without its primes, and how many characters stand before it.
struct Mention {
  std::string name;
  int offset = 0;
};
std::vector<Mention> mentions(std::string_view text);

inline constexpr int max_depth = 200;
inline constexpr std::size_t max_length = 100'000;

/// true if the name is a function or constant of the language (sin, pi, t, if ...) and so cannot be given to anything.
bool is_reserved(std::string_view name);

/// true for a constant of the language whose name may be given to something else: deg, rpm.
bool is_unit_constant(std::string_view name);

/// true for a letter or underscore followed by letters, digits, underscores.
bool is_name(std::string_view text);

}  // namespace maggi::expression
