#pragma once
#include <nlohmann/json.hpp>
#include <vector>

#include "maggi/note.hpp"

namespace maggi {

/// [{file, line, column, what, help}]
inline nlohmann::ordered_json notes_json(const std::vector<Note>& notes) {
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (const Note& note : notes)
    json.push_back({{"file", note.where.file},
                    {"line", note.where.line},
                    {"column", note.where.column},
                    {"what", note.what},
                    {"help", note.help}});
  return json;
}

}  // namespace maggi
