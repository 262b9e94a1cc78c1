#include "maggi/expert/spline.hpp"

#include <gtest/gtest.h>

#include <unistd.h>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <random>

#include "expression/tape.hpp"
#include "io/toml/model_file.hpp"
#include "maggi/expert/derivative.hpp"
#include "system/make_system.hpp"

namespace maggi::expression {
namespace {

/// A spline and its first two derivatives at x.
class Curve {
 public:
  explicit Curve(const Table& table) {
    x_ = graph_.variable("x");
    Derivative by_x(graph_, {{x_, graph_.constant(1.0)}});
    const Id y = spline(graph_, table, x_), slope = by_x(y);
    outputs_ = {y, slope, by_x(slope)};
    tape_ = std::make_unique<Tape>(graph_, std::vector<Id>{x_}, std::vector<Id>{}, outputs_);
    scratch_.resize(tape_->slots());
  }
  double operator()(double x, int derivative = 0) {
    tape_->prepare({}, scratch_);
    scratch_[0] = x;
    tape_->run(scratch_);
    return scratch_[tape_->output(derivative)];
  }

 private:
  Graph graph_;
  Id x_ = 0;
  std::vector<Id> outputs_;
  std::unique_ptr<Tape> tape_;
  std::vector<double> scratch_;
};

TEST(Spline, ThreePointsByHand) {
  // 4 y''_1 = 6 (−1 − 1): y'' = 0, −3, 0; in the first piece y = 3/2 u − 1/2 u³
  Curve curve({{0.0, 1.0, 2.0}, {0.0, 1.0, 0.0}});
  EXPECT_DOUBLE_EQ(curve(0.5), 0.6875);
  EXPECT_DOUBLE_EQ(curve(0.5, 1), 1.5 - 1.5 * 0.25);
  EXPECT_DOUBLE_EQ(curve(0.5, 2), -1.5);
  EXPECT_DOUBLE_EQ(curve(1.5), 0.6875);
  EXPECT_DOUBLE_EQ(curve(-1.0), -1.5);  // straight on with the slope 3/2
  EXPECT_DOUBLE_EQ(curve(3.0), -1.5);
}

TEST(Spline, PassesThroughItsPointsWithTwoContinuousDerivatives) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> step(0.1, 1.0), value(-2.0, 2.0);
  Table table;
  for (double x = -1.0; table.x.size() < 40; x += step(random)) {
    table.x.push_back(x);
    table.y.push_back(value(random));
  }
  Curve curve(table);
  for (std::size_t i = 0; i < table.x.size(); ++i) {
    const double x = table.x[i], below = std::nextafter(x, -10.0);
    EXPECT_NEAR(curve(x), table.y[i], 1e-14);
    // both sides of a point; its neighbours are 1e-16 away, and slopes and curvatures are below 1e3 here
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(curve(x, k), curve(below, k), 1e-10) << "derivative " << k << " at " << x;
  }
  EXPECT_NEAR(curve(table.x.front(), 2), 0.0, 1e-12);
  EXPECT_NEAR(curve(table.x.back(), 2), 0.0, 1e-12);
  const double h = 1e-5;
  for (double x = -2.0; x < table.x.back() + 1.0; x += 0.0371) {
    EXPECT_NEAR((curve(x + h) - curve(x - h)) / (2 * h), curve(x, 1),
                1e-4);  // h times the jump of the third derivative
  }
}

/// A folder with a model and its table.
class TableFiles : public testing::Test {
 protected:
  TableFiles() : folder(std::filesystem::temp_directory_path() / ("maggi_table_" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(folder);
  }
  ~TableFiles() override { std::filesystem::remove_all(folder); }

  std::unique_ptr<System> make(const std::string& table) {
    if (!table.empty()) std::ofstream(folder / "lift.csv") << table;
    std::ofstream(folder / "model.toml") << "[coordinates]\nx = {}\n[energy]\nkinetic = \"x'^2\"\n[constraint]\n"
                                            "cam = { position = 'x = table(\"lift.csv\", 2*t)' }\n";
    return make_system(read_model(folder / "model.toml"));
  }
  std::string refusal(const std::string& table) {
    try {
      make(table);
    } catch (const Error& error) {
      std::string text = error.what();
      const std::string prefix = (folder / "").string();
      for (std::size_t at = text.find(prefix); at != std::string::npos; at = text.find(prefix))
        text.erase(at, prefix.size());
      return text;
    }
    return "accepted";
  }
  std::filesystem::path folder;
};

TEST_F(TableFiles, DriveAConstraint) {
  const auto system = make("# measured\ntime;lift\n0;0\n1;1\n2;0\n");
  const auto workspace = system->workspace();
  const State state{0.25, Vector::Constant(1, 0.3), Vector::Zero(1)};
  system->position(state, *workspace);
  EXPECT_DOUBLE_EQ(workspace->terms.f[0], 0.3 - 0.6875);
  system->velocity(state, *workspace);
  EXPECT_DOUBLE_EQ(workspace->terms.phi[0], -2.0 * 1.125);
  system->acceleration(state, *workspace);
  EXPECT_DOUBLE_EQ(workspace->terms.gamma[0], 4.0 * -1.5);
}

TEST_F(TableFiles, CommasAreDecimalPointsWhereSomethingElseSeparatesTheColumns) {
  for (const char* table : {"Zeit;Weg\n0,0;1,0\n1,5;2,0\n2,0;3,0\n", "0\t1\n1,5\t2\n2\t3\n", "0 1\n1,5 2,0\n2,0 3\n",
                            "0, 1\n1.5, 2\n2,3\n", "time [s], lift [m]\n0,1\n1.5,2\n2,3\n"}) {
    const auto system = make(table);
    const auto workspace = system->workspace();
    const State state{0.75, Vector::Zero(1), Vector::Zero(1)};
    system->position(state, *workspace);
    EXPECT_DOUBLE_EQ(workspace->terms.f[0], -2.0) << table;  // at x = 1.5, a point of the table
  }
}

TEST_F(TableFiles, AFirstLineWithANumberIsNoHeading) {
  EXPECT_EQ(refusal("0,1OO\n1,0\n2,0\n"),
            "model.toml:6:32: lift.csv:1: there are not two numbers in this line (one point in each line: x, y)");
  EXPECT_EQ(refusal("x,y\n0,5,1,0\n1,5,2,0\n"),
            "model.toml:6:32: lift.csv:2: there are 4 columns in this line (one point in each line: x, y; or x; y if "
            "commas are decimal points)");
}

TEST_F(TableFiles, AreNamedOutsideOfComments) {
  const std::string model = "[coordinates]\nx = {}\n[energy]\nkinetic = \"x'^2\"\n";
  EXPECT_NO_THROW(parse_model(model + "# table(\"" + std::string(100'000, 'a') + "\n", "m.toml"));
  std::string deep = "a";
  for (int i = 0; i < 50'000; ++i) deep += ".a";
  EXPECT_THROW(parse_model(deep + " = 1\n" + model, "m.toml"), Error);
  EXPECT_THROW(parse_model("[" + deep + "]\n" + model, "m.toml"), Error);
}

TEST_F(TableFiles, MistakesAreExplained) {
  EXPECT_EQ(refusal(""), "model.toml:6:32: the table \"lift.csv\" cannot be read: there is no such file");
  EXPECT_EQ(refusal("0 0\n1 1\n1 2\n"), "model.toml:6:32: lift.csv:3: x is 1, after 1 (x must increase)");
  EXPECT_EQ(refusal("0 0\n1 one\n"),
            "model.toml:6:32: lift.csv:2: there are not two numbers in this line (one point in each line: x, y)");
  EXPECT_EQ(refusal("0 0\n"),
            "model.toml:6:32: lift.csv:1: the table has fewer than two points (one point in each line: x, y)");
  EXPECT_EQ(refusal("0 0\n1 nan\n"),
            "model.toml:6:32: lift.csv:2: there are not two numbers in this line (one point in each line: x, y)");
}

}  // namespace
}  // namespace maggi::expression
