#pragma once
#include <optional>
#include <string>
#include <vector>

#include "model/field.hpp"

/// The keys of the model file as data, for those who explain them: the reference and the schema. They come from
/// fields::keys_of; the names of methods come from the methods.
namespace maggi::text {

struct ModelKey {
  fields::Key key;
  std::string by_default;            ///< what holds without it; empty: nothing, or it has to be given
  std::vector<std::string> choices;  ///< of Form::choice, and of Form::names that are not names of parts
  std::vector<ModelKey> keys;        ///< of the table that the value is, or may be
  std::string owner;                 ///< of a key that stands in another table as well: the name of that table
};

/// An item of a table.
struct ModelPart {
  std::vector<ModelKey> keys;
  std::vector<std::string> first;  ///< exactly one of these keys has to be there; empty: no such rule
  bool items = false;              ///< the only key stands for any name, behind which its keys stand
};

struct ModelTable {
  fields::Heading heading;
  std::vector<ModelPart> parts;    ///< what an item may be; empty: the table has keys itself
  std::vector<ModelKey> keys;      ///< of the table itself
  std::vector<ModelTable> tables;  ///< inside this one
};

/// The whole file; its heading is empty.
ModelTable model_keys();

}  // namespace maggi::text
