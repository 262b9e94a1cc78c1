// DART: joint coordinates; loops are ball joints (three rows each) solved for at velocity level within a time step, so
// that forward dynamics with loops exists only as a step.
#include <dart/dart.hpp>

#include "engine.hpp"

namespace {

using Eigen::Vector3d;
using namespace dart::dynamics;

BodyNode* pin(const SkeletonPtr& skeleton, BodyNode* parent, const Vector3d& at, double turn, const Vector3d& centre,
              const Vector3d& inertia) {
  const std::string name = std::to_string(skeleton->getNumBodyNodes());
  RevoluteJoint::Properties joint;
  joint.mName = "joint " + name;
  joint.mAxis = Vector3d::UnitZ();
  joint.mT_ParentBodyToJoint = Eigen::Translation3d(at) * Eigen::AngleAxisd(turn, Vector3d::UnitY());
  BodyNode::Properties body;
  body.mName = "body " + name;
  body.mInertia.setMass(1);
  body.mInertia.setLocalCOM(centre);
  body.mInertia.setMoment(inertia[0], inertia[1], inertia[2], 0, 0, 0);
  return skeleton->createJointAndBodyNodePair<RevoluteJoint>(parent, joint, body).second;
}
BodyNode* rod_along_y(const SkeletonPtr& skeleton, BodyNode* parent, const Vector3d& at, double turn = 0) {
  return pin(skeleton, parent, at, turn, {0, 0.5, 0}, {1.0 / 12, spatial::thin, 1.0 / 12});
}
BodyNode* rod_along_x(const SkeletonPtr& skeleton, BodyNode* parent, const Vector3d& at) {
  return pin(skeleton, parent, at, 0, {0.5, 0, 0}, {spatial::thin, 1.0 / 12, 1.0 / 12});
}

bench::Evaluation chain(int n) {
  const SkeletonPtr skeleton = Skeleton::create("chain");
  skeleton->setGravity({0, -9.81, 0});
  BodyNode* parent = nullptr;
  Eigen::VectorXd q(n), v = Eigen::VectorXd::Constant(n, open_chain::speed);
  for (int i = 0; i < n; ++i) {
    parent = rod_along_y(skeleton, parent, {0, i > 0 ? 1.0 : 0.0, 0}, open_chain::turned(i) ? M_PI / 2 : 0);
    q[i] = open_chain::angle(i);
  }
  const double seconds = bench::shortest([&] {
    skeleton->setPositions(q);
    skeleton->setVelocities(v);
    skeleton->computeForwardDynamics();
  });
  return {seconds, skeleton->getAcceleration(0)};
}

/// One step of 1 ms from rest; the acceleration, which does not depend on the speed, is the one that it amounts to.
bench::Evaluation cranks(int loops) {
  const SkeletonPtr skeleton = Skeleton::create("cranks");
  std::vector<BodyNode*> crank, coupler;
  for (int i = 0; i <= loops; ++i) {
    crank.push_back(rod_along_y(skeleton, nullptr, {double(i), 0, 0}));
    if (i < loops) coupler.push_back(rod_along_x(skeleton, crank[i], {0, 1, 0}));
  }
  constexpr double step = 1e-3;
  const auto world = dart::simulation::World::create();
  world->setGravity({0, -9.81, 0});
  world->setTimeStep(step);
  world->addSkeleton(skeleton);
  for (int i = 0; i < loops; ++i)
    world->getConstraintSolver()->addConstraint(
        std::make_shared<dart::constraint::BallJointConstraint>(coupler[i], crank[i + 1], Vector3d(i + 1, 1, 0)));
  const double angle = parallel_cranks::in_motion.angle;
  Eigen::VectorXd q(2 * loops + 1), rest = Eigen::VectorXd::Zero(2 * loops + 1);
  for (int i = 0; i <= 2 * loops; ++i) q[i] = i % 2 == 0 ? -angle : angle;
  const double seconds = bench::shortest([&] {
    skeleton->setPositions(q);
    skeleton->setVelocities(rest);
    world->step();
  });
  return {seconds, -skeleton->getVelocity(0) / step};
}

class Dart final : public bench::Engine {
 public:
  bench::Evaluation evaluate(const bench::Problem& problem) override {
    if (problem.name == "cranks") return cranks(problem.size);
    if (problem.name == "chain") return chain(problem.size);
    throw bench::NotOffered();
  }
};

}  // namespace

int main(int argc, char** argv) {
  Dart engine;
  return bench::run(argc, argv, engine);
}
