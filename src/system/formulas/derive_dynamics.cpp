#include "system/formulas/derive_dynamics.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/names.hpp"
#include "expression/expand.hpp"
#include "expression/tape.hpp"
#include "system/formulas/derive_rules.hpp"
#include "system/formulas/equal_everywhere.hpp"

namespace maggi {

int coordinate_index(const Model& model, const GeneralisedForce& force, const std::string& what) {
  std::vector<std::string> names;
  for (const Coordinate& c : model.coordinates) names.push_back(c.name);
  const auto found = std::find(names.begin(), names.end(), force.coordinate);
  if (found == names.end())
    throw Error(Errc::model, force.where,
                fmt::format("{} acts on \"{}\", but no coordinate has this name", what, force.coordinate),
                suggest_name(force.coordinate, names));
  return static_cast<int>(found - names.begin());
}

namespace {

using expression::Derivative;
using expression::Id;

class DynamicsDerivation {
 public:
  DynamicsDerivation(const Model& model, const Numbers& numbers, const ParseFormula& parse, Shape& shape,
                     DerivedEquations& equations)
      : model_(model),
        numbers_(numbers),
        parse_(parse),
        shape_(shape),
        e_(equations),
        g_(equations.graph),
        n_(shape.nq()) {}

  void run() {
    if (model_.mass.empty())
      dynamics_from_energies();
    else
      dynamics_from_matrices();
    add_generalised_forces();
  }

 private:
  /// M and the forces of inertia that a kinetic energy has.
  struct Inertia {
    std::vector<Id> M, h;  // lower triangle; ∂T/∂q_i − d/dt|_v ∂T/∂v_i
    Id momentum_times_v;
  };

  Inertia inertia(Id T) {
    std::vector<Derivative> by_q = derivatives_by(e_.q, g_), by_v = derivatives_by(e_.v, g_);
    Derivative fixed_v(g_, along_motion(e_, false));
    Inertia result{{}, {}, g_.constant(0.0)};
    for (int i = 0; i < n_; ++i) {
      const Id p = by_v[i](T);
      result.momentum_times_v = g_.add(result.momentum_times_v, g_.multiply(e_.v[i], p));
      for (int j = 0; j <= i; ++j) result.M.push_back(mass_entry(by_v[j](p), i, j));
      result.h.push_back(g_.subtract(by_q[i](T), fixed_v(p)));
    }
    return result;
  }

  /// The same, multiplied out: sines and cosines of points that move on circles mostly cancel.
  Inertia expanded_inertia(Id T) {
    Inertia result = inertia(expression::expand_trigonometric(g_, T, e_.parameters));
    for (Id& entry : result.M) entry = expression::expand_trigonometric(g_, entry, e_.parameters);
    for (Id& force : result.h) force = expression::expand_trigonometric(g_, force, e_.parameters);
    return result;
  }

  std::size_t instructions(const Inertia& inertia) const {
    std::vector<Id> inputs = e_.q, outputs = inertia.M;
    inputs.insert(inputs.end(), e_.v.begin(), e_.v.end());
    inputs.push_back(e_.t);
    outputs.insert(outputs.end(), inertia.h.begin(), inertia.h.end());
    return expression::Tape(g_, inputs, e_.parameters, outputs).instructions();
  }

  void dynamics_from_energies() {
    const Id T = parse_(model_.kinetic, Reach::velocity, "the kinetic energy");
    const Id V =
        model_.potential.empty() ? g_.constant(0.0) : parse_(model_.potential, Reach::position, "the potential energy");
    Inertia as_written = inertia(T);
    Inertia expanded = expanded_inertia(T);
    Inertia& chosen = instructions(expanded) < instructions(as_written) ? expanded : as_written;
    std::vector<Derivative> by_q = derivatives_by(e_.q, g_);
    e_.M = std::move(chosen.M);
    for (int i = 0; i < n_; ++i) e_.h.push_back(g_.subtract(chosen.h[i], by_q[i](V)));
    e_.kinetic = T;
    e_.potential = V;
    e_.total = g_.add(g_.subtract(as_written.momentum_times_v, T), V);
    shape_.has_energy = true;
  }

  Id mass_entry(Id entry, int i, int j) const {
    if (g_.depends_on(entry, e_.v))
      throw Error(
          Errc::model, model_.kinetic.where,
          i == j ? fmt::format("the kinetic energy is not quadratic in the velocity {}'", model_.coordinates[i].name)
                 : fmt::format("the kinetic energy is not quadratic in the velocities {}' and {}'",
                               model_.coordinates[i].name, model_.coordinates[j].name),
          "T may contain velocities to the second power at most; other forces go to [generalised_force]");
    return entry;
  }

  void dynamics_from_matrices() {
    Id twice_T = g_.constant(0.0);
    for (int i = 0; i < n_; ++i) {
      for (int j = 0; j <= i; ++j) {
        const Id lower = parse_(model_.mass[i][j], Reach::position, "the mass matrix");
        const Id upper = parse_(model_.mass[j][i], Reach::position, "the mass matrix");
        if (lower != upper && !equal_everywhere(lower, upper, numbers_, e_))
          throw Error(Errc::model, model_.mass[i][j].where,
                      fmt::format("the mass matrix is not symmetric: entries [{}, {}] and [{}, {}] differ", i + 1,
                                  j + 1, j + 1, i + 1),
                      "M v̇ = h + Cᵀλ needs M = Mᵀ");
        e_.M.push_back(lower);
        const Id term = g_.multiply(lower, g_.multiply(e_.v[i], e_.v[j]));
        twice_T = g_.add(twice_T, i == j ? term : g_.multiply(g_.constant(2.0), term));
      }
      e_.h.push_back(parse_(model_.force[i], Reach::velocity, "the force"));
    }
    e_.kinetic = e_.total = g_.multiply(g_.constant(0.5), twice_T);
    e_.potential = g_.constant(0.0);
  }

  /// Their power, and what the energy changes by itself: d/dt(v·∂T/∂v − T + V) = Q·v − ∂(T − V)/∂t.
  void add_generalised_forces() {
    Derivative by_t(g_, {{e_.t, g_.constant(1.0)}});
    e_.power = g_.subtract(by_t(e_.potential), by_t(e_.kinetic));
    for (const GeneralisedForce& force : model_.generalised_forces) {
      const int i = coordinate_index(model_, force, "a generalised force");
      const Id Q = parse_(force.formula, Reach::velocity, fmt::format("the force on \"{}\"", force.coordinate));
      e_.h[i] = g_.add(Q, e_.h[i]);
      e_.power = g_.add(e_.power, g_.multiply(Q, e_.v[i]));
    }
  }

  const Model& model_;
  const Numbers& numbers_;
  const ParseFormula& parse_;
  Shape& shape_;
  DerivedEquations& e_;
  expression::Graph& g_;
  const int n_;
};

}  // namespace

void derive_dynamics(const Model& model, const Numbers& numbers, const ParseFormula& parse, Shape& shape,
                     DerivedEquations& equations) {
  DynamicsDerivation(model, numbers, parse, shape, equations).run();
}

}  // namespace maggi
