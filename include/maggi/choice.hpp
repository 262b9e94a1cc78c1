#pragma once
#include <string>
#include <string_view>

namespace maggi {

/// A value of an enum whose values have names, too: those of the command line and of the model file.
///
///     RunOptions{.integrator = Integrator::rk4}        RunOptions{.integrator = "rk4"}
///
/// Error (model) with the nearest name if no value has this name.
template <class Enum>
class Choice {
 public:
  Choice(Enum value) : value_(value) {}
  Choice(std::string_view name);
  Choice(const std::string& name) : Choice(std::string_view(name)) {}
  Choice(const char* name) : Choice(std::string_view(name)) {}

  Enum value() const { return value_; }
  std::string_view name() const;

  friend bool operator==(Choice a, Choice b) = default;

 private:
  Enum value_;
};

}  // namespace maggi
