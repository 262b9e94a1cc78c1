#pragma once
#include <string>
#include <vector>

#include "dynamics/contact_modes.hpp"
#include "dynamics/contacts.hpp"
#include "dynamics/dynamics.hpp"
#include "dynamics/one_sided_rows.hpp"

namespace maggi {

/// What has just come to its end, so that it is not the answer.
struct ContactsEnded {
  std::vector<int> sticking;  ///< contacts that have reached what they can bear
  std::vector<int> sliding;   ///< contacts whose sliding velocity has come to zero
  bool sharing = false;       ///< the forces of the last mode, whose share is not unique, reach no longer
};

/// What is in force at a state: which one-sided rows press, which contacts stick, and in which direction the others
/// slide or begin to slide. Start, events and comparisons all ask here.
///
/// The answer is the solution of one complementarity problem in the accelerations; a mode is a name for a
/// face of it. A mode is right if its equations are consistent and its inequalities can be met, not if its matrix is
/// regular: what a driver moves cannot stick, and rows that press and rows that stick may depend on each other. All
/// modes are tried where they are few.
class ContactDecision {
 public:
  explicit ContactDecision(Dynamics& dynamics);

  bool needed() const { return !rows_.rows().empty() || !shape_.contacts.empty(); }

  /// `mode`: the rows that are in force in any case, and what was in force before. Error (numerics) if there is no
  /// answer, or more than one motion. The dynamics keeps its mode.
  Mode decide(const State& at, const Mode& mode, const ContactsEnded& ended = {});

  const Vector& vdot() const { return vdot_; }             ///< of the decision
  const OneSidedRows& one_sided() const { return rows_; }  ///< where they were at the decision

 private:
  using Trials = std::vector<ContactTrial>;

  ContactQuestion classify(const State& at, const Mode& mode, const ContactsEnded& ended);
  std::vector<Trials> find_groups(const ContactQuestion& question, const State& at, const Mode& mode,
                                  const ContactsEnded& ended);
  Trials candidates(const Mode& mode, const ContactsEnded& ended);
  ContactMode seen_as(const Mode& mode) const;
  bool has_ended(const ContactMode& mode, const ContactMode& last, const ContactsEnded& ended) const;
  std::vector<Trials> group(Trials trials) const;
  void prefer_sticking(std::vector<Trials>& groups) const;
  ContactTrial choose(Trials trials, const ContactQuestion& question, const State& at);
  Mode mode_of(const ContactMode& chosen, Mode mode) const;
  std::string describe(const ContactMode& mode) const;
  [[noreturn]] void refuse(const std::vector<Trials>& groups, const State& at, const Mode& mode);
  [[noreturn]] void refuse_share(const ContactTrial& trial, const State& at) const;

  Dynamics& dynamics_;
  const Shape& shape_;
  OneSidedRows rows_;
  ContactProblem problem_;
  ContactModes modes_;
  Vector vdot_;
};

}  // namespace maggi
