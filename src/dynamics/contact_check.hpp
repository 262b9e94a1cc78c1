#pragma once
#include <string>

#include "dynamics/contacts.hpp"
#include "dynamics/one_sided_rows.hpp"

namespace maggi {

/// What must hold at every state of a motion, whatever has been decided before: friction takes energy and stays within
/// what a contact bears, rows that press do not pull, and gaps are not negative.
class ContactCheck {
 public:
  explicit ContactCheck(Dynamics& dynamics);

  /// What does not hold, in words; empty if all does. `a` is the solution at this state.
  std::string find_violation(const State& at, const Acceleration& a);

 private:
  std::string find_pulling(const State& at, const Acceleration& a);
  std::string find_driving(const State& at, const Acceleration& a);

  Dynamics& dynamics_;
  OneSidedRows rows_;
  integration::Contacts contacts_;
};

}  // namespace maggi
