// The consistent start for people: what `maggi init` prints.
#include <fmt/format.h>

#include <algorithm>

#include "base/largest.hpp"
#include "base/names.hpp"
#include "maggi/simulation.hpp"
#include "maggi/text.hpp"
#include "simulation/contact_states.hpp"
#include "simulation/start_report.hpp"
#include "text/hidden_constraints.hpp"
#include "text/rounding.hpp"
#include "text/table.hpp"

namespace maggi {

namespace text {

namespace {

using How = InitialConditions::How;

const char* how_text(How how) {
  switch (how) {
    case How::given: return "given";
    case How::kept: return "kept";
    case How::found: return "found";
  }
  return "";
}

bool is_unique(const Matrix& undetermined, int row) {
  return undetermined.cols() == 0 || undetermined.row(row).isZero(0.0);
}

/// The forces of laws, and what the contacts among them do.
std::string laws_text(const Shape& shape, const InitialConditions& start) {
  if (shape.laws.empty()) return "";
  Table table("lrll");
  table.row({"law", "τ", "unit", ""});
  for (std::size_t i = 0; i < shape.laws.size(); ++i) {
    std::string state;
    for (const Contact& contact : shape.contacts)
      if (std::ranges::find(contact.laws, static_cast<int>(i)) != contact.laws.end())
        state = state_of(contact, start.mode);
    table.row(
        {shape.laws[i].name, number(start.acceleration.tau[static_cast<Eigen::Index>(i)]), shape.laws[i].unit, state});
  }
  return "\n" + table.text();
}

/// A reaction of a coordinate; that of a model without constraints is left out.
std::string reaction_text(const Shape& shape, const InitialConditions& start, int i) {
  return shape.m() > 0 ? number(start.acceleration.reaction[i]) : "";
}

/// q, v, v̇ and r side by side.
std::string values_text(const Shape& shape, const InitialConditions& start) {
  Table values("lrlrlrlrl");
  values.row({"coordinate", "q", "", "v = q̇", "", "v̇", "", shape.m() > 0 ? "r" : "", "unit"});
  for (int i = 0; i < shape.n(); ++i)
    values.row({shape.coordinates[i].name, number(start.state.q[i]), how_text(start.q[i]), number(start.state.v[i]),
                how_text(start.v[i]), number(start.acceleration.vdot[i]), how_text(start.vdot[i]),
                reaction_text(shape, start, i), shape.coordinates[i].unit});
  return values.text();
}

/// q by itself, then v and v̇: there are more coordinates than velocities.
std::string quasi_values_text(const Shape& shape, const InitialConditions& start) {
  Table q("lrll"), v("lrlrlrl");
  q.row({"coordinate", "q", "", "unit"});
  for (int i = 0; i < shape.nq(); ++i)
    q.row({shape.coordinates[i].name, number(start.state.q[i]), how_text(start.q[i]), shape.coordinates[i].unit});
  v.row({"velocity", "v", "", "v̇", "", shape.m() > 0 ? "r" : "", "unit"});
  for (int i = 0; i < shape.n(); ++i)
    v.row({shape.velocities[i].name, number(start.state.v[i]), how_text(start.v[i]), number(start.acceleration.vdot[i]),
           how_text(start.vdot[i]), reaction_text(shape, start, i), shape.velocities[i].unit});
  return q.text() + "\n" + v.text();
}

std::string values_and_forces(const StartReport& report, const std::string& title) {
  const Shape& shape = report.shape;
  const InitialConditions& start = report.start;
  std::string text = fmt::format("{}: consistent start at t = {}\n\n{}", title, number(start.state.t),
                                 shape.identity_rates ? values_text(shape, start) : quasi_values_text(shape, start));
  if (shape.m() > 0) {
    Table multipliers("lrl");
    multipliers.row({"constraint", "λ", ""});
    for (const int i : shape.constraints()) {
      if (!shape.rows[i].has_multiplier()) {
        multipliers.row({shape.rows[i].name, "servo", ""});
        continue;
      }
      const bool certain = is_unique(report.undetermined, i) || start.lambda[i] == How::given;
      multipliers.row({shape.rows[i].name, certain ? number(start.acceleration.lambda[i]) : "not unique",
                       certain ? how_text(start.lambda[i]) : ""});
    }
    text += "\n" + multipliers.text();
  }
  text += laws_text(shape, start);
  if (!shape.controls.empty()) {
    Table controls("lrll");
    controls.row({"control", "p", "unit", ""});
    for (int i = 0; i < static_cast<int>(shape.controls.size()); ++i)
      controls.row({shape.controls[i].name, number(start.acceleration.p[i]), shape.controls[i].unit,
                    is_unique(report.undetermined, shape.m() + i) ? "" : "not unique; the least sum of squares"});
    text += "\n" + controls.text();
  }
  if (shape.m() == 0) return text;
  Table facts("ll");
  if (!report.contacts.empty()) facts.row({"contacts", list_names(report.contacts, false)});
  facts.row({"given, kept, found", "by the model; left at its guess; from the constraints"});
  facts.row({"method", start.method});
  if (!start.note.empty()) facts.row({"note", start.note});
  facts.row({"free to choose",
             fmt::format("positions {}, velocities {}", start.free_positions, start.free_velocities) +
                 (start.forces_given > 0
                      ? fmt::format("; of these {} used up by accelerations and forces given", start.forces_given)
                      : "")});
  facts.row({"residuals", fmt::format("position {:.1e}, velocity {:.1e}, acceleration {:.1e}", start.residuals.position,
                                      start.residuals.velocity, start.residual_acceleration)});
  facts.row({"conditions", fmt::format("position {:.3g}, velocity {:.3g}: how much the found values amplify errors of "
                                       "the given ones",
                                       start.condition_position, start.condition_velocity)});
  return text + "\n" + facts.text();
}

/// λ_w, λ_f and r_j.
std::string reactions_text(const StartResults& results) {
  std::string text;
  if (!results.with_parts) return text;
  if (!results.forces.empty()) {
    Table table("lr");
    table.row({"force along", "f"});
    for (const auto& [name, value] : results.forces) table.row({name, number(value)});
    text += "\n" + table.text();
  }
  if (!results.lambda_w.empty()) {
    Table table("lr");
    table.row({"constraint", "λ_w"});
    for (const auto& [name, value] : results.lambda_w) table.row({name, number(value)});
    text += "\n" + table.text();
  }
  if (!results.why_no_lambda_w.empty()) text += fmt::format("\nλ_w is left out: {}.\n", results.why_no_lambda_w);
  Table table("llr");
  table.row({"reaction of", "on", "r_j"});
  for (const StartResults::Part& part : results.parts)
    table.row({part.of, part.along, part.unique ? number(part.value) : "not unique"});
  return text + "\n" + table.text();
}

/// Entries of which only rounding is left, beside the largest, as zeros.
Matrix without_rounding(const Eigen::Ref<const Matrix>& entries) {
  constexpr double rounding = 1e-14;  // tens of ε: the entries come from orthonormal columns
  const double negligible = rounding * largest(entries);
  return entries.unaryExpr([&](double x) { return within(std::abs(x), negligible) ? 0.0 : x; });
}

void add_cells(std::vector<std::string>& cells, const Eigen::Ref<const Matrix>& entries, Eigen::Index row) {
  for (Eigen::Index j = 0; j < entries.cols(); ++j) cells.push_back(number(entries(row, j)));
}

std::vector<std::string> numbered(const std::string& name, int count) {
  std::vector<std::string> names;
  for (int j = 1; j <= count; ++j) names.push_back(fmt::format("{}{}", name, j));
  return names;
}

/// u, u̇, h_u, the energies and M_u.
std::string tangent_velocities_text(const results::TangentMotion& motion) {
  const int k = motion.freedom();
  Table table("lrrrr" + std::string(static_cast<std::size_t>(k), 'r'));
  std::vector<std::string> head{"", "u", "u̇", "h_u", "energy"};
  for (const std::string& name : numbered("M_u", k)) head.push_back(name);
  table.row(head);
  const Matrix M = without_rounding(motion.M());
  for (int i = 0; i < k; ++i) {
    std::vector<std::string> cells{fmt::format("u{}", i + 1)};
    for (const Vector* each : {&motion.u(), &motion.udot(), &motion.h(), &motion.energies()})
      cells.push_back(number((*each)[i]));
    add_cells(cells, M, i);
    table.row(cells);
  }
  return table.text();
}

/// D, d_v, d₀ and the cosines by coordinate.
std::string tangent_columns_text(const Shape& shape, const State& state, const results::TangentMotion& motion) {
  const int k = motion.freedom();
  const bool cosines = motion.mass_is_regular();
  Table table("l" + std::string(static_cast<std::size_t>(k), 'r') + "rrr");
  std::vector<std::string> head{shape.identity_rates ? "coordinate" : "velocity"};
  for (const std::string& name : numbered("D", k)) head.push_back(name);
  head.insert(head.end(), {"d_v", "d₀", cosines ? "constrained" : ""});
  table.row(head);
  const Matrix D = without_rounding(motion.D()), d_0 = without_rounding(motion.d_0());
  Matrix velocities(shape.n(), 2);
  velocities << motion.d_v(), state.v;  // d_v is rounding beside v where it vanishes
  const Matrix d_v = without_rounding(velocities).col(0);
  for (int i = 0; i < shape.n(); ++i) {
    std::vector<std::string> cells{(shape.identity_rates ? shape.coordinates : shape.velocities)[i].name};
    add_cells(cells, D, i);
    cells.insert(cells.end(),
                 {number(d_v(i, 0)), number(d_0(i, 0)), cosines ? fmt::format("{:.4f}", motion.constrained()[i]) : ""});
    table.row(cells);
  }
  return table.text();
}

/// See results/tangent_motion.hpp.
std::string tangent_text(const Shape& shape, const State& state, const results::TangentMotion& motion) {
  std::string text =
      fmt::format("\nTangent velocities on basis \"{}\": v = D u + d_v, M_u u̇ = h_u, C d₀ = γ\n{}\n{}", motion.basis(),
                  tangent_velocities_text(motion), tangent_columns_text(shape, state, motion));
  if (motion.mass_is_regular())
    text += fmt::format("\nGauss's measure of constraint, rᵀM⁻¹r: {} J/s^2\n", number(motion.gauss()));
  return text;
}

std::string assemblies_text(const Shape& shape, const Assemblies& assemblies) {
  if (assemblies.dependent.empty()) return "\nAssemblies: the values given leave one only.\n";
  std::vector<std::string> names;
  Table table("r" + std::string(assemblies.dependent.size(), 'r') + "rr");
  std::vector<std::string> head{""};
  for (const int i : assemblies.dependent) {
    names.push_back(shape.coordinates[i].name);
    head.push_back(names.back());
  }
  head.insert(head.end(), {"residual", "hits"});
  table.row(head);
  for (std::size_t k = 0; k < assemblies.found.size(); ++k) {
    const Assembly& assembly = assemblies.found[k];
    std::vector<std::string> cells{fmt::format("{}", k + 1)};
    for (const int i : assemblies.dependent) cells.push_back(number(assembly.q[i]));
    cells.insert(cells.end(), {fmt::format("{:.1e}", assembly.residual), fmt::format("{}", assembly.hits)});
    table.row(cells);
  }
  return fmt::format("\nAssemblies that differ in {}, the first is the start; {} of {} random points led to one:\n{}",
                     list_names(names, false), assemblies.hits, assemblies.starts, table.text());
}

}  // namespace

}  // namespace text

std::string start_text(Simulation& simulation, int random_starts) {
  const StartReport report(simulation, random_starts);
  return text::values_and_forces(report, simulation.title()) + text::reactions_text(report.results) +
         (report.results.tangent ? text::tangent_text(report.shape, report.start.state, *report.results.tangent) : "") +
         text::rounding_text(simulation.system()) + text::hidden_text(simulation.hidden_constraints()) +
         (report.assemblies ? text::assemblies_text(report.shape, *report.assemblies) : "");
}

}  // namespace maggi
