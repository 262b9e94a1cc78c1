#pragma once
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "maggi/expert/equations.hpp"
#include "system/seam/displacement.hpp"

namespace maggi::integration {

/// What is looked for at once, and so which conditions it has to meet.
enum class Stage {
  positions,   ///< q:            f = 0
  velocities,  ///< v, q is known: φ = 0, the velocity form of f included
  motion,      ///< q, v:         f = 0, φ = 0
  everything,  ///< q, v, v̇, λ, τ, p: f = 0, φ = 0, C v̇ = γ, M v̇ = h + r, law(λ, τ) = 0, and the reactions given
};

/// What a start has to satisfy. Nothing that is left out makes the rest harder: a row without its condition still
/// exerts a force, a law that is not in force leaves its own open.
struct Demands {
  std::vector<int> rows;    ///< to be satisfied, in increasing order; none by which a contact sticks
  std::vector<int> forces;  ///< rows that exert a force, unless a control keeps them; in increasing order
  std::vector<bool> laws;   ///< in force
};

/// Is it to change only where it has to?
inline bool rather_stays(const Start::Value& value) { return !value.given && std::isinf(value.weight); }

/// A value that the search may choose, unless it is given.
struct Unknown {
  std::string name;      ///< "x", "x'", "x''", "lambda.rim"
  Start::Value start;    ///< given, or where the search begins
  bool follows = false;  ///< v̇, λ, τ, p: wherever the others go, these are solved for
};

/// A scalar equation that a start has to satisfy.
struct Condition {
  int row = -1;      ///< the constraint it belongs to; −1: the balance of forces, a law, a reaction given
  std::string name;  ///< in messages: "rim", "the balance of forces on x"
  std::string unit;
};

/// residual(x) = 0: the conditions of one stage, for some of the rows, with their derivatives.
///
/// The force of everything that is not in h is r = Cᵀλ + T τ + B p. A contact slides as the sense of its laws says, or
/// sticks, with speed 0 as a further row, if that is zero.
///
/// All derivatives are exact: those of System, and C and M. Positions are displacements from the origin of the start.
class StartProblem {
 public:
  /// `at` holds the time, and q if that is known; `sense` is that of all laws, for Stage::everything only.
  StartProblem(const System& system, Workspace& w, const Start& start, const Demands& demands, const Vector& sense,
               Stage stage, const State& at);

  Stage stage() const { return stage_; }
  const std::vector<Unknown>& unknowns() const { return unknowns_; }
  const std::vector<Condition>& conditions() const { return conditions_; }
  bool linear() const { return linear_; }  ///< one step of Newton's method solves it

  /// The unknowns that may occur in a condition, by the sparsity of C, if positions or velocities alone are unknown.
  /// Empty in the other stages, where every condition may depend on every unknown.
  std::vector<std::vector<int>> occurrences() const;
  /// The x of the configuration in which the model is given; empty if there is none, or if positions are not alone.
  Vector reference() const { return stage_ == Stage::positions ? reference_ : Vector(); }

  /// Fills all below. false if something is not a finite number.
  bool evaluate(const Vector& x);
  const Vector& residual() const { return residual_; }
  const Matrix& J() const { return J_; }            ///< ∂residual/∂x
  const Matrix& metric() const { return metric_; }  ///< in which changes of x are least; followers have none

  /// x in its parts; what is not unknown is left alone, and so is the reaction.
  void unpack(const Vector& x, State& state, Acceleration& a) const;
  /// r at x.
  Vector reaction(const Vector& x);

 private:
  void select_rows(const Demands& demands);
  void list_unknowns(const Start& start);
  void list_conditions(const Start& start);
  void add_unknowns(const std::vector<Start::Value>& values, const std::function<std::string(int)>& name);
  void fill_residual(const Vector& x, Vector& residual);
  void fill_forces(VectorRef residual);
  void fill_force_derivatives(int first);
  void fill_exact_derivatives(const Vector& x);
  void fill_derivatives(const Vector& x);
  void fill_metric();

  const System& system_;
  const Shape& shape_;
  Workspace& w_;
  Displacement displacement_;
  const Vector& reference_;
  Stage stage_;
  bool linear_ = false;
  std::vector<Unknown> unknowns_;
  std::vector<Condition> conditions_;
  RowSelection position_, velocity_, all_, forces_;      // rows of f, of φ, of C v̇ = γ, of Cᵀλ
  Vector sense_;                                         // of all laws
  std::vector<int> laws_;                                // in force
  std::vector<std::pair<int, double>> reaction_;         // coordinate, value given
  int q_ = -1, v_ = -1, vdot_at_ = -1, lambda_at_ = -1;  // where the parts of x begin; −1: not unknown
  State state_;
  Acceleration a_;
  Vector residual_;
  Derivatives derivatives_;
  Matrix J_, metric_, M_, C_position_, C_velocity_, C_, C_forces_, T_, B_;
};

}  // namespace maggi::integration
