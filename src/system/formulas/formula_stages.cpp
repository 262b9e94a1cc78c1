#include "system/formulas/formula_stages.hpp"

namespace maggi {

namespace {

using expression::Id;
using expression::Tape;

/// Collects outputs for a tape, group by group.
class StageBuilder {
 public:
  void add(Vector Terms::*member, const std::vector<Id>& ids, int first = 0) {
    groups_.push_back({member, ids.size(), first});
    outputs_.insert(outputs_.end(), ids.begin(), ids.end());
  }

  FormulaStage build(const DerivedEquations& e) const {
    std::vector<Id> inputs = e.q;  // the layout that load() relies on
    inputs.insert(inputs.end(), e.v.begin(), e.v.end());
    inputs.push_back(e.t);
    inputs.insert(inputs.end(), e.a.begin(), e.a.end());
    for (const std::vector<Id>* more : {&e.lambda, &e.tau, &e.p, &e.sense})
      inputs.insert(inputs.end(), more->begin(), more->end());
    FormulaStage stage{Tape(e.graph, inputs, e.parameters, outputs_), {}};
    std::size_t next = 0;
    for (const Group& group : groups_) {
      StageTarget target{group.member, {}, group.first};
      for (std::size_t i = 0; i < group.size; ++i) target.slots.push_back(stage.tape.output(next++));
      stage.targets.push_back(std::move(target));
    }
    return stage;
  }

 private:
  struct Group {
    Vector Terms::*member;
    std::size_t size;
    int first;
  };
  std::vector<Group> groups_;
  std::vector<Id> outputs_;
};

/// Values of a symmetric or general pattern picked from a full list.
std::vector<Id> packed(const Pattern& pattern, const std::vector<Id>& full, int row_begin = 0, int row_end = 1 << 30) {
  std::vector<Id> ids;
  for (int k = 0; k < pattern.size(); ++k) {
    const int i = pattern.row[k], j = pattern.col[k];
    if (i < row_begin || i >= row_end) continue;
    ids.push_back(full[pattern.symmetric ? i * (i + 1) / 2 + j : i * pattern.cols + j]);
  }
  return ids;
}

}  // namespace

std::vector<FormulaStage> formula_stages(const DerivedEquations& e, const Shape& shape) {
  const int velocity_rows = shape.s_p + shape.s_v;
  const std::vector<Id> M = packed(shape.M, e.M);
  std::vector<StageBuilder> builders(stage::count);
  builders[stage::position].add(&Terms::M, M);
  builders[stage::position].add(&Terms::C, packed(shape.C, e.C, 0, shape.s_p));
  builders[stage::position].add(&Terms::f, e.f);
  builders[stage::velocity].add(&Terms::M, M);
  builders[stage::velocity].add(&Terms::C, packed(shape.C, e.C, 0, velocity_rows));
  builders[stage::velocity].add(&Terms::phi, e.phi);
  builders[stage::velocity].add(&Terms::J, packed(shape.J, e.J));
  builders[stage::acceleration].add(&Terms::M, M);
  builders[stage::acceleration].add(&Terms::C, packed(shape.C, e.C));
  builders[stage::acceleration].add(&Terms::h, e.h);
  builders[stage::acceleration].add(&Terms::gamma, e.gamma);
  builders[stage::acceleration].add(&Terms::J, packed(shape.J, e.J));
  builders[stage::acceleration].add(&Terms::T, packed(shape.T, e.T));
  builders[stage::acceleration].add(&Terms::B, packed(shape.B, e.B));
  const std::vector<Id> below = packed(shape.C, e.C, 0, velocity_rows);
  builders[stage::nonlinear].add(&Terms::psi, e.psi);
  builders[stage::nonlinear].add(&Terms::C, packed(shape.C, e.C, velocity_rows), static_cast<int>(below.size()));
  builders[stage::nonlinear].add(&Terms::gamma, {e.gamma.begin() + velocity_rows, e.gamma.end()}, velocity_rows);
  builders[stage::nonlinear].add(&Terms::curvature, packed(shape.M, e.curvature));
  builders[stage::rates].add(&Terms::Mdot, packed(shape.M, e.Mdot));
  builders[stage::rates].add(&Terms::Cdot, packed(shape.C, e.Cdot));
  builders[stage::rates].add(&Terms::Jdot, packed(shape.J, e.Jdot));
  builders[stage::directions].add(&Terms::F, packed(shape.F, e.F));
  builders[stage::laws].add(&Terms::law, e.law);
  builders[stage::laws].add(&Terms::hold, e.hold);
  builders[stage::laws].add(&Terms::coefficient, e.coefficient);
  builders[stage::laws].add(nullptr, e.law_gradient);
  builders[stage::energy].add(nullptr, {e.kinetic, e.potential, e.total, e.power});
  builders[stage::outputs].add(nullptr, e.outputs);
  builders[stage::events].add(nullptr, e.events);
  builders[stage::drawing].add(nullptr, e.drawing);
  std::vector<FormulaStage> stages;
  for (const StageBuilder& builder : builders) stages.push_back(builder.build(e));
  return stages;
}

}  // namespace maggi
