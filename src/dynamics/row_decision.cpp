#include "dynamics/row_decision.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/largest.hpp"
#include "base/names.hpp"
#include "basis/realisation.hpp"
#include "dynamics/servo_rows.hpp"
#include "maggi/error.hpp"

namespace maggi {

namespace {
std::vector<int> rows_switched_on(const Mode& mode) {
  std::vector<int> rows;
  for (std::size_t i = 0; i < mode.rows.size(); ++i)
    if (mode.rows[i]) rows.push_back(static_cast<int>(i));
  return rows;
}
}  // namespace

RowDecision::RowDecision(const Shape& shape) : shape_(shape) {
  if (shape.controls.empty()) return;
  realisation_ = std::make_unique<Realisation>();
  B_ = Matrix::Zero(shape.n(), shape.controls.size());
}

RowDecision::~RowDecision() = default;

void RowDecision::use_mode(const Mode& mode) {
  active_ = RowSelection(shape_, rows_switched_on(mode));
  reacting_ = RowSelection(shape_, rows_of_kind(shape_, active_.rows(), false));
  servo_ = RowSelection(shape_, rows_of_kind(shape_, active_.rows(), true));
  take_all();
}

void RowDecision::take_all() {
  in_use_ = active_.rows();
  dependent_.clear();
  redundant_ = false;
  rank_ = active_.size();
}

bool RowDecision::has_zero_row(const Terms& terms) const {
  Vector squares(active_.size());
  active_.squared_lengths(terms.C, squares);
  return std::ranges::any_of(squares, [](double square) { return square == 0.0; });
}

void RowDecision::need_matrices() {
  if (factor_) return;
  factor_ = std::make_unique<MetricFactor>(shape_.n(), shape_.m());
  M_.resize(shape_.n(), shape_.n());
}

void RowDecision::fill_matrices(const Terms& terms) {
  shape_.M.scatter(terms.M, M_);
  C_.resize(active_.size(), shape_.n());
  active_.matrix(terms.C, C_);
}

void RowDecision::decide(const Terms& terms, bool in_turn) {
  fill_matrices(terms);
  if (order_long_rows_first(in_turn)) C_ = Matrix(C_(order_, Eigen::all));
  if (!factor_->compute(M_, C_)) throw_weightless();
  rank_ = factor_->rank();

  in_use_.clear();
  if (shape_.controls.empty())
    for (const int i : factor_->independent()) in_use_.push_back(active_.rows()[order_[i]]);
  else
    find_rows_that_controls_keep(terms);
  std::sort(in_use_.begin(), in_use_.end());
  dependent_.clear();
  std::set_difference(active_.rows().begin(), active_.rows().end(), in_use_.begin(), in_use_.end(),
                      std::back_inserter(dependent_));
  redundant_ = std::ranges::any_of(dependent_, [&](int row) { return shape_.rows[row].has_multiplier(); });
}

/// The order of the active rows for the decision; is it another than theirs? The rank is decided on rows of unit
/// length, and of several that say the same the first one is taken. A joint that turns exchanges its rows: where one in
/// use has become short beside one of the same joint, in the same unit, that was left out, the long ones come first.
bool RowDecision::order_long_rows_first(bool in_turn) {
  constexpr double short_part = 0.25;
  order_.resize(active_.size());
  std::iota(order_.begin(), order_.end(), 0);
  if (!in_turn || dependent_.empty()) return false;
  const auto row = [&](int i) -> const Row& { return shape_.rows[active_.rows()[i]]; };
  const auto length = [&](int i) { return C_.row(i).norm(); };
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

/// Ideal rows first, then as many servo rows as the controls reach, those on which these act best; the other servo rows
/// follow from them on the motion.
void RowDecision::find_rows_that_controls_keep(const Terms& terms) {
  C_reacting_.resize(reacting_.size(), shape_.n());
  C_servo_.resize(servo_.size(), shape_.n());
  reacting_.matrix(terms.C, C_reacting_);
  servo_.matrix(terms.C, C_servo_);
  shape_.B.scatter(terms.B, B_);
  realisation_->compute(M_, C_reacting_, C_servo_, B_);
  check_all_are_kept();
  for (const int i : realisation_->independent()) in_use_.push_back(reacting_.rows()[i]);
  for (const int i : realisation_->served()) in_use_.push_back(servo_.rows()[i]);
}

/// Every servo constraint needs a control, whether it acts on it at once or through a hidden constraint.
void RowDecision::check_all_are_kept() const {
  const auto needed = std::ranges::count_if(servo_.rows(), [&](int row) { return !shape_.rows[row].hidden; });
  if (realisation_->rank() < needed) throw_unreached(static_cast<int>(needed));
}

void RowDecision::throw_unreached(int needed) const {
  std::vector<std::string> names;
  for (const int i : realisation_->unreached_rows()) names.push_back(shape_.rows[servo_.rows()[i]].name);
  throw Error(Errc::numerics, names.empty() ? Where{} : shape_.rows[servo_.rows()[0]].where,
              fmt::format("the controls cannot keep {}: their effect on the accelerations has rank {} of {}",
                          names.empty() ? "the servo constraints" : list_names(names), realisation_->rank(), needed),
              "let a control act on what they contain, or leave out servo constraints that no control reaches");
}

/// Coordinates of joints have the joint in front of their names.
void RowDecision::throw_weightless() const {
  constexpr double part = 1e-6;  // of the motion: rounding
  const Vector& motion = factor_->weightless();
  Eigen::Index worst;
  const double size = largest(motion, &worst);
  const Channel& velocity = shape_.velocities[worst];
  std::vector<std::string> moving;
  for (int i = 0; i < shape_.n(); ++i)
    if (std::abs(motion[i]) > part * size) moving.push_back(shape_.velocities[i].name);
  const bool of_joints = velocity.name.find('.') != std::string::npos, one = moving.size() == 1;
  const char* inertia = motion.dot(M_ * motion) < -1e-12 ? "negative" : "no";
  if (!of_joints)
    throw Error(Errc::model, velocity.where,
                fmt::format("the motion along {} has {} inertia, so its acceleration is not determined",
                            one && shape_.identity_rates ? fmt::format("\"{}\"", shape_.coordinates[worst].name)
                                                         : list_names(moving),
                            inertia),
                "give it a mass in the kinetic energy, or constrain it");
  throw Error(
      Errc::model, velocity.where,
      fmt::format("the motion of {}{} has {} inertia, so its acceleration is not determined", list_names(moving),
                  one ? "" : " together", inertia),
      one ? "what spins there is thin: write shape = \"cylinder\" with a radius instead of \"rod\", in the plane "
            "\"disc\" instead of \"point\", give it an inertia, or take a joint that holds the spin, as universal"
          : "do these joints have the same axis by mistake? otherwise give the bodies between them an inertia");
}

std::string RowDecision::explain(const Terms& terms) {
  fill_matrices(terms);
  if (!factor_->compute(M_, C_)) return "a motion that the constraints allow has no inertia";
  if (factor_->rank() >= rank_) return "";
  std::string names;
  for (const int i : factor_->dependent())
    names += (names.empty() ? "\"" : ", \"") + shape_.rows[active_.rows()[i]].name + "\"";
  return fmt::format("the constraints become dependent (rank {} instead of {}): {} follows from the others here",
                     factor_->rank(), rank_, names);
}

}  // namespace maggi
