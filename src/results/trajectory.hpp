#pragma once
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "integration/sink/sink.hpp"
#include "maggi/expert/system.hpp"
#include "maggi/run_options.hpp"
#include "results/make_channels.hpp"

namespace maggi {

/// A motion: every stored state by named channels with units, in this order of groups (see make_channels()):
///
///     time            t
///     coordinates     x1
///     velocities      x1'
///     accelerations   x1''
///     multipliers     lambda.guide         of the constraints; one that is not unique is absent or marked (min-norm)
///     controls        control.F            that keep the servo constraints
///     reactions       reaction.x1          Cᵀλ and the forces of controls, always unique
///     parts           reaction.x1.guide    if asked for: what each constraint, law and control contributes
///     forces          force.A.x, force.N   the same in local coordinates, and along the directions of [reaction]
///                     force.drag           of a law, of friction
///     energies        energy.kinetic, energy.potential, energy.total      where they are known
///                     energy.work, energy.balance                         with laws: of all forces without potential,
///                                                                         and what the energy has changed besides
///     powers          power.drag           of each law; power.constraints of the multipliers
///     contacts        contact.floor        0 it sticks, ±1 it slides
///     tangent         tangent.u1 ...       if asked for: see results/tangent_motion.hpp
///     outputs         the user's own names; one that needs a multiplier that is not unique is treated like it
///     drawing         drawing.mass.x, drawing.wheel.radius                what is drawn
///     residuals       residual.position, residual.velocity                where there are such constraints
///                     distance.singularity                                0 where they lose rank, at most 1
///                     residual.ideality                                   with laws: see results/law_power.hpp
///
/// No value is ever NaN or infinite. Storage grows by chunks; what is stored never moves.
///
/// Cyclic outputs (angles of joints that close loops) are counted on from step to step, stored or not.
class Trajectory : public Sink {
 public:
  struct Group {
    std::string name;
    int first = 0, count = 0;  ///< channels
  };

  /// `system` must outlive it.
  explicit Trajectory(const System& system, const UniqueForces& unique = {},
                      Reactions reactions = Reactions::unique_only, const results::FurtherChannels& further = {});

  /// Stores a state. Error (numerics) naming the channel and the time if a value is not finite: the state is not
  /// stored, those before it stay, and the exception ends the run.
  void accept(const Sample& sample) override;
  bool follows() const override;
  void pass(const State& state) override;
  void clear();                                     ///< forgets the states, for another motion of the system
  void drop_last() { size_ -= size_ > 0 ? 1 : 0; }  ///< the next state takes the place of the last one
  /// Cyclic outputs as they were counted last; a trajectory that goes on with a motion takes them over.
  const std::vector<double>& counted() const { return list_.outputs->counted(); }
  void count_on_from(std::vector<double> counted) { list_.outputs->count_on_from(std::move(counted)); }

  const Shape& shape() const { return system_.shape(); }
  std::size_t size() const { return size_; }  ///< states
  const std::vector<Channel>& channels() const { return channels_; }
  const std::vector<Group>& groups() const { return groups_; }
  const Group& group(std::string_view name) const;
  /// Outputs and multipliers left out, with the reason, one sentence each.
  const std::vector<std::string>& left_out() const { return left_out_; }
  /// Controls that are not unique, of which the least are recorded.
  const std::vector<std::string>& open_controls() const { return open_controls_; }

  std::optional<int> find(std::string_view channel) const;
  const double* state(std::size_t index) const;  ///< all channels of one state, in order
  double operator()(std::size_t state_index, int channel) const { return state(state_index)[channel]; }
  std::vector<double> values(int channel) const;  ///< of all states

 private:
  double* next_state();
  [[noreturn]] void refuse(const Channel& channel, double t) const;

  const System& system_;
  results::ChannelList list_;
  std::vector<Channel> channels_;
  std::vector<Group> groups_;
  std::vector<std::string> left_out_, open_controls_;
  std::vector<std::unique_ptr<double[]>> chunks_;
  std::size_t states_per_chunk_ = 1, size_ = 0;
};

}  // namespace maggi
