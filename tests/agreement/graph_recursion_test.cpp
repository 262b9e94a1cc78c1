// Mechanisms whose loops form a network are eliminated along the graph of their joints, with the accelerations and
// multipliers of the matrices: trusses in the plane and in space, with telescopic bars, drivers and free ends.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <map>
#include <random>

#include "base/largest.hpp"
#include "dynamics/dynamics.hpp"
#include "integration/integrate.hpp"
#include "io/toml/model_file.hpp"
#include "start/initial_conditions.hpp"
#include "support/measured.hpp"
#include "system/make_system.hpp"
#include "system/mechanism/recursion/graph_plan.hpp"

namespace maggi::test {
namespace {

struct Truss {
  int bays = 10;
  bool in_space = false;
  bool held = true;         // otherwise it flies
  bool telescopic = false;  // diagonals of two parts with a spring between them; otherwise there are none
  unsigned seed = 1;
};

/// Two chords and posts of bars on pins, with irregular lengths. Without diagonals each bay can shear.
class TrussText {
 public:
  explicit TrussText(const Truss& truss) : truss_(truss), random_(truss.seed) {
    for (int side = 0; side < 2; ++side)
      for (int k = 0; k <= truss.bays; ++k)
        nodes_[side].push_back({k + 0.3 * part(random_), side + 0.3 * part(random_), truss.in_space ? 0.2 : 0.0});
  }

  std::string text() {
    text_ = fmt::format("title = \"Truss\"\ndimension = {}\ngravity = {}\n", truss_.in_space ? 3 : 2,
                        truss_.in_space ? "[0, -9.81, 0]" : "[0, -9.81]");
    for (int k = 0; k <= truss_.bays; ++k) {
      bar(fmt::format("post_{}", k), 0, k, 1, k);
      for (int side = 0; side < 2 && k < truss_.bays; ++side)
        bar(fmt::format("chord_{}_{}", side, k), side, k, side, k + 1);
      if (truss_.telescopic && k < truss_.bays) telescope(k);
    }
    return text_ + "[joint]\n" + joints_ + (forces_.empty() ? "" : "[force]\n" + forces_);
  }

 private:
  using Point = std::array<double, 3>;

  std::string written(const Point& p) const {
    return truss_.in_space ? fmt::format("[{}, {}, {}]", p[0], p[1], p[2]) : fmt::format("[{}, {}]", p[0], p[1]);
  }

  /// In the plane pins, in space hinges across the plane where a bar begins and balls where it ends: nothing is
  /// redundant.
  void pin(const std::string& name, const std::string& a, const std::string& b, const Point& at, bool hinge) {
    joints_ += fmt::format("{} = {{ {} = [\"{}\", \"{}\"], at = {}{} }}\n", name,
                           !truss_.in_space || hinge ? "revolute" : "spherical", a, b, written(at),
                           truss_.in_space && hinge ? ", axis = [0, 0, 1]" : "");
  }

  void body(const std::string& name, const Point& from, const Point& to) {
    text_ += fmt::format("[body.{}]\nshape = \"{}\"\nmass = {}\nfrom = {}\nto = {}\n{}", name,
                         truss_.in_space ? "cylinder" : "rod", 1.0 + 0.5 * part(random_), written(from), written(to),
                         truss_.in_space ? "radius = 0.05\n" : "");
  }

  /// The first bar at a node carries it.
  void attach(const std::string& bar, int side, int k, bool hinge) {
    std::string& carrier = carriers_[{side, k}];
    const bool first = carrier.empty();
    if (first) carrier = bar;
    const bool ground = k == 0 && truss_.held;
    if (first && !ground) return;
    pin(fmt::format("at_{}_{}_{}", side, k, bar), ground ? "ground" : carrier, bar, nodes_[side][k], hinge);
  }

  void bar(const std::string& name, int side_a, int a, int side_b, int b) {
    if (a == 0 && b == 0 && truss_.held) return;  // the ground is there
    body(name, nodes_[side_a][a], nodes_[side_b][b]);
    attach(name, side_a, a, true);
    attach(name, side_b, b, true);
  }

  void telescope(int k) {
    const Point &from = nodes_[0][k], &to = nodes_[1][k + 1];
    Point half, axis;
    for (int i = 0; i < 3; ++i) half[i] = 0.5 * (from[i] + to[i]), axis[i] = to[i] - from[i];
    const std::string tube = fmt::format("tube_{}", k), rod = fmt::format("piston_{}", k);
    body(tube, from, half);
    body(rod, half, to);
    attach(tube, 0, k, true);
    attach(rod, 1, k + 1, true);
    joints_ += fmt::format("slide_{} = {{ prismatic = [\"{}\", \"{}\"], at = {}, axis = {} }}\n", k, tube, rod,
                           written(half), written(axis));
    forces_ += fmt::format("spring_{0} = {{ joint = \"slide_{0}\", stiffness = 50.0 }}\n", k);
  }

  Truss truss_;
  std::mt19937 random_;
  std::uniform_real_distribution<double> part{-1.0, 1.0};
  std::vector<Point> nodes_[2];
  std::map<std::pair<int, int>, std::string> carriers_;
  std::string text_, joints_, forces_;
};

/// States along a motion.
struct States : Sink {
  void accept(const Sample& sample) override { all.push_back(sample.state); }
  std::vector<State> all;
};

void expect_agreement(const std::string& text, const std::string& what) {
  const auto system = make_system(parse_model(text, "truss.toml"));
  Dynamics along_graph(*system), matrices(*system, "null-space");
  const InitialConditions start = find_initial_conditions(matrices, system->start());
  States states;
  integrate(matrices, start.state, states, {.until = 0.1, .output = 0.05, .rtol = 1e-8, .atol = 1e-10});
  ASSERT_EQ(states.all.size(), 3u) << what;
  Largest error;
  for (const State& state : states.all) {
    along_graph.decide_rows(state);
    matrices.decide_rows(state);
    ASSERT_TRUE(along_graph.recursion()) << what;
    EXPECT_EQ(along_graph.recursion()->order(), "along the graph of joints and loops") << what;
    Acceleration a, b;
    ASSERT_TRUE(along_graph.solve(state, a)) << what << ": " << along_graph.explain(state);
    ASSERT_TRUE(matrices.solve(state, b)) << what;
    error.note((a.vdot - b.vdot).norm() / (1.0 + b.vdot.norm()));
    // λ of dependent rows is a choice: what it does is not
    error.note((a.reaction - b.reaction).norm() / (1.0 + b.reaction.norm()));
  }
  // ε times the condition of the equations of a bay to the power of their number, which `compare` gives as 1e9
  record("difference", error.value());
  EXPECT_LT(error.value(), 1e-7) << what;
}

TEST(GraphRecursion, TrussesInThePlane) {
  for (const bool held : {true, false})
    for (const bool telescopic : {false, true})
      expect_agreement(TrussText({.bays = 24, .held = held, .telescopic = telescopic, .seed = 3}).text(),
                       fmt::format("held {}, telescopic {}", held, telescopic));
}

/// The same plane, drawn with joints in space, of which two rows a loop are redundant and left out.
TEST(GraphRecursion, TrussesInSpace) {
  for (const bool telescopic : {false, true})
    expect_agreement(
        TrussText({.bays = telescopic ? 32 : 56, .in_space = true, .telescopic = telescopic, .seed = 5}).text(),
        fmt::format("telescopic {}", telescopic));
}

/// Rows on joint coordinates are rows on both links of the joint.
TEST(GraphRecursion, WithDriversAndACoupling) {
  expect_agreement(TrussText({.bays = 24, .telescopic = true, .seed = 7}).text() +
                       "[driver]\npull = { joint = \"slide_3\", follows = \"0.1*t^2\" }\n"
                       "[coupling]\nequal = { sum = { \"slide_6.distance\" = 1, \"slide_9.distance\" = -1 } }\n",
                   "driven");
}

/// A ladder of bars on pins in the plane, its first two nodes on the ground.
mechanism::LinkGraph ladder(int bays) {
  mechanism::LinkGraph graph{.link_size = 3, .links = {{}}, .connections = {}};
  std::map<std::pair<int, int>, int> carriers{{{0, 0}, 0}, {{1, 0}, 0}};
  const auto bar = [&](std::pair<int, int> from, std::pair<int, int> to) {
    const int link = static_cast<int>(graph.links.size());
    graph.links.push_back({true, true});
    for (const auto& node : {from, to}) {
      const auto [carrier, first] = carriers.try_emplace(node, link);
      if (first) continue;
      std::vector<int> ends{link};
      if (carrier->second > 0) ends.push_back(carrier->second);
      graph.connections.push_back({ends, 2, 1, true});
    }
  };
  for (int k = 1; k <= bays; ++k) {
    bar({0, k - 1}, {0, k}), bar({1, k - 1}, {1, k});
    bar({0, k}, {1, k});
  }
  return graph;
}

TEST(GraphRecursion, OperationsInProportionToTheBays) {
  const mechanism::GraphPlan small = mechanism::plan_graph(ladder(16)), large = mechanism::plan_graph(ladder(128));
  ASSERT_TRUE(small.complete && large.complete);
  // 8 times as many bays; the ends differ from what is between them. Along the tree it would be 8³.
  EXPECT_LT(large.operations / small.operations, 9.0);
  EXPECT_EQ(large.widest_front, small.widest_front);
}

}  // namespace
}  // namespace maggi::test
