#include "system/mechanism/recursion/graph_plan.hpp"

#include <algorithm>
#include <queue>
#include <set>
#include <tuple>

namespace maggi::mechanism {

namespace {

/// The graph while it is eliminated. An unknown is a link or a connection (their ids); an element is what a step left:
/// all unknowns of its border are coupled with one another.
class GraphPlanner {
  using Kind = GraphPlan::Kind;
  using Step = GraphPlan::Step;

  static constexpr int too_early = 1 << 20;  // a score behind all others

 public:
  explicit GraphPlanner(const LinkGraph& graph)
      : graph_(graph), links_(static_cast<int>(graph.links.size())), unknowns_(links_ + graph.connections.size()) {
    for (int i = 0; i < links_; ++i) {
      unknowns_[i].size = graph.link_size;
      unknowns_[i].carries = graph.links[i].carries;
    }
    for (std::size_t c = 0; c < graph.connections.size(); ++c) {
      Unknown& unknown = unknowns_[links_ + c];
      unknown.size = graph.connections[c].rows;
      unknown.partners = graph.connections[c].ends;
      for (const int link : unknown.partners) unknowns_[link].partners.push_back(links_ + static_cast<int>(c));
    }
    unknowns_[0].gone = true;
  }

  GraphPlan plan() {
    int left = 0;
    for (int id = 1; id < static_cast<int>(unknowns_.size()); ++id) ++left, rate(id);
    while (!queue_.empty() && left > 0) {
      const Choice best = queue_.top();
      queue_.pop();
      const Unknown& unknown = unknowns_[best.id];
      if (unknown.gone || best.version != unknown.version) continue;
      left -= take(best);
    }
    plan_.complete = left == 0;
    return std::move(plan_);
  }

 private:
  struct Unknown {
    int size = 0, version = 0;
    bool gone = false, touched = false;  // touched: a connection of which a link has been eliminated without it
    bool carries = false;                // inertia
    std::vector<int> partners;           // whose coupling with it stands in no front yet
    std::vector<int> elements;           // steps that left it on their border
  };
  struct Choice {
    int score, id, version;
    Kind kind;
    int through, into;
    bool operator<(const Choice& other) const {  // the best is on top of a queue
      return std::tie(other.score, other.id, other.through) < std::tie(score, id, through);
    }
  };

  bool is_link(int id) const { return id < links_; }
  const LinkGraph::Connection& connection(int id) const { return graph_.connections[id - links_]; }

  /// The unknowns that are coupled with this one, itself left out.
  std::vector<int> coupled(int id) const {
    const Unknown& unknown = unknowns_[id];
    std::vector<int> result = unknown.partners;
    for (const int step : unknown.elements)
      for (int k = plan_.steps[step].variables.from; k < plan_.steps[step].variables.to; ++k)
        result.push_back(plan_.variables[k].id);
    std::sort(result.begin(), result.end());
    result.erase(std::unique(result.begin(), result.end()), result.end());
    std::erase(result, id);
    return result;
  }

  bool untouched(int id) const { return !is_link(id) && connection(id).contractible && !unknowns_[id].touched; }

  /// How many motions the parts around this unknown have that none of their rows holds, their border being at rest. As
  /// many further rows can be eliminated there: more are dependent, whatever the lengths.
  int surplus(int id) const {
    int sum = 0;
    for (const int step : unknowns_[id].elements) sum += surplus_[step];
    return sum;
  }

  /// Enters the best step that eliminates this unknown.
  void rate(int id) {
    Unknown& unknown = unknowns_[id];
    if (unknown.gone) return;
    ++unknown.version;
    const std::vector<int> around = coupled(id);
    int numbers = 0, spoilt = 0;
    for (const int other : around) numbers += unknowns_[other].size, spoilt += untouched(other);
    if (!is_link(id)) {
      if (unknown.touched)
        queue_.push({numbers + (surplus(id) < unknown.size ? too_early : 0), id, unknown.version, Kind::rows, -1, 0});
      return;
    }
    if (graph_.links[id].solid)
      queue_.push({numbers + graph_.link_size * spoilt, id, unknown.version, Kind::link, -1, 0});
    if (!unknown.carries) return;
    for (const int through : unknown.partners) {
      if (!untouched(through) || !connection(through).contractible) continue;
      const int into = other_end(through, id);
      const bool more = into > 0 && !std::ranges::binary_search(around, into);
      queue_.push({numbers - unknowns_[through].size + (more ? graph_.link_size : 0) + graph_.link_size * (spoilt - 1),
                   id, unknown.version, Kind::contract, through, into});
    }
  }

  int other_end(int through, int link) const {
    for (const int end : connection(through).ends)
      if (end != link) return end;
    return 0;
  }

  /// Plans this step. Returns how many unknowns it eliminates.
  int take(const Choice& choice) {
    Step step;
    step.kind = choice.kind, step.id = choice.id, step.through = choice.through, step.into = choice.into;
    step.own = unknowns_[choice.id].size;
    step.pivots = choice.kind == Kind::contract ? connection(choice.through).free : step.own;
    std::vector<int> border = coupled(choice.id);
    if (choice.kind == Kind::contract) {
      std::erase(border, choice.through);
      if (choice.into > 0 && !std::ranges::binary_search(border, choice.into))
        border.insert(std::ranges::upper_bound(border, choice.into), choice.into);
    }
    lay_out(step, border);
    assemble(step);
    remember(step);
    const int number = static_cast<int>(plan_.steps.size());
    surplus_.push_back(surplus(choice.id) + (choice.kind == Kind::rows ? -step.pivots : step.pivots));
    plan_.steps.push_back(step);
    leave(step, number, border);
    return choice.kind == Kind::contract ? 2 : 1;
  }

  void lay_out(Step& step, const std::vector<int>& border) {
    place_.resize(unknowns_.size());
    place_[step.id] = 0;
    step.variables.from = static_cast<int>(plan_.variables.size());
    for (const int id : border) {
      place_[id] = step.own + step.border;
      plan_.variables.push_back({id, place_[id], unknowns_[id].size});
      step.border += unknowns_[id].size;
    }
    step.variables.to = static_cast<int>(plan_.variables.size());
    if (step.into > 0) step.into_at = place_[step.into];
  }

  /// What is added up in the front: couplings that stand in none yet, and what earlier steps left.
  void assemble(Step& step) {
    const Unknown& own = unknowns_[step.id];
    step.couplings.from = static_cast<int>(plan_.couplings.size());
    for (const int other : own.partners) {
      if (other == step.through) continue;
      const int rows = is_link(step.id) ? other : step.id, link = is_link(step.id) ? step.id : other;
      plan_.couplings.push_back({rows - links_, link, place_[rows], place_[link]});
    }
    step.couplings.to = static_cast<int>(plan_.couplings.size());
    step.parts.from = static_cast<int>(plan_.parts.size());
    for (const int earlier : own.elements) {
      plan_.parts.push_back({earlier, static_cast<int>(plan_.places.size())});
      for (int k = plan_.steps[earlier].variables.from; k < plan_.steps[earlier].variables.to; ++k)
        for (int number = 0; number < plan_.variables[k].size; ++number)
          plan_.places.push_back(place_[plan_.variables[k].id] + number);
    }
    step.parts.to = static_cast<int>(plan_.parts.size());
  }

  void remember(Step& step) {
    const int front = step.own + step.border;
    if (front > plan_.widest_front) plan_.widest_front = front;
    step.left = plan_.left_size, plan_.left_size += static_cast<std::size_t>(step.border) * step.border;
    step.panel = plan_.panel_size;
    plan_.panel_size += static_cast<std::size_t>(step.border) * step.pivots;
    if (step.kind == Kind::contract) plan_.panel_size += static_cast<std::size_t>(front) * (step.own - step.pivots);
    for (int k = 0; k < step.pivots; ++k) {
      const double behind = front - step.own + step.pivots - k - 1;
      plan_.operations += behind * (behind + 3.0) / 2.0;
    }
    if (step.into > 0) plan_.operations += 4.0 * step.border;
  }

  /// The unknowns of the border are coupled by what this step leaves, and by nothing of what it has added up.
  void leave(const Step& step, int number, const std::vector<int>& border) {
    Unknown& own = unknowns_[step.id];
    own.gone = true;
    std::set<int> again(border.begin(), border.end());
    for (const int partner : own.partners) {
      Unknown& other = unknowns_[partner];
      std::erase(other.partners, step.id);
      if (is_link(partner)) continue;
      other.touched = true;
      again.insert(other.partners.begin(), other.partners.end());
    }
    if (step.kind == Kind::contract) {
      unknowns_[step.through].gone = true;
      for (const int end : connection(step.through).ends) std::erase(unknowns_[end].partners, step.through);
      if (step.into > 0) unknowns_[step.into].carries |= own.carries;
    }
    for (const int id : border) {
      std::erase_if(unknowns_[id].elements, [&](int element) { return std::ranges::count(own.elements, element) > 0; });
      unknowns_[id].elements.push_back(number);
    }
    for (const int id : again) rate(id);
  }

  const LinkGraph& graph_;
  int links_;
  std::vector<Unknown> unknowns_;
  std::vector<int> surplus_;  // of elements, by step
  std::vector<int> place_;    // of unknowns in the front at hand
  std::priority_queue<Choice> queue_;
  GraphPlan plan_;
};

}  // namespace

GraphPlan plan_graph(const LinkGraph& graph) { return GraphPlanner(graph).plan(); }

}  // namespace maggi::mechanism
