#pragma once
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "integration/integrate.hpp"
#include "maggi/expert/system.hpp"
#include "results/multipliers.hpp"

namespace maggi {

namespace results {
class LawChannels;
class PhysicalForces;
}  // namespace results

/// A motion: every stored state by named channels with units, in this order of groups:
///
///     time            t
///     coordinates     x1
///     velocities      x1'
///     accelerations   x1''
///     multipliers     lambda.guide         of the constraints; one that is not unique is absent or marked (min-norm)
///     controls        control.F            that keep the servo constraints
///     reactions       reaction.x1          Cᵀλ and the forces of controls, always unique
///     forces          force.A.x, force.N   the same in local coordinates, and along the directions of [reaction]
///                     force.drag           of a law, of friction
///     energies        energy.kinetic, energy.potential, energy.total      where they are known
///                     energy.work, energy.balance                         with laws: of all forces without potential,
///                                                                         and what the energy has changed besides
///     powers          power.drag           of each law; power.constraints of the multipliers
///     contacts        contact.floor        0 it sticks, ±1 it slides
///     outputs         the user's own names; one that needs a multiplier that is not unique is treated like it
///     drawing         drawing.mass.x, drawing.wheel.radius                what is drawn
///     residuals       residual.position, residual.velocity                where there are such constraints
///                     distance.singularity                                0 where they lose rank, at most 1
///                     residual.ideality                                   with laws: see results/law_channels.hpp
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

  /// `undetermined`: see undetermined_multipliers(); no columns if every multiplier is unique. `system` must outlive
  /// it.
  explicit Trajectory(const System& system, const Matrix& undetermined = {},
                      Reactions reactions = Reactions::unique_only);
  ~Trajectory() override;

  /// Stores a state. Error (numerics) naming the channel and the time if a value is not finite: the state is not
  /// stored, those before it stay, and the exception ends the run.
  void accept(const Sample& sample) override;
  bool follows() const override { return !shape().cyclic.empty(); }
  void pass(const State& state) override;
  void clear();                                     ///< forgets the states, for another motion of the system
  void drop_last() { size_ -= size_ > 0 ? 1 : 0; }  ///< the next state takes the place of the last one
  /// Cyclic outputs as they were counted last; a trajectory that goes on with a motion takes them over.
  const std::vector<double>& counted() const { return counted_; }
  void count_on_from(std::vector<double> counted) { counted_ = std::move(counted); }

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
  void begin_group(std::string name) { groups_.push_back({std::move(name), width(), 0}); }
  void add(std::string name, std::string unit);
  void add_multipliers(const Matrix& undetermined, Reactions reactions);
  void add_outputs(const Matrix& undetermined, Reactions reactions);
  std::vector<bool> outputs_that_vary(const Matrix& undetermined);
  void count_on();
  double* next_state();
  bool balances() const;  // are there energies, and forces that change them by a law?
  int width() const { return static_cast<int>(channels_.size()); }

  const System& system_;
  std::unique_ptr<Workspace> workspace_;
  std::unique_ptr<results::PhysicalForces> forces_;
  std::unique_ptr<results::LawChannels> laws_;
  double energy_at_start_ = 0.0;
  std::vector<Channel> channels_;
  std::vector<Group> groups_;
  std::vector<int> rows_, outputs_;  // those that have a channel
  std::vector<std::string> left_out_, open_controls_;
  std::vector<double> output_values_;
  std::vector<double> counted_;  // cyclic outputs, as they were last
  Acceleration still_;
  std::vector<std::unique_ptr<double[]>> chunks_;
  std::size_t states_per_chunk_ = 1, size_ = 0;
};

}  // namespace maggi
