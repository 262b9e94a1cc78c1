// Integrators on a system whose velocities are not the rates of its coordinates: q̇ = N(q) v with more q than v.
#include <gtest/gtest.h>

#include <cmath>

#include "dynamics/dynamics.hpp"
#include "integration/integrate.hpp"
#include "support/motion.hpp"
#include "system/seam/size_terms.hpp"

namespace maggi {
namespace {

using test::Motion;
using test::Recording;

/// A pendulum whose angle is the pair (c, s) = (cos a, sin a), turned by ω; a slider z follows s.
///
///     q = (c, s, z), v = (ω, w)      ċ = −s ω, ṡ = c ω, ż = w      f = z − s      C = (−c, 1)      γ = −s ω²
class Turning final : public System {
 public:
  Turning() {
    shape_.coordinates = {{"c", "", {}}, {"s", "", {}}, {"z", "m", {}}};
    shape_.velocities = {{"omega", "rad/s", {}}, {"w", "m/s", {}}};
    Row row;
    row.name = row.owner = "follow";
    shape_.rows = {row};
    shape_.s_p = 1;
    shape_.identity_rates = false;
    shape_.M = {2, 2, true, {0, 1}, {0, 1}};
    shape_.C = {1, 2, false, {0, 0}, {0, 1}};
    shape_.T.rows = shape_.B.rows = 2;  // no laws, no controls
  }
  const Shape& shape() const override { return shape_; }
  const Start& start() const override { return start_; }
  std::unique_ptr<Workspace> workspace() const override {
    auto w = std::make_unique<Workspace>();
    size_terms(shape_, w->terms);
    w->terms.M = Vector::Ones(2);
    return w;
  }
  void position(const Instant& at, Workspace& w) const override {
    w.terms.f[0] = at.q[2] - at.q[1];
    w.terms.C << -at.q[0], 1.0;
  }
  void velocity(const Instant& at, Workspace& w) const override {
    w.terms.C << -at.q[0], 1.0;
    w.terms.phi[0] = at.v[1] - at.q[0] * at.v[0];
  }
  void acceleration(const Instant& at, Workspace& w) const override {
    w.terms.C << -at.q[0], 1.0;
    w.terms.h << -9.81 * at.q[1], 0.0;
    w.terms.gamma[0] = -at.q[1] * at.v[0] * at.v[0];
  }
  void coordinate_rates(const double* q, const double* v, double* qdot) const override {
    const double c = q[0], s = q[1];  // qdot may not be q
    qdot[0] = -s * v[0], qdot[1] = c * v[0], qdot[2] = v[1];
  }
  void move(double* q, const double* delta) const override {
    const double c = q[0], s = q[1], dc = std::cos(delta[0]), ds = std::sin(delta[0]);
    q[0] = c * dc - s * ds, q[1] = s * dc + c * ds, q[2] += delta[1];
  }
  void move_rates(const double*, const double* rate, double* v) const override { v[0] = rate[0], v[1] = rate[1]; }
  void velocity_derivatives(const Instant& at, Workspace&, Derivatives& d) const override {
    d.phi_q.setZero(1, 2);
    d.phi_q(0, 0) = at.q[1] * at.v[0];
  }
  void acceleration_derivatives(const Instant& at, const Acceleration& held, const Vector&, Workspace&,
                                Derivatives& d) const override {
    const double c = at.q[0], s = at.q[1], omega = at.v[0];
    for (Matrix* balance : {&d.balance_q, &d.balance_v}) balance->setZero(2, 2);
    for (Matrix* rows : {&d.rows_q, &d.rows_v}) rows->setZero(1, 2);
    for (Matrix* law : {&d.law_q, &d.law_v}) law->setZero(0, 2);
    d.balance_q(0, 0) = -9.81 * c + s * (held.lambda.size() > 0 ? held.lambda[0] : 0.0);
    d.rows_q(0, 0) = -c * omega * omega - s * (held.vdot.size() > 0 ? held.vdot[0] : 0.0);
    d.rows_v(0, 0) = -2.0 * s * omega;
  }
  void parameter_derivatives(const Instant&, const Acceleration&, const Vector&, const std::vector<int>&, Workspace&,
                             Derivatives&) const override {}
  void nonlinear_rows(const Instant&, const double*, const double*, Workspace&) const override {}
  void laws(const Instant&, const double*, const double*, const double*, Workspace&) const override {}
  void rates(const Instant&, const double*, Workspace&) const override {}
  Energy energy(const Instant&, Workspace&) const override { return {}; }
  void outputs(const Instant&, const Acceleration&, Workspace&, std::span<double>) const override {}

 private:
  Shape shape_;
  Start start_;
};

TEST(QuasiVelocities, GiveTheSameMotionAsAnAngle) {
  Motion angle(Motion::from_text(R"toml(
    title = "The same with an angle"
    [coordinates]
    a = { start = 1.0, speed = 2.0 }
    z = {}
    [energy]
    kinetic = "a'^2/2 + z'^2/2"
    potential = "-9.81*cos(a)"
    [constraint]
    follow = { position = "z - sin(a)" })toml"));
  IntegrateOptions options{.until = 2.0, .output = 0.1, .rtol = 1e-11, .atol = 1e-12};
  Recording reference;
  ASSERT_EQ(angle.run(options, reference).outcome, Outcome::reached_end);

  const Turning system;
  for (const IntegrateOptions& each : test::every_integrator(2.0)) {
    Dynamics dynamics(system, "augmented");
    State start{0.0, Vector(3), Vector(2)};
    start.q << std::cos(1.0), std::sin(1.0), std::sin(1.0);
    start.v << 2.0, 2.0 * std::cos(1.0);
    const std::string_view integrator = each.integrator.name();
    options.integrator = each.integrator;
    options.drift = each.drift;
    options.step = each.step / 2;
    Recording recording;
    const maggi::IntegrationResult run = integrate(dynamics, start, recording, options);
    ASSERT_EQ(run.outcome, Outcome::reached_end) << integrator << ": " << run.explanation;
    ASSERT_EQ(recording.samples.size(), reference.samples.size());
    for (std::size_t k = 0; k < reference.samples.size(); ++k) {
      const test::Stored &x = recording.samples[k], &y = reference.samples[k];
      const double tolerance = 1e-7;  // as in agreement/integrators_test.cpp
      EXPECT_NEAR(x.q[0], std::cos(y.q[0]), tolerance) << integrator;
      EXPECT_NEAR(x.q[1], std::sin(y.q[0]), tolerance) << integrator;
      EXPECT_NEAR(x.q[2], y.q[1], tolerance) << integrator;
      EXPECT_NEAR((x.v - y.v).norm(), 0.0, 10 * tolerance) << integrator;
      EXPECT_NEAR((x.vdot - y.vdot).norm(), 0.0, 100 * tolerance) << integrator;
    }
  }
}

}  // namespace
}  // namespace maggi
