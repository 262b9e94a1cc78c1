#include "system/formulas/equation_system.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <mutex>

#include "base/names.hpp"
#include "expression/interval.hpp"
#include "expression/native_tapes.hpp"
#include "model/validate.hpp"
#include "system/formulas/derive.hpp"
#include "system/formulas/formula_derivatives.hpp"
#include "system/formulas/formula_stages.hpp"
#include "system/formulas/number_rules.hpp"
#include "system/formulas/read_start.hpp"
#include "system/formulas/what_changes_energy.hpp"
#include "system/seam/size_terms.hpp"

namespace maggi {

using expression::Id;

namespace {

struct EquationWorkspace final : Workspace {
  std::vector<std::vector<double>> scratch;  // one per stage
  std::vector<double> parameters;
  FormulaDerivatives::Memory derivatives;
};

}  // namespace

/// The derived formulas and their tapes: what systems with different numbers share.
struct EquationSystem::Compiled {
  Compiled(const Model& model, const Numbers& numbers, UnconstrainedEquations unconstrained)
      : parameters(model.parameters),
        derived(derive_equations(std::move(unconstrained), model, numbers, shape)),
        stages(formula_stages(derived, shape)) {}

  /// Runs a stage whose inputs beyond (q, v, t) are in place, and copies its outputs into the terms.
  void run(stage::Index index, const Instant& at, Workspace& w) const {
    const FormulaStage& current = stages[index];
    std::vector<double>& scratch = static_cast<EquationWorkspace&>(w).scratch[index];
    const int n = shape.n();
    std::copy_n(at.q, n, scratch.data());
    std::copy_n(at.v, n, scratch.data() + n);
    scratch[2 * n] = at.t;
    const NativeFunction function = native[index].load(std::memory_order_acquire);
    function ? function(scratch.data()) : current.tape.run(scratch);
    for (const StageTarget& target : current.targets) {
      if (!target.member) continue;
      double* values = (w.terms.*target.member).data() + target.first;
      for (std::size_t i = 0; i < target.slots.size(); ++i) values[i] = scratch[target.slots[i]];
    }
  }

  /// The inputs beyond (q, v, t), one after the other as StageBuilder has them; those not given stay as they were.
  class Inputs {
   public:
    Inputs(const Compiled& c, stage::Index index, Workspace& w)
        : next_(static_cast<EquationWorkspace&>(w).scratch[index].data() + 2 * c.shape.n() + 1) {}
    Inputs& add(const double* values, std::size_t count) {
      if (values) std::copy_n(values, count, next_);
      next_ += count;
      return *this;
    }

   private:
    double* next_;
  };

  void load(stage::Index index, const double* vdot, const double* lambda, Workspace& w) const {
    Inputs(*this, index, w).add(vdot, shape.n()).add(lambda, shape.m());
  }
  void load(stage::Index index, const Acceleration& a, Workspace& w) const {
    Inputs(*this, index, w)
        .add(a.vdot.data(), shape.n())
        .add(a.lambda.data(), shape.m())
        .add(a.tau.data(), shape.laws.size())
        .add(a.p.data(), shape.controls.size());
  }

  /// Output i of the last group, which has no place in the terms.
  double value(stage::Index index, int i, const Workspace& w) const {
    return static_cast<const EquationWorkspace&>(w).scratch[index][stages[index].targets.back().slots[i]];
  }

  using NativeFunction = expression::NativeCode::Function;

  std::vector<Parameter> parameters;  // as they were when the formulas were derived
  Shape shape;
  DerivedEquations derived;
  std::vector<FormulaStage> stages;
  std::mutex mutex;                                                // of what follows
  std::shared_ptr<const expression::NativeCode> code;              // of the stages; null: there is none
  std::array<std::atomic<NativeFunction>, stage::count> native{};  // the stages as machine code, or null
};

namespace {

/// Do the parameters depend on each other as in the model that was derived? Numbers may differ.
bool same_dependence(const std::vector<Parameter>& a, const std::vector<Parameter>& b) {
  return std::ranges::equal(a, b, [](const Parameter& x, const Parameter& y) {
    return x.value.text == y.value.text ||
           (expression::mentions(x.value.text).empty() && expression::mentions(y.value.text).empty());
  });
}

/// The numbers that the derivation looks at: how much comes back from impacts, friction, and whether the energy is
/// conserved.
void put_numbers(const Model& model, const Numbers& numbers, const DerivedEquations& derived, Shape& shape) {
  for (const Constraint& constraint : model.constraints) {
    if (!constraint.one_sided) continue;
    const auto row = std::ranges::find(shape.rows, constraint.name, &Row::name);
    row->restitution = restitution(constraint, numbers);
  }
  for (const Friction& friction : model.frictions) {
    const double sliding = numbers(friction.coefficient, "the coefficient of friction");
    check_coefficients(friction, sliding, friction.stiction ? numbers(*friction.stiction, "the stiction") : sliding);
  }
  shape.energy_changes = what_changes_energy(model, numbers, shape, derived);
}

}  // namespace

namespace {

Numbers numbers_if_valid(const Model& model) {
  validate(model);
  return Numbers(model);
}

}  // namespace

EquationSystem::EquationSystem(const Model& model) : EquationSystem(model, numbers_if_valid(model)) {}

EquationSystem::EquationSystem(const Model& model, const Numbers& numbers)
    : EquationSystem(model, numbers, derive_unconstrained(model, numbers)) {}

EquationSystem::EquationSystem(const Model& model, const Numbers& numbers, UnconstrainedEquations unconstrained) {
  compiled_ = std::make_shared<Compiled>(model, numbers, std::move(unconstrained));
  derivatives_ = std::make_shared<const FormulaDerivatives>(compiled_->derived, compiled_->shape, model);
  shape_ = compiled_->shape;
  parameters_ = numbers.parameters();
  start_ = read_start(model, numbers, shape_);
}

EquationSystem::EquationSystem(const EquationSystem& derived, const Model& changed, const Numbers& numbers)
    : compiled_(derived.compiled_),
      derivatives_(derived.derivatives_),
      shape_(derived.shape_),
      rounded_(derived.rounded_) {
  put_numbers(changed, numbers, compiled_->derived, shape_);
  parameters_ = numbers.parameters();
  start_ = read_start(changed, numbers, shape_);
  if (!same_dependence(compiled_->parameters, changed.parameters))
    derivatives_ = std::make_shared<const FormulaDerivatives>(compiled_->derived, compiled_->shape, changed);
}

EquationSystem::EquationSystem(const EquationSystem& derived, std::vector<double> parameters, Start start)
    : compiled_(derived.compiled_),
      derivatives_(derived.derivatives_),
      shape_(derived.shape_),
      parameters_(std::move(parameters)),
      start_(std::move(start)),
      rounded_(derived.rounded_) {}

EquationSystem::~EquationSystem() = default;

bool EquationSystem::can_share(const Model& model, const Numbers& numbers) {
  const std::size_t n = model.mass.size();
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (model.mass[i][j].text != model.mass[j][i].text) return false;
  return std::ranges::all_of(model.frictions, [&](const Friction& friction) {
    return numbers.covers(friction.coefficient) && (!friction.stiction || numbers.covers(*friction.stiction));
  });
}

const DerivedEquations& EquationSystem::derived() const { return compiled_->derived; }
const std::vector<double>& EquationSystem::parameters() const { return parameters_; }
const Shape& EquationSystem::shape() const { return shape_; }
const Start& EquationSystem::start() const { return start_; }

namespace {

/// Compiling takes about 50 ms and 0.4 ms per instruction, and saves about 0.8 ns per instruction and evaluation. How
/// many evaluations there will be is an estimate, so it has to save twice what it costs.
bool compiling_pays(std::size_t all_instructions, std::size_t instructions, double evaluations) {
  const double cost = 0.05 + 0.4e-3 * static_cast<double>(all_instructions);
  return 0.8e-9 * static_cast<double>(instructions) * evaluations > 2.0 * cost;
}

}  // namespace

std::string EquationSystem::compile(Compile when, double evaluations) {
  std::vector<const expression::Tape*> tapes;
  std::size_t all_instructions = 0;
  for (const FormulaStage& stage : compiled_->stages) {
    tapes.push_back(&stage.tape);
    all_instructions += stage.tape.instructions();
  }
  const std::size_t instructions = compiled_->stages[stage::acceleration].tape.instructions();
  const std::string tape = fmt::format("tape of {} instructions", instructions);
  const std::lock_guard lock(compiled_->mutex);
  if (compiled_->code) return fmt::format("compiled, {} instructions", instructions);
  if (when == Compile::never) return tape;

  std::vector<double> inputs(tapes.front()->inputs(), 0.0);  // the start, as StageBuilder has it
  for (int i = 0; i < shape().n(); ++i) inputs[i] = start().q[i].value, inputs[shape().n() + i] = start().v[i].value;
  inputs[2 * shape().n()] = start().t;
  const bool cached_only = when == Compile::automatic && !compiling_pays(all_instructions, instructions, evaluations);
  const auto begin = std::chrono::steady_clock::now();
  expression::NativeTapes native = expression::compile_tapes(tapes, cached_only, parameters(), inputs);
  if (!native.compiled && when == Compile::always)
    throw Error(Errc::io, {}, fmt::format("the formulas cannot be compiled: {}", native.why_not),
                "without it they run as a tape, more slowly and with the same results");
  if (!native.code) return fmt::format("{}: {}", tape, native.why_not);
  compiled_->code = std::move(native.code);
  for (std::size_t i = 0; i < tapes.size(); ++i)
    compiled_->native[i].store(native.functions[i], std::memory_order_release);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  return fmt::format("compiled, {} instructions, {}", instructions,
                     native.cached ? "from the cache" : fmt::format("in {:.2g} s", seconds.count()));
}

std::unique_ptr<Workspace> EquationSystem::workspace() const {
  auto w = std::make_unique<EquationWorkspace>();
  size_terms(shape(), w->terms);
  for (const FormulaStage& stage : compiled_->stages) w->scratch.emplace_back(stage.tape.slots(), 0.0);
  set_parameters(parameters(), *w);
  return w;
}

void EquationSystem::set_parameters(std::span<const double> values, Workspace& w) const {
  for (int i = 0; i < stage::count; ++i)
    compiled_->stages[i].tape.prepare(values, static_cast<EquationWorkspace&>(w).scratch[i]);
  static_cast<EquationWorkspace&>(w).parameters.assign(values.begin(), values.end());
}

void EquationSystem::position(const Instant& at, Workspace& w) const { compiled_->run(stage::position, at, w); }
void EquationSystem::velocity(const Instant& at, Workspace& w) const { compiled_->run(stage::velocity, at, w); }
void EquationSystem::acceleration(const Instant& at, Workspace& w) const { compiled_->run(stage::acceleration, at, w); }

void EquationSystem::nonlinear_rows(const Instant& at, const double* vdot, const double* lambda, Workspace& w) const {
  compiled_->load(stage::nonlinear, vdot, lambda, w);
  compiled_->run(stage::nonlinear, at, w);
}

void EquationSystem::laws(const Instant& at, const double* lambda, const double* tau, const double* sense,
                          Workspace& w) const {
  const Shape& s = shape();
  Compiled::Inputs(*compiled_, stage::laws, w)
      .add(nullptr, s.n())
      .add(lambda, s.m())
      .add(tau, s.laws.size())
      .add(nullptr, s.controls.size())
      .add(sense, s.laws.size());
  compiled_->run(stage::laws, at, w);
  Matrix& gradient = w.terms.law_gradient;
  for (Eigen::Index i = 0, k = 0; i < gradient.rows(); ++i)
    for (Eigen::Index j = 0; j < gradient.cols(); ++j, ++k)
      gradient(i, j) = compiled_->value(stage::laws, static_cast<int>(k), w);
}

void EquationSystem::rates(const Instant& at, const double* vdot, Workspace& w) const {
  compiled_->load(stage::rates, vdot, nullptr, w);
  compiled_->run(stage::rates, at, w);
}

void EquationSystem::velocity_derivatives(const Instant& at, Workspace& w, Derivatives& d) const {
  auto& own = static_cast<EquationWorkspace&>(w);
  derivatives_->velocity(at, own.parameters, own.derivatives, d);
}

void EquationSystem::acceleration_derivatives(const Instant& at, const Acceleration& held, const Vector& sense,
                                              Workspace& w, Derivatives& d) const {
  auto& own = static_cast<EquationWorkspace&>(w);
  derivatives_->acceleration(at, held, sense, own.parameters, own.derivatives, d);
}

void EquationSystem::parameter_derivatives(const Instant& at, const Acceleration& held, const Vector& sense,
                                           const std::vector<int>& which, Workspace& w, Derivatives& d) const {
  auto& own = static_cast<EquationWorkspace&>(w);
  derivatives_->parameter(at, held, sense, which, own.parameters, own.derivatives, d);
}

void EquationSystem::directions(const Instant& at, Workspace& w) const { compiled_->run(stage::directions, at, w); }

Energy EquationSystem::energy(const Instant& at, Workspace& w) const {
  compiled_->run(stage::energy, at, w);
  return {compiled_->value(stage::energy, 0, w), compiled_->value(stage::energy, 1, w),
          compiled_->value(stage::energy, 2, w), compiled_->value(stage::energy, 3, w)};
}

void EquationSystem::outputs(const Instant& at, const Acceleration& a, Workspace& w, std::span<double> values) const {
  compiled_->load(stage::outputs, a, w);
  compiled_->run(stage::outputs, at, w);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = compiled_->value(stage::outputs, static_cast<int>(i), w);
}

void EquationSystem::events(const Instant& at, const Acceleration& a, Workspace& w, std::span<double> values) const {
  compiled_->load(stage::events, a, w);
  compiled_->run(stage::events, at, w);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = compiled_->value(stage::events, static_cast<int>(i), w);
}

void EquationSystem::drawing(const Instant& at, Workspace& w, std::span<double> values) const {
  compiled_->run(stage::drawing, at, w);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = compiled_->value(stage::drawing, static_cast<int>(i), w);
}

Interval EquationSystem::bounds(int row, Level level, double t, std::span<const Interval> q,
                                std::span<const Interval> v, const Workspace& w) const {
  const DerivedEquations& e = derived();
  const std::vector<double>& parameters = static_cast<const EquationWorkspace&>(w).parameters;
  std::unordered_map<Id, Interval> box{{e.t, Interval::point(t)}};
  for (std::size_t i = 0; i < q.size(); ++i) box[e.q[i]] = q[i];
  for (std::size_t i = 0; i < v.size(); ++i) box[e.v[i]] = v[i];
  for (std::size_t i = 0; i < parameters.size(); ++i) box[e.parameters[i]] = Interval::point(parameters[i]);
  return expression::bounds(e.graph, level == Level::position ? e.f[row] : e.phi[row], box);
}

void EquationSystem::coordinate_rates(const double*, const double* v, double* qdot) const {
  std::copy_n(v, shape().n(), qdot);
}

void EquationSystem::move(double* q, const double* delta) const {
  for (int i = 0; i < shape().n(); ++i) q[i] += delta[i];
}

void EquationSystem::move_rates(const double*, const double* rate, double* v) const {
  std::copy_n(rate, shape().n(), v);
}

}  // namespace maggi
