// The equations at the start for people: what `maggi equations` prints.
#include <fmt/format.h>

#include <functional>

#include "maggi/error.hpp"
#include "maggi/expert/print.hpp"
#include "maggi/text.hpp"
#include "simulation/start_equations.hpp"
#include "system/seam/displacement.hpp"
#include "text/table.hpp"

namespace maggi {

namespace text {

namespace {

using expression::Id;
using Printer = std::string (*)(const expression::Graph&, Id);

/// A formula for each entry; vectors have one column.
struct Formulas {
  std::vector<std::vector<std::string>> rows;
  std::vector<std::vector<bool>> zero;
};

Formulas formulas(const DerivedEquations& derived, int rows, int cols, Printer printer,
                  const std::function<Id(int, int)>& entry) {
  Formulas result;
  for (int i = 0; i < rows; ++i) {
    result.rows.emplace_back();
    result.zero.emplace_back();
    for (int j = 0; j < cols; ++j) {
      result.rows.back().push_back(printer(derived.graph, entry(i, j)));
      result.zero.back().push_back(derived.graph.is_zero(entry(i, j)));
    }
  }
  return result;
}

struct Symbols {
  Formulas M, h, C, gamma, D, Ddot;

  Symbols(const Shape& shape, const DerivedEquations& d, const ClosedForm& complement, Printer printer)
      : M(formulas(d, shape.n(), shape.n(), printer,
                   [&](int i, int j) { return i < j ? d.M[j * (j + 1) / 2 + i] : d.M[i * (i + 1) / 2 + j]; })),
        h(formulas(d, shape.n(), 1, printer, [&](int i, int) { return d.h[i]; })),
        C(formulas(d, shape.m(), shape.n(), printer, [&](int i, int j) { return d.C[i * shape.n() + j]; })),
        gamma(formulas(d, shape.m(), 1, printer, [&](int i, int) { return d.gamma[i]; })),
        D(matrix(d, complement, complement.D, printer)),
        Ddot(matrix(d, complement, complement.Ddot, printer)) {}

  static Formulas matrix(const DerivedEquations& d, const ClosedForm& complement, const std::vector<Id>& entries,
                         Printer printer) {
    return formulas(d, entries.empty() ? 0 : complement.rows, complement.cols, printer,
                    [&](int i, int j) { return entries[i * complement.cols + j]; });
  }
};

/// A matrix with the names of its rows and columns.
std::string named(const std::string& letter, const Matrix& A, const std::vector<std::string>& rows,
                  const std::vector<std::string>& cols) {
  Table table("l" + std::string(cols.size(), 'r'));
  std::vector<std::string> head{letter};
  head.insert(head.end(), cols.begin(), cols.end());
  table.row(head);
  for (Eigen::Index i = 0; i < A.rows(); ++i) {
    std::vector<std::string> cells{rows[i]};
    for (Eigen::Index j = 0; j < A.cols(); ++j) cells.push_back(number(A(i, j)));
    table.row(cells);
  }
  return table.text();
}

/// [A b] under one head.
std::string beside(const std::string& letter, const Matrix& A, const std::string& right, const Vector& b,
                   const std::vector<std::string>& rows, std::vector<std::string> cols) {
  Matrix both(A.rows(), A.cols() + 1);
  both << A, b;
  cols.push_back(right);
  return named(letter, both, rows, cols);
}

std::string entries(const std::string& letter, const Formulas& f, const std::vector<std::string>& rows,
                    const std::vector<std::string>& cols, bool lower_only) {
  std::string text;
  for (std::size_t i = 0; i < f.rows.size(); ++i)
    for (std::size_t j = 0; j < (lower_only ? i + 1 : f.rows[i].size()); ++j)
      if (!f.zero[i][j])
        text += fmt::format("  {}[{}{}] = {}\n", letter, rows[i], cols.empty() ? "" : ", " + cols[j], f.rows[i][j]);
  return text;
}

/// Names of rows and columns.
struct Names {
  std::vector<std::string> q, c, u;  // velocities, constraints, columns of D

  Names(const Shape& shape, const Basis& basis) {
    for (int i = 0; i < shape.n(); ++i) q.push_back(displacement_name(shape, i));
    for (const Row& row : shape.rows) c.push_back(row.name);
    for (Eigen::Index j = 0; j < basis.D().cols(); ++j) u.push_back(fmt::format("u{}", j + 1));
  }
};

std::string numbers_text(const Shape& shape, double t, const Equations& at_start, const Basis& basis,
                         const std::string& title) {
  const auto [q, c, u] = Names(shape, basis);
  std::string text = fmt::format("{}: M v̇ = h{}\n\nAt the start, t = {}:\n", title,
                                 c.empty() ? "" : " + Cᵀλ,  C v̇ = γ,  C D = 0", number(t));
  text += beside("M", at_start.M, "h", at_start.h, q, q);
  if (!c.empty()) text += "\n" + beside("C", at_start.C, "γ", at_start.gamma, c, q);
  if (!c.empty() && !u.empty()) text += "\n" + named("D", basis.D(), q, u);
  return text;
}

std::string formulas_text(const Shape& shape, double t, const Equations& at_start, const Basis& basis,
                          const DerivedEquations& derived, const ClosedForm& complement, const std::string& title) {
  const auto [q, c, u] = Names(shape, basis);
  std::string text = numbers_text(shape, t, at_start, basis, title);
  const Symbols s(shape, derived, complement, expression::print);
  text += "\nAs formulas; ' is d/dt, M is symmetric, entries not listed are zero:\n";
  text += entries("M", s.M, q, q, true) + entries("h", s.h, q, {}, false) + entries("C", s.C, c, q, false) +
          entries("γ", s.gamma, c, {}, false);
  if (c.empty() || u.empty()) return text;
  if (!complement.why.empty())
    return text +
           fmt::format("  D and Ḋ of basis \"{}\" are not written as formulas: {}\n", basis.name(), complement.why);
  return text + entries("D", s.D, q, u, false) + entries("Ḋ", s.Ddot, q, u, false);
}

std::string latex_matrix(const std::string& letter, const Formulas& f) {
  std::string text = letter + " &= \\begin{bmatrix}\n";
  for (const auto& row : f.rows) {
    text += "  ";
    for (std::size_t j = 0; j < row.size(); ++j) text += (j > 0 ? " & " : "") + row[j];
    text += " \\\\\n";
  }
  return text + "\\end{bmatrix}";
}

std::string to_latex(const Shape& shape, const DerivedEquations& derived, const ClosedForm& complement) {
  const Symbols s(shape, derived, complement, expression::print_latex);
  std::string text = "\\begin{align*}\n" + latex_matrix("M", s.M) + ", \\\\\n" + latex_matrix("h", s.h);
  if (shape.m() > 0) text += ", \\\\\n" + latex_matrix("C", s.C) + ", \\\\\n" + latex_matrix("\\gamma", s.gamma);
  if (shape.m() > 0 && complement.cols > 0 && complement.why.empty())
    text += ", \\\\\n" + latex_matrix("D", s.D) + ", \\\\\n" + latex_matrix("\\dot D", s.Ddot);
  return text + "\n\\end{align*}\n";
}

}  // namespace

}  // namespace text

std::string equations_text(Simulation& simulation, const std::string& basis) {
  const StartEquations at(simulation, basis);
  if (!at.derived) return text::numbers_text(at.shape, at.start.state.t, at.equations, *at.basis, simulation.title());
  return text::formulas_text(at.shape, at.start.state.t, at.equations, *at.basis, *at.derived, *at.complement,
                             simulation.title());
}

std::string equations_latex(Simulation& simulation, const std::string& basis) {
  if (simulation.model().mechanism.given())
    throw Error(Errc::model, {simulation.model().file},
                "a mechanism has no equations as formulas: they are evaluated body by body",
                "without --latex they are shown as numbers");
  const StartEquations at(simulation, basis);
  return text::to_latex(at.shape, *at.derived, *at.complement);
}

}  // namespace maggi
