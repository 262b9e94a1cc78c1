// Random linkages around a known pose: the search finds a start from a guess nearby, and names a contradiction where
// one was built in. With friction, other laws and controls: forces that are given find the speeds that cause them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <optional>
#include <random>

#include "base/largest.hpp"
#include "dynamics/dynamics.hpp"
#include "start/initial_conditions.hpp"
#include "system/formulas/equation_system.hpp"

namespace maggi::test {
namespace {

/// A planar linkage of bars, by their angles: one closed loop or two that share bars, as formulas.
struct Linkage {
  Model model;
  std::vector<double> pose;    // satisfies the constraints
  std::vector<double> length;  // of the bars
  int rows = 0;
};

class Generator {
 public:
  explicit Generator(unsigned seed) : random_(seed) {}

  double uniform(double low, double high) { return std::uniform_real_distribution<double>(low, high)(random_); }
  int integer(int low, int high) { return std::uniform_int_distribution<int>(low, high)(random_); }

  Linkage linkage() {
    Linkage linkage;
    const int loops = integer(1, 2), bars = integer(2 * loops + 1, 2 * loops + 4);
    std::string kinetic;
    for (int i = 0; i < bars; ++i) {
      linkage.length.push_back(uniform(0.3, 2.0));
      linkage.pose.push_back(uniform(-3.1, 3.1));
      linkage.model.coordinates.push_back({.name = fmt::format("a{}", i)});
      kinetic += fmt::format("{}{}*a{}'^2", i == 0 ? "" : " + ", uniform(0.1, 2.0), i);
    }
    linkage.model.kinetic = kinetic + " + 0.1*a0'*a1'*cos(a0 - a1)";
    // the first loop takes bars from the front, the second from the back, so that two loops share bars
    const int reach = loops == 1 ? bars : integer(bars / 2 + 1, bars - 1);
    close(linkage, "left", 0, reach);
    if (loops == 2) close(linkage, "right", bars - reach, bars);
    linkage.rows = 2 * loops;
    return linkage;
  }

  /// Guesses within 0.3 rad; some of the bars that can be chosen are given instead.
  void guess(Linkage& linkage) {
    const int freedom = static_cast<int>(linkage.pose.size()) - linkage.rows;
    const int given = integer(0, freedom);
    for (std::size_t i = 0; i < linkage.pose.size(); ++i) {
      Coordinate& c = linkage.model.coordinates[i];
      if (static_cast<int>(i) < given)
        c.start = linkage.pose[i];
      else
        c.guess = linkage.pose[i] + uniform(-0.3, 0.3);
    }
  }

 private:
  static void close(Linkage& linkage, const std::string& name, int first, int last) {
    std::string x, y;
    double at_x = 0.0, at_y = 0.0;
    for (int i = first; i < last; ++i) {
      x += fmt::format("{}{}*cos(a{})", i == first ? "" : " + ", linkage.length[i], i);
      y += fmt::format("{}{}*sin(a{})", i == first ? "" : " + ", linkage.length[i], i);
      at_x += linkage.length[i] * std::cos(linkage.pose[i]);
      at_y += linkage.length[i] * std::sin(linkage.pose[i]);
    }
    linkage.model.constraints.push_back({.name = name + "_x", .formula = fmt::format("{} - ({})", x, at_x)});
    linkage.model.constraints.push_back({.name = name + "_y", .formula = fmt::format("{} - ({})", y, at_y)});
  }

  std::mt19937 random_;
};

InitialConditions start_of(const Model& model) {
  const EquationSystem system(model);
  Dynamics dynamics(system);
  return find_initial_conditions(dynamics, system.start());
}

TEST(RandomLinkages, AreAllAssembledFromGuessesNearby) {
  Generator generator(1);
  for (int k = 0; k < 1000; ++k) {
    Linkage linkage = generator.linkage();
    generator.guess(linkage);
    try {
      const InitialConditions ic = start_of(linkage.model);
      // bars up to 2 long, angles of order 1: a residual of 1e-12 is rounding
      EXPECT_LE(ic.residuals.position, 1e-12) << "linkage " << k;
      EXPECT_LE(ic.residuals.velocity, 1e-12) << "linkage " << k;
      EXPECT_LE(ic.residual_acceleration, 1e-12) << "linkage " << k;
    } catch (const Error& error) { ADD_FAILURE() << "linkage " << k << ": " << error.what(); }
  }
}

// --- contradictions ----------------------------------------------------------------------------------------------

/// One of several kinds of contradiction, added to a linkage.
void make_infeasible(Linkage& linkage, Generator& generator, int kind) {
  Model& model = linkage.model;
  switch (kind) {
    case 0: {  // a point further away than all bars together
      double sum = 0.0;
      std::string x, y;
      for (std::size_t i = 0; i < linkage.length.size(); ++i) {
        sum += linkage.length[i];
        x += fmt::format("{}{}*cos(a{})", i == 0 ? "" : " + ", linkage.length[i], i);
        y += fmt::format("{}{}*sin(a{})", i == 0 ? "" : " + ", linkage.length[i], i);
      }
      const double angle = generator.uniform(-3.0, 3.0), far = sum * generator.uniform(1.1, 1.5);
      model.constraints.push_back({.name = "far_x", .formula = fmt::format("{} - ({})", x, far * std::cos(angle))});
      model.constraints.push_back({.name = "far_y", .formula = fmt::format("{} - ({})", y, far * std::sin(angle))});
      break;
    }
    case 1:  // two linear constraints that contradict each other
      model.constraints.push_back({.name = "sum", .formula = fmt::format("a0 + a1 - ({})", generator.uniform(-1, 1))});
      model.constraints.push_back({.name = "twice", .formula = "2*a0 + 2*a1 - 7"});
      break;
    case 2:  // every bar given, one of them elsewhere
      for (std::size_t i = 0; i < linkage.pose.size(); ++i) {
        model.coordinates[i].guess.reset();
        model.coordinates[i].start = linkage.pose[i] + (i == 0 ? generator.uniform(0.4, 1.0) : 0.0);
      }
      break;
    default:  // every speed given, and not zero
      for (std::size_t i = 0; i < linkage.pose.size(); ++i) {
        model.coordinates[i].guess.reset();
        model.coordinates[i].start = linkage.pose[i];
        model.coordinates[i].speed = generator.uniform(0.5, 1.5);
      }
  }
}

/// The model with these members only; what else was given is a guess.
Model reduced_to(const Model& model, const std::vector<StartMember>& members, const Shape& shape) {
  Model result = model;
  result.constraints.clear();
  const auto has = [&](StartMember::Kind kind, int index) {
    return std::any_of(members.begin(), members.end(),
                       [&](const StartMember& m) { return m.kind == kind && m.index == index; });
  };
  for (int i = 0; i < shape.m(); ++i)
    for (const Constraint& c : model.constraints)
      if (c.name == shape.rows[i].name && has(StartMember::Kind::constraint, i)) result.constraints.push_back(c);
  for (std::size_t i = 0; i < model.coordinates.size(); ++i) {
    Coordinate& c = result.coordinates[i];
    const int index = static_cast<int>(i);
    if (c.start && !has(StartMember::Kind::position, index)) std::swap(c.start, c.guess);
    if (c.speed && !has(StartMember::Kind::velocity, index)) std::swap(c.speed, c.speed_guess);
  }
  return result;
}

bool has_start(const Model& model) {
  try {
    start_of(model);
    return true;
  } catch (const NoConsistentStart&) { return false; }
}

TEST(RandomLinkages, ContradictionsAreNamedAndIrreducible) {
  Generator generator(2);
  int proven = 0;
  for (int k = 0; k < 200; ++k) {
    Linkage linkage = generator.linkage();
    generator.guess(linkage);
    make_infeasible(linkage, generator, k % 4);
    const EquationSystem system(linkage.model);
    Dynamics dynamics(system);
    try {
      find_initial_conditions(dynamics, system.start());
      ADD_FAILURE() << "linkage " << k << " has a start";
    } catch (const NoConsistentStart& error) {
      const Conflict& conflict = error.conflict();
      const auto named = [&](std::size_t i, const char* text) { return conflict.members[i].text == text; };
      if (conflict.members.size() == 2 && named(0, "\"sum\"") && named(1, "\"twice\"")) {
        EXPECT_EQ(conflict.proof, Conflict::Proof::linear) << error.what();
      }
      proven += conflict.proof != Conflict::Proof::search;
      ASSERT_FALSE(conflict.members.empty()) << k;
      EXPECT_FALSE(has_start(reduced_to(linkage.model, conflict.members, system.shape()))) << k << error.what();
      for (std::size_t i = 0; i < conflict.members.size(); ++i) {
        std::vector<StartMember> others = conflict.members;
        others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
        EXPECT_TRUE(has_start(reduced_to(linkage.model, others, system.shape())))
            << k << ": " << conflict.members[i].text << " is not needed in: " << error.what();
      }
    }
  }
  RecordProperty("proven", proven);
}

// --- forces given, with laws and controls --------------------------------------------------------------------------

/// A linkage with one loop and friction, another law, a control, or all of these; at a known motion.
struct Machine {
  Linkage linkage;
  int freedom = 0;
  InitialConditions motion;  // the first `freedom` positions and speeds are given
};

class MachineGenerator : public Generator {
 public:
  using Generator::Generator;

  /// Nothing if the laws have no unique forces there, or the pose is almost singular.
  std::optional<Machine> machine() {
    Machine machine;
    do machine.linkage = linkage();
    while (machine.linkage.rows > 2 || machine.linkage.pose.size() < 4);
    Model& model = machine.linkage.model;
    const int kind = integer(0, 3), bars = static_cast<int>(model.coordinates.size());
    machine.freedom = bars - 2;
    if (kind != 2)
      model.frictions = {{.name = "pin",
                          .on = {{"left_x"}, {"left_y"}},
                          .along = {fmt::format("0.3*(a0' - a1') + {}*a2'", uniform(-0.1, 0.1))},
                          .coefficient = fmt::format("{}", uniform(0.05, 0.2))}};
    if (kind == 1 || kind == 3)
      model.laws = {{.name = "drag",
                     .along = {{"a1", "1"}},
                     .formula = fmt::format("force.drag = -{}*sqrt(1 + lambda.left_y^2)*a1'", uniform(0.01, 0.1))}};
    if (kind >= 2) {
      const int last = bars - 1;
      model.constraints.push_back(
          {.name = "path",
           .formula = fmt::format("a{} = {} + {}*t", last, machine.linkage.pose[last], uniform(-1.0, 1.0)),
           .servo = true});
      model.controls = {{.name = "motor", .along = {{fmt::format("a{}", last), "1"}, {"a0", "-0.3"}}}};
      --machine.freedom;
    }
    for (int i = 0; i < bars; ++i) {
      Coordinate& c = model.coordinates[i];
      (i < machine.freedom ? c.start : c.guess) = machine.linkage.pose[i];
      if (i < machine.freedom) c.speed = std::copysign(uniform(0.5, 2.0), uniform(-1.0, 1.0));
    }
    try {
      machine.motion = start_of(model);
    } catch (const Error&) { return std::nullopt; }
    // a pose close to a singular one leaves no digits to compare
    const bool sound = machine.motion.condition_velocity < 30 && machine.motion.acceleration.vdot.norm() < 1e3;
    return sound ? std::optional(machine) : std::nullopt;
  }
};

/// The largest of M v̇ − h − Cᵀλ − T τ − B p, C v̇ − γ and the laws, each relative to its largest part.
double unbalanced(const Model& model, const InitialConditions& ic) {
  const EquationSystem system(model);
  const Shape& shape = system.shape();
  const auto w = system.workspace();
  const auto& [vdot, lambda, reaction, tau, p] = ic.acceleration;
  system.acceleration(ic.state, *w);
  const Terms& terms = w->terms;
  const auto dense = [](const Pattern& pattern, const Vector& values) {
    Matrix result = Matrix::Zero(pattern.rows, pattern.cols);
    pattern.scatter(values, result);
    return result;
  };
  const Matrix M = dense(shape.M, terms.M), C = dense(shape.C, terms.C), T = dense(shape.T, terms.T),
               B = dense(shape.B, terms.B);
  const Vector forces = C.transpose() * lambda + T * tau + B * p;
  Largest error((M * vdot - terms.h - forces).norm() / (terms.h.norm() + forces.norm()));
  for (int i = 0; i < shape.m(); ++i)
    if (ic.mode.rows[i]) error.note((C.row(i).dot(vdot) - terms.gamma[i]) / (C.row(i).norm() * (1 + vdot.norm())));
  system.laws(ic.state, lambda.data(), tau.data(), ic.mode.sense.data(), *w);
  for (Eigen::Index i = 0; i < terms.law.size(); ++i)
    if (ic.mode.sense[i] != 0.0) error.note(terms.law[i] / (1 + lambda.norm() + tau.norm()));
  return error.value();
}

TEST(RandomMachines, ForcesThatAreGivenFindTheSpeedThatCausesThem) {
  MachineGenerator generator(3);
  int looked_at = 0, sharp = 0;
  for (int k = 0; k < 400; ++k) {
    const std::optional<Machine> machine = generator.machine();
    if (!machine) continue;
    ++looked_at;
    Model model = machine->linkage.model;
    const Acceleration& known = machine->motion.acceleration;
    // one speed is not given, but near; an acceleration, a multiplier or a reaction takes its place
    Coordinate& free = model.coordinates[generator.integer(0, machine->freedom - 1)];
    free.speed_guess = fmt::format("{} + ({})", free.speed->text, generator.uniform(-0.1, 0.1));
    free.speed.reset();
    const int i = generator.integer(0, static_cast<int>(model.coordinates.size()) - 1), row = generator.integer(0, 1);
    const int what = generator.integer(0, 2);
    if (what == 0) model.coordinates[i].acceleration = known.vdot[i];
    if (what == 1) model.start_multipliers = {{row == 0 ? "left_x" : "left_y", known.lambda[row]}};
    if (what == 2) model.start_reactions = {{model.coordinates[i].name, known.reaction[i]}};
    try {
      const InitialConditions ic = start_of(model);
      const Acceleration& found = ic.acceleration;
      const double is = what == 0 ? found.vdot[i] : what == 1 ? found.lambda[row] : found.reaction[i];
      const double wanted = what == 0 ? known.vdot[i] : what == 1 ? known.lambda[row] : known.reaction[i];
      EXPECT_LE(std::abs(is - wanted), 1e-12 * (std::abs(wanted) + found.reaction.norm())) << "machine " << k;
      EXPECT_LE(ic.residuals.position, 1e-12) << "machine " << k;
      EXPECT_LE(ic.residuals.velocity, 1e-12) << "machine " << k;
      // the search ends at 1e-13 of the largest unknown, which can be a hundred times the forces that are in balance;
      // where the force hardly depends on the speed (a double root), with half of the digits
      const bool simple_root = ic.condition_velocity < 1e4;
      EXPECT_LE(unbalanced(model, ic), simple_root ? 1e-11 : 1e-10) << "machine " << k;
      sharp += simple_root;
    } catch (const Error& error) { ADD_FAILURE() << "machine " << k << ": " << error.what(); }
  }
  EXPECT_GT(looked_at, 300);
  EXPECT_GT(sharp, 0.9 * looked_at);
}

TEST(RandomMachines, AForceThatThisMotionDoesNotCauseIsAContradiction) {
  MachineGenerator generator(4);
  for (int k = 0; k < 6; ++k) {
    const std::optional<Machine> machine = generator.machine();
    if (!machine) continue;
    Model model = machine->linkage.model;  // all positions and speeds follow from those given, and so does a0''
    const double other = machine->motion.acceleration.vdot[0] + generator.uniform(0.5, 5.0);
    model.coordinates[0].acceleration = other;
    const EquationSystem system(model);
    Dynamics dynamics(system);
    try {
      find_initial_conditions(dynamics, system.start());
      ADD_FAILURE() << "machine " << k << " has a start";
    } catch (const NoConsistentStart& error) {
      const auto& members = error.conflict().members;
      const auto has = [&](StartMember::Kind kind, int index) {
        return std::ranges::any_of(members, [&](const auto& m) { return m.kind == kind && m.index == index; });
      };
      EXPECT_TRUE(has(StartMember::Kind::acceleration, 0)) << k << ": " << error.what();
      // what is not among them does not matter
      for (int i = 0; i < machine->freedom; ++i) {
        Coordinate& c = model.coordinates[i];
        if (!has(StartMember::Kind::position, i)) std::swap(c.start, c.guess);
        if (!has(StartMember::Kind::velocity, i)) std::swap(c.speed, c.speed_guess);
      }
      EXPECT_FALSE(has_start(model)) << k << ": " << error.what();
    }
  }
}

}  // namespace
}  // namespace maggi::test
