// The solution with a factor of GraphRecursion: forwards through its steps and back.
#include <algorithm>

#include "system/mechanism/recursion/graph_recursion.hpp"

namespace maggi::mechanism {

template <class Space>
void GraphRecursion<Space>::solve(const double* h, const double* gamma, double* x, double* lambda) {
  load(h, gamma);
  for (std::size_t k = 0; k < plan_.steps.size(); ++k) forward(plan_.steps[k], numbers_[k], h, gamma);
  for (std::size_t k = plan_.steps.size(); k-- > 0;) backward(plan_.steps[k], numbers_[k], gamma, x, lambda);
  for (const Connection& connection : connections_)
    if (connection.link > 0 && !contracted_[connection.link]) {
      const Link<Space>& link = linkage_.links[connection.link];
      LinkVector relative;
      std::copy_n(unknown(connection.link), size, relative.begin());
      if (link.parent > 0) {
        LinkVector parent;
        std::copy_n(unknown(link.parent), size, parent.begin());
        parent = moved<Space>(parent, equations_.arm(connection.link));
        for (int a = 0; a < size; ++a) relative[a] -= parent[a];
      }
      for (int v = link.v; v < link.v + link.velocities; ++v) x[v] = dot(equations_.P(v), relative);
    }
}

/// The right side of (1).
template <class Space>
void GraphRecursion<Space>::load(const double* h, const double* gamma) {
  std::fill(values_.begin(), values_.end(), 0.0);
  for (std::size_t c = 0; c < connections_.size(); ++c) {
    const Connection& connection = connections_[c];
    if (connection.link < 0) {
      double* b = unknown(equations_.links() + static_cast<int>(c));
      for (std::size_t r = 0; r < connection.rows.size(); ++r) b[r] = -gamma[connection.rows[r]];
      continue;
    }
    if (contracted_[connection.link] || !h) continue;
    const Link<Space>& link = linkage_.links[connection.link];
    for (int v = link.v; v < link.v + link.velocities; ++v) {
      const LinkVector P = equations_.P(v);
      for (int a = 0; a < size; ++a) unknown(connection.link)[a] += h[v] * P[a];
      if (link.parent == 0) continue;
      const LinkVector back = moved_back<Space>(P, equations_.arm(connection.link));
      for (int a = 0; a < size; ++a) unknown(link.parent)[a] -= h[v] * back[a];
    }
  }
}

template <class Space>
void GraphRecursion<Space>::forward(const Step& step, Numbers& numbers, const double* h, const double* gamma) {
  LinkVector b{};
  if (step.kind == GraphPlan::Kind::contract) {
    load_contraction(step, numbers, h, gamma, b);
  } else {
    const double* own = unknown(step.id);
    for (int k = 0; k < step.pivots; ++k) b[k] = own[step.kind == GraphPlan::Kind::rows ? numbers.order[k] : k];
  }
  for (int k = 0; k < step.pivots; ++k)
    for (int l = 0; l < k; ++l) b[k] -= numbers.low[k][l] * b[l];
  const double* L = panel_.data() + step.panel;
  for (int v = step.variables.from; v < step.variables.to; ++v) {
    const GraphPlan::Variable& variable = plan_.variables[v];
    double* values = unknown(variable.id);
    for (int r = 0; r < variable.size; ++r, L += step.pivots)
      for (int k = 0; k < step.pivots; ++k) values[r] -= L[k] * b[k];
  }
  for (int k = 0; k < step.pivots; ++k) numbers.y[k] = b[k] * numbers.inverse[k];
}

/// b of the free motions, after the part of the right side that B γ makes and what goes over to the other link.
template <class Space>
void GraphRecursion<Space>::load_contraction(const Step& step, Numbers& numbers, const double* h, const double* gamma,
                                             LinkVector& b) {
  const Connection& connection = connections_[step.through - equations_.links()];
  LinkVector own;
  std::copy_n(unknown(step.id), size, own.begin());
  if (connection.link < 0) {
    const int front = step.own + step.border;
    const double* held = panel_.data() + step.panel + static_cast<std::size_t>(step.border) * step.pivots;
    for (std::size_t r = 0; r < connection.rows.size(); ++r, held += front) {
      numbers.before[r] = 0.0;
      for (int a = 0; a < size; ++a) numbers.before[r] += numbers.B[r][a] * unknown(step.id)[a];
      const double wanted = gamma[connection.rows[r]];
      for (int a = 0; a < size; ++a) own[a] -= held[a] * wanted;
      for (int v = step.variables.from; v < step.variables.to; ++v) {
        const GraphPlan::Variable& variable = plan_.variables[v];
        for (int k = 0; k < variable.size; ++k) unknown(variable.id)[k] -= held[variable.at + k] * wanted;
      }
    }
  }
  for (int k = 0; k < step.pivots; ++k) b[k] = dot(numbers.S[k], own);
  if (connection.link > 0 && h)
    for (int k = 0; k < step.pivots; ++k) b[k] += h[linkage_.links[connection.link].v + k];
  if (step.into == 0) return;
  const LinkVector over = moved_back<Space>(own, equations_.between(step.into, step.id));
  for (int a = 0; a < size; ++a) unknown(step.into)[a] += over[a];
}

template <class Space>
void GraphRecursion<Space>::backward(const Step& step, const Numbers& numbers, const double* gamma, double* x,
                                     double* lambda) {
  LinkVector z = numbers.y;
  const double* L = panel_.data() + step.panel;
  for (int v = step.variables.from; v < step.variables.to; ++v) {
    const GraphPlan::Variable& variable = plan_.variables[v];
    const double* values = unknown(variable.id);
    for (int r = 0; r < variable.size; ++r, L += step.pivots)
      for (int k = 0; k < step.pivots; ++k) z[k] -= L[k] * values[r];
  }
  for (int k = step.pivots - 1; k >= 0; --k)
    for (int l = k + 1; l < step.pivots; ++l) z[k] -= numbers.low[l][k] * z[l];
  double* own = unknown(step.id);
  if (step.kind == GraphPlan::Kind::contract) {
    move(step, numbers, z, gamma, x, lambda);
  } else if (step.kind == GraphPlan::Kind::link) {
    std::copy_n(z.begin(), size, own);
  } else {
    const Connection& connection = connections_[step.id - equations_.links()];
    for (int k = 0; k < step.pivots; ++k) own[numbers.order[k]] = z[k];
    if (connection.link < 0)
      for (std::size_t r = 0; r < connection.rows.size(); ++r) lambda[connection.rows[r]] = own[r];
  }
}

/// A of a contracted link from (2), and what the connection has done.
template <class Space>
void GraphRecursion<Space>::move(const Step& step, const Numbers& numbers, const LinkVector& a, const double* gamma,
                                 double* x, double* lambda) {
  const Connection& connection = connections_[step.through - equations_.links()];
  LinkVector A{};
  if (step.into > 0) {
    std::copy_n(unknown(step.into), size, A.begin());
    A = moved<Space>(A, equations_.between(step.into, step.id));
  }
  for (int k = 0; k < step.pivots; ++k)
    for (int c = 0; c < size; ++c) A[c] += a[k] * numbers.S[k][c];
  if (connection.link > 0) {
    for (int k = 0; k < step.pivots; ++k) x[linkage_.links[connection.link].v + k] = a[k];
  } else {
    for (std::size_t r = 0; r < connection.rows.size(); ++r)
      for (int c = 0; c < size; ++c) A[c] += gamma[connection.rows[r]] * numbers.B[r][c];
  }
  std::copy_n(A.begin(), size, unknown(step.id));
  if (connection.link > 0) return;
  const int front = step.own + step.border;
  const double* held = panel_.data() + step.panel + static_cast<std::size_t>(step.border) * step.pivots;
  for (std::size_t r = 0; r < connection.rows.size(); ++r, held += front) {
    double force = -numbers.before[r];
    for (int c = 0; c < size; ++c) force += held[c] * A[c];
    for (int v = step.variables.from; v < step.variables.to; ++v) {
      const GraphPlan::Variable& variable = plan_.variables[v];
      for (int k = 0; k < variable.size; ++k) force += held[variable.at + k] * unknown(variable.id)[k];
    }
    lambda[connection.rows[r]] = force;
  }
}

template class GraphRecursion<Planar>;
template class GraphRecursion<Spatial>;

}  // namespace maggi::mechanism
