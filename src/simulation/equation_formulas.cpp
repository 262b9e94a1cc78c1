#include "simulation/equation_formulas.hpp"

#include <algorithm>

#include "basis/closed_form.hpp"
#include "expression/substitute.hpp"
#include "maggi/expert/print.hpp"
#include "system/formulas/readable.hpp"

namespace maggi {

namespace {

using expression::Id;
using PrintFormula = std::string (*)(const expression::Graph&, Id);

/// Prints the derived equations, entry by entry.
class FormulaWriter {
 public:
  FormulaWriter(const DerivedEquations& derived, PrintFormula print) : derived_(derived), print_(print) {}

  EquationFormulas operator()(const std::vector<int>& laws, const ClosedForm& complement) const {
    const int n = static_cast<int>(derived_.v.size()), m = static_cast<int>(derived_.gamma.size());
    const int all_laws = static_cast<int>(derived_.tau.size()), controls = static_cast<int>(derived_.p.size());
    EquationFormulas result;
    result.M = matrix(n, n, [&](int i, int j) {
      const int below = std::max(i, j), left = std::min(i, j);
      return derived_.M[below * (below + 1) / 2 + left];
    });
    result.C = matrix(m, n, [&](int i, int j) { return derived_.C[i * n + j]; });
    result.T =
        matrix(n, static_cast<int>(laws.size()), [&](int i, int j) { return derived_.T[i * all_laws + laws[j]]; });
    result.B = matrix(n, controls, [&](int i, int j) { return derived_.B[i * controls + j]; });
    result.h = list(derived_.h);
    result.gamma = list(derived_.gamma);
    result.f = list(derived_.f);
    result.phi = list(derived_.phi);
    result.psi = list(derived_.psi);
    for (const int law : laws) result.law.push_back(text(derived_.law[law]));
    if (!complement.why.empty()) return result;
    const int cols = complement.cols;
    result.D = matrix(complement.rows, cols, [&](int i, int j) { return complement.D[i * cols + j]; });
    result.Ddot = matrix(complement.rows, cols, [&](int i, int j) { return complement.Ddot[i * cols + j]; });
    return result;
  }

 private:
  std::string text(Id id) const { return derived_.graph.is_zero(id) ? "0" : print_(derived_.graph, id); }

  std::vector<std::string> list(const std::vector<Id>& ids) const {
    std::vector<std::string> result;
    for (const Id id : ids) result.push_back(text(id));
    return result;
  }
  template <class Entry>
  EquationFormulas::Entries matrix(int rows, int cols, const Entry& entry) const {
    EquationFormulas::Entries result(rows);
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < cols; ++j) result[i].push_back(text(entry(i, j)));
    return result;
  }

  const DerivedEquations& derived_;
  PrintFormula print_;
};

/// The laws with the direction in which each contact slides.
void substitute_sense(DerivedEquations& e, const Mode& mode) {
  std::vector<std::pair<Id, Id>> values;
  for (std::size_t i = 0; i < e.sense.size(); ++i)
    values.emplace_back(e.sense[i], e.graph.constant(mode.sense[static_cast<Eigen::Index>(i)]));
  for (Id& law : e.law) law = expression::substitute(e.graph, law, values);
}

}  // namespace

void write_formulas(const EquationSystem& system, const InForce& in_force, const Mode& mode, const Basis& basis,
                    EquationsOfMotion& result) {
  DerivedEquations derived = with_rows(system.derived(), system.shape(), in_force.rows);
  substitute_sense(derived, mode);
  derived = readable(std::move(derived));
  const ClosedForm complement = closed_form(derived, basis);
  result.formulas = FormulaWriter(derived, expression::print)(in_force.laws, complement);
  result.latex = FormulaWriter(derived, expression::print_latex)(in_force.laws, complement);
  for (std::size_t k = 0; k < in_force.laws.size(); ++k)
    if (in_force.sticking[in_force.laws[k]]) result.formulas->law[k] = result.latex->law[k] = "";
  result.why_no_D = complement.why;
}

}  // namespace maggi
