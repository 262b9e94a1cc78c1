#include "system/formulas/formula_derivatives.hpp"

#include <algorithm>

#include "maggi/expert/derivative.hpp"
#include "maggi/expert/parse.hpp"
#include "system/formulas/derive_rules.hpp"

namespace maggi {

using expression::Derivative;
using expression::Id;

/// Makes one program, on a copy of the expressions: those that threads may read at the same time stay as they are.
class FormulaDerivatives::Builder {
 public:
  explicit Builder(const FormulaDerivatives& owner)
      : owner_(owner), shape_(owner.shape_), e_(owner.equations_), g_(e_.graph), n_(owner.shape_.n()) {}

  void make(Kind kind, Program& program) {
    if (kind == by_positions) {
      std::vector<Derivative> by_q = derivatives_by(e_.q, g_);
      add(&Derivatives::phi_q, e_.phi, by_q);
    } else if (kind == by_state) {
      std::vector<Derivative> by_q = derivatives_by(e_.q, g_), by_v = derivatives_by(e_.v, g_);
      const std::vector<Id> balance = balance_of_forces(), rows = residuals_of_rows();
      add(&Derivatives::balance_q, balance, by_q);
      add(&Derivatives::balance_v, balance, by_v);
      add(&Derivatives::rows_q, rows, by_q);
      add(&Derivatives::rows_v, rows, by_v);
      add(&Derivatives::law_q, e_.law, by_q);
      add(&Derivatives::law_v, e_.law, by_v);
    } else {
      std::vector<Derivative> by_p = by_parameters_that_others_follow();
      add(&Derivatives::balance_p, balance_of_forces(), by_p);
      add(&Derivatives::rows_p, residuals_of_rows(), by_p);
      add(&Derivatives::law_p, e_.law, by_p);
      add(&Derivatives::phi_p, e_.phi, by_p);
      add(&Derivatives::f_p, e_.f, by_p);
    }
    program.tape = expression::Tape(g_, inputs(), e_.parameters, outputs_);
    for (std::size_t k = 0; k < entries_.size(); ++k) entries_[k].slot = program.tape.output(k);
    program.entries = std::move(entries_);
  }

 private:
  /// h + Cᵀλ + T τ + B p − M v̇
  std::vector<Id> balance_of_forces() {
    std::vector<Id> balance = e_.h;
    for (int i = 0; i < n_; ++i) {
      for (int r = 0; r < shape_.m(); ++r) add_product(balance[i], e_.C[r * n_ + i], e_.lambda[r]);
      add_column(balance[i], i, e_.T, e_.tau);
      add_column(balance[i], i, e_.B, e_.p);
      for (int j = 0; j < n_; ++j) {
        const Id entry = i >= j ? e_.M[i * (i + 1) / 2 + j] : e_.M[j * (j + 1) / 2 + i];
        add_product(balance[i], g_.negate(entry), e_.a[j]);
      }
    }
    return balance;
  }

  /// γ − C v̇, and −ψ of acceleration rows.
  std::vector<Id> residuals_of_rows() {
    const int below = shape_.s_p + shape_.s_v;
    std::vector<Id> rows(e_.gamma.begin(), e_.gamma.begin() + below);
    for (int r = 0; r < below; ++r)
      for (int j = 0; j < n_; ++j) add_product(rows[r], g_.negate(e_.C[r * n_ + j]), e_.a[j]);
    for (const Id psi : e_.psi) rows.push_back(g_.negate(psi));
    return rows;
  }

  void add_product(Id& sum, Id factor, Id variable) {
    if (!g_.is_zero(factor)) sum = g_.add(sum, g_.multiply(factor, variable));
  }
  void add_column(Id& sum, int row, const std::vector<Id>& matrix, const std::vector<Id>& forces) {
    for (std::size_t j = 0; j < forces.size(); ++j) add_product(sum, matrix[row * forces.size() + j], forces[j]);
  }

  /// ∂/∂p of each parameter, with those below it that are formulas over it.
  std::vector<Derivative> by_parameters_that_others_follow() {
    std::vector<Id> formulas;
    expression::Scope scope;
    for (const TableFile& file : owner_.tables_) scope.declare_table(file.name, file.table);
    for (std::size_t i = 0; i < e_.parameters.size(); ++i) {
      const Parameter& parameter = owner_.parameters_[i];
      formulas.push_back(expression::parse(parameter.value.text, g_, scope, parameter.value.where));
      scope.declare(parameter.name, e_.parameters[i]);
    }
    std::vector<Derivative> result;
    for (std::size_t k = 0; k < e_.parameters.size(); ++k) {
      std::vector<std::pair<Id, Id>> seeds{{e_.parameters[k], g_.constant(1.0)}};
      for (std::size_t i = k + 1; i < e_.parameters.size(); ++i)
        if (const Id rate = Derivative(g_, seeds)(formulas[i]); !g_.is_zero(rate))
          seeds.emplace_back(e_.parameters[i], rate);
      result.emplace_back(g_, seeds);
    }
    return result;
  }

  void add(Matrix Derivatives::*matrix, const std::vector<Id>& expressions, std::vector<Derivative>& by) {
    for (std::size_t i = 0; i < expressions.size(); ++i)
      for (std::size_t j = 0; j < by.size(); ++j)
        if (const Id entry = by[j](expressions[i]); !g_.is_zero(entry)) {
          entries_.push_back({matrix, static_cast<int>(i), static_cast<int>(j), 0});
          outputs_.push_back(entry);
        }
  }

  /// In the order in which run() loads them.
  std::vector<Id> inputs() const {
    std::vector<Id> all = e_.q;
    all.insert(all.end(), e_.v.begin(), e_.v.end());
    all.push_back(e_.t);
    for (const std::vector<Id>* more : {&e_.a, &e_.lambda, &e_.tau, &e_.p, &e_.sense})
      all.insert(all.end(), more->begin(), more->end());
    return all;
  }

  const FormulaDerivatives& owner_;
  const Shape& shape_;
  DerivedEquations e_;
  expression::Graph& g_;
  const int n_;
  std::vector<Entry> entries_;
  std::vector<Id> outputs_;
};

FormulaDerivatives::FormulaDerivatives(const DerivedEquations& equations, const Shape& shape, const Model& model)
    : equations_(equations), shape_(shape), parameters_(model.parameters), tables_(model.tables) {}
FormulaDerivatives::~FormulaDerivatives() = default;

const FormulaDerivatives::Program& FormulaDerivatives::program(Kind kind) const {
  Program& program = programs_[kind];
  std::call_once(program.made, [&] { Builder(*this).make(kind, program); });
  return program;
}

void FormulaDerivatives::run(Kind kind, const Instant& at, const Acceleration* held, const Vector* sense,
                             std::span<const double> parameters, Memory& memory, Derivatives& d) const {
  const Program& current = program(kind);
  std::vector<double>&scratch = memory.scratch[kind], &prepared = memory.parameters[kind];
  if (scratch.empty() || !std::ranges::equal(prepared, parameters)) {
    scratch.resize(current.tape.slots());
    current.tape.prepare(parameters, scratch);
    prepared.assign(parameters.begin(), parameters.end());
  }
  const int n = shape_.n();
  double* next = std::copy_n(at.v, n, std::copy_n(at.q, n, scratch.data()));
  *next++ = at.t;
  const auto load = [&next](const Vector* values, int count) {
    next = values && values->size() > 0 ? std::copy_n(values->data(), count, next) : std::fill_n(next, count, 0.0);
  };
  load(held ? &held->vdot : nullptr, n);
  load(held ? &held->lambda : nullptr, shape_.m());
  load(held ? &held->tau : nullptr, static_cast<int>(shape_.laws.size()));
  load(held ? &held->p : nullptr, static_cast<int>(shape_.controls.size()));
  load(sense, static_cast<int>(shape_.laws.size()));
  current.tape.run(scratch);
  for (const Entry& entry : current.entries) (d.*entry.matrix)(entry.row, entry.col) = scratch[entry.slot];
}

void FormulaDerivatives::velocity(const Instant& at, std::span<const double> parameters, Memory& memory,
                                  Derivatives& d) const {
  d.phi_q.setZero(shape_.s_p + shape_.s_v, shape_.n());
  run(by_positions, at, nullptr, nullptr, parameters, memory, d);
}

void FormulaDerivatives::acceleration(const Instant& at, const Acceleration& held, const Vector& sense,
                                      std::span<const double> parameters, Memory& memory, Derivatives& d) const {
  const int n = shape_.n();
  for (Matrix* balance : {&d.balance_q, &d.balance_v}) balance->setZero(n, n);
  for (Matrix* rows : {&d.rows_q, &d.rows_v}) rows->setZero(shape_.m(), n);
  for (Matrix* law : {&d.law_q, &d.law_v}) law->setZero(static_cast<Eigen::Index>(shape_.laws.size()), n);
  run(by_state, at, &held, &sense, parameters, memory, d);
}

void FormulaDerivatives::parameter(const Instant& at, const Acceleration& held, const Vector& sense,
                                   const std::vector<int>& which, std::span<const double> parameters, Memory& memory,
                                   Derivatives& d) const {
  const auto columns = static_cast<Eigen::Index>(parameters_.size());
  d.balance_p.setZero(shape_.n(), columns);
  d.rows_p.setZero(shape_.m(), columns);
  d.law_p.setZero(static_cast<Eigen::Index>(shape_.laws.size()), columns);
  d.phi_p.setZero(shape_.s_p + shape_.s_v, columns);
  d.f_p.setZero(shape_.s_p, columns);
  run(by_parameters, at, &held, &sense, parameters, memory, d);
  for (Matrix* part : {&d.balance_p, &d.rows_p, &d.law_p, &d.phi_p, &d.f_p}) *part = Matrix((*part)(Eigen::all, which));
}

}  // namespace maggi
