#include "io/json/check_json.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "io/json/json.hpp"
#include "io/json/notes_json.hpp"
#include "simulation/check_data.hpp"
#include "system/make_system.hpp"
#include "system/seam/displacement.hpp"
#include "text/check.hpp"

namespace maggi {

namespace {

using Json = nlohmann::ordered_json;

/// Names of rows that hide a further condition; null where that cannot be said: in a singular configuration, or if no
/// nearby configuration could be reached.
Json hidden_rows(const Check::Data& found) {
  Json names = Json::array();
  for (const Dependency& d : found.redundancy().dependencies) {
    if (!d.permanent || found.redundancy().singular_pose()) return nullptr;
    if (d.hides_condition) names.push_back(found.constraints().rows[d.row].name);
  }
  return names;
}

/// How far the constraints hold each coordinate, by name; null if the mass matrix is singular.
Json constrained(const Check::Data& found) {
  if (found.mobility.constrained.size() == 0) return nullptr;
  Json json = Json::object();
  for (int i = 0; i < found.shape().n(); ++i) json[displacement_name(found.shape(), i)] = found.mobility.constrained[i];
  return json;
}

Json tree_json(const MechanismSystem& mechanism) {
  Json json = Json::array();
  for (const MechanismSystem::Branch& branch : mechanism.tree())
    json.push_back({{"body", branch.body},
                    {"joint", branch.joint.empty() ? Json(nullptr) : Json(branch.joint)},
                    {"on", branch.parent},
                    {"coordinates", branch.coordinates}});
  return json;
}

Json loops_json(const MechanismSystem& mechanism, const std::vector<PartialMobility>& loops) {
  Json json = Json::array();
  for (std::size_t k = 0; k < loops.size(); ++k) {
    const MechanismSystem::Loop& loop = mechanism.loops()[k];
    json.push_back({{"joint", loop.joint},
                    {"around", loop.around},
                    {"constraints", loop.rows},
                    {"rank", loops[k].rank},
                    {"dof", loops[k].freedom()},
                    {"cut", loop.through.empty() ? loop.joint : loop.through}});
  }
  return json;
}

Json rounded_json(const System& system) {
  Json json = Json::array();
  for (const MechanismSystem::RoundedLoop& loop : rounded_data(system))
    json.push_back({{"joints", loop.joints},
                    {"finding", MechanismSystem::RoundedLoop::finding_name(loop.finding)},
                    {"repaired", loop.repaired},
                    {"dof", loop.freedom},
                    {"dof_missed", loop.freedom_missed},
                    {"data_tolerance", loop.tolerance},
                    {"size", loop.size},
                    {"misfit", loop.misfit},
                    {"misfit_left", loop.misfit_left},
                    {"change", loop.change},
                    {"largest", loop.largest},
                    {"relations", loop.relations},
                    {"text", loop.text}});
  return json;
}

Json realisation_json(const Check::Data& found) {
  if (!found.realisation) return nullptr;
  const ServoRealisation& r = *found.realisation;
  Json json{{"kind", realisation_name(r.kind)},
            {"controls", r.controls},
            {"servo", r.servo},
            {"free_controls", r.free},
            {"rank", r.rank},
            {"index", r.index},
            {"internal", r.internal}};
  json["not_unique"] = Json::array();
  for (const int i : r.not_unique) json["not_unique"].push_back(found.shape().controls[i].name);
  json["unreached"] = Json::array();
  for (const auto& terms : r.unreached) {
    Json combination = Json::object();
    for (const Dependency::Term& term : terms) combination[found.shape().rows[term.row].name] = term.factor;
    json["unreached"].push_back(combination);
  }
  return json;
}

Json motions_json(const Shape& shape, const Mobility& mobility) {
  Json json = Json::array();
  for (Eigen::Index j = 0; j < mobility.motions.cols(); ++j) {
    Json motion = Json::object();
    for (int i = 0; i < shape.n(); ++i)
      if (mobility.motions(i, j) != 0.0) motion[shape.velocities[i].name] = mobility.motions(i, j);
    json.push_back(std::move(motion));
  }
  return json;
}

/// {joint: type, or {type, axis}, or null: left out}; null if there is no remedy.
Json remedy_json(const Check::Data& found) {
  if (!found.remedy) return nullptr;
  Json json = Json::object();
  for (const Remedy::Change& change : found.remedy->changes) {
    json[change.name] = change.type ? Json(std::string(joint_type_name(*change.type))) : Json(nullptr);
    if (!change.axis.empty()) json[change.name] = {{"type", json[change.name]}, {"axis", change.axis}};
  }
  return json;
}

}  // namespace

std::string check_json(const Check& check) {
  const Check::Data& found = check.data();
  const Shape &shape = found.shape(), &constraints = found.constraints();
  const Redundancy &redundancy = found.redundancy(), &reduced = found.reduced;
  const Mobility& mobility = found.mobility;
  const MechanismSystem* mechanism = found.mechanism();
  Json json;
  json["format_version"] = 1;
  json["title"] = shape.title;
  json["dof"] = found.dof;
  json.update(Json::parse(redundancy_json(constraints, redundancy)));
  json["distance_to_singularity"] = reduced.distance_to_singularity;  // of the equations that are solved
  json["rank_tolerance"] = reduced.tolerance;
  json["coordinates"] = Json::array();
  for (const Channel& q : shape.coordinates) json["coordinates"].push_back(q.name);
  json["constrained"] = constrained(found);
  json["independent"] = Json::array();
  for (const int i : mobility.independent) json["independent"].push_back(displacement_name(shape, i));
  json["motions"] = motions_json(shape, mobility);
  if (!mobility.left_out.empty()) {
    json["independent"] = json["motions"] = nullptr;
    json["left_out"] = {{"constrained, independent, motions", mobility.left_out}};
  }
  json["constraints"] = Json::array();
  for (const int i : constraints.constraints()) {
    const Row& row = constraints.rows[i];
    json["constraints"].push_back({{"name", row.name},
                                   {"level", level_name(row.level)},
                                   {"active", row.active_at_start},
                                   {"class", text::class_name(row)},
                                   {"hidden", row.hidden}});
  }
  json["notes"] = notes_json(found.notes);
  json["hidden"] = hidden_rows(found);
  json["hidden_constraints"] = Json::array();
  for (const HiddenConstraint& h : found.hidden.found)
    json["hidden_constraints"].push_back({{"name", h.constraint.name},
                                          {"level", level_name(h.constraint.level)},
                                          {"formula", h.constraint.formula.text},
                                          {"from", h.from},
                                          {"derivatives", h.derivatives}});
  if (!found.hidden.unfinished.empty()) json["hidden_unfinished"] = found.hidden.unfinished;
  json["realisation"] = realisation_json(found);
  json["counts"] = {{"s_p", shape.s_p},
                    {"s_v", shape.s_v},
                    {"s_a", shape.s_a},
                    {"n_p", found.free_positions},
                    {"n_v", found.free_velocities}};
  json["rounded_loops"] = rounded_json(*found.system);
  if (mechanism) {
    json["tree"] = tree_json(*mechanism);
    json["loops"] = loops_json(*mechanism, found.loops);
    json["reduced"] = {{"constraints", shape.m()}, {"rank", reduced.rank}};
    json["remedy"] = remedy_json(found);
  }
  json["ends"] = found.early_end ? Json{{"t", found.early_end->t}, {"why", found.early_end->why}} : Json(nullptr);
  json["free"] = {{"q", found.free_positions}, {"v", found.free_velocities}};
  json["energy"] = text::energy_text(shape);
  json["formulation"] = found.formulation;
  json["reason"] = found.reason;
  return json.dump(2) + "\n";
}

}  // namespace maggi
