#pragma once
#include "model/formula_fields.hpp"
#include "model/mechanism_fields.hpp"

/// The tables of a model file, in the order in which they are written.
namespace maggi::fields {

inline constexpr Text coordinate_example = "{{ start = 0.0 }}";
inline constexpr Text force_along_example = "{{ along = {{ x = 1, y = \"...\" }}, unit = \"N\" }}";

template <>
inline constexpr auto keys_of<Model> =
    std::tuple{
        Member{&Model::title, text("title", "title of reports")},
        Member{Path{&Model::mechanism, &Mechanism::dimension},
               beside(Beside::bodies, {.name = "dimension",
                                       .form = Form::dimension,
                                       .about = "2 for a mechanism in the plane x, y",
                                       .by_default = "3"})},
        Member{Path{&Model::mechanism, &Mechanism::gravity},
               beside(Beside::bodies, numbers("gravity", Form::list, "m/s^2", "acceleration of gravity", "none"))},
        Member{Path{&Model::mechanism, &Mechanism::reaction_frame},
               beside(Beside::bodies, choice("reaction_frame", reaction_frames,
                                             "axes along which forces of joints are given", "world"))},
        Member{Path{&Model::mechanism, &Mechanism::data_tolerance},
               number("data_tolerance", "1",
                      "errors of points (as parts of the size of a loop), of axes (in rad) and of numbers typed in "
                      "constraints (as parts of them) that are taken as rounding",
                      "1e-6")},
        Member{Path{&Model::mechanism, &Mechanism::repair},
               flag("repair",
                    "rounded data are corrected, so that loops and constraints which leave a motion within the "
                    "tolerance of the data leave it exactly",
                    "true")},
        Table{&Model::parameters,
              {"parameters", "numbers that formulas use by their names", Beside::either, "m", "1.0"}},
        Table{Path{&Model::mechanism, &Mechanism::bodies},
              {"body", "rigid bodies", Beside::bodies, "arm",
               "{{ mass = 1.0, inertia = [1.0, 1.0, 1.0], position = [0, 0, 0] }}", true}},
        Table{Path{&Model::mechanism, &Mechanism::joints},
              {"joint", "joints between two bodies, or a body and \"ground\"", Beside::bodies, "pin",
               "{{ revolute = [\"ground\", \"arm\"], at = [0, 0, 0], axis = [0, 0, 1] }}"}},
        Mixed{force_heading,
              std::apply(
                  [](const auto... list) {
                    return std::tuple{Path{&Model::mechanism, list}...};
                  },
                  force_lists),
              "does not say what kind of force it is"},
        Table{
            Path{&Model::mechanism, &Mechanism::couplings},
            {"coupling", "linear relations of joint coordinates", Beside::bodies, "g",
             "{{ gear = [\"sun\", \"planet\"], teeth = [20, 40] }}, {0} = {{ rack_and_pinion = [\"rack\", \"pinion\"], "
             "radius = 0.05 }} or {0} = {{ sum = {{ \"a.angle\" = 1, \"b.angle\" = -2 }} }}"}},
        Table{
            Path{&Model::mechanism, &Mechanism::drivers},
            {"driver", "prescribed motions", Beside::bodies, "motor", "{{ joint = \"crank\", follows = \"2*pi*t\" }}"}},
        Table{&Model::coordinates,
              {"coordinates", "generalised coordinates q, in this order", Beside::formulas, "x", coordinate_example}},
        Table{&Model::definitions,
              {"define", "formulas that other formulas use by their names; s' is the time derivative of s",
               Beside::either, "s", "\"sin(x)\""}},
        Table{&Model::points,
              {"local", "points in whose own coordinates constraints are written", Beside::formulas, "A",
               "{{ x = \"...\", y = \"...\" }}"}},
        Group{{"energy", "kinetic and potential energy", Beside::formulas, "",
               "kinetic = \"...\" and potential = \"...\""},
              std::tuple{
                  Member{&Model::kinetic,
                         formula("kinetic", "J", "kinetic energy T(q, v, t), at most quadratic in the velocities")},
                  Member{&Model::potential, formula("potential", "J", "potential energy V(q, t)", "0")}}},
        Group{{"equations", "equations of motion, instead of `[energy]`", Beside::formulas, "",
               "mass = [[...]] and force = [...]"},
              std::tuple{Member{&Model::mass, formulas("mass", Form::matrix, "",
                                                       "mass matrix M, symmetric, a row for each coordinate")},
                         Member{&Model::force,
                                formulas("force", Form::list, "", "right-hand side h, an entry for each coordinate")}}},
        Table{&Model::generalised_forces,
              {"generalised_force", "generalised forces that have no potential, by coordinates", Beside::formulas, "x",
               "\"-d*x'\""}},
        Table{&Model::constraints,
              {"constraint", "constraints by formulas", Beside::either, "guide", "{{ position = \"...\" }}"}},
        Table{&Model::laws,
              {"law", "forces given by force laws", Beside::either, "drag",
               "{{ along = {{ x = 1 }}, law = \"force.{0} = ...\" }}"}},
        Table{&Model::frictions,
              {"friction", "friction proportional to reactions", Beside::either, "floor",
               "{{ on = \"guide\", coefficient = 0.3 }}"}},
        Table{&Model::controls,
              {"control", "controls that enforce servo constraints", Beside::either, "F", force_along_example}},
        Table{&Model::events,
              {"event", "instants at which constraints become active or inactive, or the run ends", Beside::either,
               "catch", "{{ when = \"...\", switch_on = [\"...\"] }}"}},
        Group{{"start", "forces at the start", Beside::either, "", "lambda.guide = 5.0 or reaction.x = 2.0"},
              std::tuple{Table{&Model::start_multipliers,
                               {"lambda", "multipliers of constraints at the start", Beside::either, "guide", "5.0"}},
                         Table{&Model::start_reactions,
                               {"reaction", "generalised reactions on coordinates at the start", Beside::formulas, "x",
                                "2.0"}}}},
        Table{&Model::reactions,
              {"reaction", "directions of reaction forces", Beside::formulas, "N", force_along_example}},
        Table{&Model::outputs, {"output", "further channels of the result", Beside::either, "height", "\"...\""}},
        Mixed{
            {"drawing", "points, lines and circles that the report shows", Beside::formulas, "mass",
             "{{ point = [\"x\", \"y\"] }}, {{ line = [\"A\", \"B\"] }}, {{ spring = [\"A\", \"B\"] }} or {{ circle = "
             "\"A\", radius = 0.1 }}"},
            std::tuple{Path{&Model::drawing, &Sketch::points}, Path{&Model::drawing, &Sketch::lines},
                       Path{&Model::drawing, &Sketch::circles}},
            "draws nothing"},
        Table{&Model::simulation, {"simulation", "how the model is run", Beside::either, "", "until = 10.0"}},
        Inner{&Model::file},
        Inner{&Model::tables}};

}  // namespace maggi::fields
