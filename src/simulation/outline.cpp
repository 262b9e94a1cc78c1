#include "simulation/outline.hpp"

#include <algorithm>

#include "analysis/redundancy.hpp"
#include "maggi/expert/bases.hpp"
#include "maggi/expert/equations.hpp"
#include "system/make_system.hpp"
#include "system/seam/displacement.hpp"

namespace maggi {

namespace {

State guess(const System& system) {
  const Start& start = system.start();
  const int n = system.shape().n();
  Vector x(n), v(n);
  for (int i = 0; i < n; ++i) x[i] = start.q[i].value, v[i] = start.v[i].value;
  return {start.t, Displacement(system, start).q(x), v};
}

/// Of the rows that are active at the start; 0 if there are too many to find out.
int rank_at(const System& system, const State& state) {
  const Shape& shape = system.shape();
  std::vector<int> active;
  for (int i = 0; i < shape.m(); ++i)
    if (shape.rows[i].active_at_start) active.push_back(i);
  if (active.empty() || shape.n() + shape.m() > most_for_certificate) return 0;
  const auto w = system.workspace();
  system.acceleration(state, *w);
  Equations equations{Matrix(shape.n(), shape.n()), w->terms.h, Matrix(static_cast<int>(active.size()), shape.n()),
                      Vector::Zero(static_cast<int>(active.size()))};
  shape.M.scatter(w->terms.M, equations.M);
  RowSelection(shape, active).matrix(w->terms.C, equations.C);
  const auto basis = make_basis("qr", equations.n(), equations.m());
  return basis->compute(equations) ? basis->rank() : 0;
}

int given(const std::vector<Start::Value>& values) {
  return static_cast<int>(std::ranges::count_if(values, &Start::Value::given));
}

}  // namespace

Outline::Outline(const Model& model)
    : title(model.title.empty() ? model.file : model.title), system(make_system(model)) {
  rank = rank_at(*system, guess(*system));
  dof = system->shape().n() - rank;
  given_positions = given(system->start().q);
  given_velocities = given(system->start().v);
}

}  // namespace maggi
