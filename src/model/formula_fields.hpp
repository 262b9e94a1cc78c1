#pragma once
#include "maggi/model.hpp"
#include "model/field_keys.hpp"

/// The keys of the parts of a model that is given by formulas.
namespace maggi::fields {

inline constexpr std::array<Text, 3> crossing_names{"any", "rising", "falling"};  // in the order of Crossing

inline constexpr std::array<Kind, 3> level_kinds{{
    // in the order of Level
    {"position", "constraint f(q, t) = 0: the formula that is zero, or an equation"},
    {"velocity", "constraint φ(q, v, t) = 0 that contains velocities x'"},
    {"acceleration", "constraint ψ(q, v, v̇, t) = 0 that contains accelerations x''"},
}};

inline constexpr std::array<Kind, 2> line_kinds{{
    // not a spring, a spring
    {"line", "names of the points through which the line goes; an area if it ends where it began"},
    {"spring", "names of the points between which a spring is drawn"},
}};

template <>
inline constexpr auto keys_of<Parameter> = std::tuple{
    Member{
        &Parameter::value,
        adjusts(Adjusts::value,
                alone(Alone::may, number("value", "", "value of the parameter; it may use the parameters above it")))},
    Member{&Parameter::unit, unit("unit of the value, which is converted to the SI")}};

template <>
inline constexpr auto keys_of<Coordinate> = std::tuple{
    Member{&Coordinate::start, adjusts(Adjusts::value, number("start", "", "value at the start, which is kept",
                                                              "found from the constraints"))},
    Member{&Coordinate::speed, adjusts(Adjusts::rate, number("speed", "", "velocity at the start, which is kept",
                                                             "found from the constraints"))},
    Member{&Coordinate::acceleration,
           number("acceleration", "",
                  "acceleration at the start; it replaces one position or velocity that could be chosen")},
    Member{&Coordinate::guess, number("guess", "", "value at which the search for the start begins", "0")},
    Member{&Coordinate::speed_guess,
           number("speed_guess", "", "velocity at which the search for the start begins", "0")},
    Member{&Coordinate::weight, number("weight", "", "weight of a change of the guess, relative to the mass", "1")},
    Member{&Coordinate::speed_weight, number("speed_weight", "", "weight of a change of the velocity guess", "1")},
    Member{&Coordinate::unit, unit("unit of the coordinate")},
    Inner{&Coordinate::measured},
    Inner{&Coordinate::rate_only}};

template <>
inline constexpr auto keys_of<Definition> = std::tuple{
    Member{&Definition::formula, alone(Alone::only, formula("formula", "", "formula that the name stands for"))}};

template <>
inline constexpr auto keys_of<LocalCoordinate> = std::tuple{
    Member{&LocalCoordinate::formula,
           alone(Alone::may, formula("formula", "", "local coordinate as a function of the coordinates, not of time"))},
    Member{&LocalCoordinate::unit, unit("unit of the local coordinate")}};

template <>
inline constexpr auto keys_of<LocalPoint> =
    std::tuple{Items{&LocalPoint::coordinates,
                     Key{.name = "x, y, ...", .form = Form::table, .about = "local coordinates by their names"}}};

template <>
inline constexpr auto keys_of<GeneralisedForce> = std::tuple{Member{
    &GeneralisedForce::formula, alone(Alone::only, formula("formula", "", "generalised force on the coordinate"))}};

template <>
inline constexpr auto keys_of<StartForce> =
    std::tuple{Member{&StartForce::value, alone(Alone::only, number("value", "", "force or torque at the start"))}};

template <>
inline constexpr auto keys_of<Friction> = std::tuple{
    Member{&Friction::on, reference("on", Form::name_or_names,
                                    "constraint whose reaction is the normal force, or a list of constraints: then the "
                                    "normal force is the norm of their reactions")},
    Member{&Friction::coefficient, formula("coefficient", "", "coefficient of sliding friction")},
    Member{&Friction::stiction,
           formula("stiction", "", "coefficient of static friction, at least `coefficient`", "`coefficient`")},
    Member{&Friction::along, formulas("along", Form::one_or_list, "",
                                      "sliding velocity, linear in the velocities; a list of two for sliding in a "
                                      "plane, of three for a ball in its socket",
                                      "tangential velocity of the `[local]` point")},
    Member{&Friction::normal, formula("normal", "", "normal force over `lambda.guide` …", "reaction of `on`")}};

template <>
inline constexpr auto keys_of<Constraint> = std::tuple{
    OneOf{std::span<const Kind>(level_kinds), &Constraint::level, &Constraint::formula, formula("", "", ""),
          "{0} is given at two levels, {1} and {2}", "keep one of them; maggi differentiates it by itself"},
    Member{&Constraint::unit, unit("unit of the formula")},
    Member{&Constraint::servo,
           flag("servo", "a control of `[control]` enforces the constraint; it has no reaction of its own")},
    Member{&Constraint::hidden, flag("hidden", "the constraint follows from servo constraints and needs no control")},
    Member{&Constraint::one_sided,
           flag("one_sided", "position: the formula must not become negative, and the reaction only pushes")},
    Member{
        &Constraint::restitution,
        number("restitution", "1", "one-sided: ratio of the velocities after and before an impact, from 0 to 1", "0")},
    Member{&Constraint::active,
           flag("active", "the constraint is active at the start; an `[event]` switches it on and off", "true")},
    Spelling{{.name = "friction",
              .form = Form::table,
              .about = "friction proportional to the reaction of this constraint: a table with the keys of "
                       "`[friction]` but `on`"}},
    Inner{&Constraint::equals},
    Inner{&Constraint::owner},
    Inner{&Constraint::component}};

template <>
inline constexpr auto keys_of<Control> =
    std::tuple{Member{&Control::along,
                      formulas("along", Form::by_name, "", "generalised force of a unit control on each coordinate")},
               Member{&Control::unit, unit("unit of the control")}};

template <>
inline constexpr auto keys_of<Law> = std::tuple{
    Member{&Law::along, formulas("along", Form::by_name, "", "generalised force of a unit force on each coordinate")},
    Member{&Law::formula,
           formula("law", "",
                   "force law, an equation for `force.NAME` over multipliers, coordinates, velocities and time")},
    Member{&Law::unit, unit("unit of the force")}};

template <>
inline constexpr auto keys_of<Event> = std::tuple{
    Member{
        &Event::when,
        formula("when", "",
                "formula whose zero is the event, over coordinates, velocities, accelerations, multipliers and time")},
    Spelling{number("at", "s", "time of the event"), "when", "has both when and at",
             "keep one of them: at = 2.0 is when = \"t - 2.0\""},
    Member{&Event::crossing, choice("crossing", crossing_names, "direction in which the formula crosses zero", "any")},
    Member{&Event::switch_on, reference("switch_on", Form::name_or_names, "constraints that become active")},
    Member{&Event::switch_off, reference("switch_off", Form::name_or_names, "constraints that become inactive")},
    Member{&Event::stop, flag("stop", "the run ends")}};

template <>
inline constexpr auto keys_of<ReactionForce> =
    std::tuple{Member{&ReactionForce::along,
                      formulas("along", Form::by_name, "", "generalised force of a unit force on each coordinate")},
               Member{&ReactionForce::unit, unit("unit of the force")}};

template <>
inline constexpr auto keys_of<Output> = std::tuple{
    Member{&Output::formula,
           alone(Alone::may,
                 formula("formula", "", "value of the channel, also over accelerations, multipliers and controls"))},
    Member{&Output::unit, unit("unit of the channel")}, Inner{&Output::measured}};

template <>
inline constexpr auto keys_of<Sketch::Point> =
    std::tuple{Member{&Sketch::Point::at,
                      formulas("point", Form::list, "m", "coordinates of a point: two in a plane, three in space")},
               Member{&Sketch::Point::trace, flag("trace", "the path of the point is shown")}};

template <>
inline constexpr auto keys_of<Sketch::Line> =
    std::tuple{OneOf{std::span<const Kind>(line_kinds), &Sketch::Line::spring, &Sketch::Line::through,
                     reference("", Form::names, ""), "{0} is both a {1} and a {2}", "give each its own name"}};

template <>
inline constexpr auto keys_of<Sketch::Circle> = std::tuple{
    Member{&Sketch::Circle::about, reference("circle", Form::name, "name of the point at the centre of a circle")},
    Member{&Sketch::Circle::radius, formula("radius", "m", "radius of the circle")},
    Member{&Sketch::Circle::axis, formulas("axis", Form::list, "", "normal of the circle in space", "[0, 0, 1]")}};

template <>
inline constexpr auto keys_of<SimulationSettings> = std::tuple{
    Member{&SimulationSettings::from, number("from", "s", "start time", "0")},
    Member{&SimulationSettings::until, number("until", "s", "end time")},
    Member{&SimulationSettings::output,
           number("output", "s", "time between stored states; 0: every step", "a 500th of the run")},
    Member{&SimulationSettings::rtol, number("rtol", "1", "relative error per step")},
    Member{&SimulationSettings::atol, number("atol", "1", "absolute error per step, in the units of q and v")},
    Member{&SimulationSettings::step,
           number("step", "s", "step of `rk4` and `projected-bdf`, first step of the other integrators", "chosen")},
    Member{&SimulationSettings::formulation, choice("formulation", {}, "how the accelerations are found", "auto")},
    Member{
        &SimulationSettings::basis,
        choice("basis", {}, "basis of the null space of C, of formulations that have one", "that of the formulation")},
    Member{&SimulationSettings::integrator, choice("integrator", {}, "integrator")},
    Member{&SimulationSettings::drift, choice("drift", {}, "how drift off the constraints is corrected")},
    Member{&SimulationSettings::stabilisation,
           numbers("stabilisation", Form::list, "1/s", "rates α, β of `drift = baumgarte` and `pi`")},
    Member{&SimulationSettings::unknowns, choice("unknowns", {}, "integrated variables")},
    Member{&SimulationSettings::continuity,
           choice("continuity", {}, "how a basis is kept continuous in time", "that of the basis")},
    Member{&SimulationSettings::also,
           Key{.name = "also", .form = Form::names, .about = "channels besides the usual ones", .by_default = "none"}}};

}  // namespace maggi::fields
