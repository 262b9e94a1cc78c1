// The equations of motion for people: what `maggi equations` prints.
#include <fmt/format.h>

#include "maggi/error.hpp"
#include "maggi/simulation.hpp"
#include "maggi/text.hpp"
#include "text/table.hpp"

namespace maggi {

namespace text {

namespace {

using Names = std::vector<std::string>;
using Entries = EquationFormulas::Entries;

/// A matrix with the names of its rows and columns.
std::string named(const std::string& letter, const Matrix& A, const Names& rows, const Names& cols) {
  Table table("l" + std::string(cols.size(), 'r'));
  Names head{letter};
  head.insert(head.end(), cols.begin(), cols.end());
  table.row(head);
  for (Eigen::Index i = 0; i < A.rows(); ++i) {
    Names cells{rows[i]};
    for (Eigen::Index j = 0; j < A.cols(); ++j) cells.push_back(number(A(i, j)));
    table.row(cells);
  }
  return table.text();
}

/// [A b] under one head.
std::string beside(const std::string& letter, const Matrix& A, const std::string& right, const Vector& b,
                   const Names& rows, Names cols) {
  Matrix both(A.rows(), A.cols() + 1);
  both << A, b;
  cols.push_back(right);
  return named(letter, both, rows, cols);
}

/// One line for each entry that is not zero.
std::string entries(const std::string& letter, const Entries& f, const Names& rows, const Names& cols,
                    bool lower_only = false) {
  std::string text;
  for (std::size_t i = 0; i < f.size(); ++i)
    for (std::size_t j = 0; j < (lower_only ? i + 1 : f[i].size()); ++j)
      if (f[i][j] != "0") text += fmt::format("  {}[{}, {}] = {}\n", letter, rows[i], cols[j], f[i][j]);
  return text;
}

std::string entries(const std::string& letter, const Names& f, const Names& rows) {
  std::string text;
  for (std::size_t i = 0; i < f.size(); ++i)
    if (f[i] != "0") text += fmt::format("  {}[{}] = {}\n", letter, rows[i], f[i]);
  return text;
}

/// What the rows of M are called: the coordinates, or the velocities without their primes.
Names row_names(const EquationsOfMotion& at) {
  Names names = at.velocities;
  for (std::string& name : names)
    if (name.ends_with('\'')) name.pop_back();
  return names;
}

/// The columns of D: u1, u2, …
Names column_names(const EquationsOfMotion& at) {
  Names names;
  for (Eigen::Index j = 0; j < at.D.cols(); ++j) names.push_back(fmt::format("u{}", j + 1));
  return names;
}

std::string numbers_text(const EquationsOfMotion& at) {
  const Names q = row_names(at), u = column_names(at);
  const Names& c = at.constraints;
  std::string text = fmt::format("{}: M v̇ = h{}\n\nAt t = {}:\n", at.title,
                                 c.empty() ? "" : " + Cᵀλ,  C v̇ = γ,  C D = 0", number(at.state.t));
  text += beside("M", at.M, "h", at.h, q, q);
  if (!c.empty()) text += "\n" + beside("C", at.C, "γ", at.gamma, c, q);
  if (!c.empty() && !u.empty()) text += "\n" + named("D", at.D, q, u);
  return text;
}

std::string formulas_text(const EquationsOfMotion& at) {
  const Names q = row_names(at), u = column_names(at);
  const EquationFormulas& f = *at.formulas;
  std::string text = "\nAs formulas; ' is d/dt, M is symmetric, entries not listed are zero:\n";
  text += entries("M", f.M, q, q, true) + entries("h", f.h, q) + entries("C", f.C, at.constraints, q) +
          entries("γ", f.gamma, at.constraints);
  if (at.constraints.empty() || u.empty()) return text;
  if (!at.why_no_D.empty())
    return text + fmt::format("  D and Ḋ of basis \"{}\" are not written as formulas: {}\n", at.basis, at.why_no_D);
  return text + entries("D", f.D, q, u) + entries("Ḋ", f.Ddot, q, u);
}

std::string latex_matrix(const std::string& letter, const Entries& f) {
  std::string text = letter + " &= \\begin{bmatrix}\n";
  for (const auto& row : f) {
    text += "  ";
    for (std::size_t j = 0; j < row.size(); ++j) text += (j > 0 ? " & " : "") + row[j];
    text += " \\\\\n";
  }
  return text + "\\end{bmatrix}";
}

std::string latex_vector(const std::string& letter, const Names& f) {
  Entries column;
  for (const std::string& entry : f) column.push_back({entry});
  return latex_matrix(letter, column);
}

}  // namespace

}  // namespace text

std::string to_text(const EquationsOfMotion& equations) {
  return text::numbers_text(equations) + (equations.formulas ? text::formulas_text(equations) : "");
}

std::string to_latex(const EquationsOfMotion& equations) {
  if (!equations.latex)
    throw Error(Errc::model, {}, "there are no formulas: those of a mechanism are evaluated body by body",
                "without --latex the equations are shown as numbers");
  const EquationFormulas& f = *equations.latex;
  std::string text = "\\begin{align*}\n" + text::latex_matrix("M", f.M) + ", \\\\\n" + text::latex_vector("h", f.h);
  if (!f.C.empty())
    text += ", \\\\\n" + text::latex_matrix("C", f.C) + ", \\\\\n" + text::latex_vector("\\gamma", f.gamma);
  if (!f.C.empty() && equations.D.cols() > 0 && equations.why_no_D.empty())
    text += ", \\\\\n" + text::latex_matrix("D", f.D) + ", \\\\\n" + text::latex_matrix("\\dot D", f.Ddot);
  return text + "\n\\end{align*}\n";
}

}  // namespace maggi
