#pragma once
#include <string>
#include <utility>
#include <vector>

#include "integration/sink/sink.hpp"
#include "maggi/expert/system.hpp"
#include "results/law_power.hpp"
#include "results/least_reactions.hpp"
#include "results/unique_forces.hpp"

namespace maggi::results {

/// A stored state while its channels are filled. What several of them need is evaluated once, when it is needed first.
class SampleInUse {
 public:
  SampleInUse(const Sample& sample, bool first, LawPower& laws, LeastReactions* least)
      : sample_(sample), laws_(laws), least_(least), first_(first) {}

  const Sample* operator->() const { return &sample_; }
  const Sample& operator*() const { return sample_; }
  bool is_first() const { return first_; }  ///< of its motion
  const LawPower& laws() {
    if (!laws_known_) laws_.evaluate(sample_);
    laws_known_ = true;
    return laws_;
  }
  /// With the λ that is shown: of least norm, where that is asked for.
  const Acceleration& shown() {
    if (!shown_) shown_ = least_ ? &least_->of(sample_) : &sample_.acceleration;
    return *shown_;
  }

 private:
  const Sample& sample_;
  LawPower& laws_;
  LeastReactions* least_;  // none: λ is shown as it is
  const Acceleration* shown_ = nullptr;
  bool first_, laws_known_ = false;
};

/// Some channels of a motion: an object declares them, with names and units, and fills them in.
///
/// To add channels, write such a class and give it its place in make_channels().
class Channels {
 public:
  explicit Channels(std::string group) : group_(std::move(group)) {}
  virtual ~Channels() = default;
  Channels(const Channels&) = delete;
  Channels& operator=(const Channels&) = delete;

  const std::string& group() const { return group_; }  ///< "energies"
  const std::vector<Channel>& channels() const { return channels_; }
  const std::vector<std::string>& left_out() const { return left_out_; }  ///< one sentence each, with the reason

  /// Writes the values of channels() in this order, and returns the place behind them.
  virtual double* fill(SampleInUse& sample, double* values) = 0;

  virtual bool follows() const { return false; }  ///< do they need the steps between stored states, too?
  virtual void pass(const State& /*state*/) {}    ///< an accepted step, after what is stored of it

 protected:
  void add(std::string name, std::string unit, Where where = {}) {
    channels_.push_back({std::move(name), std::move(unit), std::move(where)});
  }
  void leave_out(std::string why) { left_out_.push_back(std::move(why)); }
  bool empty() const { return channels_.empty(); }

 private:
  std::string group_;
  std::vector<Channel> channels_;
  std::vector<std::string> left_out_;
};

}  // namespace maggi::results
