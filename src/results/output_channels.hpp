#pragma once
#include <memory>
#include <vector>

#include "maggi/run_options.hpp"
#include "results/channels.hpp"

namespace maggi::results {

/// The user's own names; an output that needs a multiplier that is not unique is treated like it.
///
/// Cyclic outputs (angles of joints that close loops) are counted on from step to step, stored or not.
class OutputChannels final : public Channels {
 public:
  OutputChannels(const System& system, const UniqueForces& forces, Reactions reactions);

  double* fill(SampleInUse& sample, double* values) override;
  bool follows() const override { return !shape_.cyclic.empty(); }
  void pass(const State& state) override;  ///< counts on

  void forget() { counted_.clear(); }  ///< before another motion
  /// Cyclic outputs as they were counted last, and where to go on.
  const std::vector<double>& counted() const { return counted_; }
  void count_on_from(std::vector<double> counted) { counted_ = std::move(counted); }

 private:
  void count_on();

  const System& system_;
  const Shape& shape_;
  std::unique_ptr<Workspace> workspace_;
  std::vector<int> outputs_;  // those that have a channel
  std::vector<double> values_;
  std::vector<double> counted_;  // cyclic outputs, as they were last
  Acceleration still_;
};

}  // namespace maggi::results
