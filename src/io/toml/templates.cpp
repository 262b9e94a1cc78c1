#include "io/toml/templates.hpp"

#include <fmt/format.h>

#include "base/names.hpp"
#include "maggi/error.hpp"

namespace maggi::io {

namespace {

std::string pendulum(int /*size*/) {
  return R"toml(# A rod on a pin. Points are given as they are drawn, in metres; angles count from the drawing.
title = "Pendulum"
dimension = 2                                    # in the plane x, y; without this line the model is spatial
gravity = [0, -9.81]

[parameters]
l = { value = 1.0, unit = "m" }                  # --set l=2 changes it

[body.rod]
shape   = "rod"                                  # or mass, inertia and position
mass    = 1.0
from    = [0, 0]
to      = ["l", 0]
markers = { tip = ["l", 0] }                     # its path is drawn: rod.tip.x, rod.tip.y

[joint]
pin = { revolute = ["ground", "rod"], at = [0, 0], speed = 0 }

[simulation]
until = 5.0
)toml";
}

std::string formulas(int /*size*/) {
  return R"toml(# A point mass on a rod, from formulas: coordinates, energies and what holds between the coordinates.
title = "Pendulum, from formulas"

[parameters]
m = { value = 1.0, unit = "kg" }
l = { value = 1.0, unit = "m" }
g = { value = 9.81, unit = "m/s^2" }

[coordinates]
x = { start = "0.8*l", speed = 0, unit = "m" }   # start: kept as it is
y = { guess = "-l", unit = "m" }                 # guess: found from the constraints

[energy]
kinetic   = "m/2*(x'^2 + y'^2)"                  # x' is the rate of x
potential = "m*g*y"

[constraint]
rod = { position = "x^2 + y^2 = l^2", unit = "m^2" }

[output]
tension = { formula = "-2*l*lambda.rod", unit = "N" }

[drawing]
pivot = { point = [0, 0] }
mass  = { point = ["x", "y"], trace = true }
rod   = { line = ["pivot", "mass"] }

[simulation]
until = 5.0
)toml";
}

std::string four_bar(int /*size*/) {
  return R"toml(# A crank, a coupler and a rocker: a loop, which maggi closes by itself.
title = "Four-bar"
dimension = 2
gravity = [0, -9.81]

[body.crank]
shape = "rod"
mass  = 0.5
from  = [0, 0]
to    = [0, 0.2]

[body.coupler]
shape   = "rod"
mass    = 1.0
from    = [0, 0.2]
to      = [0.5, 0.4]
markers = { middle = [0.25, 0.3] }

[body.rocker]
shape = "rod"
mass  = 0.8
from  = [0.5, 0.4]
to    = [0.5, 0]

[joint]
bearing = { revolute = ["ground", "crank"], at = [0, 0], speed = 8.0 }
pin     = { revolute = ["crank", "coupler"], at = [0, 0.2] }
joint   = { revolute = ["coupler", "rocker"], at = [0.5, 0.4] }
foot    = { revolute = ["rocker", "ground"], at = [0.5, 0] }

[simulation]
until = 5.0
)toml";
}

std::string slider_crank(int /*size*/) {
  return R"toml(# A motor turns a crank, a rod moves a piston against a damper. lambda.motor is the torque of the motor.
title = "Slider-crank"
dimension = 2
gravity = [0, -9.81]

[parameters]
w = { value = 10, unit = "rad/s" }

[body.crank]
shape = "rod"
mass  = 0.8
from  = [0, 0]
to    = [0.1, 0]

[body.rod]
shape = "rod"
mass  = 0.5
from  = [0.1, 0]
to    = [0.4, 0]

[body.piston]
shape    = "box"
size     = [0.06, 0.05]
mass     = 0.4
position = [0.4, 0]

[joint]
bearing   = { revolute = ["ground", "crank"], at = [0, 0] }
crank_pin = { revolute = ["crank", "rod"], at = [0.1, 0] }
wrist_pin = { revolute = ["rod", "piston"], at = [0.4, 0] }
cylinder  = { prismatic = ["ground", "piston"], at = [0.4, 0], axis = [1, 0] }

[driver]
motor = { joint = "bearing", follows = "w*t" }

[force]
load = { joint = "cylinder", damping = 50 }

[simulation]
until = 2.0
)toml";
}

std::string arm(int /*size*/) {
  return R"toml(# An arm in space: a column that turns, an arm hinged to it, and a weight on a ball joint at its end.
title = "Arm in space"
gravity = [0, 0, -9.81]

[body.column]
shape  = "cylinder"
radius = 0.05
mass   = 5.0
from   = [0, 0, 0]
to     = [0, 0, 0.5]

[body.arm]
shape = "box"
size  = [0.6, 0.05, 0.05]
mass  = 2.0
position = [0.3, 0, 0.5]

[body.weight]
shape    = "sphere"
radius   = 0.06
mass     = 1.0
position = [0.6, 0, 0.3]
markers  = { centre_point = [0.6, 0, 0.3] }

[joint]
turn  = { revolute = ["ground", "column"], at = [0, 0, 0], axis = [0, 0, 1], speed = 2.0 }
hinge = { revolute = ["column", "arm"], at = [0, 0, 0.5], axis = [0, 1, 0] }
ball  = { spherical = ["arm", "weight"], at = [0.6, 0, 0.5] }

[force]
motor = { joint = "hinge", stiffness = 60, damping = 2 }

[simulation]
until = 5.0
)toml";
}

std::string rod(const std::string& name, int x1, int y1, int x2, int y2) {
  return fmt::format("\n[body.{}]\nshape = \"rod\"\nmass  = 1.0\nfrom  = [{}, {}]\nto    = [{}, {}]\n", name, x1, y1,
                     x2, y2);
}

std::string pin(const std::string& name, const std::string& a, const std::string& b, int x, int y,
                const char* more = "") {
  return fmt::format("{} = {{ revolute = [\"{}\", \"{}\"], at = [{}, {}]{} }}\n", name, a, b, x, y, more);
}

/// Problem A02 of the IFToMM library: cranks side by side on the ground, upright, their tips joined by couplers.
std::string chain(int loops) {
  std::string text = fmt::format(
      "# {} side by side: {} cranks of 1 m and 1 kg, joined by couplers of the same kind, all parallel. In "
      "the\n# configurations where the cranks lie flat the constraints lose rank.\n"
      "# Problem A02 of the IFToMM library of computational benchmark problems, with N = {}.\n"
      "title = \"Chain of {}\"\ndimension = 2\ngravity = [0, -9.81]\n",
      loops == 1 ? "One four-bar" : fmt::format("{} four-bars", loops), loops + 1, loops,
      loops == 1 ? "one four-bar" : fmt::format("{} four-bars", loops));
  for (int k = 0; k <= loops; ++k) text += rod(fmt::format("crank_{}", k), k, 0, k, 1);
  for (int k = 1; k <= loops; ++k) text += rod(fmt::format("coupler_{}", k), k - 1, 1, k, 1);
  text += "\n[joint]\n";
  for (int k = 0; k <= loops; ++k)
    text += pin(fmt::format("pin_{}", k), "ground", fmt::format("crank_{}", k), k, 0, k == 0 ? ", speed = -1.0" : "");
  for (int k = 1; k <= loops; ++k) {
    const std::string coupler = fmt::format("coupler_{}", k);
    text += pin(fmt::format("left_{}", k), fmt::format("crank_{}", k - 1), coupler, k - 1, 1);
    text += pin(fmt::format("right_{}", k), fmt::format("crank_{}", k), coupler, k, 1);
  }
  return text + "\n[simulation]\nuntil  = 0.6\noutput = 0.01\n";
}

std::string rods(int links) {
  std::string text = fmt::format(
      "# {} of 1 m and 1 kg on pins, one below the other, let go from the horizontal.\n"
      "title = \"Pendulum of {}\"\ndimension = 2\ngravity = [0, -9.81]\n",
      links == 1 ? "One rod" : fmt::format("{} rods", links), links == 1 ? "one rod" : fmt::format("{} rods", links));
  for (int k = 1; k <= links; ++k) text += rod(fmt::format("rod_{}", k), k - 1, 0, k, 0);
  text += "\n[joint]\n";
  for (int k = 1; k <= links; ++k)
    text += pin(fmt::format("pin_{}", k), k == 1 ? "ground" : fmt::format("rod_{}", k - 1), fmt::format("rod_{}", k),
                k - 1, 0);
  return text + "\n[simulation]\nuntil  = 5.0\noutput = 0.01\n";
}

}  // namespace

const std::vector<Template>& templates() {
  static const std::vector<Template> all{
      {"pendulum", "one body, one joint", pendulum},
      {"formulas", "coordinates, energies, a constraint", formulas},
      {"four-bar", "a loop", four_bar},
      {"slider-crank", "a loop with a motor and a load", slider_crank},
      {"arm", "joints in space, a controlled hinge", arm},
      {"chain", "four-bars side by side", chain, "loops", 2},
      {"rods", "a pendulum of many rods", rods, "links", 5},
  };
  return all;
}

const Template& find_template(const std::string& name) {
  std::vector<std::string> names;
  for (const Template& each : templates()) {
    if (each.name == name) return each;
    names.push_back(each.name);
  }
  throw Error(Errc::model, {}, fmt::format("no template is named \"{}\"", name), suggest_name(name, names));
}

}  // namespace maggi::io
