// The equations of a mechanism with formulas, as formulas.
#include <algorithm>

#include "expression/transfer.hpp"
#include "maggi/error.hpp"
#include "system/mechanism/functions/formula_mechanism.hpp"
#include "system/mechanism/functions/formula_workspace.hpp"

namespace maggi::mechanism {

std::optional<MechanismSystem::Followed> FormulaMechanism::followed_by(int row, const State& at) const {
  const std::string& name = shape_.rows[row].name;
  const auto constraint = std::ranges::find(over_functions_.constraints, name, &Constraint::name);
  if (constraint == over_functions_.constraints.end() || constraint->equals.empty()) return std::nullopt;
  const auto coordinate = std::ranges::find(over_functions_.coordinates, constraint->formula.text, &Coordinate::name);
  if (coordinate == over_functions_.coordinates.end()) return std::nullopt;
  const std::unique_ptr<Workspace> w = workspace();
  acceleration(at, *w);
  const FunctionValues& values = mechanism_->function_values(*memory_of(*w).mechanism);
  return Followed{coordinate->name, coordinate->unit, values.value[coordinate - over_functions_.coordinates.begin()]};
}

namespace {

using expression::Graph;
using expression::Id;

/// Variables of the mechanism, in the graph of `e`.
void declare(const Shape& shape, const DerivedEquations& over, DerivedEquations& e) {
  for (int i = 0; i < shape.n(); ++i) {
    e.q.push_back(e.graph.variable(shape.coordinates[i].name));
    e.v.push_back(e.graph.variable(shape.coordinates[i].name + "'"));
    e.a.push_back(e.graph.variable(shape.coordinates[i].name + "''"));
  }
  e.t = e.graph.variable("t");
  const auto same = [&](const std::vector<Id>& variables, std::vector<Id>& images) {
    for (const Id variable : variables) images.push_back(e.graph.variable(over.graph.name(variable)));
  };
  same(over.parameters, e.parameters);
  same(over.lambda, e.lambda);
  same(over.tau, e.tau);
  same(over.p, e.p);
  same(over.sense, e.sense);
}

/// Formulas call the coordinates of a body that floats by its mass centre, which is not 0 in the reference
/// configuration.
void spell(const MechanismSystem& mechanism, DerivedEquations& e) {
  const Shape& shape = mechanism.shape();
  const auto placements = mechanism.placements({0.0, Vector::Zero(shape.nq()), Vector::Zero(shape.n())});
  for (const MechanismSystem::Branch& branch : mechanism.tree()) {
    if (!branch.joint.empty()) continue;
    const auto body = std::ranges::find(placements, branch.body, &MechanismSystem::Placement::body);
    for (int axis = 0; axis < 2; ++axis) {
      const std::string part = axis == 0 ? ".x" : ".y", centre = branch.body + ".centre" + part;
      const auto found = std::ranges::find(shape.coordinates, branch.body + part, &Channel::name);
      if (found == shape.coordinates.end()) continue;
      const auto i = static_cast<std::size_t>(found - shape.coordinates.begin());
      const Id place = e.graph.subtract(e.graph.variable(centre), e.graph.constant(body->position[axis]));
      e.spelling.emplace_back(e.q[i], place);
      e.spelling.emplace_back(e.v[i], e.graph.variable(centre + "'"));
    }
  }
}

/// Σ_k left(k) right(k)
template <class Left, class Right>
Id sum(Graph& g, int count, const Left& left, const Right& right) {
  Id total = g.constant(0.0);
  for (int k = 0; k < count; ++k) total = g.add(total, g.multiply(left(k), right(k)));
  return total;
}

}  // namespace

DerivedEquations FormulaMechanism::derive() const {
  if (!shape_.identity_rates)
    throw Error(Errc::model, {}, "the mechanism turns by quaternions, in which its equations are not written down");
  const DerivedEquations& over = formulas_.derived();
  DerivedEquations e;
  Graph& g = e.graph;
  declare(shape_, over, e);
  const FunctionFormulas m = mechanism_->function_formulas(g, e.q, e.v);
  const int n = m.n, functions = static_cast<int>(m.value.size()), rows = shape_.m();
  const auto S = [&](int k, int j) { return m.S[static_cast<std::size_t>(k) * n + j]; };

  expression::Transfer carried(over.graph, g);
  const auto give = [&](const std::vector<Id>& variables, const std::vector<Id>& images) {
    for (std::size_t i = 0; i < variables.size(); ++i) carried.give(variables[i], images[i]);
  };
  for (int k = 0; k < functions; ++k) {
    const auto row = [&](int j) { return S(k, j); };
    carried.give(over.q[k], m.value[k]);
    carried.give(over.v[k], sum(g, n, row, [&](int j) { return e.v[j]; }));
    carried.give(over.a[k], g.add(m.bias[k], sum(g, n, row, [&](int j) { return e.a[j]; })));
  }
  carried.give(over.t, e.t);
  give(over.parameters, e.parameters);
  give(over.lambda, e.lambda);
  give(over.tau, e.tau);
  give(over.p, e.p);
  give(over.sense, e.sense);
  const auto all = [&](const std::vector<Id>& formulas) {
    std::vector<Id> result;
    for (const Id formula : formulas) result.push_back(carried(formula));
    return result;
  };

  e.M = m.M;
  const std::vector<Id> h = all(over.h), C = all(over.C), gamma = all(over.gamma), T = all(over.T), B = all(over.B);
  const auto along_functions = [&](const std::vector<Id>& directions, int columns, std::vector<Id>& result) {
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < columns; ++j)
        result.push_back(sum(
            g, functions, [&](int k) { return S(k, i); }, [&](int k) { return directions[k * columns + j]; }));
  };
  for (int i = 0; i < n; ++i)
    e.h.push_back(g.add(m.h[i], sum(
                                    g, functions, [&](int k) { return S(k, i); }, [&](int k) { return h[k]; })));
  for (int row = 0; row < rows; ++row) {
    const auto of_row = [&](int k) { return C[row * functions + k]; };
    for (int j = 0; j < n; ++j) e.C.push_back(sum(g, functions, of_row, [&](int k) { return S(k, j); }));
    e.gamma.push_back(g.subtract(gamma[row], sum(g, functions, of_row, [&](int k) { return m.bias[k]; })));
  }
  along_functions(T, static_cast<int>(shape_.laws.size()), e.T);
  along_functions(B, static_cast<int>(shape_.controls.size()), e.B);
  e.f = all(over.f);
  e.phi = all(over.phi);
  e.psi = all(over.psi);
  spell(*mechanism_, e);
  return e;
}

}  // namespace maggi::mechanism
