#include "system/mechanism/recursion/tree_recursion.hpp"

#include <algorithm>
#include <cmath>

namespace maggi::mechanism {

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

template <class Space>
void TreeRecursion<Space>::plan() {
  plan_ = plan_elimination(model_, all_, used_);
  K_.assign(plan_.slots, {});
  D_.assign(plan_.entries, 0.0);
  factors_.assign(plan_.couplings.size(), 0.0);
  std::size_t most_open = 0;
  for (const Joint& joint : plan_.joints) most_open = std::max<std::size_t>(most_open, joint.open.to - joint.open.from);
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
    composite[i] += body(plan_.steps[i], i, s);
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
    const Step& step = plan_.steps[i];
    Bar& bar = bars_[i];
    if (i > 0) bar.r = w.links.pose[i].p - w.links.pose[step.parent].p;
    if (step.carries_body) bar.I += body(step, i, w.links);
    act(step, i, w);
    for (int c = step.closings.from; c < step.closings.to; ++c)
      if (!close(plan_.closings[c], bar)) return forget(), false;
    for (int j = step.joints.from; j < step.joints.to; ++j)
      if (!eliminate(plan_.joints[j], bar, w.links)) return forget(), false;
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
  for (const int slot : plan_.empty) K_[slot] = {};
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
    const Contribution& part = plan_.contributions[c];
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
  const int *entry = plan_.pairs.data() + row.entries, *pair = entry + count;
  const Coupling* open = plan_.couplings.data() + row.open.from;
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
  Motion<Space>& S = pivot.S;
  Wrench<Space>& U = pivot.U;
  double d;
  if (joint.motion == JointMotion::turn) {
    S.w = s.S[joint.v].w;
    U = bar.I.turning(S.w);
    d = Space::dot(U.n, S.w);
  } else if (joint.motion == JointMotion::slide) {
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
    const Coupling* open = plan_.couplings.data() + joint.open.from;
    double *u = u_.data(), *over_d = factors_.data() + joint.open.from;
    for (int a = 0; a < count; ++a) u[a] = K_[open[a].slot].dot(S);
    for (int e = joint.direct.from; e < joint.direct.to; ++e) {
      const Direct& direct = plan_.directs[e];
      u[direct.entry] += direct.coefficient < 0 ? direct.sign : direct.sign * coefficients_[direct.coefficient];
    }
    const int* pair = plan_.pairs.data() + joint.pairs;
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
    Wrench<Space>& K = K_[plan_.carried[c]];
    K.n += Space::moment(bar.r, K.f);
  }
  for (int c = step.merges.from; c < step.merges.to; ++c) K_[plan_.merges[c].first] += K_[plan_.merges[c].second];
}

/// p and γ − g of link i. What a joint adds to p is added about the origin of the parent at once: nothing waits for a
/// shift.
template <class Space>
void TreeRecursion<Space>::load(int i, const double* h) {
  Bar& bar = bars_[i];
  const Step& step = plan_.steps[i];
  for (int c = step.closings.from; c < step.closings.to; ++c) {
    const Closing& close = plan_.closings[c];
    const double left = y_[close.row];
    for (int a = close.open.from; a < close.open.to; ++a) y_[plan_.couplings[a].row] -= factors_[a] * left;
    y_[close.row] = left * inverse_[close.row];
    if (close.slot >= 0) bar.p -= K_[close.slot] * y_[close.row];
  }
  if (i == 0) return;
  const int parent = step.parent;
  for (int j = step.joints.from; j < step.joints.to; ++j) {
    const Joint& joint = plan_.joints[j];
    Pivot& pivot = pivots_[joint.v];
    double e = h ? h[joint.v] : 0.0;
    if (joint.motion != JointMotion::slide) e -= Space::dot(bar.p.n, pivot.S.w);
    if (joint.motion != JointMotion::turn) e -= bar.p.f.dot(pivot.S.v);
    pivot.x = e * pivot.inverse;
    if (joint.handed_on) (joint.last ? bars_[parent] : bar).p += pivot.U * pivot.x;
    for (int a = joint.open.from; a < joint.open.to; ++a) y_[plan_.couplings[a].row] -= factors_[a] * e;
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
    const Step& step = plan_.steps[i];
    if (i > 0) {
      const auto& A = bars_[step.parent].A;
      bar.A = {A.w, A.v + Space::turn(A.w, bar.r)};
      for (int j = step.joints.to - 1; j >= step.joints.from; --j) {
        const Joint& joint = plan_.joints[j];
        const Pivot& pivot = pivots_[joint.v];
        double a = pivot.x;
        if (joint.handed_on) a -= pivot.inverse * pivot.U.dot(joint.last ? A : bar.A);
        for (int c = joint.open.from; c < joint.open.to; ++c) a += factors_[c] * lambda_[plan_.couplings[c].row];
        x[joint.v] = a;
        if (joint.motion != JointMotion::slide) bar.A.w += a * pivot.S.w;
        if (joint.motion != JointMotion::turn) bar.A.v += a * pivot.S.v;
      }
    }
    for (int c = step.closings.to - 1; c >= step.closings.from; --c) {
      const Closing& close = plan_.closings[c];
      double force = y_[close.row];
      if (close.slot >= 0) force -= inverse_[close.row] * K_[close.slot].dot(bar.A);
      for (int a = close.open.from; a < close.open.to; ++a) force -= factors_[a] * lambda_[plan_.couplings[a].row];
      lambda_[close.row] = force;
    }
  }
  std::copy(lambda_.begin(), lambda_.end(), lambda);
}

template class TreeRecursion<Planar>;
template class TreeRecursion<Spatial>;

}  // namespace maggi::mechanism
