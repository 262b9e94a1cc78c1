#include "system/mechanism/recursion/graph_recursion.hpp"

#include <algorithm>
#include <cmath>

#include "system/mechanism/recursion/joint_complement.hpp"

namespace maggi::mechanism {

namespace {

/// Does a rigid body resist every motion? A thin rod does not turn against anything about its own axis.
bool is_solid(const Link<Planar>& link) { return link.m > 0.0 && link.I > 0.0; }
bool is_solid(const Link<Spatial>& link) {
  constexpr double thin = 1e-9;  // of the largest moment of inertia
  const Symmetric3& I = link.I;
  const double largest = I.xx + I.yy + I.zz, minor = I.xx * I.yy - I.xy * I.xy;
  const double determinant =
      I.xx * (I.yy * I.zz - I.yz * I.yz) - I.xy * (I.xy * I.zz - I.yz * I.xz) + I.xz * (I.xy * I.yz - I.yy * I.xz);
  return link.m > 0.0 && I.xx > thin * largest && minor > thin * largest * largest &&
         determinant > thin * largest * largest * largest;
}

/// The lower triangle of the inertia of a link is added from (0, 0) on.
void add_inertia(const Articulated<Planar>& I, double* front, int width) {
  front[0] += I.J;
  front += width;
  front[0] += I.H[0], front[1] += I.xx;
  front += width;
  front[0] += I.H[1], front[1] += I.xy, front[2] += I.yy;
}
void add_inertia(const Articulated<Spatial>& I, double* front, int width) {
  const auto row = [&](int k) { return front + static_cast<std::size_t>(k) * width; };
  const auto symmetric = [&](const Symmetric3& A, int first) {
    row(first)[first] += A.xx;
    row(first + 1)[first] += A.xy, row(first + 1)[first + 1] += A.yy;
    row(first + 2)[first] += A.xz, row(first + 2)[first + 1] += A.yz, row(first + 2)[first + 2] += A.zz;
  };
  symmetric(I.J, 0), symmetric(I.M, 3);
  for (int c = 0; c < 3; ++c)
    for (int k = 0; k < 3; ++k) row(3 + c)[k] += I.H[c][k];
}

}  // namespace

template <class Space>
GraphRecursion<Space>::GraphRecursion(const TreeModel<Space>& model, const LinkEquations<Space>& equations)
    : equations_(equations), linkage_(model.linkage), contracted_(model.linkage.links.size(), false) {
  const LinkGraph graph = make_graph();
  plan_ = plan_graph(graph);
  if (!plan_.complete) return;
  numbers_.resize(plan_.steps.size());
  least_.resize(plan_.steps.size());
  for (const Step& step : plan_.steps)
    if (step.kind == GraphPlan::Kind::contract && connections_[step.through - equations_.links()].link > 0)
      contracted_[connections_[step.through - equations_.links()].link] = true;
  width_ = plan_.widest_front;
  front_.assign(static_cast<std::size_t>(width_) * width_, 0.0);
  free_columns_.assign(static_cast<std::size_t>(width_) * size, 0.0);
  left_.assign(plan_.left_size, 0.0);
  panel_.assign(plan_.panel_size, 0.0);
  int count = 0;
  for (int i = 0; i < equations_.links(); ++i) first_.push_back(count), count += size;
  int forces = 0;
  for (std::size_t c = 0; c < connections_.size(); ++c) {
    connections_[c].first = forces, forces += graph.connections[c].rows;
    first_.push_back(count), count += graph.connections[c].rows;
  }
  given_.assign(forces, 0.0);
  values_.assign(count, 0.0);
}

template <class Space>
LinkGraph GraphRecursion<Space>::make_graph() {
  LinkGraph graph;
  graph.link_size = size;
  for (const Link<Space>& link : linkage_.links)
    graph.links.push_back({link.carries_body && link.m > 0.0, link.carries_body && is_solid(link)});
  const auto add = [&](Connection connection, int rows, int free, bool contractible) {
    graph.connections.push_back({connection.ends, rows, free, contractible});
    connections_.push_back(std::move(connection));
  };
  for (int i = 1; i < equations_.links(); ++i) {
    Connection joint;
    joint.link = i, joint.ends = {i};
    if (linkage_.links[i].parent > 0) joint.ends.push_back(linkage_.links[i].parent);
    const int free = linkage_.links[i].velocities;
    joint.on_child.resize(size - free), joint.on_parent.resize(size - free);
    add(std::move(joint), size - free, free, true);
  }
  for (const auto& group : equations_.groups()) {
    Connection closed;
    closed.rows = group.rows;
    for (const int row : group.rows)
      for (const int entry : equations_.entries_of(row)) {
        const int link = equations_.entries()[entry].link;
        const auto found = std::ranges::find(closed.ends, link);
        const auto end = static_cast<std::size_t>(found - closed.ends.begin());
        if (found == closed.ends.end()) closed.ends.push_back(link), closed.entries.emplace_back();
        closed.entries[end].push_back(entry);
      }
    const int rows = static_cast<int>(group.rows.size());
    add(std::move(closed), rows, size - rows, group.of_closure && rows <= size);
  }
  return graph;
}

/// What a pivot of a link may fall to: if all that has been contracted into it yields, only rounding is left.
template <class Space>
void GraphRecursion<Space>::find_least_pivots() {
  constexpr double rounding = 1e-12;
  std::vector<Articulated<Space>> composite;
  for (int i = 0; i < equations_.links(); ++i) composite.push_back(equations_.inertia(i));
  for (std::size_t k = 0; k < plan_.steps.size(); ++k) {
    const Step& step = plan_.steps[k];
    if (step.kind == GraphPlan::Kind::rows) continue;
    for (int p = 0; p < step.pivots; ++p) {
      LinkVector direction{};
      if (step.kind == GraphPlan::Kind::contract)
        direction = numbers_[k].S[p];
      else
        direction[p] = 1.0;
      least_[k][p] = rounding * dot(direction, times<Space>(composite[step.id], direction));
    }
    if (step.into > 0) composite[step.into].add_from(composite[step.id], equations_.between(step.into, step.id));
  }
  sized_ = true;
}

template <class Space>
const LinkVector<Space>& GraphRecursion<Space>::K(const Connection& connection, int link, int row) const {
  if (connection.link > 0) return link == connection.link ? connection.on_child[row] : connection.on_parent[row];
  const auto end = static_cast<std::size_t>(std::ranges::find(connection.ends, link) - connection.ends.begin());
  return equations_.K(connection.entries[end][row]);
}

template <class Space>
void GraphRecursion<Space>::complete_joint(Connection& joint) {
  const Link<Space>& link = linkage_.links[joint.link];
  joint.on_child = complement(link, &equations_.S(link.v));
  for (std::size_t k = 0; k < joint.on_child.size(); ++k) {
    joint.on_parent[k] = moved_back<Space>(joint.on_child[k], equations_.arm(joint.link));
    for (double& entry : joint.on_parent[k]) entry = -entry;
  }
}

/// S and B of (2).
template <class Space>
bool GraphRecursion<Space>::find_free_motions(const Step& step, Numbers& numbers) {
  const Connection& connection = connections_[step.through - equations_.links()];
  if (connection.link < 0) return split(connection, step.id, numbers, step.pivots);
  const Link<Space>& link = linkage_.links[connection.link];
  for (int k = 0; k < step.pivots; ++k) {
    numbers.S[k] = equations_.S(link.v + k);
    if (step.id == connection.link) continue;
    const typename Space::Linear back = -equations_.arm(connection.link);
    numbers.S[k] = moved<Space>(numbers.S[k], back);
    for (double& entry : numbers.S[k]) entry = -entry;
  }
  return true;
}

/// The rows of a closure on a link, Kᵀ = Q R by reflections: S are the last columns of Q, B = Q R⁻ᵀ.
template <class Space>
bool GraphRecursion<Space>::split(const Connection& connection, int link, Numbers& numbers, int free) {
  constexpr double dependent = 1e-10;  // of the length of a row
  const int rows = size - free;
  std::array<LinkVector, size> A{}, reflections{};  // columns
  double lengths[size];
  for (int k = 0; k < rows; ++k) {
    A[k] = K(connection, link, k);
    lengths[k] = std::sqrt(dot(A[k], A[k]));
    for (int j = 0; j < k; ++j) {
      const double part = 2.0 * dot(reflections[j], A[k]);
      for (int a = 0; a < size; ++a) A[k][a] -= part * reflections[j][a];
    }
    LinkVector& u = reflections[k];
    double square = 0.0;
    for (int a = k; a < size; ++a) u[a] = A[k][a], square += A[k][a] * A[k][a];
    const double norm = std::sqrt(square);
    if (!(norm > dependent * lengths[k])) return false;
    const double diagonal = A[k][k] > 0.0 ? -norm : norm;
    u[k] -= diagonal;
    const double length = std::sqrt(dot(u, u));
    for (double& entry : u) entry /= length;
    A[k][k] = diagonal;
  }
  const auto column = [&](int k) {  // of Q
    LinkVector q{};
    q[k] = 1.0;
    for (int j = rows - 1; j >= 0; --j) {
      const double part = 2.0 * dot(reflections[j], q);
      for (int a = 0; a < size; ++a) q[a] -= part * reflections[j][a];
    }
    return q;
  };
  for (int k = 0; k < free; ++k) numbers.S[k] = column(rows + k);
  for (int k = rows - 1; k >= 0; --k) {
    numbers.B[k] = column(k);
    for (int j = k + 1; j < rows; ++j)
      for (int a = 0; a < size; ++a) numbers.B[k][a] -= A[j][k] * numbers.B[j][a];
    for (double& entry : numbers.B[k]) entry /= A[k][k];
  }
  return true;
}

template <class Space>
bool GraphRecursion<Space>::factorise() {
  using Kind = GraphPlan::Kind;
  moved_ = false;
  std::fill(given_.begin(), given_.end(), 0.0);
  for (Connection& connection : connections_)
    if (connection.link > 0 && !contracted_[connection.link]) complete_joint(connection);
  for (std::size_t k = 0; k < plan_.steps.size(); ++k)
    if (plan_.steps[k].kind == Kind::contract && !find_free_motions(plan_.steps[k], numbers_[k])) return false;
  if (!sized_) find_least_pivots();
  for (std::size_t k = 0; k < plan_.steps.size(); ++k) {
    const Step& step = plan_.steps[k];
    assemble(step);
    if (step.kind == Kind::contract) {
      if (!contract(step, numbers_[k])) return false;
    } else if (step.kind == Kind::link) {
      if (!eliminate_link(step, numbers_[k])) return false;
    } else {
      eliminate_rows(step, numbers_[k]);
    }
    keep(step);
  }
  return true;
}

template <class Space>
void GraphRecursion<Space>::assemble(const Step& step) {
  const int front = step.own + step.border;
  for (int row = 0; row < front; ++row) std::fill_n(&at(row, 0), row + 1, 0.0);
  if (step.kind != GraphPlan::Kind::rows) add_inertia(equations_.inertia(step.id), front_.data(), width_);
  for (int c = step.couplings.from; c < step.couplings.to; ++c) {
    const GraphPlan::Coupling& coupling = plan_.couplings[c];
    const Connection& connection = connections_[coupling.connection];
    const auto rows = static_cast<int>(connection.link > 0 ? connection.on_child.size() : connection.rows.size());
    for (int r = 0; r < rows; ++r) {
      const LinkVector& k = K(connection, coupling.link, r);
      for (int a = 0; a < size; ++a) {
        const int row = coupling.rows_at + r, col = coupling.link_at + a;
        (row > col ? at(row, col) : at(col, row)) -= k[a];
      }
    }
  }
  for (int p = step.parts.from; p < step.parts.to; ++p) {
    const GraphPlan::Part& part = plan_.parts[p];
    const int border = plan_.steps[part.step].border;
    const int* place = plan_.places.data() + part.map;
    const double* left = left_.data() + plan_.steps[part.step].left;
    for (int a = 0; a < border; ++a, left += border)
      for (int b = 0; b <= a; ++b) (place[a] > place[b] ? at(place[a], place[b]) : at(place[b], place[a])) += left[b];
  }
}

/// (2) in the front: the free motions are its pivots.
template <class Space>
bool GraphRecursion<Space>::contract(const Step& step, Numbers& numbers) {
  const int front = step.own + step.border, free = step.pivots;
  for (int a = 0; a < size; ++a)
    for (int b = a + 1; b < size; ++b) at(a, b) = at(b, a);
  double* panel = panel_.data() + step.panel;
  double* held = panel + static_cast<std::size_t>(step.border) * free;  // Bᵀ of the rows of the link
  const bool closure = connections_[step.through - equations_.links()].link < 0;
  double* g = free_columns_.data();
  for (int t = 0; t < front; ++t) {
    const double* row = &at(t, 0);
    for (int k = 0; k < free; ++k) {
      double sum = 0.0;
      for (int a = 0; a < size; ++a) sum += row[a] * numbers.S[k][a];
      g[t * free + k] = sum;
    }
    if (!closure) continue;
    for (int k = 0; k < size - free; ++k) {
      double sum = 0.0;
      for (int a = 0; a < size; ++a) sum += row[a] * numbers.B[k][a];
      held[static_cast<std::size_t>(k) * front + t] = sum;
    }
  }
  double H[size][size];
  for (int k = 0; k < free; ++k)
    for (int l = 0; l <= k; ++l) {
      double sum = 0.0;
      for (int a = 0; a < size; ++a) sum += numbers.S[k][a] * g[a * free + l];
      H[k][l] = sum;
    }
  if (step.into > 0) hand_over(step);
  if (!find_pivots(H, free, numbers)) return false;
  reduce(step, numbers, g + static_cast<std::size_t>(step.own) * free);
  return true;
}

/// What the link is to the others, the link that it moves with is now: F_pt += Xᵀ F_it and so on.
template <class Space>
void GraphRecursion<Space>::hand_over(const Step& step) {
  const int front = step.own + step.border, free = step.pivots, p = step.into_at;
  const typename Space::Linear arm = equations_.between(step.into, step.id);
  const auto row_of_link = [&](int t) {
    LinkVector row;
    std::copy_n(&at(t, 0), size, row.begin());
    return moved_back<Space>(row, arm);
  };
  std::array<LinkVector, size> own, other;  // rows of F_ii X; of F_pi X
  for (int a = 0; a < size; ++a) own[a] = row_of_link(a), other[a] = row_of_link(p + a);
  for (int t = step.own; t < front; ++t) {
    if (t >= p && t < p + size) continue;
    const LinkVector row = row_of_link(t);
    for (int a = 0; a < size; ++a) (t > p ? at(t, p + a) : at(p + a, t)) += row[a];
  }
  for (int b = 0; b < size; ++b) {
    LinkVector column;
    for (int a = 0; a < size; ++a) column[a] = own[a][b];
    column = moved_back<Space>(column, arm);
    for (int a = b; a < size; ++a) at(p + a, p + b) += column[a] + other[a][b] + other[b][a];
  }
  double* g = free_columns_.data();
  for (int k = 0; k < free; ++k) {
    LinkVector column;
    for (int a = 0; a < size; ++a) column[a] = g[a * free + k];
    column = moved_back<Space>(column, arm);
    for (int a = 0; a < size; ++a) g[(p + a) * free + k] += column[a];
  }
}

/// L among the pivots of a link, of the lower triangle H.
template <class Space>
bool GraphRecursion<Space>::find_pivots(double (&H)[size][size], int count, Numbers& numbers) const {
  const auto& least = least_[static_cast<std::size_t>(&numbers - numbers_.data())];
  for (int k = 0; k < count; ++k) {
    if (!(H[k][k] > least[k])) return false;
    const double inverse = numbers.inverse[k] = 1.0 / H[k][k];
    for (int l = k + 1; l < count; ++l) numbers.low[l][k] = H[l][k] * inverse;
    for (int l = k + 1; l < count; ++l)
      for (int m = k + 1; m <= l; ++m) H[l][m] -= numbers.low[l][k] * H[m][k];
  }
  return true;
}

template <class Space>
bool GraphRecursion<Space>::eliminate_link(const Step& step, Numbers& numbers) {
  double H[size][size];
  for (int k = 0; k < size; ++k) std::copy_n(&at(k, 0), k + 1, H[k]);
  if (!find_pivots(H, size, numbers)) return false;
  double* g = free_columns_.data();
  for (int t = 0; t < step.border; ++t) std::copy_n(&at(step.own + t, 0), size, g + t * size);
  reduce(step, numbers, g);
  return true;
}

/// The largest pivot first. One that is nothing but rounding beside what the links gave is moved.
template <class Space>
void GraphRecursion<Space>::eliminate_rows(const Step& step, Numbers& numbers) {
  constexpr double zero = 1e-12, moved = 1e-8;
  const int rows = step.own;
  const double* given = given_.data() + connections_[step.id - equations_.links()].first;
  double H[size][size];
  for (int k = 0; k < rows; ++k)
    for (int l = 0; l < rows; ++l) H[k][l] = l <= k ? at(k, l) : at(l, k);
  for (int k = 0; k < rows; ++k) numbers.order[k] = k;
  for (int k = 0; k < rows; ++k) {
    int best = k;
    for (int l = k + 1; l < rows; ++l)
      if (H[l][l] < H[best][best]) best = l;
    if (best != k) {
      std::swap(numbers.order[k], numbers.order[best]);
      for (int l = 0; l < k; ++l) std::swap(numbers.low[k][l], numbers.low[best][l]);
      for (int l = 0; l < rows; ++l) std::swap(H[k][l], H[best][l]);
      for (int l = 0; l < rows; ++l) std::swap(H[l][k], H[l][best]);
    }
    const double size_of = given[numbers.order[k]];
    if (!(H[k][k] < -zero * size_of)) H[k][k] = -moved * (size_of > 0.0 ? size_of : 1.0), moved_ = true;
    const double inverse = numbers.inverse[k] = 1.0 / H[k][k];
    for (int l = k + 1; l < rows; ++l) numbers.low[l][k] = H[l][k] * inverse;
    for (int l = k + 1; l < rows; ++l)
      for (int m = k + 1; m <= l; ++m) H[m][l] = H[l][m] -= numbers.low[l][k] * H[m][k];
  }
  double* g = free_columns_.data();
  for (int t = 0; t < step.border; ++t)
    for (int k = 0; k < rows; ++k) g[t * rows + k] = at(step.own + t, numbers.order[k]);
  reduce(step, numbers, g);
}

/// L of the border, and what the pivots leave of it. g: border × pivots, the columns of the pivots.
template <class Space>
void GraphRecursion<Space>::reduce(const Step& step, const Numbers& numbers, double* g) {
  const int pivots = step.pivots;
  double* L = panel_.data() + step.panel;
  for (int t = 0; t < step.border; ++t)
    for (int k = 0; k < pivots; ++k) {
      double value = g[t * pivots + k];
      for (int l = 0; l < k; ++l) value -= numbers.low[k][l] * g[t * pivots + l];
      g[t * pivots + k] = value;
      L[t * pivots + k] = value * numbers.inverse[k];
    }
  for (int t = 0; t < step.border; ++t) {
    double* row = &at(step.own + t, step.own);
    for (int s = 0; s <= t; ++s) {
      double sum = 0.0;
      for (int k = 0; k < pivots; ++k) sum += L[t * pivots + k] * g[s * pivots + k];
      row[s] -= sum;
    }
  }
  if (step.kind == GraphPlan::Kind::rows) return;
  for (int v = step.variables.from; v < step.variables.to; ++v) {
    const GraphPlan::Variable& variable = plan_.variables[v];
    if (variable.id < equations_.links()) continue;
    double* given = given_.data() + connections_[variable.id - equations_.links()].first;
    for (int r = 0; r < variable.size; ++r) {
      const int t = variable.at - step.own + r;
      for (int k = 0; k < pivots; ++k) given[r] += L[t * pivots + k] * g[t * pivots + k];
    }
  }
}

template <class Space>
void GraphRecursion<Space>::keep(const Step& step) {
  double* left = left_.data() + step.left;
  for (int t = 0; t < step.border; ++t, left += step.border) std::copy_n(&at(step.own + t, step.own), t + 1, left);
}

template class GraphRecursion<Planar>;
template class GraphRecursion<Spatial>;

}  // namespace maggi::mechanism
