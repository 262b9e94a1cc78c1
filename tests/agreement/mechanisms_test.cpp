// One mechanism described in several ways is one motion: planar and spatial, every loop cut, joints in any order; and
// the forces of the joints hold every body in balance, whatever the tree is.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "base/decompositions.hpp"
#include "maggi/analysis/redundancy.hpp"
#include "maggi/io/model_file.hpp"
#include "maggi/system/mechanism_system.hpp"
#include "support/reference.hpp"
#include "support/same_motion.hpp"

namespace maggi::test {
namespace {

constexpr double rtol = fine_rtol, atol = fine_atol;

/// The same mechanism in space: everything in the plane z = 0, axes along z, bodies as thick as they are heavy.
Model in_space(Model model) {
  Mechanism& mechanism = model.mechanism;
  mechanism.dimension = 3;
  const auto lift = [](Triple& triple, double z = 0.0) {
    if (triple.given()) triple.values.emplace_back(z);
  };
  lift(mechanism.gravity);
  for (Body& body : mechanism.bodies) {
    for (Triple* triple : {&body.position, &body.from, &body.to}) lift(*triple);
    for (Marker& marker : body.markers) lift(marker.at);
    if (!body.inertia.empty()) body.inertia = {body.inertia[0], body.inertia[0], body.inertia[0]};
  }
  for (Joint& joint : mechanism.joints) {
    lift(joint.at), lift(joint.to), lift(joint.axis);
    if (joint.type == JointType::revolute) joint.axis.values = {0.0, 0.0, 1.0};
  }
  for (Spring& spring : mechanism.springs) lift(spring.from), lift(spring.to);
  return model;
}

const std::vector<std::string> four_bar_channels = {"coupler.middle.x", "coupler.middle.y"};
const std::vector<std::string> four_bar_forces = {"pin_1.force.x", "pin_1.force.y", "pin_2.force.x", "pin_2.force.y",
                                                  "pin_3.force.x", "pin_3.force.y", "pin_4.force.x", "pin_4.force.y"};

TEST(MechanismAgreement, EveryCutAndOrder) {
  const Model model = read_example("four_bar");
  const MechanismRun first(model, 1.0, 0.05, rtol, atol);
  std::vector<std::string> channels = four_bar_channels;
  channels.insert(channels.end(), four_bar_forces.begin(), four_bar_forces.end());
  for (std::size_t cut = 1; cut < 4; ++cut) {
    Model other = model;
    other.mechanism.joints[cut].loop = true;
    expect_same(first, MechanismRun(other, 1.0, 0.05, rtol, atol), channels);
  }
  std::mt19937 random(3);
  for (int i = 0; i < 3; ++i) {
    Model other = model;
    std::ranges::shuffle(other.mechanism.joints, random);
    std::ranges::shuffle(other.mechanism.bodies, random);
    expect_same(first, MechanismRun(other, 1.0, 0.05, rtol, atol), channels);
  }
}

TEST(MechanismAgreement, PlanarAndSpatial) {
  const Model model = read_example("four_bar");
  const Model spatial = in_space(model);
  const MechanismRun a(model, 1.0, 0.05, rtol, atol), b(spatial, 1.0, 0.05, rtol, atol);
  expect_same(a, b, four_bar_channels);
  // in the plane every pin is needed; in space three of the five rows of the last one follow from the others
  EXPECT_EQ(b.dynamics.rank(), 2);
  EXPECT_EQ(b.system->shape().m(), 5);

  const MechanismRun c(read_example("squeezer"), 0.005, 0.0005, rtol, atol);
  const MechanismRun d(in_space(read_example("squeezer")), 0.005, 0.0005, rtol, atol);
  expect_same(c, d, {"O.angle", "O.angle'", "B.angle", "K1.F.x"});
}

TEST(MechanismAgreement, FormulasGiveTheSameMotion) {
  const MechanismRun mechanism(read_example("four_bar"), 1.0, 0.05, rtol, atol);
  const MechanismRun formulas(read_example("four_bar_cut_ground"), 1.0, 0.05, rtol, atol);
  const std::vector<double> ours = mechanism["pin_1.angle"], theirs = formulas["theta1"];
  for (std::size_t k = 0; k < ours.size(); ++k) EXPECT_NEAR(ours[k] + 0.8, theirs[k], same * 10);  // up to 10 rad
}

TEST(MechanismAgreement, ADoorOnThreeHingesTurnsAsOnOne) {
  const MechanismRun run(read_example("door"), 0.5, 0.1, rtol, atol);
  EXPECT_EQ(run.dynamics.freedom(), 1);
  EXPECT_EQ(run.dynamics.rank(), 0);  // the two other hinges change nothing
  EXPECT_FALSE(run.has("hinge_low.force.z"));
  EXPECT_FALSE(run.has("hinge_high.force.x"));
  // J θ̈ = −k θ − d θ̇ with J = m (a²/12 + b²/12 + a²/4), underdamped
  const double J = 20.0 * (1.0 / 3.0 + 0.04 * 0.04 / 12.0), decay = 6.0 / (2.0 * J);
  const double omega = std::sqrt(8.0 / J - decay * decay);
  const std::vector<double> t = run["t"], angle = run["hinge_low.angle"];
  for (std::size_t k = 0; k < angle.size(); ++k)
    EXPECT_NEAR(angle[k], std::exp(-decay * t[k]) * std::sin(omega * t[k]) / omega, 1e-10);  // rtol, a few steps
}

TEST(MechanismAgreement, ALoopAssemblesFromAfar) {
  Model model = read_example("four_bar");
  model.mechanism.joints[0].start = {{"", Formula(1.0), {}}};  // a radian away from the drawing
  const MechanismRun run(model, 0.1, 0.05, rtol, atol);
  EXPECT_LT(run.start.residuals.position, 1e-12);
  EXPECT_NEAR(run["pin_1.angle"][0], 1.0, 0.0);
  // rods keep their lengths: the middle of the coupler is half its length from the crank's tip
  const double x = 0.25 * std::cos(1.8), y = 0.25 * std::sin(1.8);
  EXPECT_NEAR(std::hypot(run["coupler.middle.x"][0] - x, run["coupler.middle.y"][0] - y), 0.3, 1e-12);
}

TEST(MechanismAgreement, AHingeDoesNotCloseTheWrongWayRound) {
  // two hinges on one axis: the second would be satisfied upside down too, if its rows were sines
  const std::string toml = R"(
    [body.plate]
    mass = 1
    inertia = [1, 1, 1]
    position = [0, 0, 0]
    [joint]
    ball = { spherical = ["ground", "plate"], at = [0, 0, 0] }
    hinge = { revolute = ["ground", "plate"], at = [0, 0, 0], axis = [0, 0, 1], loop = true }
  )";
  const auto system = MechanismSystem::make(parse_model(toml, "test.toml"));
  const auto w = system->workspace();
  State state{0.0, Vector::Zero(4), Vector::Zero(3)};
  for (const double angle : {0.1, 1.0, 2.0, 3.0, 3.1}) {
    state.q << std::cos(angle / 2), std::sin(angle / 2), 0, 0;  // tilted about x
    system->position(state, *w);
    EXPECT_NEAR(w->terms.f[3], 2 * std::tan(angle / 2), 1e-9 * std::tan(angle / 2)) << angle;
  }
}

/// The certificate over all joints, against a singular value decomposition of the same matrix.
void expect_certificate(const Model& model, int rows, int rank) {
  const auto tree = MechanismSystem::make(model), absolute = MechanismSystem::make_absolute(model);
  Dynamics dynamics(*tree), of_all(*absolute);
  const State at = tree->absolute(find_initial_conditions(dynamics, tree->start()).state);
  const Shape& shape = absolute->shape();
  of_all.decide_rows(at);
  const Redundancy found = find_redundancy(of_all, at);
  EXPECT_EQ(shape.m(), rows);
  EXPECT_EQ(found.rank, rank);
  EXPECT_EQ(static_cast<int>(found.dependencies.size()), rows - rank);
  EXPECT_EQ(shape.n() - found.rank, dynamics.freedom());

  const auto w = absolute->workspace();
  absolute->position(at, *w);
  EXPECT_LT(w->terms.f.lpNorm<Eigen::Infinity>(), 1e-12);  // the same pose
  absolute->acceleration(at, *w);
  Matrix C(rows, shape.n());
  shape.C.scatter(w->terms.C, C);
  EXPECT_LT((C * at.v).lpNorm<Eigen::Infinity>(), 1e-10);  // the same motion, to the tolerance of the start
  const Eigen::JacobiSVD<Matrix> svd(C, Eigen::ComputeFullU);
  EXPECT_EQ((svd.singularValues().array() > 1e-10).count(), rank);
  const Matrix open = svd.matrixU().rightCols(rows - rank);  // yᵀC = 0
  for (int i = 0; i < rows; ++i) EXPECT_EQ(found.unique[i], open.row(i).norm() < 1e-8) << shape.rows[i].name;
  for (const Dependency& d : found.dependencies) {
    Vector rest = C.row(d.row);
    for (const Dependency::Term& term : d.combination) rest -= term.factor * C.row(term.row).transpose();
    EXPECT_LT(rest.norm(), 1e-10) << shape.rows[d.row].name;  // rounding of the solve for the factors
    EXPECT_TRUE(d.compatible) << shape.rows[d.row].name;
    EXPECT_TRUE(d.permanent && *d.permanent) << shape.rows[d.row].name;
  }
}

TEST(MechanismAgreement, CertificateOverAllJoints) {
  expect_certificate(read_example("door"), 15, 5);
  expect_certificate(read_example("bricard"), 30, 29);
  expect_certificate(read_example("four_bar"), 8, 8);
  expect_certificate(in_space(read_example("four_bar")), 20, 17);
  expect_certificate(read_example("spatial_slider_crank"), 16, 16);
  expect_certificate(read_example("squeezer"), 20, 20);
  // a coupler on three equal parallel cranks: four bodies of 3, six pins of 2, one freedom
  expect_certificate(parse_model(R"toml(
    dimension = 2
    gravity = [0, -9.81]
    [body.coupler]
    shape = "rod"
    mass = 2
    from = [0.3, 0.4]
    to = [2.3, 0.4]
    [body.left]
    shape = "rod"
    mass = 1
    from = [0, 0]
    to = [0.3, 0.4]
    [body.middle]
    shape = "rod"
    mass = 1
    from = [1, 0]
    to = [1.3, 0.4]
    [body.right]
    shape = "rod"
    mass = 1
    from = [2, 0]
    to = [2.3, 0.4]
    [joint]
    left_foot = { revolute = ["ground", "left"], at = [0, 0], speed = 1.0 }
    middle_foot = { revolute = ["ground", "middle"], at = [1, 0] }
    right_foot = { revolute = ["ground", "right"], at = [2, 0] }
    left_head = { revolute = ["left", "coupler"], at = [0.3, 0.4] }
    middle_head = { revolute = ["middle", "coupler"], at = [1.3, 0.4] }
    right_head = { revolute = ["right", "coupler"], at = [2.3, 0.4] }
  )toml",
                                 "test.toml"),
                     12, 11);
  // two universal joints between two bearings: three bodies of 6, 5 + 4 + 4 + 5, one freedom; without its motor
  Model cardan = read_example("double_cardan");
  cardan.mechanism.drivers.clear();
  expect_certificate(cardan, 18, 17);
  Model cut = read_example("bricard");  // wherever the loop is cut
  cut.mechanism.joints[1].loop = true;
  expect_certificate(cut, 30, 29);
}

}  // namespace
}  // namespace maggi::test
