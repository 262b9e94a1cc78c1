#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "maggi/check.hpp"
#include "maggi/comparison.hpp"
#include "maggi/equations.hpp"
#include "maggi/hidden_constraint.hpp"
#include "maggi/initial_conditions.hpp"
#include "maggi/model.hpp"
#include "maggi/motion.hpp"
#include "maggi/note.hpp"
#include "maggi/run_options.hpp"

namespace maggi {

class Dynamics;
class Run;
class System;

/// The way of a model to its results. Each stage is computed when it is first asked for, once, and kept:
///
///     Model ─▶ System ─▶ start ─▶ run ─▶ Motion
///              M h f C γ   q v v̇ λ    q(t) v(t)
///                            └─▶ check
///
///     maggi::Simulation four_bar(maggi::load("four_bar.toml"));
///     four_bar.set("l1", 0.3);
///     const maggi::Motion motion = four_bar.run({.until = 3.0});
///     if (motion.outcome() != maggi::Outcome::reached_end) std::puts(motion.explanation().c_str());
///
/// It owns everything it needs. Copies share what has been computed so far, and each may be given other numbers; one
/// object per thread.
class Simulation {
 public:
  /// Error with file, line and column if the model is wrong; its [simulation] is looked at when it runs.
  explicit Simulation(Model model);
  ~Simulation();
  Simulation(const Simulation& other);
  Simulation& operator=(const Simulation& other);
  Simulation(Simulation&& other) noexcept;
  Simulation& operator=(Simulation&& other) noexcept;

  const Model& model() const;
  std::string title() const;  ///< of the model, or else its file

  /// Gives a parameter ("l1"), or a position or velocity given at the start ("pin.angle", "pin.angle'"), another value.
  /// Error with the nearest name if the model has none of that name. The start and what follows from it are computed
  /// again; formulas are not derived again, unless numbers decide what the equations are (docs/sweeps.md).
  void set(std::string_view name, double value);

  /// The consistent start, and what is in force there. Error (NoConsistentStart) that names the conflict if there is
  /// none.
  const InitialConditions& start();
  const HiddenConstraints& hidden_constraints();
  /// What is allowed in the model and yet probably not meant: angles in degrees, lengths in millimetres.
  const std::vector<Note>& notes();
  const Check& check();
  /// The equations of motion at the start, or at another state. Error (numerics) if the basis refuses there; Error
  /// (model) if no basis has this name, or if it is no state of this model.
  EquationsOfMotion equations(const EquationsOptions& options = {});
  EquationsOfMotion equations(const State& state, const EquationsOptions& options = {});
  /// Every formulation on every basis, on this model. Error (model) if a name is unknown, no method is left or the
  /// options of the run do not fit.
  Comparison compare(const CompareOptions& options = {});
  /// Start and end time of a run with these options [s]. Error if the model gives no end.
  std::pair<double, double> span(const RunOptions& options = {});

  /// Runs from the start. A run that does not reach its end is a Motion with the outcome and its explanation.
  Motion run(const RunOptions& options = {});
  /// The start alone, as a motion of one state.
  Motion assemble(const RunOptions& options = {});
  /// Runs step by step: for servers, co-simulation, interaction.
  Run begin(const RunOptions& options = {});

  const System& system();  ///< the equations; see maggi/expert/system.hpp
  Dynamics& dynamics();    ///< their solution at one instant, with the rank decision of the start

 private:
  friend class Run;
  struct Stages;
  std::unique_ptr<Stages> stages_;
};

/// A run under way. It shares the system with its Simulation and has its own state.
///
///     maggi::Run run = simulation.begin({.until = 3.0});
///     while (run.advance(run.t() + 0.01)) show(run["pin_1.angle"]);
///
/// The steps of the integrator do not depend on the times asked for: states between its steps come from its continuous
/// extension, so that they are those of Simulation::run() with these output times, to the last bit. Only set() and
/// restore() end a step, and the integrator begins again there.
class Run {
 public:
  ~Run();
  Run(Run&& other) noexcept;
  Run& operator=(Run&& other) noexcept;

  /// Integrates to time t, or to the end of the run if that is earlier. Returns false if the run has ended: outcome()
  /// and explanation() say how. The `interrupt` of the options ends it from any thread.
  bool advance(double t);

  /// An input from outside: gives a parameter another value from the present time on. Error with the nearest name if
  /// the model has no such parameter; advance() is an Error (numerics) if the present state does not satisfy the
  /// constraints with it. Meant for forces, torques and gains: a parameter that changes a length moves the bodies.
  void set(std::string_view parameter, double value);
  /// Sets inputs, then integrates: a step of a co-simulation.
  bool advance(double t, const std::vector<std::pair<std::string, double>>& inputs);

  /// The present state with what is in force; restore() goes back to it, any number of times.
  struct Snapshot {
    State state;
    Mode mode;
    double work = 0.0;            ///< [J] since the start, where it is recorded
    std::vector<double> counted;  ///< angles of joints that close loops, with their whole turns
  };
  Snapshot snapshot() const;
  void restore(const Snapshot& snapshot);  ///< Error (model) if it belongs to another system

  double t() const;
  const State& state() const;
  Outcome outcome() const;  ///< reached_end also while it is under way
  const std::string& explanation() const;
  double operator[](std::string_view channel) const;  ///< at the present state; Error with the nearest name
  const std::vector<EventRecord>& events() const;     ///< so far

 private:
  friend class Simulation;
  struct Inside;
  explicit Run(std::unique_ptr<Inside> inside);
  std::unique_ptr<Inside> inside_;
};

}  // namespace maggi
