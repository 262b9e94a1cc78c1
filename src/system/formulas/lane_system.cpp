#include "system/formulas/lane_system.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace maggi {

using expression::Id;
using expression::Tape;

namespace {

/// The entries of a pattern, picked from a matrix that is given row by row, as a lower triangle if it is symmetric.
void append(const Pattern& pattern, const std::vector<Id>& matrix, std::vector<Id>& outputs) {
  for (int k = 0; k < pattern.size(); ++k) {
    const int i = pattern.row[k], j = pattern.col[k];
    outputs.push_back(matrix[pattern.symmetric ? i * (i + 1) / 2 + j : i * pattern.cols + j]);
  }
}

double* numbers(std::vector<Eight>& values) { return values.empty() ? nullptr : values.front().lane; }
std::span<double> flat(std::vector<Eight>& values) { return {numbers(values), Eight::lanes * values.size()}; }

}  // namespace

std::string LaneSystem::why_not(const Shape& shape) {
  if (!shape.ideal()) return "forces of laws or controls act besides the reactions";
  if (!shape.events.empty()) return fmt::format("event \"{}\" may happen", shape.events.front().name);
  for (const Row& row : shape.rows) {
    if (row.one_sided) return fmt::format("constraint \"{}\" is one-sided", row.name);
    if (!row.active_at_start) return fmt::format("constraint \"{}\" is switched", row.name);
    if (row.nonlinear && row.level == Level::acceleration)
      return fmt::format("constraint \"{}\" is not linear in the accelerations", row.name);
  }
  return "";
}

LaneSystem::LaneSystem(const EquationSystem& system)
    : system_(&system),
      formulas_([&] {
        if (const std::string why = why_not(system.shape()); !why.empty())
          throw Error(Errc::model, {}, "the motions of this system cannot be computed side by side: " + why);
        const Shape& shape = system.shape();
        const DerivedEquations& e = system.derived();
        std::vector<Id> inputs = e.q;
        inputs.insert(inputs.end(), e.v.begin(), e.v.end());
        inputs.push_back(e.t);
        inputs.insert(inputs.end(), e.a.begin(), e.a.end());  // rows linear in v̇: γ is taken at v̇ = 0
        Formulas formulas;
        std::vector<Id> outputs;
        const auto next = [&] { return static_cast<int>(outputs.size()); };
        append(shape.M, e.M, outputs);
        formulas.C = next();
        append(shape.C, e.C, outputs);
        formulas.h = next();
        outputs.insert(outputs.end(), e.h.begin(), e.h.end());
        formulas.gamma = next();
        outputs.insert(outputs.end(), e.gamma.begin(), e.gamma.end());
        formulas.acceleration = Tape(e.graph, inputs, e.parameters, outputs);
        formulas.position = Tape(e.graph, inputs, e.parameters, e.f);
        formulas.velocity = Tape(e.graph, inputs, e.parameters, e.phi);
        return std::make_shared<const Formulas>(std::move(formulas));
      }()),
      parameters_(system.parameters().size()),
      acceleration_(formulas_->acceleration),
      position_(formulas_->position),
      velocity_(formulas_->velocity) {
  for (std::size_t p = 0; p < parameters_.size(); ++p)
    std::fill_n(parameters_[p].lane, Eight::lanes, system.parameters()[p]);
  for (Stage* stage : {&acceleration_, &position_, &velocity_}) stage->prepare(parameters_);
}

void LaneSystem::set_parameters(int lane, std::span<const double> values) {
  for (std::size_t p = 0; p < parameters_.size(); ++p) parameters_[p][lane] = values[p];
  for (Stage* stage : {&acceleration_, &position_, &velocity_}) stage->prepare(parameters_);
}

void LaneSystem::Stage::prepare(const std::vector<Eight>& parameters) {
  const double* values = parameters.empty() ? nullptr : parameters.front().lane;
  tape->prepare_lanes({values, Eight::lanes * parameters.size()}, flat(memory));
}

void LaneSystem::Stage::run(int n, const Eight& t, const Eight* q, const Eight* v) {
  std::copy_n(q, n, memory.data());
  if (v) std::copy_n(v, n, memory.data() + n);
  memory[2 * n] = t;
  tape->run_lanes(flat(memory));
}

void LaneSystem::acceleration(const Eight& t, const Eight* q, const Eight* v) {
  acceleration_.run(shape().n(), t, q, v);
}
void LaneSystem::position(const Eight& t, const Eight* q) { position_.run(shape().n(), t, q, nullptr); }
void LaneSystem::velocity(const Eight& t, const Eight* q, const Eight* v) { velocity_.run(shape().n(), t, q, v); }

}  // namespace maggi
