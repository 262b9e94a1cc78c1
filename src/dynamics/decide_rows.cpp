// Which rows are independent and used, and what is chosen for them.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/largest.hpp"
#include "base/names.hpp"
#include "basis/realisation.hpp"
#include "dynamics/dynamics.hpp"
#include "dynamics/servo_rows.hpp"
#include "maggi/error.hpp"
#include "maggi/expert/formulations.hpp"

namespace maggi {

void Dynamics::decide_rows(const Instant& at) {
  if (!decide_recursively(at)) decide_on_matrices(at);
}

void Dynamics::check_finite(double t) const {
  if (const std::string bad = first_not_finite(shape(), workspace_->terms); !bad.empty())
    throw Error(Errc::numerics, {}, fmt::format("{} is not a finite number at t = {:.6g}", bad, t),
                "look for a division by zero, a root of a negative number or an overflow in that formula");
}

/// If all active rows can be eliminated, they are independent. Where they were dependent before, matrices tell better.
bool Dynamics::decide_recursively(const Instant& at) {
  if (!recursion_ || !dependent_.empty()) return false;
  evaluate_without_matrices(at);
  check_finite(at.t);
  recursion_->use_rows(active_.rows());
  if (!recursion_->factorise(*workspace_)) return false;
  rank_ = active_.size();
  use_rows(active_.rows());
  return true;
}

void Dynamics::decide_on_matrices(const Instant& at) {
  need_matrices();
  const Terms& terms = workspace_->terms;
  system_.acceleration(at, *workspace_);
  if (shape().s_a > 0) system_.nonlinear_rows(at, vdot_.data(), lambda_all_.data(), *workspace_);
  check_finite(at.t);
  shape().M.scatter(terms.M, all_.M);
  all_.C.resize(active_.size(), shape().n());
  active_.matrix(terms.C, all_.C);
  if (order_long_rows_first()) all_.C = Matrix(all_.C(order_, Eigen::all));
  if (!factor_->compute(all_.M, all_.C)) throw_weightless();
  rank_ = factor_->rank();

  in_use_.clear();
  if (shape().controls.empty())
    for (const int i : factor_->independent()) in_use_.push_back(active_.rows()[order_[i]]);
  else
    find_rows_that_controls_keep();
  std::sort(in_use_.begin(), in_use_.end());
  dependent_.clear();
  std::set_difference(active_.rows().begin(), active_.rows().end(), in_use_.begin(), in_use_.end(),
                      std::back_inserter(dependent_));
  redundant_ = std::ranges::any_of(dependent_, [&](int row) { return !is_servo(shape(), row); });
  if (!factor_->regular()) give_up_recursion();
  use_rows(in_use_);
  if (!shape().laws.empty() && redundant_) refuse_open_laws();
  if (automatic_ && !factor_->regular() && formulation_->name() == "augmented") {
    formulation_ = make_formulation("maggi", basis_, shape().n(), shape().m());
    basis_ = "qr";
  }
}

/// The order of the active rows for the decision; is it another than theirs? The rank is decided on rows of unit
/// length, and of several that say the same the first one is taken. A joint that turns exchanges its rows: where one in
/// use has become short beside one of the same joint, in the same unit, that was left out, the long ones come first.
bool Dynamics::order_long_rows_first() {
  constexpr double short_part = 0.25;
  order_.resize(active_.size());
  std::iota(order_.begin(), order_.end(), 0);
  if (!recursion_ || dependent_.empty()) return false;
  const auto row = [&](int i) -> const Row& { return shape().rows[active_.rows()[i]]; };
  const auto length = [&](int i) { return all_.C.row(i).norm(); };
  const auto left_out = [&](int i) { return std::ranges::binary_search(dependent_, active_.rows()[i]); };
  for (auto from = order_.begin(); from != order_.end();) {
    const auto to = std::find_if(
        from, order_.end(), [&](int i) { return row(i).owner != row(*from).owner || row(i).unit != row(*from).unit; });
    double shortest = std::numeric_limits<double>::infinity(), longest = 0.0;  // in use; left out
    for (auto i = from; i != to; ++i)
      left_out(*i) ? longest = std::max(longest, length(*i)) : shortest = std::min(shortest, length(*i));
    if (shortest < short_part * longest)
      std::stable_sort(from, to, [&](int i, int j) { return length(i) > length(j); });
    from = to;
  }
  return !std::ranges::is_sorted(order_);
}

/// Of dependent rows no law can use the reaction, and no contact can stick: their forces are not unique.
void Dynamics::refuse_open_laws() const {
  Matrix C(shape().m(), shape().n());
  shape().C.scatter(workspace_->terms.C, C);
  const Matrix open = open_multipliers(std::move(C), rows_of_kind(shape(), rows_.rows(), false),
                                       rows_of_kind(shape(), dependent_, false));
  for (const int i : active_.rows()) {
    const Row& row = shape().rows[i];
    const bool sticks = row.kind == RowKind::sticking;
    if ((row.kind != RowKind::with_law && !sticks) || open.row(i).isZero(0.0)) continue;
    std::vector<std::string> names;
    for (const int j : active_.rows())
      if (!open.row(j).isZero(0.0)) names.push_back(shape().rows[j].name);
    throw Error(Errc::model, row.where,
                sticks ? fmt::format("\"{}\" sticks with a force that is not unique: the rows {} depend on each other",
                                     row.owner, list_names(names))
                       : fmt::format("a law uses the reaction of \"{}\", which is not unique: the constraints {} "
                                     "depend on each other",
                                     row.name, list_names(names)),
                "leave out the constraints that the others imply, or put friction elsewhere");
  }
}

/// Ideal rows first, then as many servo rows as there are controls, those on which these act best; the other servo rows
/// follow from them on the motion.
void Dynamics::find_rows_that_controls_keep() {
  const Terms& terms = workspace_->terms;
  C_reacting_.resize(reacting_.size(), shape().n());
  C_servo_.resize(servo_.size(), shape().n());
  reacting_.matrix(terms.C, C_reacting_);
  servo_.matrix(terms.C, C_servo_);
  shape().B.scatter(terms.B, B_);
  Realisation& realisation = *realisation_;
  realisation.compute(all_.M, C_reacting_, C_servo_, B_);
  if (realisation.rank() < B_.cols()) {
    std::vector<std::string> names;
    for (const int i : realisation.unreached_rows()) names.push_back(shape().rows[servo_.rows()[i]].name);
    throw Error(Errc::numerics, names.empty() ? Where{} : shape().rows[servo_.rows()[0]].where,
                fmt::format("the controls cannot keep {}: their effect on the accelerations has rank {} of {}",
                            names.empty() ? "the servo constraints" : list_names(names), realisation.rank(), B_.cols()),
                "maggi check says which combination no control reaches");
  }
  for (const int i : realisation.independent()) in_use_.push_back(reacting_.rows()[i]);
  for (const int i : realisation.served()) in_use_.push_back(servo_.rows()[i]);
}

std::string Dynamics::reason() const {
  if (!automatic_) return "asked for";
  if (factor_ && !factor_->regular()) return "the mass matrix is singular, but not on the admissible motions";
  if (!dependent_.empty())
    return fmt::format("{} of {} constraint rows {}", dependent_.size(), active_.size(),
                       redundant_ ? "are redundant and left out, the others are independent"
                                  : "are kept with the others, through which the controls are found");
  if (recursion_) return "goes along the joints; all constraints are independent";
  if (active_.size() == 0) return "no constraints, nothing to choose";
  return fmt::format("{} unknowns, constraints of full rank: dense and direct", shape().n() + rows_.size());
}

/// A joint that carries no inertia of its own has no acceleration of its own: the recursion cannot go over it.
void Dynamics::give_up_recursion() {
  if (!recursion_) return;
  if (!automatic_)
    throw Error(Errc::model, {},
                "formulation \"recursive\" needs inertia at every joint, but the mass matrix is singular",
                "leave the choice to auto, or take maggi");
  recursion_.reset();
}

void Dynamics::throw_weightless() const {
  const Vector& motion = factor_->weightless();
  Eigen::Index worst;
  largest(motion, &worst);
  const Channel& velocity = shape().velocities[worst];
  const double inertia = motion.dot(all_.M * motion);
  throw Error(Errc::model, velocity.where,
              fmt::format("the motion along \"{}\" has {} inertia, so its acceleration is not determined",
                          shape().coordinates[worst].name, inertia < -1e-12 ? "negative" : "no"),
              "give it a mass in the kinetic energy, or constrain it");
}

}  // namespace maggi
