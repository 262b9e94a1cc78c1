#include "simulation/remedy.hpp"

#include <algorithm>

#include "analysis/complete_system.hpp"
#include "base/decompositions.hpp"
#include "maggi/error.hpp"
#include "model/validate.hpp"

namespace maggi {

namespace {

/// Joints of the same frame with fewer rows, the usual ones first.
struct Weaker {
  JointType from, to;
  std::vector<const char*> without;
  bool usual;
  std::vector<double> axis{};  ///< of the weaker joint, where the other has none: its axes are those of the world
};
const std::vector<Weaker>& weaker_joints(bool in_plane) {
  using enum JointType;
  static const std::vector<Weaker> in_space{
      {revolute, spherical, {"turn_x", "turn_y"}, true},
      {revolute, cylindrical, {"z"}, true},
      {prismatic, cylindrical, {"turn_z"}, true},
      {universal, spherical, {"turn_z"}, true},
      {fixed, spherical, {"turn_x", "turn_y", "turn_z"}, true},
      {screw, cylindrical, {"thread"}, true},
      {revolute, point_on_line, {"z", "turn_x", "turn_y"}, false},
      {prismatic, point_on_line, {"turn_x", "turn_y", "turn_z"}, false},
      {cylindrical, point_on_line, {"turn_x", "turn_y"}, false},
      {JointType::planar, point_on_plane, {"turn_x", "turn_y"}, false},
      {spherical, point_on_line, {"x"}, false, {1, 0, 0}},
      {spherical, point_on_line, {"y"}, false, {0, 1, 0}},
      {spherical, point_on_line, {"z"}, false, {0, 0, 1}},
  };
  static const std::vector<Weaker> in_the_plane{
      {fixed, revolute, {"turn"}, true},
      {prismatic, point_on_line, {"turn"}, false},
      {revolute, point_on_line, {"x"}, false, {1, 0}},
      {revolute, point_on_line, {"y"}, false, {0, 1}},
  };
  return in_plane ? in_the_plane : in_space;
}

/// What may be changed.
enum class Allowed { usual_joints, usual_joints_or_less, all };

/// Looks for changes whose rows are together as many as the null vectors, and independent in them.
class Search {
 public:
  Search(const Model& model, const Certificate& certificate, Allowed allowed)
      : model_(model), rows_(*certificate.certified()) {
    const std::vector<Dependency>& dependencies = certificate.get()->dependencies;
    Z_ = Matrix::Zero(rows_.m(), static_cast<Eigen::Index>(dependencies.size()));
    for (std::size_t k = 0; k < dependencies.size(); ++k) {
      Z_(dependencies[k].row, static_cast<Eigen::Index>(k)) = 1.0;
      for (const Dependency::Term& term : dependencies[k].combination)
        Z_(term.row, static_cast<Eigen::Index>(k)) = -term.factor;
    }
    find_candidates(allowed);
  }

  /// The first choice for which `accept` says yes; later joints are changed first: a reader expects it of those that
  /// close loops.
  template <class Accept>
  std::optional<Remedy> find(const Accept& accept) {
    return go_on(0, accept) ? std::optional(remedy_) : std::nullopt;
  }

 private:
  struct Option {
    std::optional<JointType> type;
    std::vector<int> rows;
    std::vector<double> axis{};
  };
  struct Candidate {
    std::string name;
    std::vector<Option> options;
  };

  void find_candidates(Allowed allowed) {
    std::vector<std::string> owners;
    for (const Row& row : rows_.rows)
      if (row.active_at_start && !row.one_sided && std::ranges::find(owners, row.owner) == owners.end())
        owners.push_back(row.owner);
    for (auto owner = owners.rbegin(); owner != owners.rend(); ++owner) {
      const auto joint = std::ranges::find(model_.mechanism.joints, *owner, &Joint::name);
      const bool is_joint = joint != model_.mechanism.joints.end();
      if (is_joint && is_used(*joint)) continue;
      candidates_.push_back({*owner, {}});
      Candidate& candidate = candidates_.back();
      if (allowed != Allowed::usual_joints) candidate.options.push_back({std::nullopt, rows_of(*owner, {})});
      if (!is_joint) continue;
      for (const Weaker& weaker : weaker_joints(model_.mechanism.dimension == 2))
        if (weaker.from == joint->type && (weaker.usual || allowed == Allowed::all))
          candidate.options.push_back({weaker.to, rows_of(*owner, weaker.without), weaker.axis});
    }
  }

  template <class Accept>
  bool go_on(std::size_t next, const Accept& accept) {
    if (static_cast<Eigen::Index>(taken_.size()) == Z_.cols()) return --accepts_left_ >= 0 && accept(remedy_);
    if (next == candidates_.size() || --nodes_left_ < 0 || accepts_left_ <= 0) return false;
    for (const Option& option : candidates_[next].options) {
      const std::size_t before = taken_.size();
      if (!take(option.rows)) continue;
      remedy_.changes.push_back({candidates_[next].name, option.type, option.axis});
      if (go_on(next + 1, accept)) return true;
      remedy_.changes.pop_back();
      taken_.resize(before);
    }
    return go_on(next + 1, accept);
  }

  /// Something refers to its coordinates, which another joint would not have.
  bool is_used(const Joint& joint) const {
    const Mechanism& m = model_.mechanism;
    const auto means = [&](const Reference& reference) {
      return reference.name == joint.name || reference.name.starts_with(joint.name + ".");
    };
    const auto in_coupling = [&](const Coupling& coupling) {
      return std::ranges::any_of(coupling.terms, means, &Coupling::Term::coordinate);
    };
    const bool starts = !joint.start.empty() || !joint.guess.empty() || !joint.speed.empty() ||
                        !joint.speed_guess.empty() || !joint.acceleration.empty() || !joint.weight.empty() ||
                        !joint.speed_weight.empty();
    return starts || !joint.limits.empty() || joint.friction ||
           std::ranges::any_of(m.drivers, means, &Driver::coordinate) ||
           std::ranges::any_of(m.joint_forces, means, &JointForce::joint) ||
           std::ranges::any_of(m.couplings, in_coupling);
  }

  /// `components`: none: all.
  std::vector<int> rows_of(const std::string& owner, const std::vector<const char*>& components) const {
    std::vector<int> result;
    for (int i = 0; i < rows_.m(); ++i) {
      const Row& row = rows_.rows[i];
      if (row.owner == owner &&
          (components.empty() || std::ranges::find(components, row.component) != components.end()))
        result.push_back(i);
    }
    return result;
  }

  /// If all of them are redundant together, with what has been taken.
  bool take(const std::vector<int>& rows) {
    std::vector<int> all = taken_;
    all.insert(all.end(), rows.begin(), rows.end());
    if (rows.empty() || static_cast<Eigen::Index>(all.size()) > Z_.cols()) return false;
    Matrix picked = Z_(all, Eigen::all);
    for (Eigen::Index i = 0; i < picked.rows(); ++i) {
      const double length = picked.row(i).norm();
      if (length == 0.0) return false;
      picked.row(i) /= length;
    }
    Eigen::ColPivHouseholderQR<Matrix> qr(picked);
    qr.setThreshold(1e-6);  // closer to dependence than that, the changed mechanism would be close to singular
    if (qr.rank() < picked.rows()) return false;
    taken_ = all;
    return true;
  }

  const Model& model_;
  const Shape& rows_;
  Matrix Z_;
  std::vector<Candidate> candidates_;
  std::vector<int> taken_;
  Remedy remedy_;
  int nodes_left_ = 2000, accepts_left_ = 3;  // bounds of the search: a remedy is advice, and may be missed
};

template <class List>
void erase_named(List& list, const std::string& name) {
  std::erase_if(list, [&](const auto& each) { return each.name == name; });
}

Model changed(Model model, const Remedy& remedy) {
  Mechanism& m = model.mechanism;
  for (const Remedy::Change& change : remedy.changes) {
    if (change.type) {
      Joint& joint = *std::ranges::find(m.joints, change.name, &Joint::name);
      joint.type = *change.type;
      if (joint.type == JointType::spherical) joint.axis = {};
      if (!change.axis.empty()) joint.axis.values.assign(change.axis.begin(), change.axis.end());
      continue;
    }
    erase_named(m.joints, change.name);
    erase_named(m.drivers, change.name);
    erase_named(m.couplings, change.name);
    erase_named(model.constraints, change.name);
  }
  return model;
}

/// The changed model has the same degrees of freedom and independent rows.
bool helps(const Model& model, const Remedy& remedy, int dof) {
  try {
    const Model other = changed(model, remedy);
    validate(other);
    CompleteSystem complete = complete_system(other, Numbers(other));
    return complete.dynamics->freedom() == dof && complete.dynamics->dependent_rows().empty();
  } catch (const Error&) { return false; }  // something uses what is gone
}

}  // namespace

std::optional<Remedy> find_remedy(const Model& model, const Certificate& certificate, int dof) {
  if (!certificate.get() || !certificate.certified() || certificate.get()->dependencies.empty()) return std::nullopt;
  for (const Allowed allowed : {Allowed::usual_joints, Allowed::usual_joints_or_less, Allowed::all})
    if (const auto found =
            Search(model, certificate, allowed).find([&](const Remedy& remedy) { return helps(model, remedy, dof); }))
      return found;
  return std::nullopt;
}

}  // namespace maggi
