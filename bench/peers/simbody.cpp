// Simbody: joint coordinates, loops closed by PointOnLine (two rows each).
#include <Simbody.h>

#include <memory>

#include "dynamics/dynamics.hpp"
#include "engine.hpp"

namespace {

using namespace SimTK;
using parallel_cranks::Motion;

/// A model; its coordinates are those of the joints in the order in which they were made.
struct Model {
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
  void pull(Vec3 g = Vec3(0, -9.81, 0)) { Force::Gravity(forces, matter, g); }
  State state() {
    State made = system.realizeTopology();
    system.realizeModel(made);
    return made;
  }
  Body::Rigid rod_along_y() { return rigid(1, Vec3(0, 0.5, 0), Inertia(1.0 / 12, spatial::thin, 1.0 / 12)); }
  Body::Rigid rod_along_x() { return rigid(1, Vec3(0.5, 0, 0), Inertia(spatial::thin, 1.0 / 12, 1.0 / 12)); }
  virtual ~Model() = default;
  virtual State start() = 0;
  virtual double acceleration(const State& at) const { return bodies[0].getOneUDot(at, 0); }
  virtual std::vector<double> observed(const State&) const { return {}; }
};

/// Cranks first, couplers after them.
struct Cranks final : Model {
  Cranks(int loops, Motion from) : motion(from), loops(loops) {
    pull();
    const Body::Rigid crank = rod_along_y(), coupler = rod_along_x();
    for (int i = 0; i <= loops; ++i) pin(matter.Ground(), Transform(Vec3(i, 0, 0)), crank);
    for (int i = 0; i < loops; ++i) {
      MobilizedBody held = pin(bodies[i], Transform(Vec3(0, 1, 0)), coupler);
      Constraint::PointOnLine(bodies[i + 1], UnitVec3(0, 0, 1), Vec3(0, 1, 0), held, Vec3(1, 0, 0));
    }
  }
  State start() override {
    State made = state();
    for (int i = 0; i <= 2 * loops; ++i) {
      const double sign = i <= loops ? -1 : 1;
      made.updQ()[i] = sign * motion.angle, made.updU()[i] = sign * motion.speed;
    }
    return made;
  }
  double acceleration(const State& at) const override { return -at.getUDot()[0]; }
  std::vector<double> observed(const State& at) const override { return {-at.getQ()[0]}; }
  Motion motion;
  int loops;
};

struct Chain final : Model {
  explicit Chain(int n) {
    pull();
    MobilizedBody parent = matter.Ground();
    for (int i = 0; i < n; ++i)
      parent = pin(parent, Transform(Rotation(open_chain::turned(i) ? Pi / 2 : 0.0, YAxis), Vec3(0, i > 0 ? 1 : 0, 0)),
                   rod_along_y());
  }
  State start() override {
    State made = state();
    for (int i = 0; i < made.getNQ(); ++i) made.updQ()[i] = open_chain::angle(i), made.updU()[i] = open_chain::speed;
    return made;
  }
};

/// Bodies K1, K2, K3, K5, K4, K7, K6 in the order of the trees.
struct Squeezer final : Model {
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
  State start() override {
    State made = state();
    for (int i = 0; i < 7; ++i) bodies[i].setOneQ(made, 0, andrews::q0[coordinate[i]]);
    return made;
  }
  std::vector<double> observed(const State& at) const override {
    std::vector<double> q(7);
    for (int i = 0; i < 7; ++i) q[coordinate[i]] = bodies[i].getOneQ(at, 0);
    return q;
  }
};

struct Pendulum final : Model {
  Pendulum() {
    pull();
    pin(matter.Ground(), Transform(), Body::Rigid(MassProperties(1, Vec3(-1, 0, 0), Inertia(0, 1, 1))));
  }
  State start() override { return state(); }
  std::vector<double> observed(const State& at) const override {
    const Vec3 bob = bodies[0].findStationLocationInGround(at, Vec3(-1, 0, 0));
    return {bob[0], bob[1]};
  }
};

/// The axis of a Pin is z of its frames; the frames of all rods are parallel to the ground as drawn.
Rotation towards(const Vec3& axis) { return Rotation(UnitVec3(axis), ZAxis); }
Inertia brick(double mass, double x, double y, double z) {
  return Inertia(mass / 12 * (y * y + z * z), mass / 12 * (x * x + z * z), mass / 12 * (x * x + y * y));
}

/// The sixth hinge is closed by a ball joint and two right angles.
struct Bricard final : Model {
  Bricard() {
    pull();
    const Vec3 pins[] = {{0, 0, 0}, {1, 0, 0}, {0, -1, 0}, {0, 0, 1}, {-1, 0, 0}},
               axes[] = {{0, 1, 0}, {0, 0, 1}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
               centres[] = {{0.5, 0, 0}, {0, -0.5, 0}, {0, 0, 0.5}, {-0.5, 0, 0}, {0, 0.5, 0}};
    MobilizedBody parent = matter.Ground();
    for (int i = 0; i < 5; ++i) {
      double size[3];
      for (int k = 0; k < 3; ++k) size[k] = centres[i][k] != 0 ? 1 : 0.1;
      const Rotation axis = towards(axes[i]);
      bodies.push_back(MobilizedBody::Pin(parent, Transform(axis, pins[i]),
                                          rigid(1, centres[i], brick(1, size[0], size[1], size[2])), Transform(axis)));
      parent = bodies.back();
    }
    MobilizedBody ground = matter.Ground();
    Constraint::Ball(ground, Vec3(0, 0, 1), parent, Vec3(0, 1, 0));
    for (int k : {1, 2}) Constraint::ConstantAngle(ground, UnitVec3(1, 0, 0), parent, UnitVec3(0, k == 1, k == 2));
  }
  State start() override { return state(); }
  std::vector<double> observed(const State& at) const override {
    const Vec3 tip = bodies[1].findStationLocationInGround(at, Vec3(0, -1, 0));
    return {tip[0], tip[1], tip[2]};
  }
};

/// Spindle, guide and the pins of the arms, which turn downwards; no loops.
struct Governor final : Model {
  Governor() {
    pull(Vec3(0, 0, -9.81));
    MobilizedBody shaft = pin(matter.Ground(), Transform(), rigid(0.3, Vec3(0, 0, 0.5), brick(0.3, 0.01, 0.01, 1)));
    const Rotation x_up = Rotation(UnitVec3(0, 0, 1), XAxis);  // a Slider slides along x of its frames
    bodies.push_back(MobilizedBody::Slider(shaft, Transform(x_up, Vec3(0, 0, 0.5)),
                                           rigid(3, Vec3(0), brick(3, 0.1, 0.1, 0.1)), Transform(x_up)));
    MobilizedBody slider = bodies.back();
    const double c = std::cos(Pi / 6), s = std::sin(Pi / 6);
    for (int side : {1, -1}) {
      const Vec3 middle(side * c / 2, 0, -s / 2);
      const Rotation along(side * Pi / 6, YAxis);  // turns x into the arm
      const Inertia arm = brick(0.3, 1, 0.01, 0.01).reexpress(~along);
      const Inertia all = arm.shiftFromMassCenter(middle, 0.3) + Inertia(2 * middle, 5);
      const Rotation axis = towards(Vec3(0, side, 0));
      bodies.push_back(MobilizedBody::Pin(shaft, Transform(axis, Vec3(side * 0.05, 0, 1)),
                                          Body::Rigid(MassProperties(5.3, (0.3 + 2 * 5) / 5.3 * middle, all)),
                                          Transform(axis)));
      const Vec3 held(side * 0.05, 0, 0);
      Force::TwoPointLinearSpring(forces, bodies.back(), middle, slider, held, 8e5, 0.5);
      Force::TwoPointLinearDamper(forces, bodies.back(), middle, slider, held, 4e4);
    }
  }
  State start() override {
    State made = state();
    bodies[0].setOneU(made, 0, 2 * Pi);
    return made;
  }
  std::vector<double> observed(const State& at) const override {
    return {0.5 + bodies[1].getOneQ(at, 0), Pi / 6 + bodies[2].getOneQ(at, 0)};
  }
};

std::unique_ptr<Model> make(const bench::Problem& problem) {
  if (problem.name == "cranks") return std::make_unique<Cranks>(problem.size, parallel_cranks::in_motion);
  if (problem.name == "swing") return std::make_unique<Cranks>(problem.size, parallel_cranks::swing);
  if (problem.name == "tumbling") return std::make_unique<Cranks>(problem.size, parallel_cranks::tumbling);
  if (problem.name == "chain") return std::make_unique<Chain>(problem.size);
  if (problem.name == "andrews") return std::make_unique<Squeezer>();
  if (problem.name == "pendulum") return std::make_unique<Pendulum>();
  if (problem.name == "bricard") return std::make_unique<Bricard>();
  if (problem.name == "governor") return std::make_unique<Governor>();
  throw bench::NotOffered();
}

class Simbody final : public bench::Engine {
 public:
  bench::Evaluation evaluate(const bench::Problem& problem) override {
    const auto model = make(problem);
    State at = model->start();
    const Vector q = at.getQ();
    const double seconds = bench::shortest([&] { at.updQ() = q, model->system.realize(at, Stage::Acceleration); });
    return {seconds, model->acceleration(at)};
  }

  /// `method`: "" is Runge-Kutta-Merson, "cpodes" BDF with Newton's method. The largest change of energy is looked at
  /// every `output`, or in the end.
  bench::Course run(const bench::Problem& problem, const bench::Goal& goal, const std::string& method,
                    double accuracy) override {
    const auto model = make(problem);
    std::unique_ptr<Integrator> integrator;
    if (method == "cpodes")
      integrator = std::make_unique<CPodesIntegrator>(model->system, CPodes::BDF, CPodes::Newton);
    else
      integrator = std::make_unique<RungeKuttaMersonIntegrator>(model->system);
    integrator->setAccuracy(accuracy);
    if (problem.name == "andrews") integrator->setConstraintTolerance(0.1 * accuracy);
    TimeStepper stepper(model->system, *integrator);
    stepper.initialize(model->start());
    const auto energy = [&] {
      model->system.realize(stepper.getState(), Stage::Dynamics);
      return model->system.calcEnergy(stepper.getState());
    };
    const int looks = goal.output > 0 ? static_cast<int>(std::lround(goal.until / goal.output)) : 1;
    const double at_first = energy(), begin = bench::cpu_seconds();
    double drift = 0;
    for (int i = 1; i <= looks; ++i) {
      stepper.stepTo(goal.until * i / looks);
      drift = std::max(drift, std::abs(energy() - at_first));
    }
    return {bench::cpu_seconds() - begin,
            model->observed(stepper.getState()),
            {{"drift", drift}, {"steps", static_cast<double>(integrator->getNumStepsTaken())}}};
  }

  std::vector<double> settings(const bench::Problem& problem, const std::string&) override {
    if (problem.name == "tumbling" && problem.size > 2) return {1e-5};  // it leaves the branch at any
    return {1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9};
  }
  const char* setting() const override { return "accuracy"; }
};

}  // namespace

int main(int argc, char** argv) {
  Simbody engine;
  return bench::run(argc, argv, engine);
}
