// 1000 random mechanisms with redundant joints, rounded to 4 to 12 digits, of 1e-9 to 1e6 m, in any attitude and up to
// 100 km away, with bodies of 1e-13 to 1e9 kg: degrees of freedom and rank are those that a singular value
// decomposition of the exact geometry gives, in the velocities of the bodies and made here without the library; and the
// configuration is regular. Beside them mechanisms with a real error of a thousandth of their size: none of them moves.
#include <gtest/gtest.h>

#include "base/decompositions.hpp"
#include "maggi/simulation.hpp"
#include "support/linkages.hpp"
#include "support/measured.hpp"
#include "system/seam/mechanism_system.hpp"

namespace maggi::test {
namespace {

/// With `digits` decimals before the exponent of the size, as people type numbers that are large or small.
Triple typed_with(const V& x, int digits, double unit) {
  const int exponent = static_cast<int>(std::lround(std::log10(unit)));
  Triple result;
  for (const double value : x) result.values.emplace_back(fmt::format("{:.{}f}e{}", value / unit, digits, exponent));
  return result;
}

struct Drawn {
  Linkage exact;
  double size = 1.0, unit = 1.0;
  int digits = 4;
  std::vector<double> masses;
};

Drawn draw(const Linkage& linkage, std::mt19937& random) {
  Drawn drawn;
  drawn.digits = 4 + static_cast<int>(uniform(random, 0, 9));
  drawn.unit = std::pow(10.0, std::floor(uniform(random, -9, 7)));
  drawn.size = drawn.unit * uniform(random, 0.5, 2.0);
  // numbers of a mechanism of 1e-9 m at 100 km have no digits for it
  const double farthest = std::min(1e5, 1e8 * drawn.size);
  drawn.exact = moved(linkage, std::pow(10.0, uniform(random, -3, 0)) * farthest, drawn.size, random);
  const bool alike = uniform(random, 0, 1) < 0.5;
  const double all = uniform(random, -13, 9);
  for (int k = 0; k < 12; ++k)
    drawn.masses.push_back(std::pow(10.0, alike ? all + uniform(random, -1, 1) : uniform(random, -13, 9)));
  return drawn;
}

Model rounded(const Drawn& drawn) {
  Model model = model_of(drawn.exact, 0);
  for (std::size_t k = 0; k < drawn.exact.pins.size(); ++k) {
    model.mechanism.joints[k].at = typed_with(drawn.exact.pins[k].at, drawn.digits, drawn.unit);
    model.mechanism.joints[k].axis = typed_with(drawn.exact.pins[k].axis, drawn.digits, 1.0);
  }
  for (std::size_t b = 0; b < model.mechanism.bodies.size(); ++b) {
    Body& body = model.mechanism.bodies[b];
    const double mass = drawn.masses[b], inertia = 0.1 * mass * drawn.size * drawn.size;
    body.mass = Formula(mass);
    body.inertia = {Formula(inertia), Formula(1.2 * inertia), Formula(1.1 * inertia)};
  }
  return model;
}

/// Rows of all joints in the velocities of the bodies, lengths in sizes, relative to the first joint.
Matrix rows_of(const Drawn& drawn) {
  std::vector<Vector> all;
  int bodies = 0;
  for (const Pin& pin : drawn.exact.pins)
    for (const int body : {pin.a, pin.b})
      if (body > bodies) bodies = body;
  for (const Pin& pin : drawn.exact.pins) {
    const V at = (pin.at - drawn.exact.pins[0].at) / drawn.size, axis = pin.axis.normalized();
    const V x = axis.unitOrthogonal(), y = axis.cross(x);
    const bool slides = pin.type == JointType::prismatic;
    const auto add = [&](const V& e, bool force) {
      Vector row = Vector::Zero(6 * bodies);
      for (const auto& [body, sign] : {std::pair{pin.a, -1.0}, std::pair{pin.b, 1.0}}) {
        if (body == 0) continue;
        if (force) row.segment<3>(6 * (body - 1)) += sign * e;
        row.segment<3>(6 * (body - 1) + 3) += sign * (force ? V(at.cross(e)) : e);
      }
      all.push_back(row);
    };
    for (const V& e : {x, y}) add(e, true), add(e, false);
    add(axis, !slides);
  }
  Matrix C(static_cast<Eigen::Index>(all.size()), 6 * bodies);
  for (std::size_t i = 0; i < all.size(); ++i) C.row(static_cast<Eigen::Index>(i)) = all[i].transpose();
  return C;
}

/// Of the exact geometry.
struct Certified {
  int rank = 0, dof = 0;
};

Certified certify(const Drawn& drawn) {
  const Matrix C = rows_of(drawn);
  const Eigen::JacobiSVD<Matrix> svd(C);
  constexpr double zero = 1e-7;  // coordinates at 1e8 sizes have 8 digits; other singular values are above 1e-3
  const int rank = static_cast<int>((svd.singularValues().array() > zero).count());
  return {rank, static_cast<int>(C.cols()) - rank};
}

constexpr int batches = 20, in_batch = 50;

class RoundedMechanisms : public testing::TestWithParam<int> {};

TEST_P(RoundedMechanisms, AreDecidedAsTheExactOnes) {
  for (int k = 0; k < in_batch; ++k) {
    const int seed = in_batch * GetParam() + k;
    std::mt19937 random(static_cast<unsigned>(seed));
    const Family& family = families()[seed % families().size()];
    const Drawn drawn = draw(family.second(), random);
    SCOPED_TRACE(fmt::format("{}: {}, {} digits, size {:.3g} m", seed, family.first, drawn.digits, drawn.size));
    const Certified exact = certify(drawn);
    ASSERT_EQ(exact.dof, drawn.exact.freedom);  // the oracle knows the family
    Simulation simulation(rounded(drawn));
    const Check& check = simulation.check();
    EXPECT_EQ(check.degrees_of_freedom(), exact.dof);
    EXPECT_EQ(check.rank(), exact.rank);
    EXPECT_FALSE(check.singular_configuration());
  }
}

/// Errors of a thousandth of the size, which lock each of these.
struct Error {
  const char* name;
  Linkage linkage;
  int pin;
  V shift, tilt;
};

std::vector<Error> errors() {
  return {{"door", door(2), 1, {1e-3, 0, 0}, {0, 0, 0}},
          {"tilted hinge", door(3), 1, {0, 0, 0}, {1e-3, 0, 0}},
          {"tilted pin of a four-bar", four_bar(), 2, {0, 0, 0}, {1e-3, 5e-4, 0}},
          {"longer crank", cranks(3), 3, {1e-3, 2e-3, 0}, {0, 0, 0}},
          {"Bennett", bennett(), 2, {1e-3, -1e-3, 2e-3}, {0, 0, 0}},
          {"tilted rail", rails(3), 1, {0, 0, 0}, {0, 1e-3, 0}},
          {"six-bar", six_bar(), 5, {0, 0, 0}, {1e-3, 1e-3, 0}},
          {"trihedral", trihedral(), 0, {1e-3, 2e-3, 0}, {0, 0, 0}}};  // along z it would keep its mobility
}

TEST_P(RoundedMechanisms, WithARealErrorAreLocked) {
  const std::vector<Error> all = errors();
  for (int k = 0; k < in_batch / 5; ++k) {
    const int seed = in_batch / 5 * GetParam() + k;
    std::mt19937 random(static_cast<unsigned>(seed) + 77777u);
    Error error = all[seed % all.size()];
    error.linkage.pins[error.pin].at += error.shift;
    error.linkage.pins[error.pin].axis += error.tilt;
    Drawn drawn = draw(error.linkage, random);
    if (drawn.digits < 6) drawn.digits = 6;  // with 4 and 5 digits such errors are near the rounding
    const auto system = MechanismSystem::make(rounded(drawn));
    ASSERT_EQ(system->rounded_loops().size(), 1u) << error.name << ", " << drawn.digits << " digits";
    const MechanismSystem::RoundedLoop& loop = system->rounded_loops()[0];
    EXPECT_EQ(loop.finding, MechanismSystem::RoundedLoop::Finding::locked) << seed << error.name << ": " << loop.text;
    EXPECT_FALSE(loop.repaired);
    EXPECT_EQ(loop.freedom_missed, 1) << error.name;
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RoundedMechanisms, testing::Range(0, batches));

}  // namespace
}  // namespace maggi::test
