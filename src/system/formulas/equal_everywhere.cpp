#include "system/formulas/equal_everywhere.hpp"

#include <cmath>
#include <random>

#include "expression/tape.hpp"

namespace maggi {

using expression::Id;

bool equal_everywhere(Id x, Id y, const Numbers& numbers, const DerivedEquations& e) {
  std::vector<Id> inputs = e.q;
  inputs.insert(inputs.end(), e.v.begin(), e.v.end());
  inputs.push_back(e.t);
  const std::vector<Id> both{x, y};
  const expression::Tape tape(e.graph, inputs, e.parameters, both);
  std::vector<double> scratch(tape.slots());
  std::mt19937 random(1);
  std::uniform_real_distribution<double> value(0.1, 1.3);
  for (int trial = 0; trial < 5; ++trial) {
    tape.prepare(numbers.parameters(), scratch);
    for (std::size_t k = 0; k < inputs.size(); ++k) scratch[k] = value(random);
    tape.run(scratch);
    const double a = scratch[tape.output(0)], b = scratch[tape.output(1)];
    if (!(std::abs(a - b) <= 1e-12 * (std::abs(a) + std::abs(b)))) return false;
  }
  return true;
}

}  // namespace maggi
