#include "system/mechanism/recursion/link_equations.hpp"

#include <algorithm>
#include <map>

namespace maggi::mechanism {

namespace {

LinkVector<Planar> numbers(double first, const Vector2& second) { return {first, second[0], second[1]}; }
LinkVector<Spatial> numbers(const Vector3& first, const Vector3& second) {
  return {first[0], first[1], first[2], second[0], second[1], second[2]};
}

}  // namespace

template <class Space>
LinkEquations<Space>::LinkEquations(const TreeModel<Space>& model, const std::vector<RowOfFunctions>& rows,
                                    const std::vector<int>& used)
    : model_(model),
      linkage_(model.linkage),
      gaps_(model.shape.C.rows),
      rows_count_(static_cast<int>(used.size())),
      entries_of_row_(used.size()),
      inertia_(linkage_.links.size()),
      S_(linkage_.n()),
      arm_(linkage_.links.size(), Space::Linear::Zero()),
      origin_(linkage_.links.size(), Space::Linear::Zero()),
      A_(linkage_.links.size()),
      F_(linkage_.links.size()) {
  for (const Closure<Space>& closure : model.closures) ends_.insert(ends_.end(), closure.rows.size(), &closure);
  for (const Closure<Space>& frame_function : model.frame_functions) ends_.push_back(&frame_function);
  std::map<const Closure<Space>*, std::size_t> group_of;
  for (int r = 0; r < rows_count_; ++r) {
    const RowOfFunctions& row = rows[used[r]];
    for (const RowTerm& term : row) add_term(r, term);
    const bool of_closure = row.size() == 1 && row.front().quantity < gaps_;
    if (of_closure) {
      const auto [found, added] = group_of.try_emplace(ends_[row.front().quantity], groups_.size());
      if (!added) {
        groups_[found->second].rows.push_back(r);
        continue;
      }
    }
    groups_.push_back({{r}, of_closure});
  }
  K_.resize(entries_.size());
}

template <class Space>
void LinkEquations<Space>::add_term(int row, const RowTerm& term) {
  if (term.quantity < static_cast<int>(ends_.size())) {
    const Closure<Space>* ends = ends_[term.quantity];
    add_part(row, ends->a, term.quantity, term.coefficient, -1.0);
    add_part(row, ends->b, term.quantity, term.coefficient, 1.0);
    return;
  }
  for (const CoordinateSum::Term& part : model_.sums[term.quantity - static_cast<int>(ends_.size())].terms) {
    const int link = linkage_.link_of(part.v);
    add_part(row, link, term.quantity, term.coefficient, part.sign, part.v);
    add_part(row, linkage_.links[link].parent, term.quantity, term.coefficient, -part.sign, part.v);
  }
}

template <class Space>
int LinkEquations<Space>::entry_of(int row, int link) {
  for (const int e : entries_of_row_[row])
    if (entries_[e].link == link) return e;
  entries_.push_back({row, link});
  entries_of_row_[row].push_back(static_cast<int>(entries_.size()) - 1);
  return entries_of_row_[row].back();
}

template <class Space>
void LinkEquations<Space>::add_part(int row, int link, int quantity, int coefficient, double sign, int velocity) {
  if (link > 0) terms_.push_back({entry_of(row, link), quantity, coefficient, sign, velocity});
}

template <class Space>
void LinkEquations<Space>::evaluate(const MechanismWorkspace<Space>& w, const double* coefficients) {
  const LinkState<Space>& s = w.links;
  for (std::size_t i = 1; i < linkage_.links.size(); ++i) {
    const Link<Space>& link = linkage_.links[i];
    origin_[i] = s.pose[i].p;
    arm_[i] = link.parent > 0 ? typename Space::Linear(s.pose[i].p - s.pose[link.parent].p) : Space::Linear::Zero();
    if (link.carries_body) inertia_[i] = Articulated<Space>::rigid(link.m, s.centre[i] - s.pose[i].p, s.turned[i]);
    for (int v = link.v; v < link.v + link.velocities; ++v) S_[v] = numbers(s.S[v].w, s.S[v].at(s.pose[i].p));
  }
  for (Vector& K : K_) K.fill(0.0);
  for (const Term& term : terms_) {
    const double k = term.coefficient < 0 ? term.sign : term.sign * coefficients[term.coefficient];
    const Vector wrench = wrench_of(term, w);
    for (int a = 0; a < size; ++a) K_[term.entry][a] += k * wrench[a];
  }
}

/// About the origin of the link on which it acts.
template <class Space>
LinkVector<Space> LinkEquations<Space>::wrench_of(const Term& term, const MechanismWorkspace<Space>& w) const {
  const int link = entries_[term.entry].link;
  if (term.velocity < 0) {
    const Wrench<Space>& W =
        term.quantity < gaps_ ? w.rows[term.quantity].W : w.frame_functions[term.quantity - gaps_].W;
    return numbers(W.about(w.links.pose[link].p), W.f);
  }
  const int moving = linkage_.link_of(term.velocity);
  return link == moving ? P(term.velocity) : moved_back<Space>(P(term.velocity), arm_[moving]);
}

template <class Space>
LinkVector<Space> LinkEquations<Space>::P(int velocity) const {
  Vector P = S_[velocity];
  const bool turns = linkage_.links[linkage_.link_of(velocity)].freedom != Freedom::slide;
  std::fill(turns ? P.begin() + Space::turns : P.begin(), turns ? P.end() : P.begin() + Space::turns, 0.0);
  const double square = dot(P, P);
  for (double& entry : P) entry /= square;
  return P;
}

template <class Space>
void LinkEquations<Space>::residual(const double* h, const double* gamma, const double* x, const double* lambda,
                                    double* of_h, double* of_gamma) {
  A_[0].fill(0.0);
  for (std::size_t i = 1; i < linkage_.links.size(); ++i) {
    const Link<Space>& link = linkage_.links[i];
    A_[i] = link.parent > 0 ? moved<Space>(A_[link.parent], arm_[i]) : Vector{};
    for (int v = link.v; v < link.v + link.velocities; ++v)
      for (int a = 0; a < size; ++a) A_[i][a] += S_[v][a] * x[v];
    F_[i] = link.carries_body ? times<Space>(inertia_[i], A_[i]) : Vector{};
  }
  std::copy_n(gamma, rows_count_, of_gamma);
  for (std::size_t e = 0; e < entries_.size(); ++e) {
    const auto [row, link] = entries_[e];
    of_gamma[row] -= dot(K_[e], A_[link]);
    for (int a = 0; a < size; ++a) F_[link][a] -= K_[e][a] * lambda[row];
  }
  for (std::size_t i = linkage_.links.size() - 1; i > 0; --i) {
    const Link<Space>& link = linkage_.links[i];
    for (int v = link.v; v < link.v + link.velocities; ++v) of_h[v] = (h ? h[v] : 0.0) - dot(S_[v], F_[i]);
    if (link.parent == 0) continue;
    const Vector on_parent = moved_back<Space>(F_[i], arm_[i]);
    for (int a = 0; a < size; ++a) F_[link.parent][a] += on_parent[a];
  }
}

template class LinkEquations<Planar>;
template class LinkEquations<Spatial>;

}  // namespace maggi::mechanism
