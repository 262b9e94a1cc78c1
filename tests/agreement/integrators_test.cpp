// Do all integrators give the same motion? IDA shares neither the formulation nor the drift control with the others.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/largest.hpp"
#include "support/available.hpp"
#include "support/measured.hpp"
#include "support/motion.hpp"

namespace maggi {
namespace {

using test::Motion;
using test::Recording;
using test::Stored;

struct Case {
  const char* model;
  double until;
};

void PrintTo(const Case& c, std::ostream* os) { *os << c.model; }

class Integrators : public ::testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(, Integrators,
                         ::testing::Values(Case{"pendulum", 2.0}, Case{"moving_pendulum", 2.0},
                                           Case{"moving_pendulum_driven", 2.0}, Case{"four_bar_cut_ground", 1.0},
                                           Case{"four_bar_slider", 1.0}, Case{"spatial_four_bar", 2.0},
                                           Case{"chaplygin_sleigh", 3.0}, Case{"skate_on_incline", 3.0},
                                           Case{"acceleration_level", 2.0}, Case{"car_axis", 0.5},
                                           Case{"andrews_squeezer", 0.01}),
                         [](const auto& test) { return std::string(test.param.model); });

Recording run(Motion& motion, const IntegrateOptions& options) {
  Recording recording;
  const maggi::IntegrationResult run = motion.run(options, recording);
  EXPECT_EQ(run.outcome, Outcome::reached_end) << options.integrator.name() << ": " << run.explanation;
  return recording;
}

/// Largest difference of one quantity, relative to its largest value in the reference.
template <class Part>
double difference(const Recording& a, const Recording& b, const Part& part) {
  Largest error, scale;
  for (std::size_t k = 0; k < std::min(a.samples.size(), b.samples.size()); ++k) {
    const Vector& x = part(a.samples[k]);
    const Vector& y = part(b.samples[k]);
    if (x.size() == 0) continue;
    error.note(x - y);
    scale.note(y);
  }
  return scale.value() > 0.0 ? error.value() / scale.value() : error.value();
}

TEST_P(Integrators, Agree) {
  const Case& c = GetParam();
  Motion motion(Motion::from_file(c.model));
  IntegrateOptions options;
  options.until = c.until;
  options.output = c.until / 23;  // not a multiple of anybody's step
  options.rtol = 1e-12;
  options.atol = 1e-13;
  const Recording reference = run(motion, options);

  // The local error is held at rtol = 1e-10. One-step methods lose a factor of 10 over these runs, multistep methods
  // with their thousands of steps up to 1000. v̇ and λ change faster than v, by 10 at most.
  struct Method {
    const char* integrator;
    const char* drift;
    double tolerance;
  };
  for (const Method& method :
       {Method{"dopri5", "projection", 5e-9}, Method{"dopri5", "none", 5e-9}, Method{"dop853", "projection", 5e-9},
        Method{"dop853", "none", 5e-9}, Method{"rk4", "projection", 1e-9}, Method{"cvode-bdf", "projection", 1e-7},
        Method{"cvode-bdf", "none", 1e-7}, Method{"cvode-adams", "none", 1e-7}, Method{"ida", "projection", 1e-7},
        Method{"ida", "none", 1e-7}}) {
    if (!test::is_available(method.integrator)) continue;
    options.integrator = method.integrator;
    options.drift = method.drift;
    options.rtol = 1e-10;
    options.atol = 1e-11;
    options.step = options.integrator == Integrator::rk4 ? c.until / 5000 : 0.0;
    const Recording recording = run(motion, options);
    ASSERT_EQ(recording.samples.size(), reference.samples.size()) << method.integrator;
    const double q = difference(recording, reference, [](const Stored& s) { return s.q; });
    const double v = difference(recording, reference, [](const Stored& s) { return s.v; });
    const double vdot = difference(recording, reference, [](const Stored& s) { return s.vdot; });
    const double lambda = difference(recording, reference, [](const Stored& s) { return s.lambda; });
    const std::string name = fmt::format("{}.{}", method.integrator, method.drift);
    test::record(name + ".q", q);
    test::record(name + ".v", v);
    test::record(name + ".vdot", vdot);
    test::record(name + ".lambda", lambda);
    const double tolerance = method.tolerance;
    EXPECT_LT(q, tolerance) << method.integrator;
    EXPECT_LT(v, tolerance) << method.integrator;
    EXPECT_LT(vdot, 10 * tolerance) << method.integrator;
    EXPECT_LT(lambda, 10 * tolerance) << method.integrator;
  }
}

}  // namespace
}  // namespace maggi
