#pragma once
#include <algorithm>
#include <vector>

#include "analysis/written_system.hpp"
#include "expression/tape.hpp"

namespace maggi::analysis {

/// The values of an expression in q, v and t of a system, made in a graph of its own.
class Probe {
 public:
  Probe(const WrittenSystem& system, const expression::Graph& graph, expression::Id expression) {
    const DerivedEquations& e = system.derived;
    std::vector<expression::Id> inputs = e.q;
    inputs.insert(inputs.end(), e.v.begin(), e.v.end());
    inputs.push_back(e.t);
    const std::vector<expression::Id> outputs{expression};
    tape_ = expression::Tape(graph, inputs, e.parameters, outputs);
    scratch_.resize(tape_.slots());
    tape_.prepare(system.parameters, scratch_);
  }

  double operator()(const State& state) {
    std::copy(state.q.begin(), state.q.end(), scratch_.begin());
    std::copy(state.v.begin(), state.v.end(), scratch_.begin() + state.q.size());
    scratch_[state.q.size() + state.v.size()] = state.t;
    tape_.run(scratch_);
    return scratch_[tape_.output(0)];
  }

 private:
  expression::Tape tape_;
  std::vector<double> scratch_;
};

}  // namespace maggi::analysis
