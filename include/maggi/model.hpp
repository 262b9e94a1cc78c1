#pragma once
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "maggi/expert/spline.hpp"
#include "maggi/formula.hpp"
#include "maggi/mechanism.hpp"

namespace maggi {

/// The level at which a constraint is written.
enum class Level { position, velocity, acceleration };

/// "position", "velocity", "acceleration".
std::string_view level_name(Level level);

/// Points of a file for a formula with table("lift.csv", t).
struct TableFile {
  std::string name;  ///< as the formula has it
  std::shared_ptr<const expression::Table> table;
  bool operator==(const TableFile&) const = default;
};

struct Parameter {
  std::string name;
  Formula value;  ///< a number, or a formula over parameters above it
  std::string unit{};
  Where where{};
  bool operator==(const Parameter&) const = default;
};

/// A named sub-expression; may use parameters, coordinates, velocities, time and definitions above it.
struct Definition {
  std::string name;
  Formula formula;
  Where where{};
  bool operator==(const Definition&) const = default;
};

struct Coordinate {
  std::string name;
  std::optional<Formula> start{};         ///< q(t₀), given: a free value that is kept
  std::optional<Formula> speed{};         ///< q̇(t₀), given
  std::optional<Formula> acceleration{};  ///< q̈(t₀), given: uses up one of the free positions and speeds
  std::optional<Formula> guess{};         ///< where the search for q(t₀) begins; default 0
  std::optional<Formula> speed_guess{};   ///< where the search for q̇(t₀) begins; default 0
  std::optional<Formula> weight{};        ///< of a change of the guess, relative to its mass; default 1
  std::optional<Formula> speed_weight{};  ///< of a change of the speed_guess
  std::string unit{};
  bool measured = false;   ///< a quantity of a mechanism, which gave it its name: "crank.angle", "arm.tip.x"
  bool rate_only = false;  ///< measured, and only its rate has a value, which is the name alone: "ball.wx"
  Where where{};
  bool operator==(const Coordinate&) const = default;
};

/// One coordinate of a local point, a function of the configuration: "x" of "A" is "A.x" in every formula.
struct LocalCoordinate {
  std::string name;
  Formula formula;  ///< over q, parameters, definitions; not over time
  std::string unit{};
  Where where{};
};

/// A point (a frame, an angle) in whose own coordinates constraints are written, x = g(q).
struct LocalPoint {
  std::string name;
  std::vector<LocalCoordinate> coordinates;
  Where where{};
};

struct GeneralisedForce {
  std::string coordinate;
  Formula formula;  ///< over q, v, t, parameters
  Where where{};
  bool operator==(const GeneralisedForce&) const = default;
};

struct Constraint {
  std::string name;
  Level level = Level::position;
  Formula formula;                   ///< is zero: "x2 - rho*sin(x3)", or an equation "x2 = rho*sin(x3)"
  Formula equals{};                  ///< what the formula is equal to, if that is written apart: of a driver
  std::string unit{};                ///< of the formula
  bool servo = false;                ///< an unknown control keeps it, it has no reaction of its own
  bool active = true;                ///< at the start; events switch it on and off
  bool hidden = false;               ///< follows from the others: what complete_system() adds
  bool one_sided = false;            ///< position: the formula must not become negative; in force only while it presses
  Formula restitution{};             ///< one-sided: which part of the speed comes back from an impact; default 0
  std::string owner{}, component{};  ///< of a joint: its name, and which part of it this is
  Where where{};
  bool operator==(const Constraint&) const = default;
};

/// An unknown control, a nongeneralised coordinate p: M v̇ = h + Cᵀλ + B p.
struct Control {
  std::string name;
  std::vector<GeneralisedForce> along;  ///< what a unit of it does to each coordinate: a column of B
  std::string unit{};
  Where where{};
  bool operator==(const Control&) const = default;
};

/// A force of a constraint that is not ideal, given by a law: law(λ, τ, q, v, t) = 0, acting as T τ.
struct Law {
  std::string name;
  std::vector<GeneralisedForce> along;  ///< what a unit of it does to each coordinate: a column of T
  Formula formula;                      ///< is zero; the force itself is force.name, a multiplier lambda.guide
  std::string unit{};
  Where where{};
  bool operator==(const Law&) const = default;
};

/// Dry friction from the reaction of constraints: sliding |τ| = coefficient |N| against the motion, sticking as long
/// as |τ| ≤ stiction |N|.
struct Friction {
  std::string name;
  std::vector<Reference> on;          ///< constraints whose reactions press: N = ‖(N₁, N₂, …)‖
  std::vector<Formula> along;         ///< sliding speeds, linear in v, one or two; empty: the tangent at a local point
  Formula coefficient;                ///< over q, v, t, parameters
  std::optional<Formula> stiction{};  ///< default: the coefficient
  std::optional<Formula> normal{};    ///< the normal force over lambda.guide ..., instead of what `on` gives
  Where where{};
  bool operator==(const Friction&) const = default;
};

enum class Crossing { any, rising, falling };

/// When a formula crosses zero, rows are switched on and off, or the run ends.
struct Event {
  std::string name;
  Formula when;  ///< over q, v, v̇, t, multipliers; at a time: "t - 2.0"
  Crossing crossing = Crossing::any;
  std::vector<Reference> switch_on, switch_off;
  bool stop = false;
  Where where{};
  bool operator==(const Event&) const = default;
};

/// A force of the constraints in a direction that has a meaning: "N", along = { y = "1", th = "-l*cos(th)" }.
struct ReactionForce {
  std::string name;
  std::vector<GeneralisedForce> along;  ///< what a unit of it does to each coordinate: a column of B, B f = Cᵀλ
  std::string unit{};
  Where where{};
};

struct Output {
  std::string name;
  Formula formula;  ///< over q, v, v̇ (x''), multipliers (lambda.guide), t, parameters, definitions
  std::string unit{};
  Where where{};
  bool measured = false;  ///< of a mechanism, which gave it its name: "spin.power"
  bool operator==(const Output&) const = default;
};

/// What is drawn of the system: named points, and lines and circles between them.
struct Sketch {
  struct Point {
    std::string name;
    std::vector<Formula> at;  ///< x, y or x, y, z [m] over q, t, parameters, definitions
    bool trace = false;       ///< its path is shown
    Where where{};
  };
  struct Line {
    std::string name;
    std::vector<Reference> through;  ///< points, two or more; an area if it ends where it began
    bool spring = false;
    Where where{};
  };
  struct Circle {
    std::string name;
    Reference about;  ///< point
    Formula radius;
    std::vector<Formula> axis{};  ///< x, y, z of its normal; empty: z
    Where where{};
  };
  std::vector<Point> points;
  std::vector<Line> lines;
  std::vector<Circle> circles;
};

/// A force that is given at the start: the multiplier of a constraint, the reaction Cᵀλ on a coordinate.
struct StartForce {
  std::string name;  ///< of the constraint or the coordinate
  Formula value;
  Where where{};
  bool operator==(const StartForce&) const = default;
};

/// What the model asks of a run; the command line may override each.
struct SimulationSettings {
  std::optional<Formula> from{};    ///< start time t₀ [s], default 0
  std::optional<Formula> until{};   ///< end time [s]
  std::optional<Formula> output{};  ///< time between stored states [s]; default (until − from)/500
  std::optional<Formula> rtol{}, atol{}, step{};
  std::optional<std::string> formulation{}, basis{}, integrator{}, drift{}, unknowns{}, continuity{};
  std::vector<Formula> stabilisation{};  ///< α, β [1/s] of drift = baumgarte and pi
  std::vector<Reference> also{};         ///< names of Further channels
  Where where{};                         ///< of the table
};

/// Where the tables and lists of a model file begin: "energy", "equations.mass", "equations.mass[2]",
/// "simulation.drift".
using Places = std::map<std::string, Where, std::less<>>;

/// A mechanical system, given by formulas or by bodies and joints: the user's input as names and formulas in SI units,
/// not validated. Every name and formula keeps its place in the file, for messages.
///
///     give T (and V), or M and h:   M(q,t) v̇ = h(q,v,t) + Cᵀλ
///     or a mechanism:               its joints give the coordinates and the constraints
struct Model {
  // compiled once, instead of in each file that copies or destroys one
  Model();
  Model(const Model&);
  Model(Model&&) noexcept;
  Model& operator=(const Model&);
  Model& operator=(Model&&) noexcept;
  ~Model();

  std::string title;
  std::string file;  ///< where it came from; empty if built in C++
  Places places;     ///< of its tables in the file; empty if built in C++

  std::vector<TableFile> tables;
  std::vector<Parameter> parameters;
  Mechanism mechanism;                  ///< bodies and joints, instead of coordinates and energies
  std::vector<Coordinate> coordinates;  ///< in this order in q
  std::vector<Definition> definitions;
  std::vector<LocalPoint> points;  ///< after the definitions: may use them, and the coordinates of points above

  Formula kinetic, potential;                        ///< T(q,v,t), at most quadratic in v; V(q,t)
  std::vector<std::vector<Formula>> mass;            ///< M, n × n, instead of T
  std::vector<Formula> force;                        ///< h, n, together with M
  std::vector<GeneralisedForce> generalised_forces;  ///< Q, added to h
  std::vector<Constraint> constraints;               ///< in this order, position rows first in C
  std::vector<Control> controls;
  std::vector<Law> laws;
  std::vector<Friction> frictions;
  std::vector<Event> events;
  std::vector<ReactionForce> reactions;
  std::vector<StartForce> start_multipliers;  ///< λ(t₀), given
  std::vector<StartForce> start_reactions;    ///< (Cᵀλ)(t₀), given
  std::vector<Output> outputs;
  SimulationSettings simulation;
  Sketch drawing;
};

/// The parameter with this name. Error (model) with the nearest name if there is none, at the place where it was asked
/// for.
Parameter& find_parameter(Model& model, std::string_view name, const Where& where);
/// The same for all numbers that a sweep changes: a parameter, or a position or velocity given at the start ("x",
/// "x'").
Formula& find_number(Model& model, std::string_view name, const Where& where);

}  // namespace maggi
