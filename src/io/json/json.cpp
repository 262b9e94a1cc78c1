#include "io/json/json.hpp"

#include "io/json/notes_json.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "io/file/file.hpp"
#include "simulation/contact_states.hpp"

namespace maggi {

namespace {

using Json = nlohmann::ordered_json;
using How = InitialConditions::How;

constexpr int format_version = 1;

/// JSON has no NaN: nlohmann would write null, which reads as "there is none".
Json number(double value, std::string_view name) {
  if (!std::isfinite(value)) throw Error(Errc::numerics, {}, fmt::format("\"{}\" is not a finite number", name));
  return value;
}

/// At the end, without looking whether the name is there: each occurs once.
void append(Json& object, const std::string& name, Json value) {
  object.get_ref<Json::object_t&>().emplace_back(name, std::move(value));
}

Json by_name(const NamedValues& values) {
  Json result = Json::object();
  for (const auto& [name, value] : values) append(result, name, number(value, name));
  return result;
}

template <class Names>  // anything whose elements have a name
Json by_name(const Names& names, const Vector& values) {
  Json result = Json::object();
  for (std::size_t i = 0; i < names.size(); ++i)
    append(result, names[i].name, number(values[static_cast<Eigen::Index>(i)], names[i].name));
  return result;
}

/// What v is called: by the coordinates if q̇ = v.
const std::vector<Channel>& names_of_velocities(const Shape& shape) {
  return shape.identity_rates ? shape.coordinates : shape.velocities;
}

Json list(const Vector& values, std::string_view name) {
  Json result = Json::array();
  for (const double value : values) result.push_back(number(value, name));
  return result;
}

Json list(const Matrix& matrix, std::string_view name) {
  Json result = Json::array();
  for (Eigen::Index i = 0; i < matrix.rows(); ++i) result.push_back(list(Vector(matrix.row(i)), name));
  return result;
}

std::string indented(const Json& json) { return json.dump(2) + "\n"; }

Json formulas(const EquationFormulas& f, bool with_D) {
  Json result{{"M", f.M},     {"h", f.h},     {"C", f.C}, {"gamma", f.gamma}, {"f", f.f},
              {"phi", f.phi}, {"psi", f.psi}, {"T", f.T}, {"law", f.law},     {"B", f.B}};
  if (with_D) result["D"] = f.D, result["Ddot"] = f.Ddot;
  return result;
}

/// in_force: is it, by the names of rows and laws; not_in_force: why not; no_lambda: why a multiplier is no number of
/// its own.
void append_in_force(Json& json, const EquationsOfMotion& equations) {
  Json in_force = Json::object(), reasons = Json::object(), no_lambda = Json::object();
  for (const auto* names : {&equations.constraints, &equations.laws})
    for (const std::string& name : *names) append(in_force, name, true);
  for (const auto& [name, why] : equations.not_in_force) {
    append(in_force, name, false);
    append(reasons, name, why);
  }
  for (std::size_t i = 0; i < equations.constraints.size(); ++i)
    if (!equations.no_lambda[i].empty()) append(no_lambda, equations.constraints[i], equations.no_lambda[i]);
  json["in_force"] = std::move(in_force);
  json["not_in_force"] = std::move(reasons);
  json["no_lambda"] = std::move(no_lambda);
  json["open_controls"] = equations.open_controls;
}

/// The names of those values that came about in one of these ways.
Json names_where(const std::vector<Channel>& names, const std::vector<How>& how, bool found) {
  Json result = Json::array();
  for (std::size_t i = 0; i < how.size(); ++i)
    if ((how[i] == How::found) == found) result.push_back(names[i].name);
  return result;
}

Json branches(const Shape& shape, const Assemblies& assemblies) {
  Json json{{"starts", assemblies.starts}, {"hits", assemblies.hits}};
  json["dependent"] = Json::array();
  for (const int i : assemblies.dependent) json["dependent"].push_back(shape.coordinates[i].name);
  json["assemblies"] = Json::array();
  for (const Assembly& assembly : assemblies.found)
    json["assemblies"].push_back({{"q", by_name(shape.coordinates, assembly.q)},
                                  {"residual", number(assembly.residual, "residual")},
                                  {"hits", assembly.hits}});
  return json;
}

Json tangent_json(const std::vector<Channel>& velocities, const results::TangentMotion& motion) {
  Json json{{"basis", motion.basis()},
            {"u", list(motion.u(), "u")},
            {"udot", list(motion.udot(), "udot")},
            {"M", list(motion.M(), "M")},
            {"h", list(motion.h(), "h")},
            {"energies", list(motion.energies(), "energies")},
            {"D", list(Matrix(motion.D()), "D")},
            {"d_v", by_name(velocities, motion.d_v())},
            {"d_0", by_name(velocities, motion.d_0())}};
  if (!motion.mass_is_regular()) return json;
  json["constrained"] = by_name(velocities, motion.constrained());
  json["gauss"] = number(motion.gauss(), "gauss");
  return json;
}

void append_results(Json& json, const std::vector<Channel>& velocities, const StartResults& results) {
  for (const auto& [name, value] : results.forces) append(json["forces"], name, number(value, name));
  if (results.with_parts) {
    Json parts = Json::object();
    for (const StartResults::Part& part : results.parts)
      if (part.unique) parts[part.of][part.along] = number(part.value, part.of);
    json["parts"] = std::move(parts);
    json["lambda_w"] = by_name(results.lambda_w);
    if (!results.why_no_lambda_w.empty()) json["why_no_lambda_w"] = results.why_no_lambda_w;
  }
  if (results.tangent) json["tangent"] = tangent_json(velocities, *results.tangent);
}

}  // namespace

std::string summary_json(const Summary& summary) {
  Json json;
  json["format_version"] = format_version;
  json["dof"] = summary.dof;
  json["rank"] = summary.rank;
  json["formulation"] = summary.formulation;
  json["reason"] = summary.reason;
  json["formulas"] = summary.formulas.empty() ? Json() : Json(summary.formulas);
  json["outcome"] = outcome_name(summary.outcome);
  if (!summary.explanation.empty()) json["explanation"] = summary.explanation;
  json["t"] = number(summary.t, "t");
  json["steps"] = summary.steps;
  json["evaluations"] = summary.evaluations;
  json["restarts"] = summary.restarts;
  json["seconds"] = number(summary.seconds, "seconds");
  json["residual_position"] = number(summary.residual_position, "residual_position");
  json["residual_velocity"] = number(summary.residual_velocity, "residual_velocity");
  json["energy_drift"] = summary.energy_drift ? number(*summary.energy_drift, "energy_drift") : Json();
  if (!summary.energy_drift) json["energy_note"] = summary.energy_note;
  if (summary.energy_balance) {
    json["energy_balance"] = number(*summary.energy_balance, "energy_balance");
    json["energy_turned_over"] = number(*summary.energy_turned_over, "energy_turned_over");
  }
  if (summary.ideality) json["ideality"] = number(*summary.ideality, "ideality");
  json["notes"] = notes_json(summary.notes);
  if (!summary.rounded_data.empty()) json["rounded_data"] = summary.rounded_data;
  json["events"] = Json::array();
  for (const EventRecord& event : summary.events)
    json["events"].push_back({{"t", number(event.t, "events.t")},
                              {"name", event.name},
                              {"text", event.what},
                              {"on", event.on},
                              {"off", event.off},
                              {"impulses", by_name(event.impulses)},
                              {"energy_lost", number(event.energy_lost, "events.energy_lost")}});
  json["final"] = {{"q", by_name(summary.q)},
                   {"v", by_name(summary.v)},
                   {"lambda", by_name(summary.lambda)},
                   {"reaction", by_name(summary.reaction)},
                   {"controls", by_name(summary.controls)},
                   {"forces", by_name(summary.forces)}};
  if (!summary.tangent.empty()) json["final"]["tangent"] = by_name(summary.tangent);
  if (!summary.parts.empty()) json["final"]["parts"] = by_name(summary.parts);
  return indented(json);
}

void write_summary(const std::filesystem::path& path, const Summary& summary) {
  write_file(path, summary_json(summary));
}

std::string initial_conditions_json(const Shape& shape, const InitialConditions& start, const Matrix& undetermined,
                                    const Assemblies* assemblies, const StartResults* results) {
  const std::vector<Channel>& velocities = names_of_velocities(shape);
  Json lambda = Json::object();
  for (const int i : shape.constraints())
    if (shape.rows[i].has_multiplier() &&
        (undetermined.cols() == 0 || undetermined.row(i).isZero(0.0) || start.lambda[i] == How::given))
      append(lambda, shape.rows[i].name, number(start.acceleration.lambda[i], shape.rows[i].name));

  Json json;
  json["format_version"] = format_version;
  json["t"] = number(start.state.t, "t");
  json["q"] = by_name(shape.coordinates, start.state.q);
  json["v"] = by_name(velocities, start.state.v);
  json["vdot"] = by_name(velocities, start.acceleration.vdot);
  json["lambda"] = std::move(lambda);
  json["reaction"] = by_name(velocities, start.acceleration.reaction);
  json["controls"] = by_name(shape.controls, start.acceleration.p);
  json["forces"] = by_name(shape.laws, start.acceleration.tau);
  if (results) append_results(json, velocities, *results);
  json["contacts"] = Json::object();
  for (const Contact& contact : shape.contacts) json["contacts"][contact.name] = state_of(contact, start.mode);
  json["free"] = {{"q", names_where(shape.coordinates, start.q, false)},
                  {"v", names_where(velocities, start.v, false)}};
  json["found"] = {{"q", names_where(shape.coordinates, start.q, true)}, {"v", names_where(velocities, start.v, true)}};
  json["residuals"] = {{"position", number(start.residuals.position, "residuals.position")},
                       {"velocity", number(start.residuals.velocity, "residuals.velocity")},
                       {"acceleration", number(start.residual_acceleration, "residuals.acceleration")}};
  json["conditions"] = {{"position", number(start.condition_position, "conditions.position")},
                        {"velocity", number(start.condition_velocity, "conditions.velocity")}};
  json["method"] = start.method;
  if (assemblies != nullptr) json["branches"] = branches(shape, *assemblies);
  return indented(json);
}

std::string redundancy_json(const Shape& shape, const Redundancy& redundancy) {
  Json json;
  json["rank"] = redundancy.rank;
  json["rank_nearby"] = redundancy.rank_nearby;
  json["distance_to_singularity"] = number(redundancy.distance_to_singularity, "distance_to_singularity");
  json["rank_tolerance"] = number(redundancy.tolerance, "rank_tolerance");
  json["redundant"] = Json::array();
  for (const Dependency& d : redundancy.dependencies) {
    Json combination = Json::object();
    for (const Dependency::Term& term : d.combination)
      combination[shape.rows[term.row].name] = number(term.factor, "combination");
    json["redundant"].push_back({{"row", shape.rows[d.row].name},
                                 {"combination", combination},
                                 {"permanent", d.permanent ? Json(*d.permanent) : Json()},
                                 {"compatible", d.compatible},
                                 {"hides_condition", d.hides_condition}});
  }
  json["reactions"] = Json::array();
  for (const int i : shape.constraints())
    if (shape.rows[i].has_multiplier())
      json["reactions"].push_back({{"name", shape.rows[i].name},
                                   {"level", level_name(shape.rows[i].level)},
                                   {"unique", bool(redundancy.unique[i])},
                                   {"unique_nearby", bool(redundancy.unique_nearby[i])}});
  return indented(json);
}

std::string equations_json(const EquationsOfMotion& equations) {
  const auto named = [](const std::vector<std::string>& names, const Vector& values) {
    Json result = Json::object();
    for (std::size_t i = 0; i < names.size(); ++i)
      append(result, names[i], number(values[static_cast<Eigen::Index>(i)], names[i]));
    return result;
  };
  Json json;
  json["format_version"] = format_version;
  json["t"] = number(equations.state.t, "t");
  json["q"] = named(equations.coordinates, equations.state.q);
  json["v"] = named(equations.velocities, equations.state.v);
  json["coordinates"] = equations.velocities;
  json["constraints"] = equations.constraints;
  json["M"] = list(equations.M, "M");
  json["h"] = list(equations.h, "h");
  json["C"] = list(equations.C, "C");
  json["gamma"] = list(equations.gamma, "gamma");
  json["laws"] = equations.laws;
  json["T"] = list(equations.T, "T");
  json["controls"] = equations.controls;
  json["B"] = list(equations.B, "B");
  json["vdot"] = list(equations.vdot, "vdot");
  json["lambda"] = list(equations.lambda, "lambda");
  json["tau"] = list(equations.tau, "tau");
  json["p"] = list(equations.p, "p");
  append_in_force(json, equations);
  json["basis"] = equations.basis;
  json["D"] = list(equations.D, "D");
  json["Ddot"] = equations.why_no_Ddot.empty() ? list(equations.Ddot, "Ddot") : Json();
  if (!equations.why_no_Ddot.empty()) json["why_no_Ddot"] = equations.why_no_Ddot;
  const bool with_D = equations.why_no_D.empty();
  if (equations.formulas) json["symbolic"] = formulas(*equations.formulas, with_D);
  if (equations.latex) json["latex"] = formulas(*equations.latex, with_D);
  if (!with_D) json["why_no_D"] = equations.why_no_D;
  return indented(json);
}

}  // namespace maggi
