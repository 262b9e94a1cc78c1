#include "io/report/report.hpp"

#include <fmt/format.h>

#include <cassert>
#include <nlohmann/json.hpp>

#include "io/file/file.hpp"
#include "io/json/json.hpp"
#include "io/report/packed.hpp"
#include "io/report/viewer_page.hpp"
#include "simulation/motion_data.hpp"
#include "text/motion.hpp"

namespace maggi {

namespace {

using Json = nlohmann::ordered_json;

constexpr int page_format = 1;
constexpr std::size_t max_states = 5000;

/// The states that are shown: every k-th and the last.
std::vector<std::size_t> shown_states(std::size_t size) {
  const std::size_t step = (size + max_states - 1) / max_states;
  std::vector<std::size_t> shown;
  for (std::size_t i = 0; i < size; i += step) shown.push_back(i);
  if (size > 0 && shown.back() != size - 1) shown.push_back(size - 1);
  return shown;
}

Json channel(const Channel& named, const std::string& group, const std::vector<double>& values) {
  Json json{{"name", named.name}, {"unit", named.unit}, {"group", group}};
  json.update(io::packed(values));
  return json;
}

std::vector<double> values_at(const Trajectory& trajectory, int index, const std::vector<std::size_t>& states) {
  std::vector<double> values;
  for (const std::size_t i : states) values.push_back(trajectory(i, index));
  return values;
}

Json scene(const Shape& shape) {
  const auto name = [&](int place) { return shape.drawing[place].name; };
  const auto names = [&](const std::vector<int>& places) {
    Json list = Json::array();
    for (const int place : places) list.push_back(name(place));
    return list;
  };
  Json json{{"dimension", shape.scene.dimension}};
  for (const char* kind : {"points", "lines", "circles", "bodies"}) json[kind] = Json::array();
  for (const Scene::Point& point : shape.scene.points)
    json["points"].push_back({{"name", point.name},
                              {"at", names(point.at)},
                              {"trace", point.trace},
                              {"joint", point.joint},
                              {"axis", point.axis},
                              {"carrier", point.carrier},
                              {"force_axes", point.force_axes},
                              {"force_carrier", point.force_carrier}});
  for (const Scene::Line& line : shape.scene.lines) {
    Json through = Json::array();
    for (const int point : line.through) through.push_back(shape.scene.points[point].name);
    json["lines"].push_back({{"name", line.name}, {"through", through}, {"spring", line.spring}});
  }
  for (const Scene::Circle& circle : shape.scene.circles)
    json["circles"].push_back({{"name", circle.name},
                               {"about", shape.scene.points[circle.about].name},
                               {"radius", name(circle.radius)},
                               {"axis", names(circle.axis)}});
  for (const Scene::Body& body : shape.scene.bodies)
    json["bodies"].push_back({{"name", body.name},
                              {"frame", names(body.frame)},
                              {"shape", body.shape},
                              {"size", body.size},
                              {"axis", body.axis}});
  return json;
}

}  // namespace

std::string run_report_json(const Motion& motion) {
  const Motion::Data& data = motion.data();
  const Trajectory& trajectory = data.trajectory;
  const std::vector<std::size_t> states = shown_states(trajectory.size());
  Json json;
  json["format_version"] = page_format;
  json["kind"] = "run";
  json["title"] = data.title;
  json["facts"] = Json::array();
  const text::Table facts = text::facts(motion);
  for (const std::vector<std::string>& row : facts.rows()) json["facts"].push_back({row[0], row[1]});
  if (states.size() < trajectory.size())
    json["facts"].push_back(
        {"states shown", fmt::format("{} of {}; the files have all", states.size(), trajectory.size())});
  json["summary"] = Json::parse(summary_json(data.summary));
  if (!data.cpu.empty()) json["cpu"] = data.cpu;
  json["states"] = states.size();
  json["channels"] = Json::array();
  for (const Trajectory::Group& group : trajectory.groups())
    for (int i = group.first; i < group.first + group.count; ++i)
      json["channels"].push_back(channel(trajectory.channels()[i], group.name, values_at(trajectory, i, states)));
  json["left_out"] = trajectory.left_out();
  const Certificate& certificate = *data.certificate;
  const Redundancy* found = trajectory.shape().m() > 0 || certificate.certified() ? certificate.get() : nullptr;
  json["certificate"] = found ? Json::parse(redundancy_json(
                                    certificate.certified() ? *certificate.certified() : trajectory.shape(), *found))
                              : Json();
  if (!certificate.why_not.empty()) json["certificate_note"] = certificate.why_not;
  if (trajectory.shape().scene.dimension != 0) json["scene"] = scene(trajectory.shape());
  return json.dump();
}

std::string drawn_motion_json(const Shape& shape, const std::vector<double>& times,
                              const std::vector<std::vector<double>>& drawing) {
  Json json{{"states", times.size()}, {"channels", Json::array()}, {"scene", scene(shape)}};
  json["channels"].push_back(channel({"t", "s"}, "time", times));
  for (std::size_t i = 0; i < shape.drawing.size(); ++i) {
    std::vector<double> values;
    for (const std::vector<double>& state : drawing) values.push_back(state[i]);
    json["channels"].push_back(channel(shape.drawing[i], "drawing", values));
  }
  return json.dump();
}

std::string report_page(std::string_view report_json) {
  const std::string_view page = io::viewer_page();
  const std::size_t place = page.find(io::viewer_marker);
  assert(place != std::string_view::npos);
  std::string text(page.substr(0, place));
  for (const char c : report_json)  // nothing in the data may look like the end of the element
    c == '<' ? text.append("\\u003c") : text.append(1, c);
  return text.append(page.substr(place + io::viewer_marker.size()));
}

void write_report(const std::filesystem::path& path, std::string_view report_json) {
  write_file(path, report_page(report_json));
}

}  // namespace maggi
