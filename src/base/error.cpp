#include "maggi/error.hpp"

namespace maggi {

std::string Where::text() const {
  if (line <= 0) return file;
  std::string at = std::to_string(line);
  if (column > 0) at += ":" + std::to_string(column);
  return file.empty() ? at : file + ":" + at;
}

namespace {
std::string compose(const Where& where, const std::string& what, const std::string& help) {
  std::string text = where.text();
  if (!text.empty()) text += ": ";
  text += what;
  if (!help.empty()) text += " (" + help + ")";
  return text;
}
}  // namespace

Error::Error(Errc code, Where where, std::string what, std::string help)
    : std::runtime_error(compose(where, what, help)),
      code_(code),
      where_(std::move(where)),
      cause_(std::move(what)),
      help_(std::move(help)) {}

}  // namespace maggi
