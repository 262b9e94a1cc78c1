// The equations of motion for people: what `maggi equations` prints.
#include <fmt/format.h>

#include "base/names.hpp"
#include "maggi/error.hpp"
#include "maggi/simulation.hpp"
#include "maggi/text.hpp"
#include "text/table.hpp"

namespace maggi {

namespace text {

namespace {

using Names = std::vector<std::string>;
using Entries = EquationFormulas::Entries;

/// One more column of a table of cells.
struct Beside {
  std::string head;
  Names cells;
};

Names numbers(const Vector& values) {
  Names cells;
  for (const double value : values) cells.push_back(number(value));
  return cells;
}

/// A matrix with the names of its rows and columns, and what stands beside it.
std::string named(const std::string& letter, const Matrix& A, const Names& rows, const Names& cols,
                  const std::vector<Beside>& more = {}) {
  Table table("l" + std::string(cols.size() + more.size(), 'r'));
  Names head{letter};
  head.insert(head.end(), cols.begin(), cols.end());
  for (const Beside& column : more) head.push_back(column.head);
  table.row(head);
  for (Eigen::Index i = 0; i < A.rows(); ++i) {
    Names cells{rows[i]};
    for (Eigen::Index j = 0; j < A.cols(); ++j) cells.push_back(number(A(i, j)));
    for (const Beside& column : more) cells.push_back(column.cells[i]);
    table.row(cells);
  }
  return table.text();
}

/// Directions of forces, and below each its force.
std::string above(const std::string& letter, const Matrix& A, const std::string& below, const Vector& forces,
                  Names rows, const Names& cols) {
  if (cols.empty()) return "";
  Matrix both(A.rows() + 1, A.cols());
  both << A, forces.transpose();
  rows.push_back(below);
  return "\n" + named(letter, both, rows, cols);
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

/// "Block: M v̇ = h + Cᵀλ + T τ,  C v̇ = γ,  C D = 0"
std::string heading(const EquationsOfMotion& at) {
  const bool constrained = !at.constraints.empty();
  return fmt::format("{}: M v̇ = h{}{}{}{}\n", at.title, constrained ? " + Cᵀλ" : "", at.laws.empty() ? "" : " + T τ",
                     at.controls.empty() ? "" : " + B p", constrained ? ",  C v̇ = γ,  C D = 0" : "");
}

Names lambda_cells(const EquationsOfMotion& at) {
  Names cells = numbers(at.lambda);
  for (std::size_t i = 0; i < cells.size(); ++i)
    if (!at.no_lambda[i].empty()) cells[i] = at.no_lambda[i];
  return cells;
}

std::string complement_text(const EquationsOfMotion& at) {
  const Names q = row_names(at), u = column_names(at);
  if (at.constraints.empty()) return "";
  if (u.empty()) return "\nD has no columns: the rows in force leave no velocity free\n";
  std::string text = "\n" + named("D", at.D, q, u);
  if (at.why_no_Ddot.empty()) return text + "\n" + named("Ḋ", at.Ddot, q, u);
  return text + fmt::format("\nḊ is not shown as numbers: {}\n", at.why_no_Ddot);
}

std::string not_in_force_text(const EquationsOfMotion& at) {
  if (at.not_in_force.empty()) return "";
  Table table("ll");
  for (const auto& [name, why] : at.not_in_force) table.row({name, why});
  return "\nNot in force:\n" + table.text();
}

std::string numbers_text(const EquationsOfMotion& at) {
  const Names q = row_names(at);
  std::string text = heading(at) + fmt::format("\nAt t = {}:\n", number(at.state.t));
  text += named("M", at.M, q, q, {{"h", numbers(at.h)}, {"v̇", numbers(at.vdot)}});
  if (!at.constraints.empty())
    text += "\n" + named("C", at.C, at.constraints, q, {{"γ", numbers(at.gamma)}, {"λ", lambda_cells(at)}});
  text += above("T", at.T, "τ", at.tau, q, at.laws) + above("B", at.B, "p", at.p, q, at.controls);
  if (!at.open_controls.empty())
    text += fmt::format("{} {} not unique: p has the least sum of squares\n", list_names(at.open_controls, false),
                        at.open_controls.size() == 1 ? "is" : "are");
  return text + complement_text(at) + not_in_force_text(at);
}

/// "  0 = force.drag + 3*x'": what each law says.
std::string law_formulas_text(const EquationsOfMotion& at, const EquationFormulas& f) {
  std::string text;
  for (std::size_t i = 0; i < at.laws.size(); ++i)
    text += f.law[i].empty() ? fmt::format("  τ[{}]: sticks, the force keeps the contact at rest\n", at.laws[i])
                             : fmt::format("  τ[{}]: {} = 0\n", at.laws[i], f.law[i]);
  return text;
}

std::string formulas_text(const EquationsOfMotion& at) {
  const Names q = row_names(at), u = column_names(at);
  const EquationFormulas& f = *at.formulas;
  std::string text = "\nAs formulas; ' is d/dt, M is symmetric, entries not listed are zero:\n";
  text += entries("M", f.M, q, q, true) + entries("h", f.h, q) + entries("C", f.C, at.constraints, q) +
          entries("γ", f.gamma, at.constraints) + entries("T", f.T, q, at.laws) + law_formulas_text(at, f) +
          entries("B", f.B, q, at.controls);
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
  const auto add = [&text](const std::string& part) { text += ", \\\\\n" + part; };
  if (!f.C.empty()) add(text::latex_matrix("C", f.C)), add(text::latex_vector("\\gamma", f.gamma));
  if (!equations.laws.empty()) add(text::latex_matrix("T", f.T));
  for (const std::string& law : f.law)
    if (!law.empty()) add("0 &= " + law);
  if (!equations.controls.empty()) add(text::latex_matrix("B", f.B));
  if (!f.C.empty() && equations.D.cols() > 0 && equations.why_no_D.empty())
    add(text::latex_matrix("D", f.D)), add(text::latex_matrix("\\dot D", f.Ddot));
  return text + "\n\\end{align*}\n";
}

}  // namespace maggi
