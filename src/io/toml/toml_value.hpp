#pragma once
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <toml++/toml.h>

#include "io/file/source_text.hpp"
#include "maggi/model.hpp"

namespace maggi::io {

/// A value of the file under its name, with its place and with what messages call it: "kinetic", "x1.start".
class TomlValue {
 public:
  TomlValue(const SourceText& source, const toml::table& root);

  const std::string& key() const { return key_; }
  const std::string& label() const { return label_; }
  std::string title() const;                     ///< of a table: "[energy]", "x1"
  const Where& where() const { return where_; }  ///< of the name
  Where value_where() const;                     ///< of the value

  bool is_table() const { return node_->is_table(); }
  bool is_list() const { return node_->is_array(); }
  bool is_text() const { return node_->is_string(); }
  bool is_number() const { return node_->is_number(); }

  std::vector<TomlValue> entries() const;                     ///< of a table, in the order of the file
  std::optional<TomlValue> find(std::string_view key) const;  ///< of a table
  std::vector<TomlValue> elements() const;                    ///< of a list

  std::string text() const;  ///< Error unless a text
  bool boolean() const;      ///< Error unless true or false
  Formula formula() const;   ///< Error unless a finite number, a text that is not blank, or a quantity with its unit
  std::string unit() const;  ///< Error unless a text that is the name of a unit, or empty

  /// "x1.start must be a number or a formula, here a boolean".
  [[noreturn]] void refuse(std::string_view wanted, std::string help = "") const;
  /// "[energy] ..." or "x1 ...", at its name.
  [[noreturn]] void fail(std::string_view what, std::string help = "") const;

 private:
  TomlValue() = default;
  Formula quantity() const;

  const SourceText* source_ = nullptr;
  const toml::node* node_ = nullptr;
  int depth_ = 0;  // 0 the file, 1 its tables, 2 what stands in them ...
  std::string key_, label_;
  Where where_;
};

/// "30 [mm]" for 30 and "mm".
Formula with_unit(Formula value, const std::string& unit);

/// What to do with each key that may stand in a table.
struct Field {
  std::string key;
  std::function<void(const TomlValue&)> read;
};

/// Hands every entry of a table to its field, in the order of the file; Error with the nearest name for any other.
void read_fields(const TomlValue& table, const std::vector<Field>& fields);

/// The document, or an Error at the place where it is no TOML.
toml::table parse_toml(const SourceText& source);

}  // namespace maggi::io
