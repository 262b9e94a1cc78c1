#include "start/start_conflict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/largest.hpp"
#include "start/start_blocks.hpp"
#include "start/start_proof.hpp"
#include "start/start_search.hpp"

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

/// Displacements along "ball.wx", "ball.wy", "ball.wz" are a rotation from the one at which the start begins.
bool is_rotation(const Shape& shape, int i) {
  return !shape.identity_rates && !shape.velocities[i].name.ends_with('\'');
}
std::string owner_of_rotation(const Shape& shape, int i) {
  const std::string& name = shape.velocities[i].name;
  const std::string owner = name.substr(0, name.rfind('.'));
  return owner.ends_with(".body") ? owner.substr(0, owner.size() - 5) : owner;
}

std::string text_of(const Shape& shape, Kind kind, int index, double value) {
  const std::string name = name_of(shape, kind, index);
  if (kind != Kind::position || !is_rotation(shape, index)) return fmt::format("{} = {:.6g}", name, value);
  return fmt::format("the rotation of \"{}\" about its {}", owner_of_rotation(shape, index), name.back());
}

/// The displacements that occur in these rows.
std::vector<bool> taking_part(const Shape& shape, const std::vector<int>& rows) {
  std::vector<int> at(shape.m(), -1);
  for (std::size_t k = 0; k < rows.size(); ++k) at[rows[k]] = static_cast<int>(k);
  std::vector<bool> part(shape.n(), false);
  for (const std::vector<int>& of_row : coordinates_of_rows(shape, at, static_cast<int>(rows.size())))
    for (const int i : of_row) part[i] = true;
  return part;
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
    conflict.explanation = prove(system_, w_, start, demands, attempt, conflict.proof) + explain(attempt, demands.rows);
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
    if (stage_ != Stage::velocities) add_values(Kind::position);
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
      if (kind != Kind::position || stage_ != Stage::velocities)  // then the positions are known
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

  std::string explain(const StartAttempt& attempt, const std::vector<int>& rows) const {
    const Found& found = attempt.found();
    if (!attempt.objection().empty()) return "; where the equations are solved, " + attempt.objection();
    if (!found.finite || found.worst < 0) return "";
    const Condition& worst = attempt.conditions()[found.worst];
    std::string text = fmt::format("; the closest leaves {} at {:.3g}{}{} (scaled {:.1e})", worst.name, found.left,
                                   worst.unit.empty() ? "" : " ", worst.unit, found.residual);
    if (attempt.stage() == Stage::velocities) return text;  // linear: what is missed says enough
    const std::vector<std::string> values = values_of_part(attempt, rows);
    constexpr std::size_t most = 12;
    for (std::size_t i = 0; i < std::min(most, values.size()); ++i) text += (i == 0 ? ", at " : ", ") + values[i];
    return text + (values.size() > most ? " ..." : "");
  }

  /// What the attempt found for the unknowns that occur in these rows: of a rotation from where it began the vector.
  std::vector<std::string> values_of_part(const StartAttempt& attempt, const std::vector<int>& rows) const {
    const Shape& shape = system_.shape();
    const std::vector<bool> part = taking_part(shape, rows);
    const Found& found = attempt.found();
    const double rounding = 1e-9 * (1.0 + largest(found.x));
    const auto value = [&](int i) { return std::abs(found.x[i]) < rounding ? 0.0 : found.x[i]; };
    std::vector<std::string> values;
    for (int i = 0; i < static_cast<int>(attempt.unknowns().size()); ++i) {
      if (i < 2 * shape.n() && !part[i % shape.n()]) continue;
      const bool is_position = attempt.stage() != Stage::velocities && i < shape.n();
      if (!is_position || !is_rotation(shape, i)) {
        values.push_back(fmt::format("{} = {:.4g}", attempt.unknowns()[i].name, value(i)));
      } else {
        values.push_back(fmt::format("{} turned by ({:.4g}, {:.4g}, {:.4g}) rad", owner_of_rotation(shape, i), value(i),
                                     value(i + 1), value(i + 2)));
        i += 2;
      }
    }
    return values;
  }

  const System& system_;
  Workspace& w_;
  Start start_;
  Demands demands_;
  Stage stage_;
  Members members_;
};

/// How many positions, or velocities, are given beyond those that can be chosen where the search begins.
std::string counts(const System& system, Workspace& w, const Start& start, const Demands& demands,
                   const StartAttempt& failed) {
  if (failed.stage() == Stage::everything) return "";
  const bool positions = failed.stage() == Stage::positions;
  Start open = start;
  for (auto* values : {&open.q, &open.v})
    for (Start::Value& value : *values) value.given = false;
  StartProblem problem(system, w, open, demands, {}, positions ? Stage::positions : Stage::velocities, failed.state());
  Vector at = failed.displacement();
  if (!positions) at = failed.state().v;
  const auto rank = static_cast<int>(Search(problem).choose_dependent(at).size());
  const int dof = system.shape().n() - rank;
  const auto given = static_cast<int>(std::ranges::count_if(positions ? start.q : start.v, &Start::Value::given));
  if (given <= dof) return "";
  return fmt::format(
      "{} {} given for {} degree{} of freedom", given,
      positions ? (given == 1 ? "position is" : "positions are") : (given == 1 ? "velocity is" : "velocities are"), dof,
      dof == 1 ? "" : "s");
}

}  // namespace

Conflict find_conflict(const System& system, Workspace& w, const Start& start, const Demands& demands,
                       const StartAttempt& failed) {
  Conflict conflict;
  if (failed.stage() == Stage::motion && std::ranges::none_of(start.q, &Start::Value::given)) {
    Start here = start;
    for (std::size_t i = 0; i < here.q.size(); ++i)
      here.q[i].value = failed.displacement()[static_cast<Eigen::Index>(i)], here.q[i].given = true;
    conflict = Filter(system, w, here, demands, Stage::velocities).run();
    conflict.place = start.reference.size() > 0 && failed.displacement() == start.reference
                         ? "in the reference configuration"
                         : "in the configuration found for the start";
    conflict.explanation += "; in no other configuration do they agree, as far as was searched";
  } else {
    conflict = Filter(system, w, start, demands, failed.stage()).run();
  }
  conflict.counts = counts(system, w, start, demands, failed);
  return conflict;
}

}  // namespace maggi::integration
