#pragma once
#include <vector>

#include "system/mechanism/tree/tree_model.hpp"
#include "system/mechanism/tree/written_values.hpp"

namespace maggi::mechanism {

/// How forces along the output functions (gaps of closures, functions between frames, sums of coordinates) act on the
/// bodies, at one configuration of the links.
template <class Space>
class BodyForces {
 public:
  BodyForces(const TreeModel<Space>& model, const LinkState<Space>& links, const std::vector<ClosureRow<Space>>& gaps,
             const std::vector<ClosureRow<Space>>& frame_functions)
      : a_(model), s_(links), gaps_(gaps), frame_functions_(frame_functions), on_(model.bodies.size()) {}

  /// Row i for the forces in row i: their power, by the velocities of MechanismSystem::absolute().
  Matrix absolute_rows(const Matrix& forces) {
    Matrix result(forces.rows(), width * static_cast<Eigen::Index>(on_.size()));
    for (Eigen::Index i = 0; i < forces.rows(); ++i) {
      std::ranges::fill(on_, Wrench<Space>{});
      act(forces.row(i));
      for (std::size_t b = 0; b < on_.size(); ++b)
        result.row(i).segment(width * static_cast<Eigen::Index>(b), width) = along_absolute(b);
    }
    return result;
  }

 private:
  static constexpr int width = Space::axes + Space::turns;

  /// Force, and torque about the mass centre along the axes of the body.
  Eigen::RowVectorXd along_absolute(std::size_t b) const {
    const PlacedBody<Space>& body = a_.bodies[b];
    const Pose<Space>& pose = s_.pose[body.link];
    Eigen::RowVectorXd result(width);
    double* next = result.data();
    write(on_[b].f, next);
    write(along((pose.R * body.drawn.transpose()).transpose(), on_[b].about(pose * a_.linkage.links[body.link].c)),
          next);
    return result;
  }

  void act(const Eigen::RowVectorXd& forces) {
    Eigen::Index i = 0;
    std::size_t gap = 0;
    for (const Closure<Space>& closure : a_.closures)
      for (std::size_t k = 0; k < closure.rows.size(); ++k, ++i, ++gap)
        act(closure.a, closure.b, gaps_[gap].W * forces[i]);
    for (std::size_t k = 0; k < a_.frame_functions.size(); ++k, ++i)
      act(a_.frame_functions[k].a, a_.frame_functions[k].b, frame_functions_[k].W * forces[i]);
    for (std::size_t k = 0; k < a_.sums.size(); ++k, ++i)
      for (const CoordinateSum::Term& term : a_.sums[k].terms) act_along(term.v, forces[i] * term.sign);
  }

  /// On the body of link b, and the opposite on that of link a.
  void act(int a, int b, const Wrench<Space>& F) {
    if (const int body = a_.body_of[b]; body >= 0) on_[body] += F;
    if (const int body = a_.body_of[a]; body >= 0) on_[body] -= F;
  }

  /// A force along the coordinate of a joint: a torque about its axis, or a force in the point of its second body. It
  /// acts between the bodies before and behind the chain of links that the joint is.
  void act_along(int velocity, double force) {
    const std::vector<Link<Space>>& links = a_.linkage.links;
    const int own = a_.linkage.link_of(velocity);
    int first = own, last = own;
    while (a_.body_of[last] < 0) ++last;
    while (links[first].parent > 0 && a_.body_of[links[first].parent] < 0) first = links[first].parent;
    const Motion<Space>& S = s_.S[velocity];
    Wrench<Space> F;
    if (links[own].freedom == Freedom::slide)
      F = Wrench<Space>::in(s_.pose[links[own].sign > 0.0 ? last : first].p, S.v);
    else
      F.n = S.w;
    act(links[first].parent, last, F * force);
  }

  const TreeModel<Space>& a_;
  const LinkState<Space>& s_;
  const std::vector<ClosureRow<Space>>&gaps_, &frame_functions_;
  std::vector<Wrench<Space>> on_;  // each body
};

}  // namespace maggi::mechanism
