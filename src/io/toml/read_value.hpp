#pragma once
#include "io/toml/toml_value.hpp"
#include "maggi/model.hpp"
#include "model/field.hpp"

/// How the values of keys are read, one for each type of member; `key` says how the value is written. Error with its
/// place unless it is written so.
namespace maggi::io {

using fields::Key;

/// "x must be a table, here a number (write ...)".
void need_table(const TomlValue& value, const std::string& help);

void read(const TomlValue& value, const Key& key, Formula& target);
void read(const TomlValue& value, const Key& key, std::optional<Formula>& target);
void read(const TomlValue& value, const Key& key, std::vector<Formula>& target);
void read(const TomlValue& value, const Key& key, std::vector<std::vector<Formula>>& target);
void read(const TomlValue& value, const Key& key, std::string& target);
void read(const TomlValue& value, const Key& key, std::optional<std::string>& target);
void read(const TomlValue& value, const Key& key, std::tuple<std::string&, Where&> target);
void read(const TomlValue& value, const Key& key, bool& target);
void read(const TomlValue& value, const Key& key, int& target);
void read(const TomlValue& value, const Key& key, Triple& target);
void read(const TomlValue& value, const Key& key, std::vector<Marker>& target);
void read(const TomlValue& value, const Key& key, Reference& target);
void read(const TomlValue& value, const Key& key, std::tuple<Reference&, std::string&> target);
void read(const TomlValue& value, const Key& key, std::vector<Reference>& target);
void read(const TomlValue& value, const Key& key, std::array<Reference, 2>& target);
void read(const TomlValue& value, const Key& key, std::vector<GeneralisedForce>& target);
void read(const TomlValue& value, const Key& key, std::vector<Coupling::Term>& target);
void read(const TomlValue& value, const Key& key, std::vector<JointValue>& target);

/// Which of the choices of the key the text is.
std::size_t read_choice(const TomlValue& value, const Key& key);

template <class Enum>
requires std::is_enum_v<Enum>
void read(const TomlValue& value, const Key& key, Enum& target) { target = static_cast<Enum>(read_choice(value, key)); }

}  // namespace maggi::io
