#pragma once
#include <fmt/format.h>

#include <string>

#include "io/toml/model_file.hpp"

namespace maggi::test {

/// Problem A02 of the IFToMM library: loops + 1 parallel cranks on the ground at (k, 0), `loops` couplers between their
/// tips, all of them thin rods of 1 m and 1 kg; upright at first, the tips move to the right. Where the cranks lie flat
/// the constraints lose `loops` of their rank. Without singular configurations in between: θ̈ = K sin θ from the
/// vertical.
inline Model four_bar_chain_of_bodies(int loops, double speed = 1.0) {
  std::string text = "title = \"Parallel cranks\"\ndimension = 2\ngravity = [0, -9.81]\n";
  std::string joints = "[joint]\n";
  for (int k = 0; k <= loops; ++k) {
    text += fmt::format("[body.crank_{0}]\nshape = \"rod\"\nmass = 1.0\nfrom = [{0}, 0]\nto = [{0}, 1]\n", k);
    if (k == 0) text += "markers = { B0 = [0, 1] }\n";
    joints += fmt::format("pin_{0} = {{ revolute = [\"ground\", \"crank_{0}\"], at = [{0}, 0]{1} }}\n", k,
                          k == 0 ? fmt::format(", speed = {}", -speed) : "");
  }
  for (int k = 1; k <= loops; ++k) {
    text += fmt::format("[body.coupler_{0}]\nshape = \"rod\"\nmass = 1.0\nfrom = [{1}, 1]\nto = [{0}, 1]\n", k, k - 1);
    joints += fmt::format(
        "left_{0} = {{ revolute = [\"crank_{1}\", \"coupler_{0}\"], at = [{1}, 1] }}\n"
        "right_{0} = {{ revolute = [\"crank_{0}\", \"coupler_{0}\"], at = [{0}, 1] }}\n",
        k, k - 1);
  }
  return parse_model(text + joints, "chain.toml");
}

/// The same from formulas: angles of the cranks from the vertical, of the couplers from the horizontal.
inline Model four_bar_chain_of_formulas(int loops, double speed = 1.0) {
  std::string coordinates = "[coordinates]\n", kinetic, potential, constraints = "[constraint]\n";
  for (int k = 0; k <= loops; ++k) {
    coordinates +=
        fmt::format("a{} = {{ {} }}\n", k, k == 0 ? fmt::format("start = 0.0, speed = {}", speed) : "guess = 0.0");
    kinetic += fmt::format("{}a{}'^2/6", k == 0 ? "" : " + ", k);
    potential += fmt::format("{}cos(a{})/2", k == 0 ? "" : " + ", k);
  }
  for (int k = 1; k <= loops; ++k) {
    coordinates += fmt::format("b{} = {{ guess = 0.0 }}\n", k);
    kinetic += fmt::format(" + a{1}'^2/2 + b{0}'^2/6 - a{1}'*b{0}'*sin(a{1} + b{0})/2", k, k - 1);
    potential += fmt::format(" + cos(a{1}) + sin(b{0})/2", k, k - 1);
    constraints += fmt::format(
        "x{0} = {{ position = \"sin(a{1}) + cos(b{0}) - 1 - sin(a{0})\" }}\n"
        "y{0} = {{ position = \"cos(a{1}) + sin(b{0}) - cos(a{0})\" }}\n",
        k, k - 1);
  }
  return parse_model("title = \"Parallel cranks\"\n" + coordinates + "[energy]\nkinetic = \"" + kinetic +
                         "\"\npotential = \"9.81*(" + potential + ")\"\n" + constraints,
                     "chain.toml");
}

}  // namespace maggi::test
