#pragma once
#include "maggi/mechanism.hpp"
#include "model/field_keys.hpp"

/// The keys of the parts of a mechanism.
namespace maggi::fields {

inline constexpr std::array<Text, 3> reaction_frames{"world", "joint", "body"};  // in the order of ReactionFrame
inline constexpr std::array<Text, 2> force_frames{"world", "body"};              // false, true of turns_with_body
inline constexpr std::array<Text, 6> shapes{"point", "rod", "box", "cylinder", "sphere", "disc"};

inline constexpr std::array<Kind, joint_types> joint_kinds{{
    // in the order of JointType
    {"fixed", "the second body does not move relative to the first"},
    {"revolute", "rotation about the axis"},
    {"prismatic", "translation along the axis"},
    {"cylindrical", "rotation about the axis and translation along it"},
    {"screw", "rotation about the axis with a translation of `pitch` per radian"},
    {"universal", "rotation about an axis of the first body and one of the second"},
    {"spherical", "rotation about a point"},
    {"planar", "translation in a plane, normal to the axis, and rotation about its normal"},
    {"free", "any motion"},
    {"distance", "the distance of two points is constant"},
    {"point_on_line", "a point of the second body stays on a line of the first"},
    {"point_on_plane", "a point of the second body stays on a plane of the first"},
    {"rolling", "a disc or ball of the second body rolls without slip on a plane of the first"},
    {"knife_edge", "a point of the second body has no velocity along the axis, which the second body carries"},
}};

template <>
inline constexpr auto keys_of<Body> = std::tuple{
    Member{&Body::mass, number("mass", "kg", "mass")},
    Member{&Body::inertia, numbers("inertia", Form::one_or_list, "kg m^2",
                                   "moments of inertia about the mass centre: [xx, yy, zz] or [xx, yy, zz, xy, xz, "
                                   "yz]; one number in the plane")},
    Member{&Body::position, point("position", "mass centre")},
    Member{Both{&Body::shape, &Body::shape_where},
           choice("shape", shapes,
                  "shape from which the inertia follows; cylinder and sphere in space, disc in the plane")},
    Member{&Body::density, number("density", "kg/m^3 or kg/m^2",
                                  "density of a shape that has a volume (in the plane: an area), instead of the mass")},
    Member{&Body::from, point("from", "one end of a rod or cylinder, instead of the position")},
    Member{&Body::to, point("to", "the other end")},
    Member{&Body::size, numbers("size", Form::one_or_list, "m", "edges of a box")},
    Member{&Body::radius, number("radius", "m", "radius of a cylinder, sphere or disc")},
    Member{&Body::axis, direction("axis", "axis about which the body is rotated before it is placed")},
    Member{&Body::turned, number("turned", "rad", "angle of this rotation", "0")},
    Member{&Body::markers,
           {.name = "markers",
            .form = Form::places,
            .about = "named points of the body, whose positions are channels",
            .unit = "m"}},
    Member{&Body::start,
           adjusts(Adjusts::value, numbers("start", Form::of_coordinate, "m or rad",
                                           "coordinates of a body that floats at the start, which are kept"))},
    Member{&Body::guess, numbers("guess", Form::of_coordinate, "m or rad",
                                 "coordinates of a body that floats at which the search for the start begins", "0")},
    Member{&Body::speed,
           adjusts(Adjusts::rate, numbers("speed", Form::of_coordinate, "m/s or rad/s",
                                          "velocities of a body that floats at the start, which are kept"))}};

template <>
inline constexpr auto keys_of<JointLimit> = std::tuple{
    Member{&JointLimit::lower, number("lower", "rad or m", "lower end of the range", "none")},
    Member{&JointLimit::upper, number("upper", "rad or m", "upper end of the range", "none")},
    Member{&JointLimit::stiffness,
           number("stiffness", "N/m or N m/rad", "stiffness of an elastic stop", "a rigid stop")},
    Member{&JointLimit::damping, number("damping", "N s/m or N m s/rad", "damping of an elastic stop", "0")},
    Member{&JointLimit::restitution,
           number("restitution", "1", "ratio of the velocities after and before an impact on a rigid stop", "0")},
    Inner{&JointLimit::component}};

template <>
inline constexpr auto keys_of<JointFriction> = std::tuple{
    Member{&JointFriction::coefficient, formula("coefficient", "1", "coefficient of sliding friction")},
    Member{&JointFriction::stiction, formula("stiction", "1", "coefficient of static friction", "`coefficient`")},
    Member{&JointFriction::radius,
           number("radius", "m", "radius at which the friction acts: of the pin, of the thread, of the ball")}};

template <>
inline constexpr auto keys_of<Joint> = std::tuple{
    OneOf{std::span<const Kind>(joint_kinds), &Joint::type, &Joint::bodies, reference("", Form::bodies, ""),
          "{0} is {1} and {2}", "a joint is of one kind: remove one of them", "does not say what kind of joint it is"},
    Member{&Joint::at,
           point("at", "point of the joint; of a `distance` its point on the first body; centre of a rolling disc")},
    Member{&Joint::to, point("to", "point of a `distance` on the second body")},
    Member{&Joint::axis,
           direction("axis", "axis of the joint; normal of a plane; axis of a rolling disc, on the second body")},
    Member{&Joint::second_axis, direction("second_axis", "axis of a universal joint on the second body")},
    Member{&Joint::pitch, number("pitch", "m/rad", "translation of a screw per radian")},
    Member{&Joint::length, number("length", "m", "length of a `distance`", "that of the reference configuration")},
    Member{&Joint::start, adjusts(Adjusts::value, numbers("start", Form::of_coordinate, "rad or m",
                                                          "coordinate at the start, which is kept"))},
    Member{&Joint::guess, numbers("guess", Form::of_coordinate, "rad or m",
                                  "coordinate at which the search for the start begins", "0")},
    Member{&Joint::speed, adjusts(Adjusts::rate, numbers("speed", Form::of_coordinate, "rad/s or m/s",
                                                         "velocity at the start, which is kept"))},
    Member{&Joint::speed_guess, numbers("speed_guess", Form::of_coordinate, "rad/s or m/s",
                                        "velocity at which the search for the start begins", "0")},
    Member{&Joint::acceleration,
           numbers("acceleration", Form::of_coordinate, "rad/s^2 or m/s^2",
                   "acceleration at the start; it replaces one position or velocity that could be chosen")},
    Member{&Joint::weight,
           numbers("weight", Form::of_coordinate, "1", "weight of a change of the guess, relative to the mass", "1")},
    Member{&Joint::speed_weight,
           numbers("speed_weight", Form::of_coordinate, "1", "weight of a change of the velocity guess", "1")},
    Member{&Joint::radius, number("radius", "m", "radius of a rolling disc or ball")},
    Member{&Joint::normal, direction("normal", "normal of the plane on which a disc rolls", "against gravity")},
    Member{&Joint::loop, flag("loop", "this joint closes a loop")},
    Member{&Joint::limits,
           {.name = "limits",
            .form = Form::limits,
            .about = "range of a coordinate: [lower, upper], or a table with keys"}},
    Member{&Joint::friction,
           {.name = "friction",
            .form = Form::table,
            .about = "dry friction from the reaction of the joint: a table with keys"}}};

template <>
inline constexpr auto keys_of<Spring> = std::tuple{
    Member{&Spring::bodies, reference("spring", Form::bodies, "a spring and damper between points of two bodies")},
    Member{&Spring::from, point("from", "point on the first body")},
    Member{&Spring::to, point("to", "point on the second body")},
    Member{&Spring::stiffness, number("stiffness", "N/m", "stiffness", "0")},
    Member{&Spring::damping, number("damping", "N s/m", "damping", "0")},
    Member{&Spring::force, formula("force", "N", "further force that pulls the points together", "0")},
    Member{&Spring::length, number("length", "m", "length without load", "that of the reference configuration")}};

template <>
inline constexpr auto keys_of<JointForce> = std::tuple{
    Member{Both{&JointForce::joint, &JointForce::component},
           reference(
               "joint", Form::name,
               "a force along a coordinate of a joint: \"hinge\", or \"head.angle_1\" for one of several coordinates")},
    Member{&JointForce::stiffness, number("stiffness", "N/m or N m/rad", "stiffness", "0")},
    Member{&JointForce::damping, number("damping", "N s/m or N m s/rad", "damping", "0")},
    Member{&JointForce::force, formula("force", "N or N m", "force along the coordinate", "0")},
    Spelling{formula("torque", "N m", "the same as `force`"), "force", "has both a force and a torque",
             "they mean the same here: remove one of them"},
    Member{&JointForce::rest, number("rest", "rad or m", "coordinate without load", "0")}};

template <>
inline constexpr auto keys_of<BodyForce> =
    std::tuple{Member{&BodyForce::body, reference("on", Form::name, "a force and a torque on a body")},
               Member{&BodyForce::at, point("at", "point at which the force acts", "the mass centre")},
               Member{&BodyForce::force, formulas("force", Form::one_or_list, "N", "components of the force", "0")},
               Member{&BodyForce::torque, formulas("torque", Form::one_or_list, "N m",
                                                   "components of the torque; one number in the plane", "0")},
               Member{&BodyForce::turns_with_body,
                      choice("frame", force_frames,
                             "frame of the components: \"world\", or \"body\", which rotates with the body", "world")}};

template <>
inline constexpr auto keys_of<Bushing> = std::tuple{
    Member{&Bushing::bodies,
           reference("bushing", Form::bodies, "springs and dampers along and about axes that the first body carries")},
    Member{&Bushing::at, point("at", "point of the bushing")},
    Member{&Bushing::axis, direction("axis", "third axis", "the axes of the world frame")},
    Member{&Bushing::stiffness, numbers("stiffness", Form::list, "N/m", "stiffness along each axis", "0")},
    Member{&Bushing::damping, numbers("damping", Form::list, "N s/m", "damping along each axis", "0")},
    Member{&Bushing::torsion_stiffness, numbers("torsion_stiffness", Form::one_or_list, "N m/rad",
                                                "stiffness about each axis; one number in the plane", "0")},
    Member{&Bushing::torsion_damping, numbers("torsion_damping", Form::one_or_list, "N m s/rad",
                                              "damping about each axis; one number in the plane", "0")}};

/// The force elements: the lists that the table [force] fills. Whoever asks something of all forces goes through them.
inline constexpr std::tuple force_lists{&Mechanism::springs, &Mechanism::joint_forces, &Mechanism::body_forces,
                                        &Mechanism::bushings};
inline constexpr Heading force_heading{
    "force", "springs and dampers, forces along joints and on bodies, bushings", Beside::bodies, "f",
    "{{ spring = [\"ground\", \"arm\"], from = [...], to = [...], stiffness = ... }}, {0} = {{ joint = "
    "\"hinge\", torque = ... }}, {0} = {{ on = \"arm\", at = [...], force = [...] }} or {0} = {{ bushing = "
    "[\"ground\", \"arm\"], at = [...], stiffness = [...] }}"};

template <class Visit>
void for_each_force(const Mechanism& mechanism, Visit visit) {
  for_each(force_lists, [&](const auto list) {
    for (const auto& force : mechanism.*list) visit(force);
  });
}

template <>
inline constexpr auto keys_of<Coupling> = std::tuple{
    Spelling{reference("gear", Form::bodies, "two joints whose rotations are coupled by teeth")},
    Spelling{
        reference("rack_and_pinion", Form::bodies, "a prismatic joint and a rotating joint that are coupled by teeth")},
    Spelling{numbers("teeth", Form::list, "1", "numbers of teeth of the two gears; negative for internal teeth")},
    Spelling{number("radius", "m", "radius of the pinion")},
    Member{&Coupling::terms, numbers("sum", Form::by_name, "", "factors of joint coordinates whose sum is zero")}};

template <>
inline constexpr auto keys_of<Driver> = std::tuple{
    Member{&Driver::coordinate, reference("joint", Form::name, "the coordinate of a joint follows a formula")},
    Member{&Driver::marker, reference("marker", Form::name, "a marker follows formulas, one for each axis")},
    Member{&Driver::distance,
           reference("distance", Form::bodies, "the distance of points of two bodies follows a formula")},
    Member{&Driver::from, point("from", "point of a driven distance on the first body")},
    Member{&Driver::to, point("to", "point of a driven distance on the second body")},
    Member{&Driver::follows, formulas("follows", Form::one_or_list, "rad or m", "formula in time")}};

}  // namespace maggi::fields
