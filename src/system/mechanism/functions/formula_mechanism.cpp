#include "system/mechanism/functions/formula_mechanism.hpp"

#include <algorithm>
#include <map>

#include "system/mechanism/functions/formula_workspace.hpp"
#include "system/seam/size_terms.hpp"

namespace maggi::mechanism {

namespace {

void apply(const std::vector<std::array<int, 3>>& product, const Vector& a, const Vector& b, Vector& out) {
  for (const auto& [k, i, j] : product) out[k] += a[i] * b[j];
}

/// The rows of a pattern: columns and the entries in which they are.
std::vector<std::vector<std::pair<int, int>>> by_rows(const Pattern& pattern) {
  std::vector<std::vector<std::pair<int, int>>> rows(pattern.rows);
  for (int k = 0; k < pattern.size(); ++k) rows[pattern.row[k]].emplace_back(pattern.col[k], k);
  return rows;
}

/// Collects entries (row, col) with what they are made of, and puts them in order.
class ProductBuilder {
 public:
  void add(int row, int col, int i, int j) { entries_[{row, col}].push_back({i, j}); }
  void add(int row, int col) { entries_[{row, col}]; }

  std::vector<std::array<int, 3>> finish(Pattern& pattern) const {
    std::vector<std::array<int, 3>> product;
    for (const auto& [place, terms] : entries_) {
      for (const auto& [i, j] : terms) product.push_back({pattern.size(), i, j});
      pattern.add(place.first, place.second);
    }
    return product;
  }

 private:
  std::map<std::pair<int, int>, std::vector<std::pair<int, int>>> entries_;
};

}  // namespace

namespace {

/// Do two models over the output functions of a mechanism differ in the values of parameters at most?
bool same_formulas(const Model& a, const Model& b) {
  return a.tables == b.tables && a.coordinates == b.coordinates && a.definitions == b.definitions &&
         a.potential == b.potential && a.generalised_forces == b.generalised_forces && a.constraints == b.constraints &&
         a.controls == b.controls && a.laws == b.laws && a.frictions == b.frictions && a.events == b.events &&
         a.outputs == b.outputs && a.start_multipliers == b.start_multipliers;
}

EquationSystem derived_or_shared(const Model& model, const Numbers& of_mechanism, const FormulaMechanism* before,
                                 const Model* model_before) {
  const Numbers numbers(of_mechanism, model.coordinates);
  if (before && same_formulas(*model_before, model) && EquationSystem::can_share(model, numbers))
    return {before->formulas(), model, numbers};
  return {model, numbers};
}

}  // namespace

FormulaMechanism::FormulaMechanism(std::unique_ptr<SystemWithFunctions> mechanism, Model over_functions,
                                   std::shared_ptr<const MechanismSource> source, bool leaves_zeros_out,
                                   const FormulaMechanism* before, MakeMechanism maker)
    : mechanism_(std::move(mechanism)),
      over_functions_(std::move(over_functions)),
      formulas_(
          derived_or_shared(over_functions_, source->numbers, before, before ? &before->over_functions_ : nullptr)),
      make_(maker),
      zeros_kept_(std::move(source), leaves_zeros_out, maker) {
  fill_shape();
  fill_start();
}

std::unique_ptr<MechanismSystem> FormulaMechanism::with_numbers(const Model& changed, const Numbers& numbers) const {
  return make_(std::make_shared<MechanismSource>(changed, numbers), this);
}

void FormulaMechanism::fill_shape() {
  const Shape& own = mechanism_->shape();
  const Shape& more = formulas_.shape();
  const int n = own.n();
  shape_ = own;
  shape_.rows = more.rows;
  shape_.s_p = more.s_p, shape_.s_v = more.s_v, shape_.s_a = more.s_a;
  shape_.laws = more.laws;
  shape_.controls = more.controls;
  shape_.contacts = more.contacts;
  shape_.events = more.events;
  shape_.rheonomic = more.rheonomic;
  shape_.outputs.insert(shape_.outputs.end(), more.outputs.begin(), more.outputs.end());
  if (!own.energy_changes.empty() && !more.energy_changes.empty()) shape_.energy_changes += "; ";
  shape_.energy_changes += more.energy_changes;

  const auto S = by_rows(mechanism_->function_pattern());
  ProductBuilder C, T, B, M;
  for (int k = 0; k < more.C.size(); ++k)
    for (const auto& [j, entry] : S[more.C.col[k]]) C.add(more.C.row[k], j, k, entry);
  for (const auto& [pattern, builder] : {std::pair(&more.T, &T), std::pair(&more.B, &B)})
    for (int k = 0; k < pattern->size(); ++k)
      for (const auto& [j, entry] : S[pattern->row[k]]) builder->add(j, pattern->col[k], k, entry);
  add_local_coordinates();
  const auto empty = [](int rows, int cols, bool symmetric) {
    return Pattern{.rows = rows, .cols = cols, .symmetric = symmetric, .row = {}, .col = {}};
  };
  shape_.C = empty(more.m(), n, false);
  shape_.T = empty(n, static_cast<int>(more.laws.size()), false);
  shape_.B = empty(n, static_cast<int>(more.controls.size()), false);
  C_ = C.finish(shape_.C);
  T_ = T.finish(shape_.T);
  B_ = B.finish(shape_.B);

  // Σ λ ∂²ψ/∂v̇² = Sᵀ (Σ λ ∂²ψ/∂s̈²) S has entries where M has none
  for (int k = 0; k < own.M.size(); ++k) M.add(own.M.row[k], own.M.col[k]);
  curved_ =
      std::ranges::any_of(more.rows, [](const Row& row) { return row.level == Level::acceleration && row.nonlinear; });
  if (curved_)
    for (int i = 0; i < n; ++i)
      for (int j = 0; j <= i; ++j) M.add(i, j);
  shape_.M = empty(n, n, true);
  M.finish(shape_.M);
  for (int k = 0, place = 0; k < own.M.size(); ++k) {
    while (shape_.M.row[place] != own.M.row[k] || shape_.M.col[place] != own.M.col[k]) ++place;
    M_.push_back(place);
  }
}

/// Besides the local coordinates of the joints that close loops: the output functions that rows contain.
void FormulaMechanism::add_local_coordinates() {
  const Shape& more = formulas_.shape();
  const auto S = by_rows(mechanism_->function_pattern());
  std::vector<bool> used(S.size(), false);
  for (const int function : more.C.col) used[function] = function >= mechanism_->shape().m();
  for (std::size_t i = 0; i < S.size(); ++i) {
    if (!used[i]) continue;
    for (const auto& [j, entry] : S[i]) {
      shape_.J.add(shape_.J.rows, j);
      J_.push_back(entry);
    }
    ++shape_.J.rows;
    const Channel& function = more.coordinates[i];
    shape_.local.push_back({function.name, function.name, "", function.unit, function.where});
  }
}

/// J = [J of the mechanism; some rows of S], or the rates of both.
void FormulaMechanism::fill_J(const Vector& of_mechanism, const Vector& of_functions, Vector& J) const {
  J.head(of_mechanism.size()) = of_mechanism;
  for (std::size_t k = 0; k < J_.size(); ++k)
    J[of_mechanism.size() + static_cast<Eigen::Index>(k)] = of_functions[J_[k]];
}

void FormulaMechanism::fill_start() {
  start_ = mechanism_->start();
  start_.lambda = formulas_.start().lambda;
}

std::unique_ptr<Workspace> FormulaMechanism::workspace() const {
  auto w = std::make_unique<FormulaWorkspace>();
  w->mechanism = mechanism_->workspace();
  w->formulas = formulas_.workspace();
  const int functions = mechanism_->function_pattern().rows;
  w->forces = Vector::Zero(functions);
  w->of_functions.vdot = Vector::Zero(functions);
  w->of_functions.reaction = Vector::Zero(functions);
  size_terms(shape_, w->terms);
  leave_out_J(w->terms);
  return w;
}

namespace {

/// The rows of the formulas are sums of output functions with the coefficients Ĉ.
class FormulaRecursion final : public Recursion {
 public:
  explicit FormulaRecursion(std::unique_ptr<FunctionRecursion> mechanism) : mechanism_(std::move(mechanism)) {}
  void use_rows(const std::vector<int>& rows) override { mechanism_->use_rows(rows); }
  bool factorise(const Workspace& w) override { return mechanism_->factorise(under(w)); }
  void solve(const double* h, const double* gamma, double* x, double* lambda) override {
    mechanism_->solve(h, gamma, x, lambda);
  }
  bool factorise_and_solve(const Workspace& w, const double* h, const double* gamma, double* x,
                           double* lambda) override {
    return mechanism_->factorise_and_solve(under(w), h, gamma, x, lambda);
  }
  Weakest weakest() override { return mechanism_->weakest(); }
  std::string_view order() const override { return mechanism_->order(); }

 private:
  /// What the mechanism knows, beside the coefficients Ĉ of the same instant.
  const Workspace& under(const Workspace& w) {
    const auto& own = static_cast<const FormulaWorkspace&>(w);
    mechanism_->use_coefficients(own.formulas->terms.C.data());
    return *own.mechanism;
  }

  std::unique_ptr<FunctionRecursion> mechanism_;
};

/// The workspace of the mechanism is asked for what is asked for here.
void ask_for_the_same(const Shape& mechanism, Workspace& w) {
  memory_of(w).mechanism->matrices = w.matrices;
  if (w.terms.J.size() > 0) ask_for_J(mechanism, memory_of(w).mechanism->terms);
}

/// Carries what the formulas know over to the velocities of the mechanism.
class Transfer {
 public:
  Transfer(const SystemWithFunctions& mechanism, Workspace& w)
      : w_(memory_of(w)),
        from(w_.mechanism->terms),
        over(w_.formulas->terms),
        m(mechanism.function_values(*w_.mechanism)) {}

  void mass(const std::vector<int>& places, Vector Terms::*member) {
    Vector& M = w_.terms.*member;
    M.setZero();
    for (std::size_t k = 0; k < places.size(); ++k) M[places[k]] = (from.*member)[static_cast<Eigen::Index>(k)];
  }

 private:
  FormulaWorkspace& w_;

 public:
  const Terms &from, &over;
  const FunctionValues& m;
};

}  // namespace

std::unique_ptr<Recursion> FormulaMechanism::recursion() const {
  return std::make_unique<FormulaRecursion>(mechanism_->recursion_over(formulas_.shape().C));
}

void FormulaMechanism::position(const Instant& at, Workspace& w) const {
  ask_for_the_same(mechanism_->shape(), w);
  mechanism_->position(at, *memory_of(w).mechanism);
  Transfer transfer(*mechanism_, w);
  formulas_.position(seen(at, transfer.m), *memory_of(w).formulas);
  if (w.matrices) transfer.mass(M_, &Terms::M);
  w.terms.f = transfer.over.f;
  w.terms.C.setZero();
  apply(C_, transfer.over.C, transfer.m.S, w.terms.C);
}

void FormulaMechanism::velocity(const Instant& at, Workspace& w) const {
  ask_for_the_same(mechanism_->shape(), w);
  mechanism_->velocity(at, *memory_of(w).mechanism);
  Transfer transfer(*mechanism_, w);
  formulas_.velocity(seen(at, transfer.m), *memory_of(w).formulas);
  if (w.matrices) transfer.mass(M_, &Terms::M);
  w.terms.phi = transfer.over.phi;
  if (w.terms.J.size() > 0) fill_J(transfer.from.J, transfer.m.S, w.terms.J);
  w.terms.C.setZero();
  apply(C_, transfer.over.C, transfer.m.S, w.terms.C);
}

void FormulaMechanism::acceleration(const Instant& at, Workspace& w) const {
  ask_for_the_same(mechanism_->shape(), w);
  mechanism_->acceleration(at, *memory_of(w).mechanism);
  Transfer transfer(*mechanism_, w);
  const FunctionValues& m = transfer.m;
  formulas_.acceleration(seen(at, m), *memory_of(w).formulas);
  if (w.matrices) transfer.mass(M_, &Terms::M);
  Terms& terms = w.terms;
  if (w.terms.J.size() > 0) fill_J(transfer.from.J, m.S, terms.J);
  for (Vector* sum : {&terms.T, &terms.B}) sum->setZero();
  if (w.matrices) {
    terms.C.setZero();
    apply(C_, transfer.over.C, m.S, terms.C);
  }
  apply(T_, transfer.over.T, m.S, terms.T);
  apply(B_, transfer.over.B, m.S, terms.B);
  terms.h = transfer.from.h;
  const Pattern& S = mechanism_->function_pattern();
  for (int k = 0; k < S.size(); ++k) terms.h[S.col[k]] += m.S[k] * transfer.over.h[S.row[k]];
  terms.gamma = transfer.over.gamma;
  const Pattern& C = formulas_.shape().C;
  for (int k = 0; k < C.size(); ++k) terms.gamma[C.row[k]] -= transfer.over.C[k] * m.bias[C.col[k]];
}

void FormulaMechanism::nonlinear_rows(const Instant& at, const double* vdot, const double* lambda, Workspace& w) const {
  mechanism_->acceleration(at, *memory_of(w).mechanism);
  Transfer transfer(*mechanism_, w);
  const FunctionValues& m = transfer.m;
  Vector& sddot = memory_of(w).of_functions.vdot;
  sddot = m.bias;
  const Pattern& S = mechanism_->function_pattern();
  for (int k = 0; k < S.size(); ++k) sddot[S.row[k]] += m.S[k] * vdot[S.col[k]];
  formulas_.acceleration(seen(at, m), *memory_of(w).formulas);
  formulas_.nonlinear_rows(seen(at, m), sddot.data(), lambda, *memory_of(w).formulas);
  Terms& terms = w.terms;
  terms.psi = transfer.over.psi;
  terms.C.setZero();
  apply(C_, transfer.over.C, m.S, terms.C);
  terms.gamma = transfer.over.gamma;
  const Pattern &C = formulas_.shape().C, &K = formulas_.shape().M, &M = shape_.M;
  for (int k = 0; k < C.size(); ++k) terms.gamma[C.row[k]] -= transfer.over.C[k] * m.bias[C.col[k]];
  if (!curved_) return;
  Matrix dense_S(S.rows, S.cols), curvature(K.rows, K.cols);
  S.scatter(m.S, dense_S);
  K.scatter(transfer.over.curvature, curvature);
  const Matrix carried = dense_S.transpose() * curvature * dense_S;
  for (int k = 0; k < M.size(); ++k) terms.curvature[k] = carried(M.row[k], M.col[k]);
}

void FormulaMechanism::laws(const Instant& at, const double* lambda, const double* tau, const double* sense,
                            Workspace& w) const {
  mechanism_->velocity(at, *memory_of(w).mechanism);
  Transfer transfer(*mechanism_, w);
  formulas_.laws(seen(at, transfer.m), lambda, tau, sense, *memory_of(w).formulas);
  w.terms.law = transfer.over.law;
  w.terms.law_gradient = transfer.over.law_gradient;
  w.terms.hold = transfer.over.hold;
  w.terms.coefficient = transfer.over.coefficient;
}

void FormulaMechanism::rates(const Instant& at, const double* vdot, Workspace& w) const {
  ask_for_the_same(mechanism_->shape(), w);
  mechanism_->acceleration(at, *memory_of(w).mechanism);
  mechanism_->rates(at, vdot, *memory_of(w).mechanism);
  Transfer transfer(*mechanism_, w);
  const FunctionValues& m = transfer.m;
  Vector& sddot = memory_of(w).of_functions.vdot;
  sddot = m.bias;
  const Pattern& S = mechanism_->function_pattern();
  if (vdot)
    for (int k = 0; k < S.size(); ++k) sddot[S.row[k]] += m.S[k] * vdot[S.col[k]];
  formulas_.acceleration(seen(at, m), *memory_of(w).formulas);
  formulas_.rates(seen(at, m), sddot.data(), *memory_of(w).formulas);
  transfer.mass(M_, &Terms::Mdot);
  if (w.terms.J.size() > 0) fill_J(transfer.from.Jdot, m.Sdot, w.terms.Jdot);
  w.terms.Cdot.setZero();
  apply(C_, transfer.over.Cdot, m.S, w.terms.Cdot);
  apply(C_, transfer.over.C, m.Sdot, w.terms.Cdot);
}

Energy FormulaMechanism::energy(const Instant& at, Workspace& w) const {
  Energy energy = mechanism_->energy(at, *memory_of(w).mechanism);
  mechanism_->velocity(at, *memory_of(w).mechanism);
  const Energy more =
      formulas_.energy(seen(at, mechanism_->function_values(*memory_of(w).mechanism)), *memory_of(w).formulas);
  energy.potential += more.potential;
  energy.total += more.total;
  energy.power += more.power;
  return energy;
}

/// The accelerations s̈ of the output functions and the forces along them; `a` has all its parts.
void FormulaMechanism::see_forces(const Instant& at, const Acceleration& a, Workspace& w) const {
  FormulaWorkspace& workspace = memory_of(w);
  nonlinear_rows(at, a.vdot.data(), a.lambda.data(), w);
  const Terms& over = workspace.formulas->terms;
  Acceleration& seen_by_formulas = workspace.of_functions;
  seen_by_formulas.lambda = a.lambda;
  seen_by_formulas.tau = a.tau;
  seen_by_formulas.p = a.p;
  Vector& forces = workspace.forces;
  forces = over.h;
  const Shape& shape = formulas_.shape();
  for (int k = 0; k < shape.C.size(); ++k) forces[shape.C.col[k]] += over.C[k] * a.lambda[shape.C.row[k]];
  for (int k = 0; k < shape.T.size(); ++k) forces[shape.T.row[k]] += over.T[k] * a.tau[shape.T.col[k]];
  for (int k = 0; k < shape.B.size(); ++k) forces[shape.B.row[k]] += over.B[k] * a.p[shape.B.col[k]];
}

Matrix FormulaMechanism::absolute_rows(const Instant& at, const Acceleration& a, const std::vector<int>& rows,
                                       Workspace& w) const {
  nonlinear_rows(at, a.vdot.data(), a.lambda.data(), w);
  const Pattern& C = formulas_.shape().C;
  Matrix forces = Matrix::Zero(static_cast<Eigen::Index>(rows.size()), C.cols);
  for (int k = 0; k < C.size(); ++k)
    if (const auto found = std::ranges::find(rows, C.row[k]); found != rows.end())
      forces(found - rows.begin(), C.col[k]) = memory_of(w).formulas->terms.C[k];
  return mechanism_->absolute_rows_of(at, forces, *memory_of(w).mechanism);
}

void FormulaMechanism::outputs(const Instant& at, const Acceleration& a, Workspace& w, std::span<double> values) const {
  see_forces(at, a, w);
  FormulaWorkspace& workspace = memory_of(w);
  const std::size_t first = mechanism_->shape().outputs.size();
  formulas_.outputs(seen(at, mechanism_->function_values(*workspace.mechanism)), workspace.of_functions,
                    *workspace.formulas, values.subspan(first));
  mechanism_->outputs_under(at, a.vdot.data(), workspace.forces.data(), *workspace.mechanism, values.first(first));
}

void FormulaMechanism::events(const Instant& at, const Acceleration& a, Workspace& w, std::span<double> values) const {
  see_forces(at, a, w);
  FormulaWorkspace& workspace = memory_of(w);
  formulas_.events(seen(at, mechanism_->function_values(*workspace.mechanism)), workspace.of_functions,
                   *workspace.formulas, values);
}

void FormulaMechanism::drawing(const Instant& at, Workspace& w, std::span<double> values) const {
  mechanism_->drawing(at, *memory_of(w).mechanism, values);
}

}  // namespace maggi::mechanism
