// maggi compare: every formulation on every basis, on the user's own model.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "interrupt.hpp"
#include "maggi/analysis/comparison.hpp"
#include "maggi/integration/settings.hpp"
#include "maggi/io/file.hpp"
#include "maggi/system/equation_system.hpp"
#include "model_choice.hpp"
#include "name_option.hpp"
#include "output.hpp"
#include "simulation_choice.hpp"
#include "table.hpp"

namespace maggi::app {

namespace {

using Json = nlohmann::ordered_json;

struct CompareChoice {
  ModelChoice model;
  SimulationChoice simulation;
  std::vector<std::string> formulations, bases;
  std::optional<std::string> csv;
  bool no_run = false, json = false;
};

Json json_row(const ComparisonRow& row) {
  const auto value = [](const auto& optional) { return optional ? Json(*optional) : Json(nullptr); };
  const auto text = [](const std::string& words) { return words.empty() ? Json(nullptr) : Json(words); };
  const auto& motion = row.motion;
  const auto of_motion = [&](auto member) { return motion ? Json((*motion).*member) : Json(nullptr); };
  using Motion = ComparisonRow::Motion;
  return {{"formulation", row.formulation},
          {"basis", text(row.basis)},
          {"vdot_error", value(row.vdot_error)},
          {"lambda_error", value(row.lambda_error)},
          {"tolerance", row.tolerance},
          {"complement_error", value(row.complement_error)},
          {"condition", value(row.condition)},
          {"seconds", value(row.seconds)},
          {"steps", of_motion(&Motion::steps)},
          {"evaluations", of_motion(&Motion::evaluations)},
          {"run_seconds", of_motion(&Motion::seconds)},
          {"end_error", motion ? value(motion->end_error) : Json(nullptr)},
          {"drift", of_motion(&Motion::drift)},
          {"velocity_drift", of_motion(&Motion::velocity_drift)},
          {"energy_drift", motion ? value(motion->energy_drift) : Json(nullptr)},
          {"failure", text(row.failure)},
          {"disagreement", text(row.disagreement)}};
}

Json to_json(const Comparison& found, const Shape& shape) {
  Json json{{"format_version", 1}, {"title", shape.title}, {"t", found.t}, {"condition", found.condition}};
  json["rows"] = Json::array();
  for (const ComparisonRow& row : found.rows) json["rows"].push_back(json_row(row));
  return json;
}

/// The rows of the JSON as a table; texts are quoted, what has no value is empty.
std::string to_csv(const Comparison& found) {
  std::string text;
  for (const ComparisonRow& row : found.rows) {
    const Json json = json_row(row);
    std::string head, line;
    for (const auto& [key, value] : json.items()) {
      std::string cell = value.is_null() ? "" : value.is_string() ? value.get<std::string>() : value.dump();
      if (value.is_string() && cell.find_first_of(",\"\n") != std::string::npos) {
        for (std::size_t at = 0; (at = cell.find('"', at)) != std::string::npos; at += 2) cell.insert(at, 1, '"');
        cell = '"' + cell + '"';
      }
      head += (head.empty() ? "" : ",") + key;
      line += (&value == &json.front() ? "" : ",") + cell;
    }
    if (text.empty()) text = head + "\n";
    text += line + "\n";
  }
  return text;
}

std::string rounded(const std::optional<double>& error) {
  return !error ? "" : *error == 0.0 ? "0" : fmt::format("{:.0e}", *error);
}

/// Solved at the start, the cheapest first.
std::vector<const ComparisonRow*> by_cost(const Comparison& found) {
  std::vector<const ComparisonRow*> rows;
  for (const ComparisonRow& row : found.rows)
    if (row.vdot_error) rows.push_back(&row);
  std::stable_sort(rows.begin(), rows.end(), [](const ComparisonRow* a, const ComparisonRow* b) {
    return a->seconds.value_or(0.0) < b->seconds.value_or(0.0);
  });
  return rows;
}

std::string numbers_text(const Comparison& found, bool with_motion) {
  const std::vector<const ComparisonRow*> rows = by_cost(found);
  if (rows.empty()) return "";
  Table table(with_motion ? "llrrrrrrrrrr" : "llrrrrr");
  std::vector<std::string> head{"formulation", "basis", "time", "v̇", "λ", "C D", "cond D"};
  if (with_motion) head.insert(head.end(), {"steps", "run [ms]", "end", "drift", "energy"});
  table.row(head);
  const double fastest = rows.front()->seconds.value_or(0.0);
  for (const ComparisonRow* row : rows) {
    std::vector<std::string> cells{row->formulation,
                                   row->basis,
                                   row->seconds ? fmt::format("{:.2f}", *row->seconds / fastest) : "",
                                   rounded(row->vdot_error),
                                   rounded(row->lambda_error),
                                   rounded(row->complement_error),
                                   row->condition ? fmt::format("{:.3g}", *row->condition) : ""};
    if (row->motion) {
      const ComparisonRow::Motion& m = *row->motion;
      cells.insert(cells.end(), {fmt::format("{}", m.steps), fmt::format("{:.2f}", 1e3 * m.seconds),
                                 rounded(m.end_error), rounded(m.drift), rounded(m.energy_drift)});
    }
    table.row(cells);
  }
  return fmt::format(
      "{}\n  time     of one evaluation; 1 is {:.3g} µs\n"
      "  v̇, λ     relative errors at the start, against extended precision\n"
      "  C D      largest entry, relative; cond D: condition number of the basis\n{}",
      table.text(), 1e6 * fastest,
      with_motion ? "  end      relative error of the last state, against a run that is tighter\n"
                    "  drift    largest scaled position residual; energy: largest change [J]\n"
                  : "");
}

/// "augmented, maggi (qr, svd)"
std::string method_names(const std::vector<const ComparisonRow*>& rows) {
  std::vector<std::string> names;
  for (auto row = rows.begin(); row != rows.end();) {
    const std::string& formulation = (*row)->formulation;
    std::vector<std::string> bases;
    for (; row != rows.end() && (*row)->formulation == formulation; ++row) bases.push_back((*row)->basis);
    names.push_back(bases[0].empty() ? formulation : fmt::format("{} ({})", formulation, listed(bases)));
  }
  return listed(names);
}

/// Methods with the same thing to say share a line.
template <class Said>
std::string grouped(const Comparison& found, const std::string& head, const Said& said) {
  std::vector<std::pair<std::string, std::vector<const ComparisonRow*>>> groups;
  for (const ComparisonRow& row : found.rows) {
    const std::string what = said(row);
    if (what.empty()) continue;
    auto same = std::find_if(groups.begin(), groups.end(), [&](const auto& group) { return group.first == what; });
    if (same == groups.end()) same = groups.insert(groups.end(), {what, {}});
    same->second.push_back(&row);
  }
  std::string text;
  for (const auto& [what, rows] : groups) text += fmt::format("  {}: {}\n", method_names(rows), what);
  return text.empty() ? "" : fmt::format("\n{}\n{}", head, text);
}

std::string verdict(const Comparison& found) {
  long solved = 0, wrong = 0;
  double largest = 0.0;
  for (const ComparisonRow& row : found.rows) {
    if (!row.vdot_error) continue;
    ++solved;
    if (!row.disagreement.empty())
      ++wrong;
    else
      largest = std::max({largest, *row.vdot_error, *row.lambda_error});
  }
  if (solved == 0) return "No method has a solution.\n";
  const std::string who = wrong > 0     ? fmt::format("{} of {} agree", solved - wrong, count(solved, "method"))
                          : solved == 1 ? "The method agrees with the reference"
                          : solved == 2 ? "Both methods agree"
                                        : fmt::format("All {} methods agree", solved);
  return fmt::format("{} at the start, within {}; condition number of the equations {:.2g}.\n", who, rounded(largest),
                     found.condition);
}

std::string to_text(const Comparison& found, const Shape& shape, const CompareChoice& options) {
  std::string text = fmt::format("{}: {} at t = {}\n\n{}", title(shape, options.model.file),
                                 count(static_cast<long>(found.rows.size()), "method"), number(found.t),
                                 numbers_text(found, !options.no_run));
  text += grouped(found, "Refused:", [](const ComparisonRow& row) { return row.vdot_error ? "" : row.failure; });
  text += grouped(found,
                  "Did not reach the end:", [](const ComparisonRow& row) { return row.vdot_error ? row.failure : ""; });
  text += grouped(found, "Wrong:", [](const ComparisonRow& row) { return row.disagreement; });
  return text + "\n" + verdict(found);
}

int compare(const CompareChoice& options) {
  Model model = options.model.read();
  options.simulation.apply(model);
  if (options.no_run && !model.simulation.until) model.simulation.until = Formula("0");
  const EquationSystem system(model);
  const Interrupt interrupt;
  CompareOptions what{.formulations = options.formulations, .bases = options.bases, .run = !options.no_run};
  what.integrate = settings(model).integrate;
  what.integrate.interrupt = &interrupt.flag();
  const Comparison found = maggi::compare(system, what);

  if (options.json)
    print(to_json(found, system.shape()).dump(2) + "\n");
  else
    print(to_text(found, system.shape(), options));
  if (options.csv) write_file(*options.csv, to_csv(found));

  std::vector<const ComparisonRow*> wrong;
  for (const ComparisonRow& row : found.rows)
    if (!row.disagreement.empty()) wrong.push_back(&row);
  if (!wrong.empty())
    complain(fmt::format("{}: {} {} not agree with the reference\n", options.model.file, method_names(wrong),
                         wrong.size() == 1 ? "does" : "do"));
  if (!found.reference_failure.empty())
    complain(fmt::format("{}: no reference for the motion: {}\n", options.model.file, found.reference_failure));
  else if (found.interrupted)
    complain(fmt::format("{}: interrupted\n", options.model.file));
  return wrong.empty() && found.reference_failure.empty() && !found.interrupted ? 0 : 2;
}

}  // namespace

void add_compare(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<CompareChoice>();
  CLI::App* command =
      app.add_subcommand("compare", "Every formulation on every basis: errors, time, drift on this model");
  options->model.add_to(*command);
  add_names(*command, "--formulation", options->formulations, "formulation", formulation_names());
  add_names(*command, "--basis", options->bases, "basis", basis_names());
  command->add_flag("--no-run", options->no_run, "at the start only, without the motion");
  options->simulation.add_to(*command);
  command->add_option("--csv", options->csv, "also write the rows into a file")->type_name("FILE");
  command->add_flag("--json", options->json, "the same facts for programs, on stdout");
  command->footer(
      "Examples:\n"
      "  maggi compare models/andrews_squeezer.toml\n"
      "  maggi compare models/four_bar_slider.toml --formulation maggi --drift none --rtol 1e-6\n"
      "  maggi compare models/parallel_rods.toml --no-run --csv rods.csv\n\n"
      "A method that refuses is listed with its reason. Exit code 2 if one that does not refuse disagrees,\n"
      "or if the motion does not reach its end.");
  command->callback([options, &exit_code] { exit_code = compare(*options); });
}

}  // namespace maggi::app
