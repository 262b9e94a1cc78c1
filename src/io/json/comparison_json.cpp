#include "io/json/comparison_json.hpp"

#include <nlohmann/json.hpp>

namespace maggi {

namespace {

using Json = nlohmann::ordered_json;

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

Json whole(const Comparison& found) {
  Json json{{"format_version", 1},    {"title", found.title},         {"t", found.t},
            {"states", found.states}, {"condition", found.condition}, {"accuracy", found.accuracy}};
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

}  // namespace

std::string comparison_json(const Comparison& found) { return whole(found).dump(2) + "\n"; }

std::string comparison_report_json(const Comparison& found) {
  Json json = whole(found);
  json["kind"] = "comparison";
  return json.dump();
}

std::string comparison_csv(const Comparison& found) {
  std::vector<Json> rows;
  for (const ComparisonRow& row : found.rows) rows.push_back(json_row(row));
  return to_csv(rows);
}

std::string work_precision_csv(const Comparison& found) {
  std::vector<Json> points;
  for (const ComparisonRow& row : found.rows)
    for (const WorkPoint& point : row.points) {
      points.push_back(json_name(row));
      points.back().update(json_point(point));
    }
  return to_csv(points);
}

}  // namespace maggi
