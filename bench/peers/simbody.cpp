// Simbody: joint coordinates, loops closed by PointOnLine (two rows each).
#include <Simbody.h>

#include <memory>

#include "andrews_hand.hpp"
#include "andrews_run.hpp"
#include "chain_hand.hpp"
#include "measure.hpp"
#include "parallel_cranks.hpp"

namespace {

using namespace SimTK;
using parallel_cranks::duration;
using parallel_cranks::Motion;

struct Engine {
  MultibodySystem system;
  SimbodyMatterSubsystem matter{system};
  GeneralForceSubsystem forces{system};
  std::vector<MobilizedBody> bodies;

  Body::Rigid rigid(double mass, Vec3 centre, Inertia about_centre) {
    return Body::Rigid(MassProperties(mass, centre, about_centre.shiftFromMassCenter(centre, mass)));
  }
  MobilizedBody pin(const MobilizedBody& parent, const Transform& at, const Body& body) {
    bodies.push_back(MobilizedBody::Pin(const_cast<MobilizedBody&>(parent), at, body, Transform()));
    return bodies.back();
  }
  void pull() { Force::Gravity(forces, matter, Vec3(0, -9.81, 0)); }
  State state() {
    State made = system.realizeTopology();
    system.realizeModel(made);
    return made;
  }
  Body::Rigid rod_along_y() { return rigid(1, Vec3(0, 0.5, 0), Inertia(1.0 / 12, spatial::thin, 1.0 / 12)); }
  Body::Rigid rod_along_x() { return rigid(1, Vec3(0.5, 0, 0), Inertia(spatial::thin, 1.0 / 12, 1.0 / 12)); }
  double time_evaluation(State& at) {
    const Vector q = at.getQ();
    return bench::shortest([&] { at.updQ() = q, system.realize(at, Stage::Acceleration); });
  }
};

/// Cranks first, couplers after them.
struct Cranks : Engine {
  explicit Cranks(int loops) {
    pull();
    const Body::Rigid crank = rod_along_y(), coupler = rod_along_x();
    for (int i = 0; i <= loops; ++i) pin(matter.Ground(), Transform(Vec3(i, 0, 0)), crank);
    for (int i = 0; i < loops; ++i) {
      MobilizedBody held = pin(bodies[i], Transform(Vec3(0, 1, 0)), coupler);
      Constraint::PointOnLine(bodies[i + 1], UnitVec3(0, 0, 1), Vec3(0, 1, 0), held, Vec3(1, 0, 0));
    }
  }
  State at(int loops, Motion motion) {
    State made = state();
    for (int i = 0; i <= 2 * loops; ++i) {
      const double sign = i <= loops ? -1 : 1;
      made.updQ()[i] = sign * motion.angle, made.updU()[i] = sign * motion.speed;
    }
    return made;
  }
};

void cranks(int loops) {
  Cranks engine(loops);
  State at = engine.at(loops, parallel_cranks::in_motion);
  const double seconds = engine.time_evaluation(at);
  bench::report(seconds,
                std::abs(-at.getUDot()[0] - parallel_cranks::acceleration(loops, parallel_cranks::in_motion.angle)));
}

void chain(int n) {
  Engine engine;
  engine.pull();
  MobilizedBody parent = engine.matter.Ground();
  for (int i = 0; i < n; ++i)
    parent =
        engine.pin(parent, Transform(Rotation(open_chain::turned(i) ? Pi / 2 : 0.0, YAxis), Vec3(0, i > 0 ? 1 : 0, 0)),
                   engine.rod_along_y());
  State at = engine.state();
  for (int i = 0; i < n; ++i) at.updQ()[i] = open_chain::angle(i), at.updU()[i] = open_chain::speed;
  const double seconds = engine.time_evaluation(at);
  bench::report(seconds, open_chain::error(n, at.getUDot()[0]));
}

/// Runs to the end; the largest change of energy is looked at every tenth of a second.
struct Result {
  double seconds, error, drift;
};
Result run(int loops, Motion start, double accuracy) {
  Cranks engine(loops);
  RungeKuttaMersonIntegrator integrator(engine.system);
  integrator.setAccuracy(accuracy);
  TimeStepper stepper(engine.system, integrator);
  stepper.initialize(engine.at(loops, start));
  const auto energy = [&] {
    engine.system.realize(stepper.getState(), Stage::Dynamics);
    return engine.system.calcEnergy(stepper.getState());
  };
  const double at_first = energy(), begin = bench::cpu_seconds();
  double drift = 0;
  for (int i = 1; i <= 100; ++i) {
    stepper.stepTo(duration * i / 100);
    drift = std::max(drift, std::abs(energy() - at_first));
  }
  const double seconds = bench::cpu_seconds() - begin;
  return {seconds, std::abs(-stepper.getState().getQ()[0] - parallel_cranks::after(loops, start, duration).angle),
          drift};
}

void motion(int loops, Motion start, double demanded, const std::vector<double>& accuracies) {
  Result result{};
  const double accuracy = bench::cheapest(accuracies, demanded, [&](double each) {
    result = run(loops, start, each);
    return result.error;
  });
  if (!(result.error <= demanded)) result = run(loops, start, accuracy);
  bench::report(result.seconds, result.error, {{"accuracy", accuracy}, {"drift", result.drift}});
}
void swing(int loops) { motion(loops, parallel_cranks::swing, parallel_cranks::swing_error, {1e-5, 1e-6, 1e-7, 1e-8}); }
void tumbling(int loops) { motion(loops, parallel_cranks::tumbling, parallel_cranks::tumbling_error, {1e-5}); }

/// Bodies K1, K2, K3, K5, K4, K7, K6 in the order of the trees.
struct Squeezer : Engine {
  static constexpr int coordinate[7] = {0, 1, 2, 4, 3, 6, 5};
  Squeezer() {
    namespace A = andrews;
    const auto body = [&](double m, double i, double x, double y) { return rigid(m, Vec3(x, y, 0), Inertia(i, i, i)); };
    const auto hold = [&](const MobilizedBody& parent, double x, double y, const Body& held) {
      return pin(parent, Transform(Vec3(x, y, 0)), held);
    };
    const MobilizedBody ground = matter.Ground();
    MobilizedBody k1 = hold(ground, 0, 0, body(A::m1, A::i1, A::ra, 0));
    MobilizedBody k2 = hold(k1, A::rr, 0, body(A::m2, A::i2, -A::da, 0));
    MobilizedBody k3 = hold(ground, A::xb, A::yb, body(A::m3, A::i3, A::sa, -A::sb));
    MobilizedBody k5 = hold(ground, A::xa, A::ya, body(A::m5, A::i5, A::ta, A::tb));
    MobilizedBody k4 = hold(k5, A::zt, 0, body(A::m4, A::i4, 0, -(A::e - A::ea)));
    MobilizedBody k7 = hold(ground, A::xa, A::ya, body(A::m7, A::i7, A::ua, -A::ub));
    MobilizedBody k6 = hold(k7, 0, -A::u, body(A::m6, A::i6, A::zf - A::fa, 0));
    const UnitVec3 z(0, 0, 1);
    const Vec3 e(-A::d, 0, 0);
    Constraint::PointOnLine(k3, z, Vec3(0, -A::ss, 0), k2, e);
    Constraint::PointOnLine(k4, z, Vec3(0, -A::e, 0), k2, e);
    Constraint::PointOnLine(k6, z, Vec3(A::zf, 0, 0), k2, e);
    Force::TwoPointLinearSpring(forces, k3, Vec3(A::sd, -A::sc, 0), matter.Ground(), Vec3(A::xc, A::yc, 0), A::c0,
                                A::l0);
    Force::MobilityConstantForce(forces, k1, 0, A::mom);
  }
  State at_rest() {
    State made = state();
    for (int i = 0; i < 7; ++i) bodies[i].setOneQ(made, 0, andrews::q0[coordinate[i]]);
    return made;
  }
};

void andrews_evaluation(int) {
  Squeezer engine;
  State at = engine.at_rest();
  const double seconds = engine.time_evaluation(at);
  bench::report(seconds, std::abs(engine.bodies[0].getOneUDot(at, 0) / andrews::start_beta_ddot - 1));
}

void andrews_motion(int) {
  Squeezer engine;
  const State start = engine.at_rest();
  double seconds = 0;
  const auto run = [&](double accuracy) {
    RungeKuttaMersonIntegrator integrator(engine.system);
    integrator.setAccuracy(accuracy);
    integrator.setConstraintTolerance(0.1 * accuracy);
    TimeStepper stepper(engine.system, integrator);
    stepper.initialize(start);
    const double begin = bench::cpu_seconds();
    stepper.stepTo(andrews::end);
    seconds = bench::cpu_seconds() - begin;
    double q[7];
    for (int i = 0; i < 7; ++i) q[Squeezer::coordinate[i]] = engine.bodies[i].getOneQ(stepper.getState(), 0);
    return andrews::error(q);
  };
  const double accuracy = bench::cheapest({1e-4, 1e-5, 1e-6, 1e-7, 1e-8}, andrews::demanded, run);
  const double error = run(accuracy);
  bench::report(seconds, error, {{"accuracy", accuracy}});
}

}  // namespace

int main(int argc, char** argv) {
  return bench::run(argc, argv,
                    {{"cranks", cranks},
                     {"chain", chain},
                     {"swing", swing},
                     {"tumbling", tumbling},
                     {"andrews", andrews_evaluation},
                     {"andrews-run", andrews_motion}});
}
