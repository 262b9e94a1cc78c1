// Which forces are unique: random mechanisms with redundant twins, drivers, couplings and formulas. Check, the start
// and a run say what a singular value decomposition of all rows in the velocities of the bodies says. That matrix is
// made here, from points and axes, without the library.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

#include "base/decompositions.hpp"
#include "base/largest.hpp"
#include "io/toml/model_file.hpp"
#include "maggi/error.hpp"
#include "maggi/simulation.hpp"
#include "simulation/check_data.hpp"
#include "simulation/motion_data.hpp"

namespace maggi::test {
namespace {

using Vector3 = Eigen::Vector3d;
using Vector6 = Eigen::Matrix<double, 6, 1>;  // force, torque

/// A mechanism as it is drawn; bodies are numbered from 1, 0 is the ground.
struct Drawn {
  struct Joint {
    std::string name, type;
    int a, b;
    Vector3 at;
    Vector3 axis;  // in the plane: of a slide
  };
  /// A row that is no row of a joint: it acts along joints, or on the mass centre of a body.
  struct Other {
    std::string name;
    std::vector<std::pair<int, double>> along;  // joints and factors
    int body = 0;
    double acceleration = 0.0;
    std::string text;
  };
  bool planar = true;
  std::vector<Vector3> centres{Vector3::Zero()};
  std::vector<double> masses{0.0};
  std::vector<Joint> joints;
  std::vector<Other> others;

  int bodies() const { return static_cast<int>(masses.size()) - 1; }
  std::string toml() const;
};

std::string list(const Vector3& x, bool planar) {
  return planar ? fmt::format("[{}, {}]", x[0], x[1]) : fmt::format("[{}, {}, {}]", x[0], x[1], x[2]);
}

std::string Drawn::toml() const {
  std::string text =
      fmt::format("dimension = {}\ngravity = {}\n", planar ? 2 : 3, planar ? "[1.0, -9.81]" : "[1, 2, -9.81]");
  for (int b = 1; b <= bodies(); ++b)
    text += fmt::format("[body.b{}]\nmass = {}\ninertia = {}\nposition = {}\n", b, masses[b],
                        planar ? "0.2" : "[0.2, 0.3, 0.25]", list(centres[b], planar));
  text += "[joint]\n";
  const auto name = [](int body) { return body == 0 ? std::string("ground") : fmt::format("b{}", body); };
  for (const Joint& j : joints) {
    const bool axis = j.type != "spherical" && j.type != "fixed" && (!planar || j.type == "prismatic");
    text += fmt::format("{} = {{ {} = [\"{}\", \"{}\"], at = {}{} }}\n", j.name, j.type, name(j.a), name(j.b),
                        list(j.at, planar), axis ? ", axis = " + list(j.axis, planar) : "");
  }
  for (const Other& other : others) text += other.text;
  return text + "[simulation]\nuntil = 0.05\n";
}

/// Where the bodies are: of a point and an axis in the drawing, where they are now, on one body.
struct Placed {
  std::vector<Vector3> centres;
  std::vector<Eigen::Matrix3d> turned;
};

/// All rows, as forces on the bodies, and what a joint acts with on its second body.
struct Rows {
  Matrix forces;               // rows × 6 bodies
  std::vector<Matrix> joints;  // each: 6 × rows
  std::vector<std::string> names;
};

/// Unit forces and torques of a joint, along z and across it, by the names of its rows.
std::vector<std::pair<std::string, Vector6>> constraints_of(const Drawn::Joint& joint, bool planar,
                                                            const Eigen::Matrix3d& turned) {
  const auto force = [&](const Vector3& x) { return (Vector6() << turned * x, Vector3::Zero()).finished(); };
  const auto torque = [&](const Vector3& x) { return (Vector6() << Vector3::Zero(), turned * x).finished(); };
  const Vector3 x = Vector3::UnitX(), y = Vector3::UnitY(), z = Vector3::UnitZ();
  if (planar && joint.type == "prismatic")
    return {{"normal", force({-joint.axis[1], joint.axis[0], 0.0})}, {"turn", torque(z)}};
  if (planar) {
    std::vector<std::pair<std::string, Vector6>> rows{{"x", force(x)}, {"y", force(y)}};
    if (joint.type == "fixed") rows.emplace_back("turn", torque(z));
    return rows;
  }
  std::vector<std::pair<std::string, Vector6>> rows{{"x", force(x)}, {"y", force(y)}};
  if (joint.type == "revolute" || joint.type == "spherical" || joint.type == "fixed") rows.emplace_back("z", force(z));
  if (joint.type != "spherical") {
    rows.emplace_back("turn_x", torque(x));
    rows.emplace_back("turn_y", torque(y));
  }
  if (joint.type == "prismatic" || joint.type == "fixed") rows.emplace_back("turn_z", torque(z));
  return rows;
}

/// Along the coordinate of a joint: what a driver or a coupling acts with.
Vector6 along(const Drawn::Joint& joint, bool planar, const Eigen::Matrix3d& turned) {
  Vector6 result = Vector6::Zero();
  if (joint.type == "prismatic")
    result.head<3>() = turned * (planar ? joint.axis : Vector3(Vector3::UnitZ()));
  else
    result.tail<3>() = turned * Vector3::UnitZ();
  return result;
}

Rows rows_of(const Drawn& drawn, const Placed& placed) {
  int count = static_cast<int>(drawn.others.size());
  for (const Drawn::Joint& j : drawn.joints)
    count += static_cast<int>(constraints_of(j, drawn.planar, Eigen::Matrix3d::Identity()).size());
  Rows rows{Matrix::Zero(count, 6 * drawn.bodies()), {}, {}};
  rows.joints.assign(drawn.joints.size(), Matrix::Zero(6, count));
  int row = 0;
  const auto act = [&](int body, const Vector3& at, const Vector6& F, double sign) {
    if (body == 0) return;
    auto on = rows.forces.row(row).segment<6>(6 * (body - 1));
    on.head<3>() += sign * F.head<3>().transpose();
    on.tail<3>() += sign * (F.tail<3>() + (at - placed.centres[body]).cross(Vector3(F.head<3>()))).transpose();
  };
  const auto act_in = [&](std::size_t j, const Vector6& F) {
    const Drawn::Joint& joint = drawn.joints[j];
    const Vector3 at = placed.centres[joint.b] + placed.turned[joint.b] * (joint.at - drawn.centres[joint.b]);
    act(joint.b, at, F, 1.0);
    act(joint.a, at, F, -1.0);
    rows.joints[j].col(row) += F;
  };
  for (std::size_t j = 0; j < drawn.joints.size(); ++j)
    for (const auto& [name, F] : constraints_of(drawn.joints[j], drawn.planar, placed.turned[drawn.joints[j].a])) {
      act_in(j, F);
      rows.names.push_back(drawn.joints[j].name + "." + name);
      ++row;
    }
  for (const Drawn::Other& other : drawn.others) {
    for (const auto& [j, factor] : other.along)
      act_in(j, factor * along(drawn.joints[j], drawn.planar, placed.turned[drawn.joints[j].a]));
    if (other.body > 0)
      act(other.body, placed.centres[other.body], (Vector6() << Vector3::UnitY(), Vector3::Zero()).finished(), 1.0);
    rows.names.push_back(other.name);
    ++row;
  }
  return rows;
}

/// Only the velocities that a body has: in the plane x, y and the turn about z.
Matrix in_dimension(const Matrix& forces, bool planar) {
  if (!planar) return forces;
  Matrix result(forces.rows(), forces.cols() / 2);
  for (Eigen::Index b = 0; b < forces.cols() / 6; ++b) {
    result.middleCols(3 * b, 2) = forces.middleCols(6 * b, 2);
    result.col(3 * b + 2) = forces.col(6 * b + 5);
  }
  return result;
}

/// Combinations of the rows that do nothing, and their number.
struct Decomposed {
  int rank;
  Matrix nothing;
};

Decomposed decompose(const Matrix& C) {
  const Eigen::JacobiSVD<Matrix> svd(C, Eigen::ComputeFullU);
  const double tolerance = 1e-9;  // rows of order one: rounding is 1e-15, and random geometry does not come near
  const int rank = static_cast<int>((svd.singularValues().array() > tolerance).count());
  return {rank, svd.matrixU().rightCols(C.rows() - rank)};
}

/// Rounding of the SVD is 1e-15; what a combination changes in a random mechanism is of order one, and 0.01 for what it
/// changes only because the mechanism has moved that far.
constexpr double nothing_changes = 1e-7;

struct Random {
  std::mt19937 engine;
  double number(double from, double to) { return std::uniform_real_distribution<double>(from, to)(engine); }
  int index(int count) { return std::uniform_int_distribution<int>(0, count - 1)(engine); }
  bool chance(double p) { return number(0.0, 1.0) < p; }
  Vector3 point(bool planar) { return {number(-1, 1), number(-1, 1), planar ? 0.0 : number(-1, 1)}; }
};

/// Would this row raise the rank? Drivers must not contradict what is there.
bool raises_rank(Drawn drawn, const Drawn::Other& other) {
  const auto rank = [](const Drawn& of) {
    const Placed here{of.centres, std::vector<Eigen::Matrix3d>(of.centres.size(), Eigen::Matrix3d::Identity())};
    return decompose(in_dimension(rows_of(of, here).forces, of.planar)).rank;
  };
  const int before = rank(drawn);
  drawn.others.push_back(other);
  return rank(drawn) > before;
}

void add_others(Drawn& drawn, Random& random) {
  std::vector<int> moving;
  for (std::size_t j = 0; j < drawn.joints.size(); ++j)
    if (drawn.joints[j].type == "revolute" || drawn.joints[j].type == "prismatic")
      moving.push_back(static_cast<int>(j));
  const auto coordinate = [&](int j) {
    return drawn.joints[j].name + (drawn.joints[j].type == "revolute" ? ".angle" : ".distance");
  };
  if (moving.size() > 1 && random.chance(0.3)) {
    const int twins = random.chance(0.5) ? 2 : 1;
    for (int k = 0; k < twins; ++k) {
      const double factor = k == 0 ? 2.0 : 4.0;
      Drawn::Other gear{fmt::format("gear_{}", k), {{moving[0], factor}, {moving[1], factor / 2}}, 0, 0.0, ""};
      gear.text = fmt::format("[constraint.gear_{}]\nposition = \"{}*{} + {}*{} = 0\"\n", k, factor,
                              coordinate(moving[0]), factor / 2, coordinate(moving[1]));
      drawn.others.push_back(gear);
    }
  }
  if (random.chance(0.3)) {
    const int b = 1 + random.index(drawn.bodies());
    Drawn::Other line{"line", {}, b, 0.0, ""};
    line.text = fmt::format("[constraint.line]\nposition = \"b{}.centre.y = {}\"\n", b, drawn.centres[b][1]);
    drawn.others.push_back(line);
  }
  // last: what comes after a driver could contradict it
  if (!moving.empty() && random.chance(0.4)) {
    const int j = moving[random.index(static_cast<int>(moving.size()))];
    Drawn::Other driver{"motor", {{j, 1.0}}, 0, 0.6, ""};
    driver.text = fmt::format("[driver.motor]\njoint = \"{}\"\nfollows = \"0.3*t^2\"\n", drawn.joints[j].name);
    if (raises_rank(drawn, driver)) {
      drawn.others.push_back(driver);
      if (random.chance(0.4)) {  // and its twin
        driver.name = "motor_2";
        driver.text = fmt::format("[driver.motor_2]\njoint = \"{}\"\nfollows = \"0.3*t^2\"\n", drawn.joints[j].name);
        drawn.others.push_back(driver);
      }
    }
  }
}

/// A tree of joints, and joints that close loops: twins at the same place, or anywhere.
Drawn random_mechanism(unsigned seed) {
  Random random{std::mt19937(seed)};
  Drawn drawn;
  drawn.planar = random.chance(0.5);
  const std::vector<std::string> types =
      drawn.planar ? std::vector<std::string>{"revolute", "revolute", "prismatic", "fixed"}
                   : std::vector<std::string>{"revolute", "revolute", "cylindrical", "spherical", "prismatic", "fixed"};
  const auto add = [&](int a, int b, bool may_be_fixed) {  // "fixed" comes last; something should be able to move
    const std::string& type = types[random.index(static_cast<int>(types.size()) - (may_be_fixed ? 0 : 1))];
    Vector3 axis = Vector3::UnitZ();
    if (drawn.planar) {
      const double angle = random.number(0.0, 3.0);
      axis = {std::cos(angle), std::sin(angle), 0.0};
    }
    drawn.joints.push_back({fmt::format("j{}", drawn.joints.size()), type, a, b, random.point(drawn.planar), axis});
  };
  for (int b = 1, bodies = 1 + random.index(3); b <= bodies; ++b) {
    drawn.centres.push_back(random.point(drawn.planar));
    drawn.masses.push_back(random.number(0.5, 3.0));
    add(random.index(b), b, b > 1);
  }
  for (int k = random.index(3); k > 0; --k) {
    if (random.chance(0.5)) {
      Drawn::Joint twin = drawn.joints[random.index(static_cast<int>(drawn.joints.size()))];
      twin.name = fmt::format("j{}", drawn.joints.size());
      drawn.joints.push_back(twin);
    } else {
      const int b = 1 + random.index(drawn.bodies());
      add(random.index(b), b, false);
    }
  }
  add_others(drawn, random);
  return drawn;
}

Placed as_drawn(const Drawn& drawn) {
  return {drawn.centres, std::vector<Eigen::Matrix3d>(drawn.centres.size(), Eigen::Matrix3d::Identity())};
}

Placed placed_at(const Drawn& drawn, const MechanismSystem& mechanism, const State& state) {
  Placed placed = as_drawn(drawn);
  const std::vector<MechanismSystem::Placement> now = mechanism.placements(state);
  for (std::size_t b = 0; b < now.size(); ++b)
    placed.centres[b + 1] = now[b].position, placed.turned[b + 1] = now[b].rotation;
  return placed;
}

/// Force and torque of each joint by the names of channels; the values from accelerations at rest.
struct Forces {
  std::map<std::string, bool> unique;
  std::map<std::string, double> value;
};

const std::vector<std::string>& parts() {
  static const std::vector<std::string> names{".force.x",  ".force.y",  ".force.z",
                                              ".torque.x", ".torque.y", ".torque.z"};
  return names;
}

std::string channel(const Drawn& drawn, std::size_t j, int part) {
  return drawn.joints[j].name + (drawn.planar && part == 5 ? ".torque" : parts()[part]);
}

Forces forces_of(const Drawn& drawn, const Placed& placed) {
  const Rows rows = rows_of(drawn, placed);
  const Matrix C = in_dimension(rows.forces, drawn.planar);
  const Decomposed found = decompose(C);
  const int width = drawn.planar ? 3 : 6;
  Vector weight(C.cols()), inverse_mass(C.cols()), gamma = Vector::Zero(C.rows());
  for (int b = 1; b <= drawn.bodies(); ++b) {
    const double m = drawn.masses[b];
    auto h = weight.segment(width * (b - 1), width);
    auto inverse = inverse_mass.segment(width * (b - 1), width);
    if (drawn.planar)
      h << m, -9.81 * m, 0.0, inverse << 1 / m, 1 / m, 1 / 0.2;
    else
      h << m, 2 * m, -9.81 * m, 0.0, 0.0, 0.0, inverse << 1 / m, 1 / m, 1 / m, 1 / 0.2, 1 / 0.3, 1 / 0.25;
  }
  for (std::size_t i = 0; i < drawn.others.size(); ++i)
    gamma[C.rows() - static_cast<Eigen::Index>(drawn.others.size() - i)] = drawn.others[i].acceleration;
  const Matrix CM = C * inverse_mass.asDiagonal();
  const Vector lambda = Eigen::CompleteOrthogonalDecomposition<Matrix>(CM * C.transpose()).solve(gamma - CM * weight);
  Forces result;
  for (std::size_t j = 0; j < drawn.joints.size(); ++j)
    for (int part = 0; part < 6; ++part) {
      const auto row = rows.joints[j].row(part);
      const std::string name = channel(drawn, j, part);
      result.unique[name] = (row * found.nothing).norm() < nothing_changes;
      result.value[name] = row.dot(lambda);
    }
  return result;
}

/// The library on one of them; the reasons why nothing can be compared must be known ones.
class Compared {
 public:
  explicit Compared(const Drawn& drawn) : drawn_(drawn), simulation_(parse_model(drawn.toml(), "random.toml")) {}

  void check() {
    const Check::Data& found = simulation_.check().data();
    const Rows rows = rows_of(drawn_, as_drawn(drawn_));
    const Matrix C = in_dimension(rows.forces, drawn_.planar);
    const Decomposed expected = decompose(C);
    EXPECT_EQ(found.redundancy().rank, expected.rank);
    EXPECT_EQ(found.dof, C.cols() - expected.rank);
    EXPECT_EQ(static_cast<int>(found.redundancy().dependencies.size()), C.rows() - expected.rank);
    EXPECT_EQ(found.constraints().m(), C.rows());
    for (int i = 0; i < found.constraints().m(); ++i) {
      const std::string& name = found.constraints().rows[i].name;
      const auto place = std::ranges::find(rows.names, name) - rows.names.begin();
      ASSERT_LT(place, C.rows()) << name;
      EXPECT_EQ(found.redundancy().unique[i], expected.nothing.row(place).norm() < nothing_changes) << name;
    }
  }

  void start() {
    const Motion motion = simulation_.assemble();
    expect_channels(motion, forces_of(drawn_, as_drawn(drawn_)), "start");
  }

  void run() {
    const Motion motion = simulation_.run();
    const Trajectory& trajectory = motion.data().trajectory;
    ASSERT_GT(trajectory.size(), 0u) << motion.explanation();
    const Forces at_start = forces_of(drawn_, as_drawn(drawn_));
    Forces both = at_start;
    const auto& mechanism = dynamic_cast<const MechanismSystem&>(simulation_.system());
    const Shape& shape = mechanism.shape();
    const double* last = trajectory.state(trajectory.size() - 1);
    const State state{last[0], Eigen::Map<const Vector>(last + 1, shape.nq()),
                      Eigen::Map<const Vector>(last + 1 + shape.nq(), shape.n())};
    for (const auto& [name, unique] : forces_of(drawn_, placed_at(drawn_, mechanism, state)).unique)
      if (!unique) both.unique[name] = false;
    expect_channels(motion, both, "run");
  }

 private:
  void expect_channels(const Motion& motion, const Forces& expected, const char* where) const {
    const Trajectory& trajectory = motion.data().trajectory;
    std::set<std::string> outputs;
    for (const Channel& output : trajectory.shape().outputs) outputs.insert(output.name);
    for (const auto& [name, unique] : expected.unique) {
      if (!outputs.contains(name)) continue;
      const std::optional<int> column = trajectory.find(name);
      EXPECT_EQ(column.has_value(), unique) << where << ": " << name;
      // forces of order 100 N, conditions up to 1e4 in random geometry, a start to 1e-13
      if (column && unique) {
        EXPECT_NEAR(trajectory(0, *column), expected.value.at(name), 1e-7) << where << ": " << name;
      }
    }
  }

  Drawn drawn_;
  Simulation simulation_;
};

class Certificates : public testing::TestWithParam<unsigned> {};
INSTANTIATE_TEST_SUITE_P(Seeds, Certificates, testing::Range(0u, 400u));

TEST_P(Certificates, AreThoseOfASingularValueDecomposition) {
  const Drawn drawn = random_mechanism(GetParam());
  SCOPED_TRACE(drawn.toml());
  Compared compared(drawn);
  compared.check();
  compared.start();
  compared.run();
}

}  // namespace
}  // namespace maggi::test
