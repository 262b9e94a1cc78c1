#pragma once
#include "io/toml/read_value.hpp"

/// What a file may say in words of its own, and the model says in others.
namespace maggi::io {

/// Takes an entry of a table whose key is a fields::Spelling into the part that the table is about.
void translate(const TomlValue& entry, const TomlValue& table, Event& event, std::vector<Friction>*);
void translate(const TomlValue& entry, const TomlValue& table, JointForce& force, std::vector<Friction>*);
void translate(const TomlValue& entry, const TomlValue& table, Coupling& coupling, std::vector<Friction>*);

/// Error for words of other programs, and for keys that cannot stand together, before the keys are read. `example` is
/// "pin = { ... }".
template <class Part>
void check_words(const TomlValue& /*table*/, const std::string& /*example*/, const Part& /*part*/) {}
void check_words(const TomlValue& table, const std::string& example, const Joint&);
void check_words(const TomlValue& table, const std::string& example, const Coupling&);

/// Error unless the value is a table; the help repeats what the user wrote where that is possible.
template <class Part>
void need_table_of(const TomlValue& value, const std::string& example, const Part& /*part*/) {
  need_table(value, "write " + example);
}
void need_table_of(const TomlValue& value, const std::string& example, const Coordinate&);
void need_table_of(const TomlValue& value, const std::string& example, const Constraint&);

/// After all keys are read: a value and its unit become a quantity of the SI.
template <class Part>
void settle(Part& /*part*/) {}
void settle(Parameter& parameter);

}  // namespace maggi::io
