#pragma once
#include <vector>

#include "dynamics/contacts.hpp"
#include "integration/event/event_source.hpp"

namespace maggi::integration {

/// Contacts that come to rest, and contacts that break loose. Of each there are two functions, one watched at a time:
///
///     slides   its speed in the sense of sliding, σ v_t, falls to zero: it sticks or reverses
///     sticks   what it could bear besides, μ_s |N| − |τ|, falls to zero: it slides against the force it lacks
class ContactSource final : public EventSource {
 public:
  ContactSource(Dynamics& dynamics, const IntegrateOptions& options);

  int count() const override { return 2 * static_cast<int>(slack_.size()); }
  Crossing crossing(int /*i*/) const override { return Crossing::falling; }
  void begin(const State& start, Mode& mode) override;
  bool watched(int i) const override { return contacts_.sticks(i / 2, dynamics_.mode()) == (i % 2 == 1); }
  void values(const Instant& at, const Acceleration& a, double* values) override;
  void follow(const Instant& at) override { contacts_.follow(at); }
  void fire(int i, const State& at, const Acceleration& a, Consequence& consequence) override;

 private:
  void find_slack(const State& at, const Mode& mode);
  bool passes_by(int contact, const State& at);

  Dynamics& dynamics_;
  const IntegrateOptions& options_;
  Contacts contacts_;
  std::vector<double> slack_;  // what a contact is allowed to lack that was at its limit when it began to stick
};

}  // namespace maggi::integration
