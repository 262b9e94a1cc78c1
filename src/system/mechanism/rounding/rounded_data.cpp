#include "system/mechanism/rounding/rounded_data.hpp"

#include "base/largest.hpp"
#include "system/mechanism/reference/data_errors.hpp"
#include "system/mechanism/rounding/blocks.hpp"
#include "system/mechanism/rounding/decision.hpp"
#include "system/mechanism/rounding/relations.hpp"
#include "system/mechanism/rounding/report.hpp"

namespace maggi::mechanism {

namespace {

constexpr int most_together = 30;     // velocities: larger blocks are repaired loop by loop first
constexpr int most_velocities = 100;  // of a block that is then decided as a whole, with dense matrices

/// "b.at": what of the geometry is changed most.
template <class Space>
std::string largest_change(const Drawing& drawing, const LoopBlock<Space>& block, const Vector& p) {
  Eigen::Index where;
  largest(p, &where);
  for (std::size_t j = 0; j < block.joints().size(); ++j) {
    const auto& part = block.part(static_cast<int>(j));
    const int k = static_cast<int>(where) - part.first;
    if (k < 0 || k >= part.count()) continue;
    const Joint& given = *drawing.joints[block.joints()[j]].given;
    const bool second = part.turns == 0 && k >= Space::axes;
    return given.name + (k >= part.points ? (part.turns > 0 ? ".axis" : ".length") : second ? ".to" : ".at");
  }
  return "";
}

template <class Space>
class Repairer {
 public:
  Repairer(Drawing& drawing, double tolerance, bool change_data)
      : drawing_(drawing), tolerance_(tolerance), change_data_(change_data), held_(drawing.joints.size(), false) {
    for (const std::vector<int>& joints : loop_blocks(drawing)) {
      if (velocities(joints) > most_together) repair_loops(short_loops(drawing, joints));
      held_.assign(held_.size(), false);
      if (velocities(joints) <= most_velocities) repair(joints);
    }
  }

  std::vector<MechanismSystem::RoundedLoop> result;

 private:
  int velocities(const std::vector<int>& joints) const {
    int sum = 0;
    for (const int joint : joints)
      for (const JointFreedom& freedom : joint_kind<Space>(drawing_.joints[joint].given->type).freedoms)
        sum += freedom.freedom == Freedom::ball ? 3 : 1;
    return sum;
  }

  /// With a tolerance of 0 all numbers are exact.
  Decision decide_on(LoopBlock<Space>& block) const {
    if (tolerance_ == 0.0) return {};
    block.hold(held_);
    return decide(block, error_of_data(block));
  }

  /// The tolerance, and half a unit of the last digit typed.
  double error_of_data(const LoopBlock<Space>& block) const {
    Largest error(tolerance_);
    for (const int j : block.joints()) {
      const DrawnJoint& joint = drawing_.joints[j];
      const Joint& given = *joint.given;
      error.note(half_unit(given.at) / block.size());
      error.note(half_unit(given.to) / block.size());
      for (const Triple* axis : {&given.axis, &given.second_axis})
        if (axis->given()) error.note(half_unit(*axis) / joint.axis_length);
    }
    return error.value();
  }

  /// Loop by loop. Those that fit exactly keep their joints; so does each that has been repaired, for those after it.
  void repair_loops(const std::vector<std::vector<int>>& loops) {
    std::vector<const std::vector<int>*> rest;
    for (const std::vector<int>& joints : loops) {
      LoopBlock<Space> block(drawing_, joints);
      const Decision found = decide_on(block);
      set_scale(block, 0.0);
      if (found.kind != Decision::Kind::as_typed)
        rest.push_back(&joints);
      else if (found.redundant)
        hold(joints);
    }
    for (const std::vector<int>* joints : rest) {
      repair(*joints);
      hold(*joints);
    }
  }

  void hold(const std::vector<int>& joints) {
    for (const int joint : joints) held_[joint] = true;
  }

  void repair(const std::vector<int>& joints) {
    LoopBlock<Space> block(drawing_, joints);
    const Decision found = decide_on(block);
    set_scale(block, 0.0);
    const bool moves = found.kind == Decision::Kind::repaired || found.kind == Decision::Kind::singular;
    if (found.kind != Decision::Kind::as_typed && !(moves && found.change <= arithmetic_noise(block)))
      report(block, found);  // numbers far away could not be given better
    if (!moves || !change_data_) return;
    apply(block);
    set_scale(block, found.left);
  }

  /// What arithmetic and a repair leave of an entry of C that is 0.
  void set_scale(const LoopBlock<Space>& block, double misfit_left) {
    constexpr double of_misfit = 30.0;  // its derivatives along the way, which is about as long as the loops
    for (const int joint : block.joints())
      drawing_.joints[joint].scale = {block.size(), larger(arithmetic_noise(block), of_misfit * misfit_left)};
  }

  void report(const LoopBlock<Space>& block, const Decision& found) {
    using Finding = MechanismSystem::RoundedLoop::Finding;
    MechanismSystem::RoundedLoop& loop = result.emplace_back();
    for (const int joint : block.joints()) loop.joints.push_back(drawing_.joints[joint].given->name);
    loop.where = drawing_.joints[block.joints().front()].given->where;
    switch (found.kind) {
      case Decision::Kind::as_typed:
      case Decision::Kind::repaired: loop.finding = Finding::moves; break;
      case Decision::Kind::singular: loop.finding = Finding::moves_from_singular; break;
      case Decision::Kind::locked: loop.finding = Finding::locked; break;
      case Decision::Kind::shaky: loop.finding = Finding::shaky; break;
    }
    loop.repaired = change_data_ && loop.moves();
    loop.freedom = found.freedom;
    loop.freedom_missed = found.freedom_missed;
    loop.tolerance = found.data;
    loop.size = block.size();
    loop.misfit = found.misfit;
    loop.misfit_left = found.left;
    if (found.p.size() > 0) {
      loop.change = found.change;
      loop.largest = largest_change(drawing_, block, found.p);
      loop.tolerance_needed = found.data_needed;
      loop.relations = near_relations(drawing_, block.joints(), block.size(), arithmetic_noise(block),
                                      30.0 * larger(found.data, found.change));
    }
    loop.text = in_words(loop);
  }

  void apply(const LoopBlock<Space>& block) {
    for (std::size_t j = 0; j < block.joints().size(); ++j) {
      const JointGeometry& given = block.given(static_cast<int>(j));
      const JointGeometry& changed = block.geometry(static_cast<int>(j));
      DrawnJoint& joint = drawing_.joints[block.joints()[j]];
      joint.at += block.size() * (changed.at - given.at);
      joint.to += block.size() * (changed.to - given.to);
      joint.frame = changed.frame;
      joint.length += block.size() * (changed.length - given.length);
    }
  }

  Drawing& drawing_;
  double tolerance_;
  bool change_data_;
  std::vector<bool> held_;  // joints whose geometry fits loops that have been decided
};

}  // namespace

std::vector<MechanismSystem::RoundedLoop> repair_rounded_data(const Mechanism& mechanism, const Numbers& numbers,
                                                              Drawing& drawing) {
  const double tolerance = data_tolerance(mechanism, numbers);
  return drawing.planar ? Repairer<Planar>(drawing, tolerance, mechanism.repair).result
                        : Repairer<Spatial>(drawing, tolerance, mechanism.repair).result;
}

}  // namespace maggi::mechanism
