// Uses something from a header and something that must be linked.
#include <cstdio>
#include <string>
#include <vector>

#include "maggi/base/error.hpp"
#include "maggi/base/names.hpp"
#include "maggi/model/model.hpp"

int main() {
  const std::vector<std::string> names = {"coupler", "crank"};
  const maggi::Error error(maggi::Errc::model, {"four_bar.toml", 17, 18}, "no body is named \"coupeler\"",
                           maggi::suggest_name("coupeler", names));
  std::puts(error.what());
  maggi::Model model;
  model.constraints.push_back({.name = "guide", .formula = "x2 - rho*sin(x3)"});
  return maggi::nearest_name("coupeler", names) == "coupler" &&
                 maggi::level_name(model.constraints[0].level) == "position"
             ? 0
             : 1;
}
