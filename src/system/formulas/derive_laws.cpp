#include "system/formulas/derive_laws.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/names.hpp"
#include "expression/substitute.hpp"
#include "expression/tape.hpp"
#include "maggi/expert/derivative.hpp"
#include "maggi/expert/parse.hpp"
#include "system/formulas/number_rules.hpp"

namespace maggi {

namespace {

using expression::Derivative;
using expression::Graph;
using expression::Id;
using expression::Op;

// below it the direction of a sliding speed in a plane is rounding, and the sense of sliding takes its place
constexpr double no_direction = 1e-10;

std::string called(const Friction& friction) { return fmt::format("friction \"{}\"", friction.name); }

std::vector<Id> divided(Graph& g, std::vector<Id> vector, Id by) {
  for (Id& entry : vector) entry = g.divide(entry, by);
  return vector;
}

std::vector<Id> cross(Graph& g, const std::vector<Id>& a, const std::vector<Id>& b) {
  std::vector<Id> result;
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    const Id plus = g.multiply(a[j], b[k]), minus = g.multiply(a[k], b[j]);
    result.push_back(g.subtract(plus, minus));
  }
  return result;
}

/// Two unit vectors that complete the unit vector n, without a division by zero anywhere:
/// with s = sign n_z and k = −1/(s + n_z), (1 + s n_x² k, s n_x n_y k, −s n_x) and (n_x n_y k, s + n_y² k, −n_y).
std::vector<std::vector<Id>> plane_of(Graph& g, const std::vector<Id>& n) {
  const Id one = g.constant(1.0), minus = g.constant(-1.0), zero = g.constant(0.0);
  const Id s = g.select(g.binary(Op::less, n[2], zero), minus, one);
  const Id k = g.divide(minus, g.add(s, n[2]));
  const Id sx = g.multiply(s, n[0]), xk = g.multiply(n[0], k), yk = g.multiply(n[1], k);
  const Id xyk = g.multiply(n[0], yk), sxxk = g.multiply(sx, xk), yyk = g.multiply(n[1], yk);
  return {{g.add(one, sxxk), g.multiply(s, xyk), g.negate(sx)}, {xyk, g.add(s, yyk), g.negate(n[1])}};
}

}  // namespace

LawDerivation::LawDerivation(const Model& model, const Numbers& numbers, Shape& shape, DerivedEquations& equations,
                             ParseFormula parse)
    : model_(model), numbers_(numbers), shape_(shape), e_(equations), g_(equations.graph), parse_(std::move(parse)) {}

void LawDerivation::declare_names(std::vector<std::pair<std::string, Where>>& taken) const {
  const auto declare = [&taken](const std::string& name, const char* kind, const Where& where) {
    check_name(name, kind, where, taken);
    taken.emplace_back(name, where);
  };
  for (const Law& law : model_.laws) declare(law.name, "law", law.where);
  for (const Friction& friction : model_.frictions) declare(friction.name, "friction", friction.where);
}

// --- sliding speeds --------------------------------------------------------------------------------------------------

std::vector<SlidingSpeed> LawDerivation::sliding_speeds() {
  std::vector<std::pair<Id, Id>> places;
  for (std::size_t i = 0; i < e_.x.size(); ++i) {
    places.emplace_back(e_.local.x[i], e_.x[i]);
    const std::vector<Id> J(e_.J.begin() + i * e_.v.size(), e_.J.begin() + (i + 1) * e_.v.size());
    places.emplace_back(e_.local.v[i], dot(J, e_.v));
  }
  const auto over_q = [&](Id id) { return expression::substitute(g_, id, places); };

  std::vector<SlidingSpeed> result;
  for (const Friction& friction : model_.frictions) {
    Slide slide{friction, rows_pressed(friction), {}, {}, {}, {}};
    std::vector<std::optional<Id>> local;
    if (friction.along.empty() && find_marker(slide)) {
      std::vector<Id> rates;
      for (const int i : slide.marker) rates.push_back(e_.v[i]);
      for (const std::vector<Id>& tangent : tangents(slide.normal)) slide.speed.push_back(dot(tangent, rates));
      local.resize(slide.speed.size());
    } else if (friction.along.empty()) {
      find_point(slide);
      std::vector<Id> xdot;
      for (const int i : slide.x) xdot.push_back(e_.local.v[i]);
      for (const std::vector<Id>& tangent : tangents(slide.normal)) local.emplace_back(dot(tangent, xdot));
      for (const std::optional<Id>& speed : local) slide.speed.push_back(over_q(*speed));
      for (std::vector<Id>& normal : slide.normal)
        for (Id& entry : normal) entry = over_q(entry);
    } else {
      if (friction.along.size() > 3)
        throw Error(Errc::model, friction.where,
                    fmt::format("{} has {} sliding speeds", called(friction), friction.along.size()),
                    "along is one speed, two if it slides in a plane, three if a ball turns in its socket");
      for (const Formula& formula : friction.along) slide.speed.push_back(given_speed(slide, formula));
      local.resize(slide.speed.size());
    }
    for (std::size_t i = 0; i < slide.speed.size(); ++i) {
      const std::string component = slide.speed.size() == 1 ? "stick" : fmt::format("stick_{}", i + 1);
      const std::string unit = unit_of_point(slide);
      Row row{.name = friction.name + "." + component,
              .owner = friction.name,
              .component = component,
              .unit = unit.empty() ? "" : unit + "/s",
              .level = Level::velocity,
              .where = friction.where};
      row.kind = RowKind::sticking;
      row.active_at_start = false;
      result.push_back({row, slide.speed[i], local[i]});
    }
    slides_.push_back(std::move(slide));
  }
  return result;
}

std::vector<int> LawDerivation::rows_pressed(const Friction& friction) const {
  std::vector<int> rows;
  std::vector<std::string> names;
  for (const Constraint& c : model_.constraints) names.push_back(c.name);
  for (const Reference& on : friction.on) {
    const auto found = std::ranges::find(names, on.name);
    if (found == names.end())
      throw Error(Errc::model, on.where,
                  fmt::format("{} is on \"{}\", but no constraint has this name", called(friction), on.name),
                  suggest_name(on.name, names));
    if (model_.constraints[found - names.begin()].servo)
      throw Error(Errc::model, on.where,
                  fmt::format("{} is on \"{}\", which has no reaction: a control keeps it", called(friction), on.name),
                  "friction comes from the reaction of a constraint that is not servo");
    // position rows are there already, and of the others only the name matters until all are
    const auto row = std::ranges::find(shape_.rows, on.name, &Row::name);
    rows.push_back(row == shape_.rows.end() ? -1 : static_cast<int>(row - shape_.rows.begin()));
  }
  return rows;
}

std::string LawDerivation::unit_of_point(const Slide& slide) const {
  return !slide.marker.empty() ? "m" : slide.x.empty() ? "" : shape_.local[slide.x[0]].unit;
}

/// "crate.a." of the coordinate "crate.a.z" of a marker; empty of anything else.
std::string LawDerivation::marker_of(std::size_t coordinate) const {
  const Coordinate& c = model_.coordinates[coordinate];
  const std::size_t first = c.name.find('.'), last = c.name.rfind('.');
  const bool of_point = c.measured && !c.rate_only && first < last && last + 2 == c.name.size() &&
                        c.name.back() >= 'x' && c.name.back() <= 'z' && !c.name.starts_with("gap.");
  return of_point ? c.name.substr(0, last + 1) : "";
}

/// The one marker of a body of whose coordinates all constraints pressed are functions.
bool LawDerivation::find_marker(Slide& slide) const {
  const std::size_t n = e_.q.size();
  std::string marker;
  for (const int row : slide.pressed) {
    if (row < 0 || row >= shape_.s_p) return false;
    for (std::size_t j = 0; j < n; ++j) {
      if (g_.is_zero(e_.C[static_cast<std::size_t>(row) * n + j])) continue;
      const std::string of = marker_of(j);
      if (of.empty() || (!marker.empty() && of != marker)) return false;
      marker = of;
    }
  }
  std::vector<int> places;
  for (std::size_t j = 0; j < n; ++j)
    if (!marker.empty() && marker_of(j) == marker) places.push_back(static_cast<int>(j));
  const auto free = static_cast<int>(places.size()) - static_cast<int>(slide.pressed.size());
  if (free < 1 || free > 2) return false;
  std::ranges::sort(places, {}, [&](int j) { return model_.coordinates[static_cast<std::size_t>(j)].name; });
  for (const int row : slide.pressed) {
    slide.normal.emplace_back();
    for (const int j : places) slide.normal.back().push_back(e_.C[static_cast<std::size_t>(row) * n + j]);
  }
  slide.marker = std::move(places);
  return true;
}

/// A sliding velocity that can be written as it stands: of the first marker that the constraint contains across what
/// it contains of that, or of the first coordinate that it does not contain.
std::string LawDerivation::example_of_speed(const Friction& friction) const {
  const auto constraint =
      std::ranges::find(model_.constraints, friction.on.empty() ? "" : friction.on[0].name, &Constraint::name);
  std::vector<std::string> contained;
  if (constraint != model_.constraints.end())
    for (const expression::Mention& mention : expression::mentions(constraint->formula.text))
      contained.push_back(mention.name);
  const auto contains = [&](const std::string& name) { return std::ranges::find(contained, name) != contained.end(); };
  std::string first, across;
  for (std::size_t j = 0; j < model_.coordinates.size(); ++j) {
    const std::string &name = model_.coordinates[j].name, of = marker_of(j);
    if (!of.empty() && contains(name) && first.empty()) first = of;
  }
  for (std::size_t j = 0; j < model_.coordinates.size(); ++j) {
    const Coordinate& c = model_.coordinates[j];
    if (c.rate_only || c.name.starts_with("gap.") || contains(c.name) || (!first.empty() && marker_of(j) != first))
      continue;
    across = c.name;
    break;
  }
  if (across.empty()) across = model_.coordinates.front().name;
  return fmt::format("\"{}'\"", across);
}

/// The one local point of whose coordinates all constraints pressed are functions.
void LawDerivation::find_point(Slide& slide) const {
  const Friction& friction = slide.friction;
  const auto refuse = [&](const std::string& why) {
    throw Error(Errc::model, friction.where,
                fmt::format("{} does not say how fast it slides: {}", called(friction), why),
                fmt::format("add along = {}, or another sliding velocity as a formula over the velocities",
                            example_of_speed(friction)));
  };
  std::string point;
  const int n_x = shape_.nx();
  for (std::size_t r = 0; r < slide.pressed.size(); ++r) {
    const int row = slide.pressed[r];
    if (row < 0 || row >= shape_.s_p || n_x == 0 || !e_.local.complete[row])
      refuse(fmt::format("\"{}\" is no position constraint on one marker of a body or one [local] point alone",
                         friction.on[r].name));
    for (int i = 0; i < n_x; ++i) {
      if (g_.is_zero(e_.local.C[row * n_x + i])) continue;
      if (point.empty()) point = shape_.local[i].point;
      if (point != shape_.local[i].point)
        refuse(fmt::format("it is between the points \"{}\" and \"{}\"", point, shape_.local[i].point));
    }
  }
  for (int i = 0; i < n_x; ++i)
    if (shape_.local[i].point == point) slide.x.push_back(i);
  const auto freedom = static_cast<int>(slide.x.size()) - static_cast<int>(slide.pressed.size());
  if (slide.pressed.empty() || slide.x.size() > 3 || freedom < 1 || freedom > 2)
    refuse(slide.pressed.empty() ? "it is on no constraint"
                                 : fmt::format("it leaves the point \"{}\" no line or plane to slide along", point));
  for (const int row : slide.pressed) {
    slide.normal.emplace_back();
    for (const int i : slide.x) slide.normal.back().push_back(e_.local.C[row * n_x + i]);
  }
}

/// Unit vectors along which the point can slide.
std::vector<std::vector<Id>> LawDerivation::tangents(const std::vector<std::vector<Id>>& normal) {
  if (normal[0].size() == 2) return {divided(g_, {normal[0][1], g_.negate(normal[0][0])}, length(normal[0]))};
  if (normal.size() == 1) return plane_of(g_, divided(g_, normal[0], length(normal[0])));
  const std::vector<Id> tangent = cross(g_, normal[0], normal[1]);
  return {divided(g_, tangent, length(tangent))};
}

Id LawDerivation::given_speed(const Slide& slide, const Formula& formula) {
  const std::string what = fmt::format("the sliding speed of {}", called(slide.friction));
  const Id speed = parse_(formula, Reach::velocity, what);
  const std::vector<Id> along = by_velocities(speed);
  if (std::ranges::all_of(along, [&](Id entry) { return g_.is_zero(entry); }))
    throw Error(Errc::model, formula.where, what + " contains no velocity", "write it as \"x' + l*th'*sin(th)\"");
  if (std::ranges::any_of(along, [&](Id entry) { return g_.depends_on(entry, e_.v); }))
    throw Error(Errc::model, formula.where, what + " is not linear in the velocities",
                "it has a sign: \"x'\", not \"abs(x')\"; two of them in a plane: [\"x'\", \"y'\"]");
  return speed;
}

// --- laws ------------------------------------------------------------------------------------------------------------

void LawDerivation::derive(const std::function<int(const GeneralisedForce&, const std::string&)>& coordinate) {
  const std::size_t n = e_.v.size();
  for (const Law& law : model_.laws) {
    const std::string what = fmt::format("law \"{}\"", law.name);
    std::vector<Id> along(n, g_.constant(0.0));
    for (const GeneralisedForce& part : law.along)
      along[coordinate(part, what)] = parse_(part.formula, Reach::velocity, what);
    add_force(law.name, law.unit, law.where, along);
  }
  for (Slide& slide : slides_)
    for (std::size_t i = 0; i < slide.speed.size(); ++i)
      add_force(slide.speed.size() == 1 ? slide.friction.name : fmt::format("{}_{}", slide.friction.name, i + 1),
                unit_of_point(slide) == "m" ? "N" : "", slide.friction.where, by_velocities(slide.speed[i]));

  for (std::size_t i = 0; i < model_.laws.size(); ++i) {
    const Law& law = model_.laws[i];
    const Id formula = parse_(law.formula, Reach::law, fmt::format("law \"{}\"", law.name));
    if (!g_.depends_on(formula, {e_.tau[i]}))
      throw Error(Errc::model, law.formula.where, fmt::format("law \"{}\" does not contain its own force", law.name),
                  fmt::format("write law = \"force.{} = ...\"", law.name));
    e_.law.push_back(formula);
  }
  for (const Slide& slide : slides_) add_friction(slide);

  const std::size_t laws = e_.law.size();
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < laws; ++j) e_.T.push_back(columns_[j][i]);
  std::vector<Id> unknowns = e_.lambda;
  unknowns.insert(unknowns.end(), e_.tau.begin(), e_.tau.end());
  std::vector<Derivative> by;
  for (const Id x : unknowns) by.emplace_back(g_, std::vector<std::pair<Id, Id>>{{x, g_.constant(1.0)}});
  for (const Id law : e_.law)
    for (Derivative& derivative : by) e_.law_gradient.push_back(derivative(law));
  for (std::size_t i = 0; i < e_.lambda.size(); ++i)
    if (shape_.rows[i].of_model() &&
        std::ranges::any_of(e_.law, [&](Id law) { return g_.depends_on(law, {e_.lambda[i]}); }))
      shape_.rows[i].kind = RowKind::with_law;
}

void LawDerivation::add_force(const std::string& name, const std::string& unit, const Where& where,
                              const std::vector<Id>& along) {
  columns_.push_back(along);
  e_.tau.push_back(g_.variable("force." + name));
  e_.sense.push_back(g_.variable("sense." + name));
  shape_.laws.push_back({name, unit, where});
}

void LawDerivation::add_friction(const Slide& slide) {
  const auto [coefficient, stiction] = coefficients(slide.friction);
  const Id normal = normal_force(slide), size = only_presses(slide) ? normal : g_.unary(Op::abs, normal);
  const Id sliding = g_.multiply(coefficient, size);
  const std::size_t first = e_.law.size();
  const std::vector<Id> along = direction(slide, first);
  Contact contact{.name = slide.friction.name, .laws = {}, .rows = {}, .pressed = {}, .where = slide.friction.where};
  for (std::size_t i = 0; i < along.size(); ++i) {
    contact.laws.push_back(static_cast<int>(first + i));
    e_.law.push_back(g_.add(e_.tau[first + i], g_.multiply(sliding, along[i])));
  }
  for (int row = 0; row < shape_.m(); ++row) {
    if (!shape_.rows[row].of_model() && shape_.rows[row].owner == contact.name) contact.rows.push_back(row);
    if (g_.depends_on(size, {e_.lambda[row]})) contact.pressed.push_back(row);
  }
  e_.hold.push_back(g_.multiply(stiction, size));
  e_.coefficient.push_back(coefficient);
  shape_.contacts.push_back(std::move(contact));
}

/// Is its normal force one multiplier that is never negative?
bool LawDerivation::only_presses(const Slide& slide) const {
  if (slide.friction.normal || slide.friction.on.size() != 1) return false;
  const auto row = std::ranges::find(shape_.rows, slide.friction.on[0].name, &Row::name);
  return row != shape_.rows.end() && row->one_sided;
}

/// At a local point |Σ λ ∂f/∂x|, otherwise ‖(λ₁, λ₂, …)‖, unless it is given; with its sign where there is one.
Id LawDerivation::normal_force(const Slide& slide) {
  const Friction& friction = slide.friction;
  if (friction.normal)
    return parse_(*friction.normal, Reach::law, fmt::format("the normal force of {}", called(friction)));
  std::vector<Id> lambda;
  for (const Reference& on : friction.on)
    lambda.push_back(e_.lambda[std::ranges::find(shape_.rows, on.name, &Row::name) - shape_.rows.begin()]);
  if (lambda.size() == 1) return slide.normal.empty() ? lambda[0] : g_.multiply(lambda[0], length(slide.normal[0]));
  std::vector<Id> force = lambda;
  if (!slide.normal.empty()) {
    force.assign(slide.normal[0].size(), g_.constant(0.0));
    for (std::size_t r = 0; r < lambda.size(); ++r)
      for (std::size_t i = 0; i < force.size(); ++i)
        force[i] = g_.add(force[i], g_.multiply(lambda[r], slide.normal[r][i]));
  }
  // √ has no derivative at 0, where the iteration begins
  const Id square = dot(force, force), zero = g_.constant(0.0);
  return g_.select(g_.binary(Op::less, zero, square), g_.unary(Op::sqrt, square), zero);
}

/// σ, or in a plane the direction of the sliding speed, turned into the sense σ: it is smooth where the speed passes
/// through zero, so that the zero can be found.
std::vector<Id> LawDerivation::direction(const Slide& slide, std::size_t first_law) {
  if (slide.speed.size() == 1) return {e_.sense[first_law]};
  const std::vector<Id> sense(e_.sense.begin() + static_cast<std::ptrdiff_t>(first_law),
                              e_.sense.begin() + static_cast<std::ptrdiff_t>(first_law + slide.speed.size()));
  const Id square = dot(slide.speed, slide.speed), size = g_.unary(Op::sqrt, square);
  const Id turned = g_.unary(Op::sign, dot(slide.speed, sense));
  const Id moves = g_.binary(Op::less, g_.constant(no_direction * no_direction), square);
  std::vector<Id> result;
  for (std::size_t i = 0; i < sense.size(); ++i) {
    const Id unit = g_.divide(g_.multiply(turned, slide.speed[i]), size);
    result.push_back(g_.select(moves, unit, sense[i]));
  }
  return result;
}

std::pair<Id, Id> LawDerivation::coefficients(const Friction& friction) {
  const std::string what = called(friction);
  const Id sliding = parse_(friction.coefficient, Reach::velocity, fmt::format("the coefficient of {}", what));
  const Id sticking = friction.stiction
                          ? parse_(*friction.stiction, Reach::velocity, fmt::format("the stiction of {}", what))
                          : sliding;
  check_coefficients(friction, constant_value(sliding), constant_value(sticking));
  return {sliding, sticking};
}

/// Of a formula over parameters alone.
std::optional<double> LawDerivation::constant_value(Id id) const {
  std::vector<Id> state = e_.q;
  state.insert(state.end(), e_.v.begin(), e_.v.end());
  state.push_back(e_.t);
  if (g_.depends_on(id, state)) return std::nullopt;
  const expression::Tape tape(g_, {}, e_.parameters, std::vector<Id>{id});
  std::vector<double> scratch(tape.slots());
  tape.prepare(numbers_.parameters(), scratch);
  tape.run(scratch);
  return scratch[tape.output(0)];
}

Id LawDerivation::dot(const std::vector<Id>& a, const std::vector<Id>& b) {
  Id sum = g_.constant(0.0);
  for (std::size_t i = 0; i < a.size(); ++i) sum = g_.add(sum, g_.multiply(a[i], b[i]));
  return sum;
}

Id LawDerivation::length(const std::vector<Id>& a) { return g_.unary(Op::sqrt, dot(a, a)); }

std::vector<Id> LawDerivation::by_velocities(Id speed) {
  std::vector<Id> result;
  for (const Id v : e_.v) result.push_back(Derivative(g_, {{v, g_.constant(1.0)}})(speed));
  return result;
}

}  // namespace maggi
