// After the first step, the methods of our own ask for no memory: every malloc of this program is counted.
#include <gtest/gtest.h>

#include <cstdlib>

#include "analysis/complete_system.hpp"
#include "dynamics/dynamics.hpp"
#include "integration/integrate.hpp"
#include "start/initial_conditions.hpp"
#include "support/motion.hpp"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define MAGGI_COUNTS_MALLOC 0
#else
#define MAGGI_COUNTS_MALLOC 1
#endif

namespace {
thread_local long allocations = 0;
}

#if MAGGI_COUNTS_MALLOC  // operator new and Eigen come through here
extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* malloc(std::size_t size) { return ++allocations, __libc_malloc(size); }
void* calloc(std::size_t count, std::size_t size) { return ++allocations, __libc_calloc(count, size); }
void* realloc(void* old, std::size_t size) { return ++allocations, __libc_realloc(old, size); }
}
#endif

namespace maggi {
namespace {

/// Counts the states after the first two (start and first step) before which memory was asked for.
class Counting : public Sink {
 public:
  void accept(const Sample&) override {
    const long now = allocations;
    if (++samples > 2 && now != before_) ++with_allocation;
    before_ = now;
  }
  long samples = 0, with_allocation = 0;

 private:
  long before_ = 0;
};

struct Case {
  const char *model, *integrator, *formulation;
  double until;
};

class Allocation : public ::testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(
    , Allocation,
    ::testing::Values(Case{"pendulum", "dopri5", "augmented", 2.0}, Case{"pendulum", "rk4", "augmented", 2.0},
                      Case{"andrews_squeezer", "dopri5", "augmented", 0.02},
                      Case{"andrews_squeezer", "dopri5", "maggi", 0.02},
                      Case{"andrews_squeezer", "rk4", "augmented", 0.02},
                      Case{"chaplygin_sleigh", "dopri5", "augmented", 2.0},
                      Case{"acceleration_level", "dopri5", "augmented", 2.0}, Case{"four_bar", "dopri5", "auto", 1.0},
                      Case{"squeezer", "dopri5", "maggi", 0.02}, Case{"squeezer", "dop853", "auto", 0.02},
                      Case{"andrews_squeezer", "dop853", "auto", 0.02}, Case{"chaplygin_sleigh", "dop853", "auto", 2.0},
                      Case{"bricard", "dopri5", "auto", 2.0}, Case{"bricard", "dop853", "auto", 2.0},
                      Case{"bricard", "radau5", "auto", 0.5}, Case{"door", "dop853", "auto", 2.0},
                      Case{"gate", "dopri5", "auto", 0.3}, Case{"four_bar", "radau5", "auto", 0.5},
                      Case{"double_cardan", "dopri5", "auto", 2.0}, Case{"heavy_top", "rk4", "auto", 0.1},
                      Case{"slider_crank_driven", "dopri5", "auto", 0.5}, Case{"parallel_rods", "dopri5", "auto", 0.5},
                      Case{"bead_friction", "dopri5", "auto", 0.15}, Case{"bead_friction", "dop853", "auto", 0.15},
                      Case{"rod_friction", "dop853", "auto", 0.2}, Case{"rod_friction", "radau5", "auto", 0.2},
                      Case{"sticky_drawer", "dopri5", "auto", 0.3}, Case{"two_masses_servo", "dopri5", "auto", 0.5},
                      Case{"overhead_crane", "dopri5", "auto", 0.5}, Case{"vehicle", "dopri5", "auto", 0.5}),
    [](const auto& test) {
      return std::string(test.param.model) + "_" + test.param.integrator + "_" + test.param.formulation;
    });

/// Events change the rows, and ask for memory: the spans end before the first.
void expect_none(const Model& model, const Case& c) {
  if (!MAGGI_COUNTS_MALLOC) GTEST_SKIP() << "a sanitizer owns malloc";
  const CompleteSystem complete = complete_system(model, Numbers(model), c.formulation);
  Dynamics& dynamics = *complete.dynamics;
  const State start = complete.start.state;
  for (const double output : {0.0, c.until / 100}) {  // every step; a grid
    Counting counting;
    IntegrateOptions options;
    options.integrator = c.integrator;
    options.until = c.until;
    options.output = output;
    options.step = options.integrator == "rk4" ? c.until / 500 : 0.0;
    const maggi::IntegrationResult run = integrate(dynamics, start, counting, options);
    ASSERT_EQ(run.outcome, Outcome::reached_end) << run.explanation;
    EXPECT_GT(counting.samples, 4);
    EXPECT_EQ(counting.with_allocation, 0) << "of " << counting.samples << " states, output = " << output;
  }
}

TEST_P(Allocation, NoneAfterTheFirstStep) { expect_none(test::Motion::from_file(GetParam().model), GetParam()); }

TEST(PlaneAllocation, NoneWhereFrictionTurnsWithTheSliding) {
  const Model puck = test::Motion::from_text(R"toml(
    gravity = [0.5, 0, -9.81]
    [body.puck]
    mass = 1.5
    inertia = [0.1, 0.2, 0.25]
    position = [0.3, 0.2, 0.1]
    [joint]
    table = { planar = ["ground", "puck"], at = [0, 0, 0], axis = [0, 0, 1], speed = { x = 1, y = 2, angle = 3 }, friction = { coefficient = 0.1, radius = 0.02 } }
  )toml");
  for (const char* integrator : {"dopri5", "dop853"}) expect_none(puck, {"", integrator, "auto", 0.3});
}

TEST(Counter, SeesNewAndEigen) {
  if (!MAGGI_COUNTS_MALLOC) GTEST_SKIP();
  const long before = allocations;
  const Vector eigen = Vector::Zero(100);
  const auto standard = std::make_unique<std::vector<double>>(100);
  EXPECT_GE(allocations - before, 3) << eigen.sum() + static_cast<double>(standard->size());
}

}  // namespace
}  // namespace maggi
