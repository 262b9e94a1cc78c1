#pragma once
#include <functional>
#include <memory>
#include <vector>

#include "integration/event/event_source.hpp"

namespace maggi::integration {

/// Watches functions of the state for zeros over accepted steps, and finds where the first of them is.
///
/// A function that is zero (at the start, after an event) is not watched until it has left zero: until it is further
/// from it than a change of every coordinate and velocity x by 1e-10 (1 + |x|) could bring it. One that must not become
/// negative is watched all the same, lifted by that much until it has left zero. So is one that was about to cross, and
/// as close to zero as that, when another one crossed.
class EventWatch {
 public:
  /// The state at a time within the step, on the constraints; false if there is none.
  using Motion = std::function<bool(double t, State& state)>;

  EventWatch(Dynamics& dynamics, const State& start, const IntegrateOptions& options);

  bool any() const { return !functions_.empty(); }

  /// At the start, and after what an event changed: on which side of zero the functions are. Those that the change
  /// itself carried to the other side have crossed(). false if there are no accelerations here.
  bool arm(const State& at);

  /// After a step from the last state to this one: has a function crossed zero, also on its way to it and back? Then
  /// [from, to] becomes a part of the step over which one has. false if there are no accelerations at the end.
  bool look(const State& end, const Motion& motion, double& from, double& to);
  bool crossed() const { return !fired_.empty(); }
  /// Narrows [from, to] to where the first of the functions crosses: `at` is the first state behind it that can be told
  /// from it. Functions that cross within `together` of it, do so with it.
  bool locate(double from, double to, double together, const Motion& motion, State& at);

  Consequence fire(const State& at);  ///< what the functions that crossed ask for

 private:
  struct Function {
    bool crossed() const;  ///< since `before`, in the direction wanted
    void settle();         ///< before ← now

    EventSource* source;
    int index;  // in the source
    double before = 0.0, now = 0.0;
    double noise = 0.0;  // below it, it has not left zero
    double lift = 0.0;   // added to it until it has
    int side = 0;        // sign of `before`; 0: at zero
    bool close = false;  // another one crossed when this one had come so close to zero, but not across
  };

  bool evaluate(const State& at, std::vector<double>& values);
  bool evaluate(const State& at);
  void find_noise(const State& at);
  void leave_zero(const Motion& motion, double& from, double& to);
  void collect_crossed();
  void split(double there, double& from, double& to);
  void return_to_end();
  void look_inside(const Motion& motion, double& from, double& to);
  std::vector<int> find_turning(double from, double to, const Motion& motion);
  bool find_other_side(int i, double from, double to, const Motion& motion, double& there);
  bool narrow(int i, double from, double& to, const Motion& motion, State& at);

  Dynamics& dynamics_;
  std::vector<std::unique_ptr<EventSource>> sources_;
  std::vector<Function> functions_;
  std::vector<int> fired_;
  std::vector<double> values_, nearby_;
  std::vector<double> end_;  // at the end of the step, not lifted
  State probe_;
  Acceleration acceleration_, scratch_;
};

}  // namespace maggi::integration
