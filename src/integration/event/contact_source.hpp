#pragma once
#include <vector>

#include "dynamics/contacts.hpp"
#include "dynamics/one_sided_rows.hpp"
#include "integration/event/event_source.hpp"

namespace maggi::integration {

/// Where what is in force may change: one-sided rows that are hit or no longer press, contacts that come to rest or
/// break loose. What follows is decided by ContactDecision. Of each row and each contact one function is watched at a
/// time:
///
///     row open           its gap f falls to zero: an impact
///     row closed         its multiplier λ falls to zero: it is released
///     contact slides     its velocity in the sense of sliding, σ·v_t, falls to zero: it sticks or reverses
///     contact sticks     what it could bear besides, μ_s |N| − |τ|, falls to zero: it slides against the force it
///     lacks contact is held    others move it: |v_t| leaves zero
///
/// Where the forces of rows that press and contacts that stick are not unique, λ and μ_s |N| − |τ| are replaced by the
/// margin of the best share.
class ContactSource final : public EventSource {
 public:
  ContactSource(Dynamics& dynamics, const IntegrateOptions& options);

  int count() const override { return first_contact_ + 3 * static_cast<int>(slack_.size()); }
  Crossing crossing(int /*i*/) const override { return Crossing::falling; }
  bool keeps_positive(int i) const override { return i < first_contact_ || (i - first_contact_) % 3 == 2; }
  void arm(const State& at) override;
  bool watched(int i) const override;
  void values(const Instant& at, const Acceleration& a, double* values) override;
  void follow(const Instant& at) override { contacts_.follow(at); }
  void fire(int i, const State& at, const Acceleration& a, Consequence& consequence) override;

 private:
  int row(int i) const { return rows_.rows()[i / 2]; }
  bool passes_by(int contact, const State& at);

  Dynamics& dynamics_;
  const IntegrateOptions& options_;
  OneSidedRows rows_;
  Contacts contacts_;
  int first_contact_;
  std::vector<double> begin_;  // the gap from which a row is watched: 0, or less by rounding and drift where it opened
  std::vector<double> slack_;  // what a contact is allowed to lack that was at its limit when it began to stick
};

}  // namespace maggi::integration
