// 03_four_bar_built: a four-bar linkage from bodies and pins, built in C++; its joint forces.
//
//            C
//          ╱   ╲          A, D: pins on the ground; AB crank, BC coupler, CD rocker
//        B       ╲
//       ╱         ╲       New here: bodies and joints instead of formulas, numbers as formulas over parameters,
//      A           D      the force of every joint on its second body.
//
// models/four_bar.toml is the same mechanism as a file.
#include <cstdio>
#include <maggi/maggi.hpp>

maggi::Model four_bar() {
  maggi::MechanismBuilder m(maggi::planar);
  m.title("Four-bar");
  m.gravity({0, -9.81});
  m.parameter("l1", 0.25, "m");
  m.parameter("l2", 0.6, "m");
  m.parameter("th1", 0.8, "rad");  // directions of crank and coupler in the reference configuration
  m.parameter("th2", 0.76988074306664060, "rad");

  const maggi::Point A{0, 0}, D{0.55, 0.1};
  const maggi::Point B{m.parameter("xB", "l1*cos(th1)"), m.parameter("yB", "l1*sin(th1)")};
  const maggi::Point C{m.parameter("xC", "xB + l2*cos(th2)"), m.parameter("yC", "yB + l2*sin(th2)")};

  const maggi::BodyHandle crank = m.body("crank", maggi::rod(A, B, 0.5));
  const maggi::BodyHandle coupler = m.body("coupler", maggi::rod(B, C, 1.2));
  const maggi::BodyHandle rocker = m.body("rocker", maggi::rod(C, D, 1.0));

  m.revolute("pin_1", m.ground(), crank, A).speed(6.0);
  m.revolute("pin_2", crank, coupler, B);
  m.revolute("pin_3", coupler, rocker, C);
  m.revolute("pin_4", rocker, m.ground(), D);
  return m.model();  // checked: an Error names what is wrong
}

int main() try {
  maggi::Simulation simulation(four_bar());
  const maggi::Motion motion = simulation.run({.until = 1.0, .output = 0.25});

  std::printf("%6s %12s", "t [s]", "crank [rad]");
  for (const int pin : {1, 2, 3, 4}) std::printf("      F%dx [N]   F%dy [N]", pin, pin);
  std::printf("\n");
  for (std::size_t i = 0; i < motion.size(); ++i) {
    std::printf("%6.2f %12.5f", motion["t"][i], motion["pin_1.angle"][i]);
    for (const std::string pin : {"pin_1", "pin_2", "pin_3", "pin_4"})
      std::printf("    %9.4f %9.4f", motion[pin + ".force.x"][i], motion[pin + ".force.y"][i]);
    std::printf("\n");
  }
} catch (const maggi::Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return error.exit_code();
}
