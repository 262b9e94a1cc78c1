#pragma once
#include "system/mechanism/kinematics/power_or_zero.hpp"
#include "system/mechanism/recursion/mechanism_workspace.hpp"
#include "system/mechanism/tree/tree_model.hpp"

namespace maggi::mechanism {

/// The output functions of a tree, s(q) with ṡ = S v: gaps of the closures, functions between frames, sums of
/// coordinates. Without formulas that use them there are none.
template <class Space>
class TreeFunctions {
 public:
  /// `model` must outlive it.
  explicit TreeFunctions(const TreeModel<Space>& model) : a_(model) {
    if (a_.frame_functions.empty() && a_.sums.empty()) return;
    S_ = a_.shape.C;
    for (const Path& path : a_.frame_function_paths) {
      for (const auto& [j, sign] : path) S_.add(S_.rows, j);
      ++S_.rows;
    }
    for (const CoordinateSum& sum : a_.sums) {
      for (const CoordinateSum::Term& term : sum.terms) S_.add(S_.rows, term.v);
      ++S_.rows;
    }
  }

  bool any() const { return S_.rows > 0; }
  const Pattern& pattern() const { return S_; }

  void size(FunctionValues& f) const {
    for (Vector* values : {&f.value, &f.rate, &f.bias}) *values = Vector::Zero(S_.rows);
    for (Vector* values : {&f.S, &f.Sdot}) *values = Vector::Zero(S_.size());
  }

  /// s and S, where the links, the closures and C are those of this instant.
  void set_values(const Instant& at, MechanismWorkspace<Space>& w) const {
    if (!any()) return;
    FunctionValues& f = w.function_values;
    const LinkState<Space>& s = w.links;
    f.S.head(w.terms.C.size()) = w.terms.C;
    for_frame_functions(w, [&](const ClosureRow<Space>& row, int j, double sign, int entry) {
      f.S[entry] = sign * power_or_zero<Space>(row.W, s.S[j]);
    });
    int i = 0, entry = S_.size();
    for (; i < a_.shape.m(); ++i) f.value[i] = w.rows[i].f;
    for (std::size_t k = 0; k < a_.frame_functions.size(); ++k, ++i) f.value[i] = w.frame_functions[k].f;
    for (const CoordinateSum& sum : a_.sums) entry -= static_cast<int>(sum.terms.size());
    for (const CoordinateSum& sum : a_.sums) {
      f.value[i] = 0.0;
      for (const CoordinateSum::Term& term : sum.terms) {
        if (term.q >= 0) f.value[i] += term.sign * at.q[term.q];
        f.S[entry++] = term.sign;
      }
      ++i;
    }
  }

  /// ṡ, after set_values().
  void set_rates(const Instant& at, MechanismWorkspace<Space>& w) const {
    if (!any()) return;
    FunctionValues& f = w.function_values;
    f.rate.setZero();
    for (int k = 0; k < S_.size(); ++k) f.rate[S_.row[k]] += f.S[k] * at.v[S_.col[k]];
  }

  /// Ṡ v, where the accelerations of the links at v̇ = 0 and γ are those of this instant.
  void set_biases(MechanismWorkspace<Space>& w) const {
    if (!any()) return;
    FunctionValues& f = w.function_values;
    const LinkState<Space>& s = w.links;
    int i = 0;
    for (; i < a_.shape.m(); ++i) f.bias[i] = -w.terms.gamma[i];
    for (std::size_t k = 0; k < a_.frame_functions.size(); ++k, ++i) {
      const Closure<Space>& ends = a_.frame_functions[k];
      f.bias[i] = w.frame_functions[k].Wdot.dot(s.V[ends.b] - s.V[ends.a]) +
                  w.frame_functions[k].W.dot(s.A[ends.b] - s.A[ends.a]);
    }
  }

  /// Ṡ, with s, S and ṡ, where Ċ and the rates of the closures are those of this instant.
  void set_turning(const Instant& at, MechanismWorkspace<Space>& w) const {
    if (!any()) return;
    set_values(at, w);
    set_rates(at, w);
    const LinkState<Space>& s = w.links;
    Vector& Sdot = w.function_values.Sdot;
    Sdot.head(w.terms.Cdot.size()) = w.terms.Cdot;
    for_frame_functions(w, [&](const ClosureRow<Space>& row, int j, double sign, int entry) {
      Sdot[entry] = sign * (row.Wdot.dot(s.S[j]) + row.W.dot(s.Sdot[j]));
    });
  }

 private:
  /// Calls visit(row, velocity, sign, entry) for every entry of S that belongs to a function between frames.
  template <class Visit>
  void for_frame_functions(const MechanismWorkspace<Space>& w, Visit visit) const {
    int entry = a_.shape.C.size();
    for (std::size_t k = 0; k < a_.frame_functions.size(); ++k)
      for (const auto& [j, sign] : a_.frame_function_paths[k]) visit(w.frame_functions[k], j, sign, entry++);
  }

  const TreeModel<Space>& a_;
  Pattern S_;  // begins with C; no rows if there are no functions
};

}  // namespace maggi::mechanism
