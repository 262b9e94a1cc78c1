// Formulas as machine code: the bits of the tape, and a cache that survives what happens to files.
#include "expression/native_tapes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "maggi/error.hpp"
#include "maggi/expert/parse.hpp"
#include "start/initial_conditions.hpp"
#include "support/motion.hpp"
#include "system/formulas/equation_system.hpp"

namespace maggi::expression {
namespace {

namespace fs = std::filesystem;
using test::Motion;
using ::testing::EndsWith;
using ::testing::HasSubstr;

/// A variable of the environment, as long as the object lives.
class Setting {
 public:
  Setting(const char* name, const std::string& value) : name_(name) {
    if (const char* old = std::getenv(name)) old_ = old;
    setenv(name, value.c_str(), 1);
  }
  ~Setting() { old_ ? setenv(name_, old_->c_str(), 1) : unsetenv(name_); }

 private:
  const char* name_;
  std::optional<std::string> old_;
};

/// A cache of its own for every test.
class Native : public testing::Test {
 protected:
  Native() : folder_(fs::temp_directory_path() / ("maggi_native_" + std::to_string(getpid()))) {
    fs::create_directories(folder_);
    fs::permissions(folder_, fs::perms::owner_all);
    cache_.emplace("XDG_CACHE_HOME", folder_.string());
  }
  ~Native() override { fs::remove_all(folder_); }

  std::vector<fs::path> entries() const {
    std::vector<fs::path> result;
    for (const auto& file : fs::directory_iterator(folder_ / "maggi")) result.push_back(file.path());
    return result;
  }

  fs::path folder_;
  std::optional<Setting> cache_;
};

/// A tape of formulas over x, y, z, with a parameter p.
struct Formulas {
  explicit Formulas(const std::vector<std::string>& formulas) {
    Graph graph;
    Scope scope;
    for (const char* name : {"x", "y", "z"}) scope.declare(name, inputs.emplace_back(graph.variable(name)));
    const std::vector<Id> parameters{graph.variable("p")};
    scope.declare("p", parameters[0]);
    std::vector<Id> outputs;
    for (const std::string& formula : formulas) outputs.push_back(parse(formula, graph, scope, {}));
    tape = Tape(graph, inputs, parameters, outputs);
  }

  NativeTapes compile(bool cached_only = false) const {
    const Tape* const tapes[] = {&tape};
    const double point[] = {0.3, -0.8, 1.7}, parameter[] = {0.4};
    return compile_tapes(tapes, cached_only, parameter, point);
  }

  void expect_same(const NativeTapes& native, double x, double y, double z, double p) const {
    std::vector<double> on_tape(tape.slots(), 0.0);
    tape.prepare({&p, 1}, on_tape);
    on_tape[0] = x, on_tape[1] = y, on_tape[2] = z;
    std::vector<double> compiled = on_tape;
    tape.run(on_tape);
    native.functions[0](compiled.data());
    for (std::size_t i = 0; i < tape.outputs(); ++i) {
      const double a = on_tape[tape.output(i)], b = compiled[tape.output(i)];
      const bool same = a == b && std::signbit(a) == std::signbit(b);
      EXPECT_TRUE(same || (std::isnan(a) && std::isnan(b))) << "output " << i << ": " << a << ", " << b;
    }
  }

  std::vector<Id> inputs;
  Tape tape;
};

const std::vector<std::string> every_operation{"x + y*z - p",
                                               "x - y*z",
                                               "(x - y)/(z + p)",
                                               "x^7 + y^-2",
                                               "abs(y)^z",
                                               "sin(x)*cos(x)",
                                               "sin(y) + cos(z)",
                                               "sin(x+y)",
                                               "cos(x*z)",
                                               "sin(x-z) + cos(x-z) + sin(p*x)",
                                               "tan(x)",
                                               "asin(y/9)",
                                               "acos(y/9)",
                                               "atan(x)",
                                               "atan2(x, y)",
                                               "sinh(x) + cosh(y)",
                                               "tanh(z)",
                                               "exp(x/9)",
                                               "log(abs(x)+1)",
                                               "sqrt(abs(z))",
                                               "abs(y)",
                                               "sign(y)",
                                               "min(x, y)",
                                               "max(x, y)",
                                               "if(x < y, x, z)",
                                               "if(x <= y, 2*x, 3*z)",
                                               "if(x == y, x, z)",
                                               "if(x != y, x, z)",
                                               "-x",
                                               "x",
                                               "p",
                                               "2.5",
                                               "sqrt(x)",
                                               "1/(x - 0.3)"};

TEST_F(Native, GivesTheBitsOfTheTapeForEveryOperation) {
  const Formulas formulas(every_operation);
  const NativeTapes native = formulas.compile();
  ASSERT_TRUE(native.code) << native.why_not;
  const double special[] = {0.0, -0.0, 1.0, -2.5, 0.3, 3e6, -1e300, 1e-310, INFINITY, NAN};  // 3e6: sines by libm
  for (const double x : special)
    for (const double y : special)
      for (const double p : {0.4, 7.0}) formulas.expect_same(native, x, y, 0.5 * x + 0.1, p);
}

TEST_F(Native, LongFormulasAreSeveralFunctions) {
  std::vector<std::string> many;
  for (int i = 0; i < 400; ++i)
    many.push_back("sin(" + std::to_string(i) + "*x + y)*z + x*y*" + std::to_string(i % 7) + "/(z + p)");
  const Formulas formulas(many);
  EXPECT_THAT(formulas.tape.in_c("f"), HasSubstr("f_3(s);"));
  const NativeTapes native = formulas.compile();
  ASSERT_TRUE(native.code) << native.why_not;
  formulas.expect_same(native, 0.7, -0.2, 1.1, 0.4);
}

TEST_F(Native, ComesFromTheCacheTheSecondTime) {
  const Formulas formulas({"x*sin(y) + p"});
  EXPECT_THAT(formulas.compile(true).why_not, HasSubstr("no compiled code"));
  EXPECT_FALSE(formulas.compile().cached);
  ASSERT_EQ(entries().size(), 1U) << "nothing else is left behind";
  EXPECT_TRUE(formulas.compile(true).cached);
  EXPECT_TRUE(formulas.compile().cached);
  Formulas({"x*sin(y) - p"}).compile();
  EXPECT_EQ(entries().size(), 2U);
}

TEST_F(Native, WhatIsDamagedIsMadeAnew) {
  const Formulas formulas({"x*sin(y) + p"});
  formulas.compile();
  const fs::path entry = entries().front();
  const auto size = fs::file_size(entry);
  for (const auto left : {size / 2, std::uintmax_t{10}, std::uintmax_t{0}, size - 1}) {
    fs::resize_file(entry, left);
    EXPECT_THAT(formulas.compile(true).why_not, HasSubstr("damaged"));
    const NativeTapes native = formulas.compile();
    ASSERT_TRUE(native.code) << native.why_not;
    EXPECT_FALSE(native.cached);
  }
  std::fstream(entry, std::ios::in | std::ios::out | std::ios::binary).seekp(static_cast<std::streamoff>(size / 2))
      << 'x';
  EXPECT_THAT(formulas.compile(true).why_not, HasSubstr("damaged"));
  EXPECT_TRUE(formulas.compile().code);
}

TEST_F(Native, OfOthersIsNotLoaded) {
  const Formulas formulas({"x*sin(y) + p"});
  formulas.compile();
  fs::permissions(entries().front(), fs::perms::others_write, fs::perm_options::add);
  EXPECT_THAT(formulas.compile(true).why_not, HasSubstr("can be written by others"));
}

TEST_F(Native, ProcessesDoNotDisturbEachOther) {
  const Formulas formulas(every_operation);
  std::vector<pid_t> children;
  for (int i = 0; i < 3; ++i) {
    const pid_t child = fork();
    if (child == 0) _exit(formulas.compile().code ? 0 : 1);
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = -1;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  EXPECT_EQ(entries().size(), 1U);
  EXPECT_TRUE(formulas.compile(true).cached);
}

TEST_F(Native, WithoutACompilerThereIsAReason) {
  const Formulas formulas({"x*sin(y) + p"});
  {
    const Setting none("PATH", folder_.string());
    EXPECT_THAT(formulas.compile().why_not, HasSubstr("no C compiler"));
    EquationSystem system(Motion::from_file("pendulum"));
    EXPECT_THAT(system.compile(Compile::automatic, 1e12), HasSubstr("no C compiler"));
    EXPECT_THROW(system.compile(Compile::always), Error);
  }
  const Setting broken("CC", "/bin/false");
  EXPECT_THAT(formulas.compile().why_not, HasSubstr("/bin/false failed"));
}

TEST_F(Native, OfASystemGivesTheSameMotion) {
  Motion tape(Motion::from_file("andrews_squeezer")), compiled(Motion::from_file("andrews_squeezer"));
  EXPECT_THAT(compiled.system.compile(Compile::never), HasSubstr("tape of "));
  EXPECT_THAT(compiled.system.compile(Compile::automatic), EndsWith("instructions: no compiled code is in the cache"));
  EXPECT_THAT(compiled.system.compile(Compile::automatic, 1e9), HasSubstr("compiled, "));
  Motion again(Motion::from_file("andrews_squeezer"));  // compiled itself keeps the code that it has
  EXPECT_THAT(again.system.compile(Compile::automatic), EndsWith("from the cache"));
  std::vector<double> other = tape.system.parameters();
  for (double& value : other) value *= 1.001;
  for (Motion* motion : {&tape, &compiled}) {
    motion->system.set_parameters(other, motion->dynamics.workspace());
    motion->start = find_initial_conditions(motion->dynamics, motion->system.start()).state;
  }
  test::Recording a, b;
  tape.run({.until = 0.003, .output = 0.001}, a);
  compiled.run({.until = 0.003, .output = 0.001}, b);
  ASSERT_EQ(a.samples.size(), b.samples.size());
  for (std::size_t k = 0; k < a.samples.size(); ++k) {
    EXPECT_EQ(a.samples[k].q, b.samples[k].q);
    EXPECT_EQ(a.samples[k].lambda, b.samples[k].lambda);
  }
  EXPECT_EQ(entries().size(), 1U) << "other parameters are no other code";
}

}  // namespace
}  // namespace maggi::expression
