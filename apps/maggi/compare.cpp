// maggi compare: every formulation on every basis, on the user's own model.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "analysis/compare.hpp"
#include "analysis/complete_system.hpp"
#include "at_start.hpp"
#include "commands.hpp"
#include "comparison_text.hpp"
#include "integration/settings.hpp"
#include "interrupt.hpp"
#include "io/file/file.hpp"
#include "io/report/report.hpp"
#include "maggi/expert/bases.hpp"
#include "maggi/expert/formulations.hpp"
#include "model_choice.hpp"
#include "name_option.hpp"
#include "output.hpp"
#include "progress.hpp"
#include "simulation_choice.hpp"

namespace maggi::app {

namespace {

using Json = nlohmann::ordered_json;

struct CompareChoice {
  ModelChoice model;
  SimulationChoice simulation;
  CompareOptions what;
  std::vector<std::string> drifts, unknowns;
  std::optional<std::string> csv, work_precision, report;
  bool no_run = false, json = false;
};

Json value(const auto& optional) { return optional ? Json(*optional) : Json(nullptr); }
Json value(const std::string& words) { return words.empty() ? Json(nullptr) : Json(words); }

Json json_name(const ComparisonRow& row) {
  return {{"formulation", row.formulation},
          {"basis", value(row.basis)},
          {"drift_control", value(row.drift_control)},
          {"unknowns", value(row.unknowns)}};
}

Json json_row(const ComparisonRow& row) {
  const auto& motion = row.motion;
  const auto of_motion = [&](auto member) { return motion ? Json((*motion).*member) : Json(nullptr); };
  using Motion = ComparisonRow::Motion;
  Json json = json_name(row);
  json.update({{"vdot_error", value(row.vdot_error)},
               {"lambda_error", value(row.lambda_error)},
               {"tolerance", row.tolerance},
               {"complement_error", value(row.complement_error)},
               {"condition", value(row.condition)},
               {"seconds", value(row.seconds)},
               {"work_seconds", row.work ? Json(row.work->seconds) : Json(nullptr)},
               {"work_evaluations", row.work ? Json(row.work->evaluations) : Json(nullptr)},
               {"steps", of_motion(&Motion::steps)},
               {"evaluations", of_motion(&Motion::evaluations)},
               {"run_seconds", of_motion(&Motion::seconds)},
               {"end_error", motion ? value(motion->end_error) : Json(nullptr)},
               {"drift", of_motion(&Motion::drift)},
               {"velocity_drift", of_motion(&Motion::velocity_drift)},
               {"energy_drift", motion ? value(motion->energy_drift) : Json(nullptr)},
               {"failure", value(row.failure)},
               {"disagreement", value(row.disagreement)}});
  return json;
}

Json json_point(const WorkPoint& point) {
  return {{"rtol", point.rtol},
          {"steps", point.steps},
          {"evaluations", point.evaluations},
          {"seconds", point.seconds},
          {"end_error", value(point.end_error)},
          {"failure", value(point.failure)}};
}

Json to_json(const Comparison& found, const std::string& title) {
  Json json{{"format_version", 1},
            {"title", title},
            {"t", found.t},
            {"states", found.states},
            {"condition", found.condition},
            {"accuracy", found.accuracy}};
  json["rows"] = Json::array();
  for (const ComparisonRow& row : found.rows) {
    Json& one = json["rows"].emplace_back(json_row(row));
    one["points"] = Json::array();
    for (const WorkPoint& point : row.points) one["points"].push_back(json_point(point));
  }
  return json;
}

/// Objects with the same keys as a table; texts are quoted, what has no value is empty.
std::string to_csv(const std::vector<Json>& rows) {
  std::string text;
  for (const Json& json : rows) {
    std::string head, line;
    for (const auto& [key, entry] : json.items()) {
      std::string cell = entry.is_null() ? "" : entry.is_string() ? entry.get<std::string>() : entry.dump();
      if (entry.is_string() && cell.find_first_of(",\"\n") != std::string::npos) {
        for (std::size_t at = 0; (at = cell.find('"', at)) != std::string::npos; at += 2) cell.insert(at, 1, '"');
        cell = '"' + cell + '"';
      }
      head += (head.empty() ? "" : ",") + key;
      line += (&entry == &json.front() ? "" : ",") + cell;
    }
    if (text.empty()) text = head + "\n";
    text += line + "\n";
  }
  return text;
}

void write_files(const CompareChoice& options, const Comparison& found, const std::string& title) {
  std::vector<Json> rows, points;
  for (const ComparisonRow& row : found.rows) {
    rows.push_back(json_row(row));
    for (const WorkPoint& point : row.points) {
      points.push_back(json_name(row));
      points.back().update(json_point(point));
    }
  }
  if (options.csv) write_file(*options.csv, to_csv(rows));
  if (options.work_precision) write_file(*options.work_precision, to_csv(points));
  if (options.report) {
    Json json = to_json(found, title);
    json["kind"] = "comparison";
    write_report(*options.report, json.dump());
  }
}

/// "all" stands for every one.
std::vector<std::string> chosen(const std::vector<std::string>& given, std::span<const std::string> names) {
  if (std::find(given.begin(), given.end(), "all") == given.end()) return given;
  return {names.begin(), names.end()};
}

void add_kinds(CLI::App& command, const char* option, std::vector<std::string>& target, const char* kind,
               std::span<const std::string> names) {
  std::vector<std::string> and_all(names.begin(), names.end());
  and_all.emplace_back("all");
  add_names(command, option, target, kind, and_all, "the model's");
}

/// Says on stderr what the exit code 2 is for.
int judge(const CompareChoice& options, const Comparison& found) {
  std::vector<const ComparisonRow*> wrong;
  for (const ComparisonRow& row : found.rows)
    if (!row.disagreement.empty()) wrong.push_back(&row);
  if (!wrong.empty())
    complain(fmt::format("{}: {} {} not agree with the reference\n", options.model.file, method_names(wrong),
                         wrong.size() == 1 ? "does" : "do"));
  if (!found.reference_failure.empty())
    complain(fmt::format("{}: no reference for the motion: {}\n", options.model.file, found.reference_failure));
  if (found.interrupted) complain(fmt::format("{}: interrupted\n", options.model.file));
  return wrong.empty() && found.reference_failure.empty() && !found.interrupted ? 0 : 2;
}

/// Each phase has its own bar: how long one takes says nothing about the next.
Comparison compare_with_progress(const System& system, CompareOptions what) {
  const Interrupt interrupt;
  std::string current;
  std::optional<Progress> progress;
  what.integrate.interrupt = &interrupt.flag();
  what.progress = [&](std::string_view phase, double part) {
    if (phase != current) progress.emplace();
    current = phase;
    (*progress)(part, [&] { return phase; });
  };
  return maggi::compare(system, what);
}

int compare(const CompareChoice& options) {
  Model model = options.model.read();
  options.simulation.apply(model);
  if (options.no_run && !model.simulation.until) model.simulation.until = Formula("0");
  HiddenConstraints hidden;
  const auto system = make_complete_system(model, hidden);
  CompareOptions what = options.what;
  what.run = !options.no_run;
  what.drifts = chosen(options.drifts, drift_names());
  what.unknowns = chosen(options.unknowns, unknowns_names());
  what.integrate = settings(model).integrate;
  const Comparison found = compare_with_progress(*system, what);

  if (options.json)
    print(to_json(found, system->shape().title).dump(2) + "\n");
  else
    print(comparison_text(found, title(system->shape(), options.model.file), what));
  write_files(options, found, title(system->shape(), options.model.file));
  return judge(options, found);
}

}  // namespace

void add_compare(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<CompareChoice>();
  CLI::App* command =
      app.add_subcommand("compare", "Every formulation on every basis: errors, time, work, drift on this model");
  CompareOptions& what = options->what;
  options->model.add_to(*command);
  add_names(*command, "--formulation", what.formulations, "formulation", formulation_choices());
  add_names(*command, "--basis", what.bases, "basis", basis_names());
  command->add_flag("--no-run", options->no_run, "at the start and near it only, without the motion");
  options->simulation.add_without_drift_to(*command);
  add_kinds(*command, "--drift", options->drifts, "drift control", drift_names());
  add_kinds(*command, "--unknowns", options->unknowns, "choice of unknowns", unknowns_names());
  command->add_option("--accuracy", what.accuracy, "relative error of the end at which work is stated")
      ->type_name("E")
      ->capture_default_str();
  command->add_option("--rtols", what.rtols, "the runs that show work against precision, each with this rtol (a,b)")
      ->type_name("R")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->default_str("1e-4,1e-6,1e-8,1e-10");
  command->add_option("--timing", what.timing, "CPU time spent on timing each method [s]; 0: none")
      ->type_name("S")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  command->add_option("--csv", options->csv, "also write the rows into a file")->type_name("FILE");
  command->add_option("--work-precision", options->work_precision, "also write the runs at all tolerances into a file")
      ->type_name("FILE");
  command->add_option("--report", options->report, "also write a page to look at: work against precision, all methods")
      ->type_name("FILE");
  command->add_flag("--json", options->json, "the same facts for programs, on stdout");
  command->footer(
      "Examples:\n"
      "  maggi compare models/andrews_squeezer.toml\n"
      "  maggi compare models/four_bar_slider.toml --formulation maggi --drift all --accuracy 1e-8\n"
      "  maggi compare models/car_axis.toml --basis qr --work-precision diagram.csv\n"
      "  maggi compare models/parallel_rods.toml --no-run --csv rods.csv\n\n"
      "A method that refuses is listed with its reason. Exit code 2 if one that does not refuse disagrees,\n"
      "or if the motion does not reach its end. Ctrl-C prints what exists.");
  command->callback([options, &exit_code] { exit_code = compare(*options); });
}

}  // namespace maggi::app
