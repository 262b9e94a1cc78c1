#include "system/mechanism/recursion/elimination_plan.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace maggi::mechanism {

namespace {

/// From the leaves to the ground, in the order of the elimination: which rows begin to act, which are closed, how the
/// joints are coupled with the rows that are open, and what is passed on to the parent.
template <class Space>
class EliminationPlanner {
  using Range = EliminationPlan::Range;
  using Step = EliminationPlan::Step;
  using Joint = EliminationPlan::Joint;
  using Closing = EliminationPlan::Closing;
  using JointMotion = EliminationPlan::JointMotion;

 public:
  EliminationPlanner(const TreeModel<Space>& model, const std::vector<RowOfFunctions>& rows,
                     const std::vector<int>& used)
      : model_(model),
        rows_(rows),
        used_(used),
        acts_(model.linkage.links.size()),
        closes_at_(used.size(), -1),
        coupled_(static_cast<int>(used.size())),
        open_(model.linkage.links.size()),
        closing_(model.linkage.links.size()) {}

  EliminationPlan plan() {
    const int links = static_cast<int>(model_.linkage.links.size());
    plan_.steps.assign(links, {});
    locate_rows();
    for (int i = links - 1; i >= 0; --i) {
      const Link<Space>& link = model_.linkage.links[i];
      Step& step = plan_.steps[i];
      step.parent = link.parent, step.carries_body = link.carries_body, step.m = link.m;
      plan_contributions(i);
      plan_closings(i);
      if (i == 0) break;
      plan_joints(i);
      plan_hand_on(i);
    }
    plan_.entries = coupled_.count();
    return std::move(plan_);
  }

 private:
  struct Act {  // of a row on a link: sign · coefficient · quantity
    int row, quantity, coefficient;
    double sign;
    int velocity;  // on this velocity; −1: a wrench
  };

  /// The pattern of D: which rows are coupled, while the elimination couples more of them.
  class Couplings {
   public:
    explicit Couplings(int rows) : neighbours_(rows) {
      for (int r = 0; r < rows; ++r) entry(r, r);
    }
    int entry(int r, int s) {
      const auto [found, added] = entries_.try_emplace(std::minmax(r, s), static_cast<int>(entries_.size()));
      if (added && r != s) neighbours_[r].insert(s), neighbours_[s].insert(r);
      return found->second;
    }
    const std::set<int>& of(int r) const { return neighbours_[r]; }
    void remove(int r) {
      for (const int s : neighbours_[r]) neighbours_[s].erase(r);
    }
    int count() const { return static_cast<int>(entries_.size()); }

   private:
    std::map<std::pair<int, int>, int> entries_;
    std::vector<std::set<int>> neighbours_;
  };

  /// On which links and velocities the rows act, and the link at which all of a row has come together.
  void locate_rows() {
    const auto parent = [&](int i) { return model_.linkage.links[i].parent; };
    const auto meet = [&](int a, int b) {  // parents come first
      while (a != b) (a > b ? a : b) = parent(std::max(a, b));
      return a;
    };
    const int gaps = model_.shape.C.rows, frame_functions = static_cast<int>(model_.frame_functions.size());
    std::vector<const Closure<Space>*> ends;
    for (const Closure<Space>& closure : model_.closures) ends.insert(ends.end(), closure.rows.size(), &closure);
    for (const Closure<Space>& frame_function : model_.frame_functions) ends.push_back(&frame_function);
    for (int r = 0; r < static_cast<int>(used_.size()); ++r) {
      int& meets_at = closes_at_[r];
      const auto together = [&](int link) { meets_at = meets_at < 0 ? link : meet(meets_at, link); };
      for (const RowTerm& term : rows_[used_[r]]) {
        if (term.quantity < gaps + frame_functions) {
          const Closure<Space>& pair = *ends[term.quantity];
          acts_[pair.a].push_back({r, term.quantity, term.coefficient, -1.0, -1});
          acts_[pair.b].push_back({r, term.quantity, term.coefficient, 1.0, -1});
          together(pair.a), together(pair.b);
        } else {
          for (const CoordinateSum::Term& part : model_.sums[term.quantity - gaps - frame_functions].terms) {
            const int link = model_.linkage.link_of(part.v);
            acts_[link].push_back({r, term.quantity, term.coefficient, part.sign, part.v});
            together(parent(link));
          }
        }
      }
      closing_[std::max(meets_at, 0)].push_back(r);
    }
  }

  /// The rows that act on link i get a slot for their wrench K_r.
  void plan_contributions(int i) {
    Range& range = plan_.steps[i].contributions;
    range.from = static_cast<int>(plan_.contributions.size());
    if (i > 0)
      for (const Act& act : acts_[i]) {
        const auto [slot, added] = open_[i].try_emplace(act.row, plan_.slots);
        plan_.slots += added;
        if (act.velocity < 0)
          plan_.contributions.push_back({slot->second, act.quantity, act.coefficient, added, act.sign});
        else if (added)
          plan_.empty.push_back(slot->second);
      }
    range.to = static_cast<int>(plan_.contributions.size());
  }

  /// The rows that close at link i, by (4), the one with the fewest neighbours first.
  void plan_closings(int i) {
    plan_.steps[i].closings.from = static_cast<int>(plan_.closings.size());
    std::set<std::pair<std::size_t, int>> waiting;
    for (const int r : closing_[i]) waiting.emplace(coupled_.of(r).size(), r);
    while (!waiting.empty()) {
      const int r = waiting.begin()->second;
      waiting.erase(waiting.begin());
      const std::vector<int> neighbours(coupled_.of(r).begin(), coupled_.of(r).end());
      for (const int s : neighbours)
        if (closes_at_[s] == i) waiting.erase({coupled_.of(s).size(), s});
      plan_closing(i, r, neighbours);
      for (const int s : neighbours)
        if (closes_at_[s] == i) waiting.emplace(coupled_.of(s).size(), s);
    }
    plan_.steps[i].closings.to = static_cast<int>(plan_.closings.size());
  }

  void plan_closing(int i, int r, const std::vector<int>& neighbours) {
    std::map<int, int>& open = open_[i];
    Closing close{r, i > 0 ? open.at(r) : -1, coupled_.entry(r, r), {}, static_cast<int>(plan_.pairs.size())};
    close.open.from = static_cast<int>(plan_.couplings.size());
    for (const int s : neighbours) {
      const auto here = open.find(s);
      plan_.couplings.push_back({s, here == open.end() ? -1 : here->second});
      plan_.pairs.push_back(coupled_.entry(r, s));
    }
    close.open.to = static_cast<int>(plan_.couplings.size());
    count_pivot(neighbours.size(), i > 0);
    for (std::size_t a = 0; a < neighbours.size(); ++a)
      for (std::size_t b = 0; b <= a; ++b) plan_.pairs.push_back(coupled_.entry(neighbours[a], neighbours[b]));
    coupled_.remove(r);
    open.erase(r);
    plan_.closings.push_back(close);
  }

  /// A pivot that is coupled with so many open rows, and with the link where there is more to come.
  void count_pivot(std::size_t open, bool link) {
    const double coupled = static_cast<double>(open) + (link ? Space::turns + Space::axes : 0);
    plan_.operations += coupled * (coupled + 3.0) / 2.0;
  }

  /// The velocities of link i, by (3), each with the rows that are open then.
  void plan_joints(int i) {
    const Link<Space>& link = model_.linkage.links[i];
    const JointMotion motion = link.freedom == Freedom::slide ? JointMotion::slide
                               : link.pitch != 0.0            ? JointMotion::screw
                                                              : JointMotion::turn;
    plan_.steps[i].joints.from = static_cast<int>(plan_.joints.size());
    for (int v = link.v + link.velocities - 1; v >= link.v; --v) {
      Joint joint{
          v, motion, link.pitch, v == link.v, link.parent > 0 || v > link.v, {}, static_cast<int>(plan_.pairs.size()),
          {}};
      joint.open.from = static_cast<int>(plan_.couplings.size());
      joint.direct.from = static_cast<int>(plan_.directs.size());
      for (const auto& [row, slot] : open_[i]) {
        for (const Act& act : acts_[i])
          if (act.row == row && act.velocity == v)
            plan_.directs.push_back(
                {static_cast<int>(plan_.couplings.size()) - joint.open.from, act.coefficient, act.sign});
        plan_.couplings.push_back({row, slot});
      }
      joint.open.to = static_cast<int>(plan_.couplings.size());
      count_pivot(open_[i].size(), joint.handed_on);
      joint.direct.to = static_cast<int>(plan_.directs.size());
      for (int a = joint.open.from; a < joint.open.to; ++a)
        for (int b = joint.open.from; b <= a; ++b)
          plan_.pairs.push_back(coupled_.entry(plan_.couplings[a].row, plan_.couplings[b].row));
      plan_.joints.push_back(joint);
    }
    plan_.steps[i].joints.to = static_cast<int>(plan_.joints.size());
  }

  /// Rows that are open are passed on to the parent; where the parent has a slot of the same row, the two are added
  /// there.
  void plan_hand_on(int i) {
    Step& step = plan_.steps[i];
    step.carried.from = static_cast<int>(plan_.carried.size());
    step.merges.from = static_cast<int>(plan_.merges.size());
    if (step.parent > 0)
      for (const auto& [row, slot] : open_[i]) {
        plan_.carried.push_back(slot);
        const auto [there, added] = open_[step.parent].try_emplace(row, slot);
        if (!added) plan_.merges.emplace_back(there->second, slot);
      }
    step.carried.to = static_cast<int>(plan_.carried.size());
    step.merges.to = static_cast<int>(plan_.merges.size());
  }

  const TreeModel<Space>& model_;
  const std::vector<RowOfFunctions>& rows_;
  const std::vector<int>& used_;
  std::vector<std::vector<Act>> acts_;  // by link
  std::vector<int> closes_at_;          // by row: the link at which all of it has come together
  Couplings coupled_;
  std::vector<std::map<int, int>> open_;   // by link: row → slot of its K
  std::vector<std::vector<int>> closing_;  // by link: the rows that close there
  EliminationPlan plan_;
};

}  // namespace

template <class Space>
EliminationPlan plan_elimination(const TreeModel<Space>& model, const std::vector<RowOfFunctions>& rows,
                                 const std::vector<int>& used) {
  return EliminationPlanner<Space>(model, rows, used).plan();
}

template EliminationPlan plan_elimination(const TreeModel<Planar>&, const std::vector<RowOfFunctions>&,
                                          const std::vector<int>&);
template EliminationPlan plan_elimination(const TreeModel<Spatial>&, const std::vector<RowOfFunctions>&,
                                          const std::vector<int>&);

}  // namespace maggi::mechanism
