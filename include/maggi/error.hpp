#pragma once
#include <stdexcept>
#include <string>
#include <string_view>

namespace maggi {

/// A place in what the user wrote. Line and column count from 1; 0 means unknown.
struct Where {
  std::string file;
  int line = 0;
  int column = 0;
  bool operator==(const Where&) const = default;

  /// "four_bar.toml:17:18", "four_bar.toml" or "" as far as it is known.
  std::string text() const;
};

/// What kind of thing went wrong; decides the exit code of the command line.
enum class Errc {
  model,     ///< the model or the options are wrong                    exit 1
  numerics,  ///< cannot assemble, constraints lost, step too small ...  exit 2
  io,        ///< a file cannot be read or written                      exit 3
};

/// The one exception of maggi, in the user's own words: their file, their name, their time.
///
///     four_bar.toml:17:18: no body is named "coupeler" (did you mean "coupler"?)
///     └── where ─────────┘ └── what ────────────────┘  └── help ────────────┘
class Error : public std::runtime_error {
 public:
  Error(Errc code, Where where, std::string what, std::string help = "");

  Errc code() const { return code_; }
  const Where& where() const { return where_; }
  const std::string& cause() const { return cause_; }  ///< the message without place and help
  const std::string& help() const { return help_; }
  int exit_code() const { return static_cast<int>(code_) + 1; }

 private:
  Errc code_;
  Where where_;
  std::string cause_, help_;
};

}  // namespace maggi
