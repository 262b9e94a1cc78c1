// One mechanism described in several ways is one motion: planar and spatial, every loop cut, joints in any order; and
// the forces of the joints hold every body in balance, whatever the tree is.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "analysis/redundancy.hpp"
#include "base/decompositions.hpp"
#include "base/largest.hpp"
#include "dynamics/dynamics.hpp"
#include "io/toml/model_file.hpp"
#include "start/initial_conditions.hpp"
#include "support/in_space.hpp"
#include "support/reference.hpp"
#include "support/same_motion.hpp"
#include "system/seam/mechanism_system.hpp"

namespace maggi::test {
namespace {

constexpr double rtol = fine_rtol, atol = fine_atol;

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
  EXPECT_LT(run.start.residuals.position, 1e-12);  // the start ends at 1e-13 (1 + |x|)
  EXPECT_EQ(run["pin_1.angle"][0], 1.0);
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
  // and from a guess that is nearer to upside down it is not assembled so
  for (const double angle : {2.0, 2.8, 3.1}) {
    Dynamics dynamics(*system);
    Start tilted = system->start();
    tilted.origin << std::cos(angle / 2), std::sin(angle / 2), 0, 0;
    const State found = find_initial_conditions(dynamics, tilted).state;
    EXPECT_NEAR(found.q[1], 0.0, 1e-9) << angle;  // no tilt about x and y is left, of which upside down had a whole one
    EXPECT_NEAR(found.q[2], 0.0, 1e-9) << angle;
  }
}

/// `reaction_frame`: the same forces and torques along the axes of the world, of the joint, which its first body
/// carries, and of the body that they act on; for joints of the tree and of a loop, on each side. As drawn all axes are
/// those of the world.
TEST(MechanismAgreement, ReactionsAlongTheAxesAskedFor) {
  const std::string toml = R"(
    gravity = [1, 2, -9.81]
    [body.arm]
    mass = 2
    inertia = [0.1, 0.2, 0.3]
    position = [0.5, 0, 0]
    markers = { o = [0, 0, 0], x = [1, 0, 0], y = [0, 1, 0], z = [0, 0, 1] }
    [body.bob]
    mass = 1
    inertia = [0.3, 0.1, 0.2]
    position = [1, 0.4, 0.1]
    markers = { o = [0, 0, 0], x = [1, 0, 0], y = [0, 1, 0], z = [0, 0, 1] }
    [joint]
    hinge = { revolute = ["ground", "arm"], at = [0, 0, 0], axis = [0, 1, 0], speed = 2 }
    elbow = { revolute = ["arm", "bob"], at = [1, 0, 0], axis = [0, 0, 1], speed = -3 }
  )";
  for (const bool loop : {false, true}) {
    Model model = parse_model(toml, "test.toml");
    model.mechanism.joints[1].loop = loop;
    const MechanismRun world(model, 1.0, 0.1, fine_rtol, fine_atol);
    const auto axes = [&](const std::string& body, std::size_t k) {
      Eigen::Matrix3d R;
      const std::string names = "xyz";
      for (int j = 0; j < 3; ++j)
        for (int i = 0; i < 3; ++i)
          R(i, j) = world[fmt::format("{}.{}.{}", body, names[j], names[i])][k] -
                    world[fmt::format("{}.o.{}", body, names[i])][k];
      return R;
    };
    const auto vector = [](const MechanismRun& run, const std::string& name, std::size_t k) {
      return Eigen::Vector3d(run[name + ".x"][k], run[name + ".y"][k], run[name + ".z"][k]);
    };
    for (const bool of_body : {false, true}) {
      model.mechanism.reaction_frame = of_body ? ReactionFrame::body : ReactionFrame::joint;
      const MechanismRun other(model, 1.0, 0.1, fine_rtol, fine_atol);
      ASSERT_EQ(other.size(), world.size());
      for (const std::string what : {"elbow.force", "elbow.torque", "elbow.first.force", "elbow.first.torque"})
        for (std::size_t k = 0; k < world.size(); ++k) {
          const bool first = what.find("first") != std::string::npos;
          const Eigen::Vector3d expected =
              axes(of_body && !first ? "bob" : "arm", k).transpose() * vector(world, what, k);
          EXPECT_LE((vector(other, what, k) - expected).norm(), same * (1.0 + expected.norm())) << what << " " << k;
        }
      EXPECT_GT((vector(other, "elbow.force", 5) - vector(world, "elbow.force", 5)).norm(), 1.0);
    }
  }
}

/// A parallelogram with a crank too many.
Model three_cranks() {
  return parse_model(R"toml(
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
                     "test.toml");
}

/// The certificate over all joints, against a singular value decomposition of the same matrix.
void expect_certificate(const Model& model, int rows, int rank) {
  const auto tree = MechanismSystem::make(model), absolute = tree->absolute_twin();
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
  EXPECT_LT(largest(w->terms.f), 1e-12);  // the same pose
  absolute->acceleration(at, *w);
  Matrix C(rows, shape.n());
  shape.C.scatter(w->terms.C, C);
  EXPECT_LT(largest(C * at.v), 1e-10);  // the same motion, to the tolerance of the start
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
  expect_certificate(three_cranks(), 12, 11);
  expect_certificate(in_space(three_cranks()), 30, 23);
  // two universal joints between two bearings: three bodies of 6, 5 + 4 + 4 + 5, one freedom; without its motor
  Model cardan = read_example("double_cardan");
  cardan.mechanism.drivers.clear();
  expect_certificate(cardan, 18, 17);
  Model cut = read_example("bricard");  // wherever the loop is cut
  cut.mechanism.joints[1].loop = true;
  expect_certificate(cut, 30, 29);
}

/// What a certificate says, whatever the order of the rows: a projector onto the combinations that vanish, by the names
/// of the rows, and which multipliers are unique.
struct Certificate {
  explicit Certificate(const Model& model) {
    const auto tree = MechanismSystem::make(model), absolute = tree->absolute_twin();
    Dynamics dynamics(*tree), of_all(*absolute);
    const State at = tree->absolute(find_initial_conditions(dynamics, tree->start()).state);
    of_all.decide_rows(at);
    const Redundancy found = find_redundancy(of_all, at);
    const Shape& shape = absolute->shape();
    rank = found.rank;
    for (int i = 0; i < shape.m(); ++i) names.push_back(shape.rows[i].name);
    std::ranges::sort(names);
    const auto place = [&](int row) { return std::ranges::lower_bound(names, shape.rows[row].name) - names.begin(); };
    for (int i = 0; i < shape.m(); ++i)
      if (found.unique[i]) unique.push_back(shape.rows[i].name);
    std::ranges::sort(unique);
    Matrix z = Matrix::Zero(shape.m(), static_cast<Eigen::Index>(found.dependencies.size()));
    for (Eigen::Index k = 0; k < z.cols(); ++k) {
      const Dependency& d = found.dependencies[k];
      z(place(d.row), k) = 1.0;
      for (const Dependency::Term& term : d.combination) z(place(term.row), k) -= term.factor;
      EXPECT_TRUE(d.compatible && d.permanent && *d.permanent) << shape.rows[d.row].name;
    }
    vanishing = Matrix::Zero(shape.m(), shape.m());
    if (z.cols() == 0) return;
    const Matrix Q = Eigen::HouseholderQR<Matrix>(z).householderQ() * Matrix::Identity(z.rows(), z.cols());
    vanishing = Q * Q.transpose();
  }

  int rank = 0;
  std::vector<std::string> names, unique;
  Matrix vanishing;
};

/// Every joint as the one that is cut, where the start allows it, and joints and bodies in random orders.
std::vector<Model> other_descriptions(const Model& model) {
  std::vector<Model> result;
  for (std::size_t cut = 0; cut < model.mechanism.joints.size(); ++cut) {
    const Joint& joint = model.mechanism.joints[cut];
    if (!joint.speed.empty() || !joint.start.empty()) continue;  // a value that is given needs its coordinate
    result.push_back(model);
    result.back().mechanism.joints[cut].loop = true;
  }
  std::mt19937 random(5);
  for (int i = 0; i < 3; ++i) {
    result.push_back(model);
    std::ranges::shuffle(result.back().mechanism.joints, random);
    std::ranges::shuffle(result.back().mechanism.bodies, random);
  }
  return result;
}

TEST(MechanismAgreement, EveryCutAndOrderHasTheSameCertificate) {
  Model cardan = read_example("double_cardan");
  cardan.mechanism.drivers.clear();
  for (const Model& model :
       {read_example("door"), read_example("bricard"), in_space(read_example("four_bar")), cardan}) {
    SCOPED_TRACE(model.title);
    const Certificate first(model);
    for (const Model& other : other_descriptions(model)) {
      const Certificate again(other);
      EXPECT_EQ(again.rank, first.rank);
      ASSERT_EQ(again.names, first.names);
      EXPECT_EQ(again.unique, first.unique);
      EXPECT_LT((again.vanishing - first.vanishing).norm(), 1e-8);  // starts are consistent to 1e-10
    }
  }
}

/// Where three of five rows of the loop follow from the others, the forces that are unique are the same ones, and
/// equal.
TEST(MechanismAgreement, EveryCutAndOrderHasTheSameUniqueForces) {
  for (const Model& model : {in_space(read_example("four_bar")), read_example("bricard")}) {
    SCOPED_TRACE(model.title);
    const MechanismRun first(model, 0.5, 0.05, rtol, atol);
    std::vector<std::string> channels;
    for (const Joint& joint : model.mechanism.joints)
      for (const char* part : {".force.x", ".force.y", ".force.z", ".torque.x", ".torque.y", ".torque.z"})
        if (first.has(joint.name + part)) channels.push_back(joint.name + part);
    // Bricard's: no force, but about y the torques of hinges 1 and 4, about x those of 3 and 6, in every configuration
    EXPECT_EQ(channels.size(), model.title == read_example("bricard").title ? 4u : 12u);
    for (const Body& body : model.mechanism.bodies)
      for (const Marker& marker : body.markers)
        for (const char* axis : {".x", ".y", ".z"}) channels.push_back(body.name + "." + marker.name + axis);
    for (const Model& other : other_descriptions(model)) {
      const MechanismRun again(other, 0.5, 0.05, rtol, atol);
      for (const Joint& joint : model.mechanism.joints)
        for (const char* part : {".force.x", ".force.z", ".torque.x", ".torque.z"})
          EXPECT_EQ(again.has(joint.name + part), first.has(joint.name + part)) << joint.name << part;
      expect_same(first, again, channels);
    }
  }
}

/// A multiplier is changed by force, and the others are asked to make up for it: if they can, it is not unique.
TEST(MechanismAgreement, ReactionsAreUniqueIfNoOthersMakeUpForThem) {
  Model cardan = read_example("double_cardan");
  cardan.mechanism.drivers.clear();
  int unique = 0, open = 0;
  for (const Model& model :
       {read_example("door"), read_example("bricard"), in_space(read_example("four_bar")), cardan,
        read_example("parallel_cranks"), read_example("five_bar"), three_cranks(), in_space(three_cranks())}) {
    SCOPED_TRACE(model.title);
    const auto tree = MechanismSystem::make(model), absolute = tree->absolute_twin();
    Dynamics dynamics(*tree), of_all(*absolute);
    const State at = tree->absolute(find_initial_conditions(dynamics, tree->start()).state);
    of_all.decide_rows(at);
    const Redundancy found = find_redundancy(of_all, at);
    const Shape& shape = absolute->shape();
    const auto w = absolute->workspace();
    absolute->acceleration(at, *w);
    Matrix C(shape.m(), shape.n());
    shape.C.scatter(w->terms.C, C);
    for (int i = 0; i < shape.m(); ++i) {
      Matrix others(shape.n(), shape.m() - 1);
      others << C.topRows(i).transpose(), C.bottomRows(shape.m() - 1 - i).transpose();
      const Vector changed = C.row(i).transpose();
      Eigen::CompleteOrthogonalDecomposition<Matrix> solver;
      solver.setThreshold(1e-9);  // starts are consistent to 1e-10
      solver.compute(others);
      const double left = (changed - others * solver.solve(changed)).norm() / changed.norm();
      EXPECT_TRUE(left < 1e-8 || left > 1e-3) << left;  // no doubtful case
      EXPECT_EQ(found.unique[i], left > 1e-3) << shape.rows[i].name;
      ++(found.unique[i] ? unique : open);
    }
  }
  EXPECT_GT(unique, 20);
  EXPECT_GT(open, 20);
}

}  // namespace
}  // namespace maggi::test
