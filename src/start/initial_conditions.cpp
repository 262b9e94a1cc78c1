#include "start/initial_conditions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/names.hpp"
#include "dynamics/acceleration_residual.hpp"
#include "dynamics/contacts.hpp"
#include "dynamics/start_decision.hpp"
#include "manifold/singular_configuration.hpp"
#include "start/acceleration_branches.hpp"
#include "start/start_attempt.hpp"
#include "start/start_conflict.hpp"
#include "system/seam/mechanism_system.hpp"

namespace maggi {

namespace {

using How = InitialConditions::How;
using integration::all_demands;
using integration::Stage;
using integration::StartAttempt;
using integration::worst_condition;

std::string cause_of(const Conflict& conflict) {
  std::vector<std::string> names;
  for (const StartMember& member : conflict.members) names.push_back(member.text);
  if (names.empty()) return "no consistent start was found";
  const std::string place = conflict.place.empty() ? "" : conflict.place + ", ";
  if (names.size() == 1)
    return fmt::format("{}{} cannot be satisfied{}", place, names[0], place.empty() ? "" : " by any velocities");
  return fmt::format("{}{}{} {}contradict each other; without any one of them there is a solution",
                     conflict.counts.empty() ? "" : conflict.counts + ": ", place, list_names(names, false),
                     place.empty() ? "" : "ask for velocities that ");
}

Where first_place(const Conflict& conflict) {
  return conflict.members.empty() ? Where{} : conflict.members.front().where;
}

std::vector<How> how(const std::vector<Start::Value>& values, const std::vector<bool>& found) {
  std::vector<How> result(found.size(), How::kept);
  for (std::size_t i = 0; i < found.size(); ++i)
    if (!values.empty() && values[i].given)
      result[i] = How::given;
    else if (found[i])
      result[i] = How::found;
  return result;
}

/// How each coordinate came about, from how the displacements did that change it.
std::vector<How> of_coordinates(const System& system, const Start& start, const State& state,
                                const std::vector<How>& displacements) {
  if (system.shape().identity_rates) return displacements;
  const Matrix N = Displacement(system, start).rates(state.q);
  std::vector<How> result(N.rows(), How::kept);
  for (Eigen::Index k = 0; k < N.rows(); ++k)
    for (Eigen::Index i = 0; i < N.cols(); ++i)
      if (N(k, i) != 0.0 && displacements[i] != How::kept) result[k] = displacements[i];
  return result;
}

/// n less the rank of the active rows of position level, or of those and velocity level.
int count_free(Dynamics& dynamics, const State& state, Level level) {
  const Shape& shape = dynamics.shape();
  Workspace& w = dynamics.workspace();
  std::vector<int> rows;
  for (const int i : dynamics.active_rows())
    if (i < (level == Level::position ? shape.s_p : shape.s_p + shape.s_v)) rows.push_back(i);
  if (dynamics.rank() == static_cast<int>(dynamics.active_rows().size()))  // then these are independent, too
    return shape.n() - static_cast<int>(rows.size());
  const RowSelection selection(shape, rows);
  Matrix M(shape.n(), shape.n()), C(selection.size(), shape.n());
  dynamics.system().velocity(state, w);
  shape.M.scatter(w.terms.M, M);
  selection.matrix(w.terms.C, C);
  MetricFactor factor(shape.n(), selection.size());
  if (!factor.compute(M, C)) factor.compute(Matrix::Identity(shape.n(), shape.n()), C);
  return shape.n() - factor.rank();
}

/// Servo constraints have no multiplier, and what sticks has its friction.
void check_multipliers(const Shape& shape, const Start& start) {
  for (std::size_t i = 0; i < start.lambda.size(); ++i) {
    const Row& row = shape.rows[i];
    if (!start.lambda[i].given || (row.has_multiplier() && row.of_model())) continue;
    throw Error(Errc::model, start.lambda[i].where,
                !row.has_multiplier()
                    ? fmt::format("\"{}\" has no multiplier that could be given: a control keeps it", row.name)
                    : fmt::format("\"{}\" is no constraint of the model: contact \"{}\" sticks by it, or slides",
                                  row.name, row.owner),
                "give a multiplier of another constraint, a reaction or an acceleration");
  }
}

/// Forces between two points that meet have no direction; rounding would choose one.
void check_ends(const Dynamics& dynamics, const State& state) {
  constexpr double rounding = 1e-12;  // of the distance in the reference configuration
  const auto ends = meeting_ends(dynamics.system(), state, rounding);
  if (!ends) return;
  throw Error(Errc::numerics, ends->where, fmt::format("{} at the start, t = {:.6g} s", ends->text, state.t),
              "nothing acts in a direction there: let the ends be apart");
}

[[noreturn]] void fail(Dynamics& dynamics, const Start& start, const StartAttempt& attempt) {
  if (const auto& left = attempt.too_large()) {
    const Shape& shape = dynamics.shape();
    const Row* row = left->row >= 0 ? &shape.rows[left->row] : nullptr;
    throw Error(Errc::numerics, row ? row->where : Where{},
                fmt::format("no consistent initial configuration was found: constraint \"{}\" has a residual of {:.2e}",
                            row ? row->name : "", left->residual),
                fmt::format("with {} coordinates and {} constraints, more than {} together, neither other guesses nor "
                            "conflicting values are searched for: give joint positions closer to a closed "
                            "configuration, or test a part of the mechanism",
                            shape.n(), shape.m(), integration::most_dense));
  }
  if (!attempt.found().finite) check_ends(dynamics, attempt.state());
  if (!attempt.found().finite)
    throw Error(Errc::numerics, {}, "the start cannot be found: a formula is not finite at the guess",
                "give a guess where every formula has a value");
  throw NoConsistentStart(integration::find_conflict(dynamics.system(), dynamics.workspace(), start,
                                                     all_demands(dynamics.shape(), dynamics.active_rows()), attempt));
}

/// What was solved for must follow from the rest.
void check_determined(const StartAttempt& attempt, const Shape& shape, const std::vector<bool>& found, double condition,
                      std::string_view mark) {
  if (condition < worst_condition) return;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < found.size(); ++i)
    if (found[i])
      names.push_back(mark.empty() ? displacement_name(shape, static_cast<int>(i)) : shape.velocities[i].name);
  throw Error(Errc::numerics, {},
              fmt::format("the {} given do not determine {}: condition {:.1e} at the solution",
                          attempt.stage() == Stage::everything ? "values"
                          : mark.empty()                       ? "positions"
                                                               : "velocities",
                          list_names(names), condition),
              "give another value instead of one of these; maggi chooses if you give none");
}

/// A row in use that has all but vanished on the way from the guess to the start: the constraint has a double root
/// there (a rod of length 0), where Newton's method converges only to within √ε. The gradient of such a row is rounding
/// error and cannot be used.
void check_gradients(Dynamics& dynamics, const State& guess, const State& start) {
  constexpr double vanished = 1e-7;  // √1e-13: as close to a double root as Newton's method comes
  std::vector<int> positions = dynamics.rows().rows();
  std::erase_if(positions, [&](int i) { return i >= dynamics.shape().s_p; });
  const RowSelection rows(dynamics.shape(), std::move(positions));
  const auto lengths = [&](const State& state) -> Vector {
    Vector squares(rows.size());
    dynamics.system().position(state, dynamics.workspace());
    rows.squared_lengths(dynamics.workspace().terms.C, squares);
    return squares.cwiseSqrt();
  };
  const Vector before = lengths(guess), after = lengths(start);
  for (int i = 0; i < rows.size(); ++i) {
    const Row& row = dynamics.shape().rows[rows.rows()[i]];
    if (!(after[i] < vanished * before[i])) continue;
    throw Error(
        Errc::numerics, row.where,
        fmt::format("the start that was found is a point at which \"{}\" has no direction: its derivatives "
                    "are {:.1e} of those at the guess",
                    row.name, after[i] / before[i]),
        "it is satisfied at a single point only, as by a rod of length 0: check its parameters, or start elsewhere");
  }
}

/// v̇ and λ by the formulation. `others`: further accelerations that the rows admit, in words.
void solve_accelerations(Dynamics& dynamics, const State& state, Acceleration& a, std::string& others) {
  if (integration::is_nonlinear_in_accelerations(dynamics))
    a = integration::take_acceleration_branch(dynamics, state, others);
  else if (!dynamics.solve(state, a)) {
    const std::string why = dynamics.explain(state);
    throw Error(dynamics.method_refuses() ? Errc::model : Errc::numerics, {},
                "the accelerations at the start cannot be found: " + why,
                dynamics.method_refuses() ? "leave the choice to auto" : "");
  }
}

/// In a singular configuration the rows admit more velocities than there are branches, and those of least change are
/// along none of them. If the velocities given are those of one branch, and of no other, its velocities are taken.
/// Returns false if the configuration is not singular.
bool take_branch(Dynamics& dynamics, const Start& start, State& state) {
  constexpr double vanishing = 1e-4, same = 1e-9, rests = 1e-4;  // of a tangent: in a multiple root it is coarse
  const Shape& shape = dynamics.shape();
  const bool some_watched =
      std::ranges::any_of(dynamics.active_rows(), [&](int i) { return i < shape.s_p + shape.s_v; });
  if (!some_watched || shape.n() + shape.m() > Recursion::small_system) return false;
  Vector given = Vector::Zero(shape.n());
  for (int i = 0; i < shape.n(); ++i)
    if (start.v[i].given) given[i] = state.v[i];
  std::vector<Vector> fitting;
  integration::SingularConfiguration singular(dynamics, state, vanishing);
  const std::vector<integration::SingularConfiguration::Branch> branches = singular.branches();
  if (branches.empty()) return false;
  for (const auto& branch : branches) {
    Vector part = branch.tangent;
    for (int i = 0; i < shape.n(); ++i)
      if (!start.v[i].given) part[i] = 0.0;
    if (part.norm() < rests) continue;
    const double speed = part.dot(given) / part.squaredNorm();
    if (speed != 0.0 && (given - speed * part).norm() <= same * given.norm()) fitting.push_back(speed * branch.tangent);
  }
  if (fitting.size() != 1 || !singular.all_are_found())
    throw Error(Errc::numerics, {},
                fmt::format("the start is a singular configuration: {}; the velocities given are those of {}",
                            singular.explain(),
                            fitting.empty() && singular.all_are_found() ? "no branch of the motion"
                            : fitting.size() > 1                        ? "more than one branch of the motion"
                                                                        : "a branch at best, of many"),
                "give those of one of its branches: " + singular.explain_tangents());
  state.v = fitting[0];
  return true;
}

/// Along a motion that a self-stress forbids, nothing moves, and a load along it has no reactions that are finite.
void check_rigidity(Dynamics& dynamics, InitialConditions& result) {
  const Shape& shape = dynamics.shape();
  if (dynamics.dependent_rows().empty() || dynamics.freedom() == 0 || shape.n() + shape.m() > Recursion::small_system)
    return;
  integration::SingularConfiguration configuration(dynamics, result.state);
  const std::string rigid = configuration.explain_rigidity();
  if (rigid.empty()) return;
  const char* help = "move a joint off the common line, or give the constraints some elasticity";
  if (configuration.loaded())
    throw Error(Errc::numerics, {},
                rigid + ", so that nothing moves along it, and a load along it has no finite reactions", help);
  if (configuration.forbids(result.state.v))
    throw Error(Errc::numerics, {}, rigid + ", so that the velocities given lead nowhere", help);
  result.second_order = configuration.forbidden();
  const int left = dynamics.freedom() - result.second_order;
  result.note =
      fmt::format("{}: {} degree{} of freedom; their forces are not unique", rigid, left, left == 1 ? "" : "s");
}

/// Contacts at rest must not only be able to move as the forces given want; they must do so by themselves.
void check_contacts(const Shape& shape, const Mode& mode, const Vector& sense) {
  constexpr double turned = 1e-9;  // in a plane the sense follows the speed, or an acceleration found by repetition
  for (const Contact& contact : shape.contacts) {
    const Vector wanted = sense(contact.laws), is = mode.sense(contact.laws);
    if ((wanted - is).norm() <= turned) continue;
    const bool sticks = is.isZero(0.0);
    throw Error(
        Errc::numerics, contact.where,
        fmt::format("the forces given want contact \"{}\" to {}, but from the motion found with them it {}",
                    contact.name, wanted.isZero(0.0) ? "stick" : "slide", sticks ? "sticks" : "slides otherwise"),
        "give a speed instead of one of the forces");
  }
}

std::string method(const StartAttempt& attempt, bool forces) {
  const std::string text =
      attempt.least_change() ? "least change of the guesses in the mass metric" : "dependent coordinates solved for";
  if (forces) return text + "; everything together, as accelerations or forces are given";
  return attempt.together()
             ? text + "; positions and velocities together, as the velocities given fit some configurations only"
             : text;
}

/// A start that was not reached continuously may be another assembly than that of the drawing.
std::string branch_note(const StartAttempt& attempt) {
  if (attempt.followed() >= 1.0) return "";
  return fmt::format(
      "the way from the reference configuration to the values given ends after {:.0f} % of it, so the start may be "
      "another assembly: a guess for a joint chooses one (init --branches lists them)",
      100 * attempt.followed());
}

}  // namespace

NoConsistentStart::NoConsistentStart(Conflict conflict)
    : Error(Errc::numerics, first_place(conflict), cause_of(conflict), conflict.explanation),
      conflict_(std::move(conflict)) {}

struct StagedStart::Inside {
  Inside(Dynamics& of, const Start& given)
      : dynamics(of),
        start(given),
        contacts(of),
        attempt(of.system(), of.workspace(), given, all_demands(of.shape(), without_contacts())),
        guess(attempt.state()) {}

  const std::vector<int>& without_contacts() {
    contacts.let_all_go();
    return dynamics.active_rows();
  }
  bool find_motion() {
    if (!moves) moves = attempt.run(Stage::motion);
    return *moves;
  }

  Dynamics& dynamics;
  const Start& start;
  integration::Contacts contacts;
  StartAttempt attempt;
  const State guess;
  std::optional<bool> moves;  // not searched for yet
};

StagedStart::StagedStart(Dynamics& dynamics, const Start& start) : inside_(std::make_unique<Inside>(dynamics, start)) {}
StagedStart::~StagedStart() = default;
StagedStart::StagedStart(StagedStart&& other) noexcept = default;
StagedStart& StagedStart::operator=(StagedStart&& other) noexcept = default;

std::optional<State> StagedStart::motion() {
  return inside_->find_motion() ? std::optional(inside_->attempt.state()) : std::nullopt;
}

std::optional<State> find_consistent_state(Dynamics& dynamics, const Start& start) {
  return StagedStart(dynamics, start).motion();
}

InitialConditions find_initial_conditions(Dynamics& dynamics, const Start& start) {
  return StagedStart(dynamics, start).complete();
}

InitialConditions StagedStart::complete() {
  auto& [dynamics, start, contacts, attempt, guess, moves] = *inside_;
  const Shape& shape = dynamics.shape();
  const bool forces = integration::gives_forces(start);
  if (forces) check_multipliers(shape, start);
  if (!inside_->find_motion() || !attempt.run_forces()) fail(dynamics, start, attempt);
  check_determined(attempt, shape, attempt.found_q(), attempt.condition_position(), "");
  check_determined(attempt, shape, attempt.found_v(), attempt.condition_velocity(), "'");

  InitialConditions result;
  result.state = attempt.state();
  check_ends(dynamics, result.state);
  if (Mode mode = mode_at_start(dynamics, result.state); !(mode == dynamics.mode())) dynamics.set_mode(std::move(mode));
  if (forces) check_contacts(shape, dynamics.mode(), attempt.sense());
  if (forces) dynamics.begin_near(attempt.acceleration().vdot);
  dynamics.decide_rows(result.state);
  check_gradients(dynamics, guess, result.state);
  if (!shape.laws.empty()) integration::check_laws(dynamics, result.state);
  check_rigidity(dynamics, result);
  if (forces)
    result.acceleration = attempt.acceleration();  // λ that is given and not unique is not that of the formulation
  else
    solve_accelerations(dynamics, result.state, result.acceleration, result.note);
  result.mode = dynamics.mode();
  int worst = -1;
  result.residual_acceleration = acceleration_residual(dynamics, result.state, result.acceleration, worst);
  constexpr double contradiction = 1e-8;
  if (result.residual_acceleration > contradiction && !forces && take_branch(dynamics, start, result.state)) {
    solve_accelerations(dynamics, result.state, result.acceleration, result.note);
    result.residual_acceleration = acceleration_residual(dynamics, result.state, result.acceleration, worst);
  }
  if (result.residual_acceleration > contradiction)
    throw Error(
        Errc::numerics, shape.rows[worst].where,
        fmt::format("constraint \"{}\" contradicts the other constraints: the accelerations that satisfy them leave "
                    "it unsatisfied (relative {:.1e})",
                    shape.rows[worst].name, result.residual_acceleration),
        shape.rows[worst].component.empty()
            ? "it depends on the others; delete it or make it say the same"
            : fmt::format("\"{}\" locks what the others would let move: check places and axes of the joints in its "
                          "loop, or take a joint that leaves more free",
                          shape.rows[worst].owner));

  Projection projection(dynamics.system());
  result.residuals = projection.residuals(result.state, dynamics.workspace());
  result.q = of_coordinates(dynamics.system(), start, result.state, how(start.q, attempt.found_q()));
  result.v = how(start.v, attempt.found_v());
  result.vdot = how(start.vdot, std::vector<bool>(shape.n(), true));
  result.lambda = how(start.lambda, std::vector<bool>(shape.m(), true));
  result.condition_position = attempt.condition_position();
  result.condition_velocity = attempt.condition_velocity();
  result.free_positions = count_free(dynamics, result.state, Level::position) - result.second_order;
  result.free_velocities = count_free(dynamics, result.state, Level::velocity) - result.second_order;
  for (const auto* values : {&start.vdot, &start.lambda, &start.reaction})
    result.forces_given +=
        static_cast<int>(std::count_if(values->begin(), values->end(), [](const Start::Value& v) { return v.given; }));
  result.method = method(attempt, forces);
  if (const std::string branch = branch_note(attempt); !branch.empty())
    result.note = result.note.empty() ? branch : branch + "; " + result.note;
  return result;
}

}  // namespace maggi
