#include "system/formulas/derive.hpp"

#include <fmt/format.h>

#include "base/names.hpp"
#include "system/formulas/derive_constraints.hpp"
#include "system/formulas/derive_controls.hpp"
#include "system/formulas/derive_drawing.hpp"
#include "system/formulas/derive_dynamics.hpp"
#include "system/formulas/derive_events.hpp"
#include "system/formulas/derive_laws.hpp"
#include "system/formulas/derive_names.hpp"
#include "system/formulas/derive_powers.hpp"
#include "system/formulas/derive_rules.hpp"
#include "system/formulas/what_changes_energy.hpp"

namespace maggi {

DerivedEquations::DerivedEquations() = default;
DerivedEquations::DerivedEquations(const DerivedEquations&) = default;
DerivedEquations::DerivedEquations(DerivedEquations&&) noexcept = default;
DerivedEquations& DerivedEquations::operator=(const DerivedEquations&) = default;
DerivedEquations& DerivedEquations::operator=(DerivedEquations&&) noexcept = default;
DerivedEquations::~DerivedEquations() = default;

namespace {

using expression::Derivative;
using expression::Id;

/// The order in which the parts of a model become equations: each may use what those before it have left.
class Derivation {
 public:
  Derivation(const Model& model, const Numbers& numbers, UnconstrainedEquations& derived)
      : model_(model),
        numbers_(numbers),
        shape_(derived.shape),
        e_(derived.equations),
        g_(e_.graph),
        names_(model, derived),
        parse_([this](const Formula& formula, Reach reach, const std::string& what) {
          return names_.parse(formula, reach, what);
        }),
        laws_(model, numbers, shape_, e_, parse_) {}

  void derive_unconstrained() {
    names_.declare();
    std::vector<std::pair<std::string, Where>> forces;
    laws_.declare_names(forces);
    names_.define();
    names_.locate();
    derive_dynamics(model_, numbers_, parse_, shape_, e_);
  }

  void derive_constrained() {
    n_ = shape_.nq();
    derive_constraints(model_, numbers_, names_, laws_, shape_, e_);
    laws_.derive([this](const GeneralisedForce& force, const std::string& what) {
      return coordinate_index(model_, force, what);
    });
    e_.F = columns(model_.reactions, "reaction", shape_.forces);
    e_.B = columns(model_.controls, "control", shape_.controls);
    derive_controls(model_, e_);
    find_patterns();
    derive_outputs();
    derive_powers(shape_, e_);
    derive_events(model_, parse_, shape_, e_);
    derive_drawing(model_.drawing, parse_, shape_, e_);
    shape_.energy_changes = what_changes_energy(model_, numbers_, shape_, e_);
  }

 private:
  /// A matrix whose columns say what a unit of each force does to the coordinates, row by row; and its channels.
  template <class Force>  // with a name, a unit, and what it acts along
  std::vector<Id> columns(const std::vector<Force>& forces, const char* kind, std::vector<Channel>& channels) {
    std::vector<std::pair<std::string, Where>> taken;
    laws_.declare_names(taken);
    const std::size_t count = forces.size();
    std::vector<Id> matrix(n_ * count, g_.constant(0.0));
    for (std::size_t j = 0; j < count; ++j) {
      const Force& force = forces[j];
      const std::string what = fmt::format("{} \"{}\"", kind, force.name);
      check_name(force.name, kind, force.where, taken);
      taken.emplace_back(force.name, force.where);
      for (const GeneralisedForce& part : force.along)
        matrix[coordinate_index(model_, part, what) * count + j] = parse_(part.formula, Reach::velocity, what);
      channels.push_back({force.name, force.unit, force.where});
    }
    return matrix;
  }

  void find_patterns() {
    Derivative fixed_v(g_, along_motion(e_, false));
    for (const Id entry : e_.M) e_.Mdot.push_back(fixed_v(entry));
    shape_.M = {.rows = n_, .cols = n_, .symmetric = true, .row = {}, .col = {}};
    for (int i = 0, k = 0; i < n_; ++i)
      for (int j = 0; j <= i; ++j, ++k)
        if (i == j || !g_.is_zero(e_.M[k]) || !g_.is_zero(e_.curvature[k])) shape_.M.add(i, j);
    shape_.C = pattern(e_.C, n_);
    shape_.J = pattern(e_.J, n_);
    shape_.F = pattern(e_.F, static_cast<int>(shape_.forces.size()));
    shape_.T = pattern(e_.T, static_cast<int>(shape_.laws.size()));
    shape_.B = pattern(e_.B, static_cast<int>(shape_.controls.size()));
  }

  /// Where a matrix, given row by row, is not zero everywhere.
  Pattern pattern(const std::vector<Id>& entries, int cols) const {
    Pattern result{.rows = cols > 0 ? static_cast<int>(entries.size()) / cols : n_,
                   .cols = cols,
                   .symmetric = false,
                   .row = {},
                   .col = {}};
    for (int i = 0, k = 0; i < result.rows; ++i)
      for (int j = 0; j < cols; ++j, ++k)
        if (!g_.is_zero(entries[k])) result.add(i, j);
    return result;
  }

  void derive_outputs() {
    for (const Output& o : model_.outputs) {
      e_.outputs.push_back(parse_(o.formula, Reach::output, fmt::format("output \"{}\"", o.name)));
      shape_.outputs.push_back({o.name, o.unit, o.formula.where});
    }
  }

  const Model& model_;
  const Numbers& numbers_;
  Shape& shape_;
  DerivedEquations& e_;
  expression::Graph& g_;
  ModelNames names_;
  ParseFormula parse_;
  LawDerivation laws_;
  int n_ = 0;
};

}  // namespace

UnconstrainedEquations derive_unconstrained(const Model& model, const Numbers& numbers) {
  UnconstrainedEquations derived;
  Derivation(model, numbers, derived).derive_unconstrained();
  return derived;
}

DerivedEquations derive_equations(UnconstrainedEquations unconstrained, const Model& model, const Numbers& numbers,
                                  Shape& shape) {
  Derivation(model, numbers, unconstrained).derive_constrained();
  shape = std::move(unconstrained.shape);
  return std::move(unconstrained.equations);
}

}  // namespace maggi
