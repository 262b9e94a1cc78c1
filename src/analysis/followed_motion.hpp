#pragma once
#include <memory>
#include <vector>

#include "base/largest.hpp"
#include "integration/integrate.hpp"
#include "maggi/comparison.hpp"

namespace maggi::analysis {

/// A state, what is in force there, and its accelerations, which choose among several that rows nonlinear in v̇ admit.
struct Moment {
  State state;
  Mode mode;
  Vector vdot{};  ///< empty: any
};

/// Puts the dynamics there, with its rank decision.
void enter(Dynamics& dynamics, const Moment& moment);

/// A motion, and what a comparison keeps of it.
class FollowedMotion final : public Sink {
 public:
  /// Every `spacing` [s] a moment is kept.
  explicit FollowedMotion(const System& system, double spacing = std::numeric_limits<double>::infinity());

  /// Integrates. Error (model) if the options do not fit.
  void follow(Dynamics& dynamics, const Moment& start, const IntegrateOptions& options);

  const std::string& failure() const { return failure_; }        ///< why the end was not reached; empty if it was
  const ComparisonRow::Motion& motion() const { return kept_; }  ///< without the error of the end
  const std::vector<Moment>& kept() const { return moments_; }   ///< the start is the first

  /// Error of the last state of another motion, relative to the largest value of this one.
  double end_error(const FollowedMotion& other) const;

  void accept(const Sample& sample) override;

 private:
  const System& system_;
  std::unique_ptr<Workspace> workspace_;
  double spacing_, next_ = -std::numeric_limits<double>::infinity();
  std::vector<Moment> moments_;
  State last_;
  Largest largest_q_, largest_v_;
  std::optional<double> first_energy_;
  ComparisonRow::Motion kept_;
  std::string failure_;
};

/// What Dynamics::explain() says, without the names that a row of a comparison has already.
std::string reason(const std::string& explanation);

}  // namespace maggi::analysis
