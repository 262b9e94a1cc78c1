#include "start/start_conflict.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "start/start_proof.hpp"

namespace maggi::integration {

namespace {

using Kind = StartMember::Kind;
using Members = std::vector<StartMember>;

/// The values of a start by the kind of member they are.
std::vector<Start::Value>* values_of(Start& start, Kind kind) {
  switch (kind) {
    case Kind::position: return &start.q;
    case Kind::velocity: return &start.v;
    case Kind::acceleration: return &start.vdot;
    case Kind::multiplier: return &start.lambda;
    case Kind::reaction: return &start.reaction;
    case Kind::constraint:
    case Kind::law: break;
  }
  return nullptr;
}

/// Of a law the contact that it belongs to; none if it is no friction.
const Contact* contact_of(const Shape& shape, int law) {
  for (const Contact& contact : shape.contacts)
    if (std::ranges::find(contact.laws, law) != contact.laws.end()) return &contact;
  return nullptr;
}

std::string name_of(const Shape& shape, Kind kind, int index) {
  switch (kind) {
    case Kind::position: return displacement_name(shape, index);
    case Kind::velocity: return shape.velocities[index].name;
    case Kind::acceleration: return shape.velocities[index].name + "'";
    case Kind::multiplier: return "lambda." + shape.rows[index].name;
    case Kind::reaction: return "reaction." + displacement_name(shape, index);
    case Kind::constraint: return fmt::format("\"{}\"", shape.rows[index].name);
    case Kind::law: break;
  }
  const Contact* contact = contact_of(shape, index);
  return contact ? fmt::format("friction \"{}\"", contact->name) : fmt::format("law \"{}\"", shape.laws[index].name);
}

std::string text_of(const Shape& shape, Kind kind, int index, double value) {
  const std::string name = name_of(shape, kind, index);
  if (kind != Kind::position || shape.velocities[index].name.ends_with('\''))
    return fmt::format("{} = {:.6g}", name, value);
  const std::size_t dot = name.rfind('.');  // "ball.wx": a turn from the rotation that is given
  return fmt::format("the rotation of \"{}\" about its {}", name.substr(0, dot), name.substr(dot + 2));
}

class Filter {
 public:
  Filter(const System& system, Workspace& w, const Start& start, const Demands& demands, Stage stage)
      : system_(system), w_(w), start_(start), demands_(demands), stage_(stage) {
    list_members();
  }

  Conflict run() {
    delete_members();
    Conflict conflict;
    conflict.members = members_;
    Start start;
    Demands demands;
    reduce_to(members_, start, demands);
    StartAttempt attempt(system_, w_, start, demands);
    attempt.run(stage_);
    conflict.starts = attempt.found().starts;
    conflict.residual = attempt.found().residual;
    conflict.explanation = prove(system_, w_, start, demands, attempt, conflict.proof) + explain(attempt);
    return conflict;
  }

 private:
  /// All that takes part in the stage: its rows, its laws, its values.
  void list_members() {
    const Shape& shape = system_.shape();
    const int count = stage_ == Stage::positions    ? shape.s_p
                      : stage_ != Stage::everything ? shape.s_p + shape.s_v
                                                    : shape.m();
    for (const int i : demands_.rows)
      if (i < count)
        members_.push_back({Kind::constraint, i, name_of(shape, Kind::constraint, i), shape.rows[i].where});
    if (stage_ == Stage::everything) add_laws();
    add_values(Kind::position);
    if (stage_ != Stage::positions) add_values(Kind::velocity);
    if (stage_ == Stage::everything)
      for (const Kind kind : {Kind::acceleration, Kind::multiplier, Kind::reaction}) add_values(kind);
  }

  void add_laws() {
    const Shape& shape = system_.shape();
    for (int i = 0; i < static_cast<int>(shape.laws.size()); ++i)
      if (const Contact* contact = contact_of(shape, i); !contact || contact->laws[0] == i)
        members_.push_back({Kind::law, i, name_of(shape, Kind::law, i), shape.laws[i].where});
  }

  void add_values(Kind kind) {
    const std::vector<Start::Value>& values = *values_of(start_, kind);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const auto index = static_cast<int>(i);
      if (values[i].given)
        members_.push_back({kind, index, text_of(system_.shape(), kind, index, values[i].value), values[i].where});
    }
  }

  /// The start and the demands that have these members only; a value that is not given is a guess.
  void reduce_to(const Members& members, Start& start, Demands& demands) const {
    start = start_;
    demands = {{}, demands_.forces, std::vector<bool>(demands_.laws.size(), false)};
    for (const Kind kind : {Kind::position, Kind::velocity, Kind::acceleration, Kind::multiplier, Kind::reaction})
      for (Start::Value& value : *values_of(start, kind)) value.given = false;
    for (const StartMember& member : members)
      if (member.kind == Kind::constraint)
        demands.rows.push_back(member.index);
      else if (member.kind == Kind::law)
        put_in_force(member.index, demands);
      else
        (*values_of(start, member.kind))[member.index].given = true;
  }

  void put_in_force(int law, Demands& demands) const {
    demands.laws[law] = true;
    if (const Contact* contact = contact_of(system_.shape(), law))
      for (const int each : contact->laws) demands.laws[each] = true;
  }

  bool solvable(const Members& members) {
    Start start;
    Demands demands;
    reduce_to(members, start, demands);
    return StartAttempt(system_, w_, start, demands).run(stage_);
  }

  /// Until nothing changes: the search may have found with many members what it does not find with few.
  void delete_members() {
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t i = members_.size(); i-- > 0;) {
        Members without = members_;
        without.erase(without.begin() + static_cast<std::ptrdiff_t>(i));
        if (solvable(without)) continue;
        members_ = std::move(without);
        changed = true;
      }
    }
  }

  static std::string explain(const StartAttempt& attempt) {
    const Found& found = attempt.found();
    if (!attempt.objection().empty()) return "; where the equations are solved, " + attempt.objection();
    if (!found.finite || found.worst < 0) return "";
    const Condition& worst = attempt.conditions()[found.worst];
    std::string text = fmt::format("; the closest leaves {} at {:.3g}{}{} (scaled {:.1e})", worst.name, found.left,
                                   worst.unit.empty() ? "" : " ", worst.unit, found.residual);
    constexpr std::size_t most = 12;
    for (std::size_t i = 0; i < std::min(most, attempt.unknowns().size()); ++i)
      text += fmt::format("{} {} = {:.4g}", i == 0 ? ", at" : ",", attempt.unknowns()[i].name,
                          found.x[static_cast<Eigen::Index>(i)]);
    return text + (attempt.unknowns().size() > most ? " ..." : "");
  }

  const System& system_;
  Workspace& w_;
  Start start_;
  Demands demands_;
  Stage stage_;
  Members members_;
};

}  // namespace

Conflict find_conflict(const System& system, Workspace& w, const Start& start, const Demands& demands, Stage stage) {
  return Filter(system, w, start, demands, stage).run();
}

}  // namespace maggi::integration
