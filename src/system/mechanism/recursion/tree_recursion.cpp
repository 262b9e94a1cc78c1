#include "system/mechanism/recursion/tree_recursion.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace maggi::mechanism {

/// Working data of plan().
template <class Space>
struct TreeRecursion<Space>::Planning {
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

  Planning(int links, int rows) : acts(links), closes_at(rows, -1), coupled(rows), open(links), closing(links) {}

  std::vector<std::vector<Act>> acts;  // by link
  std::vector<int> closes_at;          // by row: the link at which all of it has come together
  Couplings coupled;
  std::vector<std::map<int, int>> open;   // by link: row → slot of its K
  std::vector<std::vector<int>> closing;  // by link: the rows that close there
  int slots = 0;
};

template <class Space>
TreeRecursion<Space>::TreeRecursion(const TreeModel<Space>& model, std::vector<Row> rows)
    : linkage_(model.linkage),
      model_(model),
      all_(std::move(rows)),
      bars_(linkage_.links.size()),
      pivots_(linkage_.n()) {
  plan();
}

template <class Space>
void TreeRecursion<Space>::use_rows(const std::vector<int>& rows) {
  if (rows == used_) return;
  used_ = rows;
  plan();
}

/// From the leaves to the ground, in the order of the elimination: which rows begin to act, which are closed, how the
/// joints are coupled with the rows that are open, and what is passed on to the parent.
template <class Space>
void TreeRecursion<Space>::plan() {
  const int links = static_cast<int>(linkage_.links.size());
  contributions_.clear(), merges_.clear(), closings_.clear(), joints_.clear(), carried_.clear(), empty_.clear();
  couplings_.clear(), directs_.clear(), pairs_.clear();
  steps_.assign(links, {});
  Planning planning(links, static_cast<int>(used_.size()));
  locate_rows(planning);
  for (int i = links - 1; i >= 0; --i) {
    const Link<Space>& link = linkage_.links[i];
    Step& step = steps_[i];
    step.parent = link.parent, step.carries_body = link.carries_body, step.m = link.m;
    plan_contributions(planning, i);
    plan_closings(planning, i);
    if (i == 0) break;
    plan_joints(planning, i);
    plan_hand_on(planning, i);
  }
  allocate(planning.slots, planning.coupled.count());
}

/// On which links and velocities the rows act, and the link at which all of a row has come together.
template <class Space>
void TreeRecursion<Space>::locate_rows(Planning& planning) const {
  const auto parent = [&](int i) { return linkage_.links[i].parent; };
  const auto meet = [&](int a, int b) {  // parents come first
    while (a != b) (a > b ? a : b) = parent(std::max(a, b));
    return a;
  };
  const int gaps = model_.shape.C.rows, frame_functions = static_cast<int>(model_.frame_functions.size());
  std::vector<const Closure<Space>*> ends;
  for (const Closure<Space>& closure : model_.closures) ends.insert(ends.end(), closure.rows.size(), &closure);
  for (const Closure<Space>& frame_function : model_.frame_functions) ends.push_back(&frame_function);
  for (int r = 0; r < static_cast<int>(used_.size()); ++r) {
    int& closes_at = planning.closes_at[r];
    const auto together = [&](int link) { closes_at = closes_at < 0 ? link : meet(closes_at, link); };
    for (const Term& term : all_[used_[r]]) {
      if (term.quantity < gaps + frame_functions) {
        const Closure<Space>& pair = *ends[term.quantity];
        planning.acts[pair.a].push_back({r, term.quantity, term.coefficient, -1.0, -1});
        planning.acts[pair.b].push_back({r, term.quantity, term.coefficient, 1.0, -1});
        together(pair.a), together(pair.b);
      } else {
        for (const CoordinateSum::Term& part : model_.sums[term.quantity - gaps - frame_functions].terms) {
          const int link = linkage_.link_of(part.v);
          planning.acts[link].push_back({r, term.quantity, term.coefficient, part.sign, part.v});
          together(parent(link));
        }
      }
    }
    planning.closing[std::max(closes_at, 0)].push_back(r);
  }
}

/// The rows that act on link i get a slot for their wrench K_r.
template <class Space>
void TreeRecursion<Space>::plan_contributions(Planning& planning, int i) {
  Range& range = steps_[i].contributions;
  range.from = static_cast<int>(contributions_.size());
  if (i > 0)
    for (const typename Planning::Act& act : planning.acts[i]) {
      const auto [slot, added] = planning.open[i].try_emplace(act.row, planning.slots);
      planning.slots += added;
      if (act.velocity < 0)
        contributions_.push_back({slot->second, act.quantity, act.coefficient, added, act.sign});
      else if (added)
        empty_.push_back(slot->second);
    }
  range.to = static_cast<int>(contributions_.size());
}

/// The rows that close at link i, by (4), the one with the fewest neighbours first.
template <class Space>
void TreeRecursion<Space>::plan_closings(Planning& planning, int i) {
  steps_[i].closings.from = static_cast<int>(closings_.size());
  std::set<std::pair<std::size_t, int>> waiting;
  for (const int r : planning.closing[i]) waiting.emplace(planning.coupled.of(r).size(), r);
  while (!waiting.empty()) {
    const int r = waiting.begin()->second;
    waiting.erase(waiting.begin());
    const std::vector<int> neighbours(planning.coupled.of(r).begin(), planning.coupled.of(r).end());
    for (const int s : neighbours)
      if (planning.closes_at[s] == i) waiting.erase({planning.coupled.of(s).size(), s});
    plan_closing(planning, i, r, neighbours);
    for (const int s : neighbours)
      if (planning.closes_at[s] == i) waiting.emplace(planning.coupled.of(s).size(), s);
  }
  steps_[i].closings.to = static_cast<int>(closings_.size());
}

template <class Space>
void TreeRecursion<Space>::plan_closing(Planning& planning, int i, int r, const std::vector<int>& neighbours) {
  std::map<int, int>& open = planning.open[i];
  Closing close{r, i > 0 ? open.at(r) : -1, planning.coupled.entry(r, r), {}, static_cast<int>(pairs_.size())};
  close.open.from = static_cast<int>(couplings_.size());
  for (const int s : neighbours) {
    const auto here = open.find(s);
    couplings_.push_back({s, here == open.end() ? -1 : here->second});
    pairs_.push_back(planning.coupled.entry(r, s));
  }
  close.open.to = static_cast<int>(couplings_.size());
  for (std::size_t a = 0; a < neighbours.size(); ++a)
    for (std::size_t b = 0; b <= a; ++b) pairs_.push_back(planning.coupled.entry(neighbours[a], neighbours[b]));
  planning.coupled.remove(r);
  open.erase(r);
  closings_.push_back(close);
}

/// The velocities of link i, by (3), each with the rows that are open then.
template <class Space>
void TreeRecursion<Space>::plan_joints(Planning& planning, int i) {
  const Link<Space>& link = linkage_.links[i];
  const Motion motion = link.freedom == Freedom::slide ? Motion::slide
                        : link.pitch != 0.0            ? Motion::screw
                                                       : Motion::turn;
  steps_[i].joints.from = static_cast<int>(joints_.size());
  for (int v = link.v + link.velocities - 1; v >= link.v; --v) {
    Joint joint{v, motion, link.pitch, v == link.v, link.parent > 0 || v > link.v, {}, static_cast<int>(pairs_.size()),
                {}};
    joint.open.from = static_cast<int>(couplings_.size());
    joint.direct.from = static_cast<int>(directs_.size());
    for (const auto& [row, slot] : planning.open[i]) {
      for (const typename Planning::Act& act : planning.acts[i])
        if (act.row == row && act.velocity == v)
          directs_.push_back({static_cast<int>(couplings_.size()) - joint.open.from, act.coefficient, act.sign});
      couplings_.push_back({row, slot});
    }
    joint.open.to = static_cast<int>(couplings_.size());
    joint.direct.to = static_cast<int>(directs_.size());
    for (int a = joint.open.from; a < joint.open.to; ++a)
      for (int b = joint.open.from; b <= a; ++b)
        pairs_.push_back(planning.coupled.entry(couplings_[a].row, couplings_[b].row));
    joints_.push_back(joint);
  }
  steps_[i].joints.to = static_cast<int>(joints_.size());
}

/// Rows that are open are passed on to the parent; where the parent has a slot of the same row, the two are added
/// there.
template <class Space>
void TreeRecursion<Space>::plan_hand_on(Planning& planning, int i) {
  Step& step = steps_[i];
  step.carried.from = static_cast<int>(carried_.size());
  step.merges.from = static_cast<int>(merges_.size());
  if (step.parent > 0)
    for (const auto& [row, slot] : planning.open[i]) {
      carried_.push_back(slot);
      const auto [there, added] = planning.open[step.parent].try_emplace(row, slot);
      if (!added) merges_.emplace_back(there->second, slot);
    }
  step.carried.to = static_cast<int>(carried_.size());
  step.merges.to = static_cast<int>(merges_.size());
}

/// `slots`: of wrenches K_r; `entries`: of D.
template <class Space>
void TreeRecursion<Space>::allocate(int slots, int entries) {
  K_.assign(slots, {});
  D_.assign(entries, 0.0);
  factors_.assign(couplings_.size(), 0.0);
  std::size_t most_open = 0;
  for (const Joint& joint : joints_) most_open = std::max<std::size_t>(most_open, joint.open.to - joint.open.from);
  u_.assign(most_open, 0.0);
  for (std::vector<double>* values : {&inverse_, &taken_, &y_, &lambda_}) values->assign(used_.size(), 0.0);
  calibrated_ = false;
}

/// What the inertia of a joint may fall to: if all that it carries yields, only rounding of M_jj is left of it.
template <class Space>
void TreeRecursion<Space>::calibrate(const LinkState<Space>& s) {
  constexpr double rounding = 1e-12;
  std::vector<Articulated<Space>> composite(bars_.size());
  for (std::size_t i = bars_.size() - 1; i > 0; --i) {
    const Link<Space>& link = linkage_.links[i];
    composite[i] += body(steps_[i], i, s);
    if (link.parent > 0) composite[link.parent].add_from(composite[i], s.pose[i].p - s.pose[link.parent].p);
    for (int v = link.v; v < link.v + link.velocities; ++v) {
      const typename Space::Angular& w = s.S[v].w;
      const typename Space::Linear at = s.S[v].at(s.pose[i].p);
      Wrench<Space> U = composite[i].turning(w);
      U += composite[i].sliding(at);
      pivots_[v].least = rounding * U.dot({w, at});
    }
  }
  calibrated_ = true;
}

template <class Space>
bool TreeRecursion<Space>::factorise(const Workspace& w) {
  return go_inwards(w, [](int) {});
}

template <class Space>
void TreeRecursion<Space>::solve(const double* h, const double* gamma, double* x, double* lambda) {
  std::copy_n(gamma, y_.size(), y_.data());
  for (int i = static_cast<int>(bars_.size()) - 1; i >= 0; --i) load(i, h);
  go_outwards(x, lambda);
}

template <class Space>
bool TreeRecursion<Space>::factorise_and_solve(const Workspace& w, const double* h, const double* gamma, double* x,
                                               double* lambda) {
  std::copy_n(gamma, y_.size(), y_.data());
  if (!go_inwards(w, [&](int i) { load(i, h); })) return false;
  go_outwards(x, lambda);
  return true;
}

/// load(i): what else is to be done at link i once it has been eliminated.
template <class Space>
template <class Load>
bool TreeRecursion<Space>::go_inwards(const Workspace& workspace, Load load) {
  const auto& w = static_cast<const MechanismWorkspace<Space>&>(workspace);
  begin(w.links);
  for (int i = static_cast<int>(bars_.size()) - 1; i >= 0; --i) {
    const Step& step = steps_[i];
    Bar& bar = bars_[i];
    if (i > 0) bar.r = w.links.pose[i].p - w.links.pose[step.parent].p;
    if (step.carries_body) bar.I += body(step, i, w.links);
    act(step, i, w);
    for (int c = step.closings.from; c < step.closings.to; ++c)
      if (!close(closings_[c], bar)) return forget(), false;
    for (int j = step.joints.from; j < step.joints.to; ++j)
      if (!eliminate(joints_[j], bar, w.links)) return forget(), false;
    load(i);
    if (step.parent > 0) hand_on(step, i);
    bar.I = {};
  }
  weakest_.sine = std::sqrt(weakest_square_);
  return true;
}

template <class Space>
void TreeRecursion<Space>::begin(const LinkState<Space>& s) {
  weakest_ = {};
  weakest_square_ = 1.0;
  std::fill(D_.begin(), D_.end(), 0.0);
  std::fill(taken_.begin(), taken_.end(), 0.0);
  for (const int slot : empty_) K_[slot] = {};
  if (!calibrated_) calibrate(s);
}

/// After a pivot was lost on the way.
template <class Space>
void TreeRecursion<Space>::forget() {
  for (Bar& bar : bars_) bar.I = {}, bar.p = {};
}

/// The body of link i, about the origin of the link.
template <class Space>
inline Articulated<Space> TreeRecursion<Space>::body(const Step& step, std::size_t i, const LinkState<Space>& s) const {
  if (!step.carries_body) return {};
  return Articulated<Space>::rigid(step.m, s.centre[i] - s.pose[i].p, s.turned[i]);
}

/// Wrenches of the rows that act on link i.
template <class Space>
void TreeRecursion<Space>::act(const Step& step, int i, const MechanismWorkspace<Space>& w) {
  const std::size_t gaps = w.rows.size();
  for (int c = step.contributions.from; c < step.contributions.to; ++c) {
    const Contribution& part = contributions_[c];
    const std::size_t q = part.quantity;
    const Wrench<Space>& W = q < gaps ? w.rows[q].W : w.frame_functions[q - gaps].W;
    const double k = part.coefficient < 0 ? part.sign : part.sign * coefficients_[part.coefficient];
    const Wrench<Space> acting{k * W.about(w.links.pose[i].p), k * W.f};
    K_[part.slot] = part.first ? acting : K_[part.slot] + acting;
  }
}

/// (4)
template <class Space>
bool TreeRecursion<Space>::close(const Closing& row, Bar& bar) {
  const double pivot = D_[row.diagonal], size = pivot + taken_[row.row];
  if (!(pivot > least_sine * least_sine * size)) return false;
  if (pivot < weakest_square_ * size) weakest_square_ = pivot / size, weakest_.row = used_[row.row];
  const double inverse = inverse_[row.row] = 1.0 / pivot;
  const int count = row.open.to - row.open.from;
  const int *entry = pairs_.data() + row.entries, *pair = entry + count;
  const Coupling* open = couplings_.data() + row.open.from;
  double* L = factors_.data() + row.open.from;
  for (int a = 0; a < count; ++a) {
    const double D = D_[entry[a]];
    L[a] = D * inverse;
    taken_[open[a].row] += D * L[a];
    for (int b = 0; b <= a; ++b) D_[*pair++] -= D * L[b];
  }
  if (row.slot < 0) return true;
  const Wrench<Space>& K = K_[row.slot];
  bar.I.add(inverse, K);
  for (int a = 0; a < count; ++a) K_[open[a].slot] -= K * L[a];
  return true;
}

/// (3)
template <class Space>
bool TreeRecursion<Space>::eliminate(const Joint& joint, Bar& bar, const LinkState<Space>& s) {
  Pivot& pivot = pivots_[joint.v];
  maggi::mechanism::Motion<Space>& S = pivot.S;
  Wrench<Space>& U = pivot.U;
  double d;
  if (joint.motion == Motion::turn) {
    S.w = s.S[joint.v].w;
    U = bar.I.turning(S.w);
    d = Space::dot(U.n, S.w);
  } else if (joint.motion == Motion::slide) {
    S.v = s.S[joint.v].v;
    U = bar.I.sliding(S.v);
    d = U.f.dot(S.v);
  } else {
    S.w = s.S[joint.v].w;
    if constexpr (Space::turns == 3) S.v = joint.pitch * S.w;
    U = bar.I.turning(S.w) + bar.I.sliding(S.v);
    d = U.dot(S);
  }
  if (!(d > pivot.least)) return false;
  const double inverse = pivot.inverse = 1.0 / d;
  const int count = joint.open.to - joint.open.from;
  if (count > 0) {
    const Coupling* open = couplings_.data() + joint.open.from;
    double *u = u_.data(), *over_d = factors_.data() + joint.open.from;
    for (int a = 0; a < count; ++a) u[a] = K_[open[a].slot].dot(S);
    for (int e = joint.direct.from; e < joint.direct.to; ++e) {
      const Direct& direct = directs_[e];
      u[direct.entry] += direct.coefficient < 0 ? direct.sign : direct.sign * coefficients_[direct.coefficient];
    }
    const int* pair = pairs_.data() + joint.pairs;
    for (int a = 0; a < count; ++a) {
      over_d[a] = u[a] * inverse;
      for (int b = 0; b <= a; ++b) D_[*pair++] += u[a] * over_d[b];
      if (joint.handed_on) K_[open[a].slot] -= U * over_d[a];
    }
  }
  if (!joint.handed_on) return true;
  bar.I.add(-inverse, U);
  if (joint.last) U.n += Space::moment(bar.r, U.f);
  return true;
}

/// What is left of link i, about the origin of its parent.
template <class Space>
void TreeRecursion<Space>::hand_on(const Step& step, int i) {
  const Bar& bar = bars_[i];
  bars_[step.parent].I.add_from(bar.I, bar.r);
  for (int c = step.carried.from; c < step.carried.to; ++c) {
    Wrench<Space>& K = K_[carried_[c]];
    K.n += Space::moment(bar.r, K.f);
  }
  for (int c = step.merges.from; c < step.merges.to; ++c) K_[merges_[c].first] += K_[merges_[c].second];
}

/// p and γ − g of link i. What a joint adds to p is added about the origin of the parent at once: nothing waits for a
/// shift.
template <class Space>
void TreeRecursion<Space>::load(int i, const double* h) {
  Bar& bar = bars_[i];
  const Step& step = steps_[i];
  for (int c = step.closings.from; c < step.closings.to; ++c) {
    const Closing& close = closings_[c];
    const double left = y_[close.row];
    for (int a = close.open.from; a < close.open.to; ++a) y_[couplings_[a].row] -= factors_[a] * left;
    y_[close.row] = left * inverse_[close.row];
    if (close.slot >= 0) bar.p -= K_[close.slot] * y_[close.row];
  }
  if (i == 0) return;
  const int parent = step.parent;
  for (int j = step.joints.from; j < step.joints.to; ++j) {
    const Joint& joint = joints_[j];
    Pivot& pivot = pivots_[joint.v];
    double e = h ? h[joint.v] : 0.0;
    if (joint.motion != Motion::slide) e -= Space::dot(bar.p.n, pivot.S.w);
    if (joint.motion != Motion::turn) e -= bar.p.f.dot(pivot.S.v);
    pivot.x = e * pivot.inverse;
    if (joint.handed_on) (joint.last ? bars_[parent] : bar).p += pivot.U * pivot.x;
    for (int a = joint.open.from; a < joint.open.to; ++a) y_[couplings_[a].row] -= factors_[a] * e;
  }
  if (parent > 0) bars_[parent].p += Wrench<Space>{bar.p.n + Space::moment(bar.r, bar.p.f), bar.p.f};
  bar.p = {};
}

/// Accelerations and λ.
template <class Space>
void TreeRecursion<Space>::go_outwards(double* x, double* lambda) {
  bars_[0].A = {};
  for (std::size_t i = 0; i < bars_.size(); ++i) {
    Bar& bar = bars_[i];
    const Step& step = steps_[i];
    if (i > 0) {
      const auto& A = bars_[step.parent].A;
      bar.A = {A.w, A.v + Space::turn(A.w, bar.r)};
      for (int j = step.joints.to - 1; j >= step.joints.from; --j) {
        const Joint& joint = joints_[j];
        const Pivot& pivot = pivots_[joint.v];
        double a = pivot.x;
        if (joint.handed_on) a -= pivot.inverse * pivot.U.dot(joint.last ? A : bar.A);
        for (int c = joint.open.from; c < joint.open.to; ++c) a += factors_[c] * lambda_[couplings_[c].row];
        x[joint.v] = a;
        if (joint.motion != Motion::slide) bar.A.w += a * pivot.S.w;
        if (joint.motion != Motion::turn) bar.A.v += a * pivot.S.v;
      }
    }
    for (int c = step.closings.to - 1; c >= step.closings.from; --c) {
      const Closing& close = closings_[c];
      double force = y_[close.row];
      if (close.slot >= 0) force -= inverse_[close.row] * K_[close.slot].dot(bar.A);
      for (int a = close.open.from; a < close.open.to; ++a) force -= factors_[a] * lambda_[couplings_[a].row];
      lambda_[close.row] = force;
    }
  }
  std::copy(lambda_.begin(), lambda_.end(), lambda);
}

template class TreeRecursion<Planar>;
template class TreeRecursion<Spatial>;

}  // namespace maggi::mechanism
