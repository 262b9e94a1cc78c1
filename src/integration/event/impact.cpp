#include "integration/event/impact.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/decompositions.hpp"
#include "base/largest.hpp"
#include "base/names.hpp"
#include "integration/event/complementarity.hpp"
#include "integration/event/stops.hpp"
#include "maggi/error.hpp"

namespace maggi::integration {

std::string explain_gap(Dynamics& dynamics, const Mode& next, const State& state, double tolerance) {
  const Shape& shape = dynamics.shape();
  Workspace& w = dynamics.workspace();
  dynamics.system().position(state, w);
  Vector squares = Vector::Zero(shape.m());
  for (int e = 0; e < shape.C.size(); ++e)
    if (shape.C.row[e] < shape.s_p) squares[shape.C.row[e]] += w.terms.C[e] * w.terms.C[e];
  for (int i = 0; i < shape.s_p; ++i) {
    if (!next.rows[i] || dynamics.mode().rows[i] || shape.rows[i].one_sided ||
        std::abs(w.terms.f[i]) <= tolerance * std::sqrt(squares[i]))
      continue;
    const Row& row = shape.rows[i];
    return fmt::format("cannot switch on \"{}\": it is not met there, the gap is {:.6g}{}{}", row.name, w.terms.f[i],
                       row.unit.empty() ? "" : " ", row.unit);
  }
  return "";
}

namespace {

/// v⁻ ↦ v⁺ at one place, for some rows that hold and some that only push.
class Impact {
 public:
  Impact(Dynamics& dynamics, const State& before, std::vector<int> hold, std::vector<int> push)
      : system_(dynamics.system()),
        shape_(dynamics.shape()),
        w_(dynamics.workspace()),
        before_(before),
        after_(before),
        M_(shape_.n(), shape_.n()),
        impulse_(Vector::Zero(shape_.m())) {
    for (const Row& row : shape_.rows) restitution_.push_back(row.restitution);
    system_.velocity(before_, w_);
    phi_before_ = w_.terms.phi;
    for (const int i : push) phi_before_[i] = std::min(phi_before_[i], 0.0);
    use(std::move(hold), std::move(push));
  }

  const State& after() const { return after_; }

  /// The row does not rebound, and is not left.
  void come_to_rest(int row) {
    std::vector<int> hold = hold_.rows(), push = push_.rows();
    std::erase(push, row);
    hold.insert(std::ranges::upper_bound(hold, row), row);
    use(std::move(hold), std::move(push));
  }

  bool solve() {
    if (!meet()) return false;
    if (energy_given() <= 0.0) return true;
    double least = 1.0;
    for (const int i : push_.rows())
      if (impulse_[i] > 0.0) least = std::min(least, restitution_[i]);
    for (const int i : hold_.rows())
      if (std::abs(phi_before_[i]) > rounding_of_speeds()) least = 0.0;
    for (const int i : push_.rows()) restitution_[i] = std::min(least, restitution_[i]);
    return meet();
  }

  bool jumped() const { return !within(largest(after_.v - before_.v), rounding_of_speeds()); }

  /// One-sided rows that were approached.
  std::vector<int> hit() const {
    std::vector<int> rows;
    for (int i = 0; i < shape_.s_p; ++i)
      if (shape_.rows[i].one_sided && impulse_[i] != 0.0 && phi_before_[i] < -rounding_of_speeds()) rows.push_back(i);
    return rows;
  }

  std::vector<std::pair<std::string, double>> impulses() const {
    std::vector<std::pair<std::string, double>> named;
    for (int i = 0; i < shape_.m(); ++i)
      if (std::ranges::binary_search(hold_.rows(), i) || std::ranges::binary_search(push_.rows(), i))
        named.emplace_back(shape_.rows[i].name, impulse_[i]);
    return named;
  }

 private:
  double rounding_of_speeds() const { return 1e-12 * (1.0 + largest(before_.v)); }

  void use(std::vector<int> hold, std::vector<int> push) {
    hold_ = RowSelection(shape_, std::move(hold));
    push_ = RowSelection(shape_, std::move(push));
    C_hold_.resize(hold_.size(), shape_.n());
    C_push_.resize(push_.size(), shape_.n());
  }

  /// M, φ and C at v⁺ as it is.
  void linearise() {
    system_.velocity(after_, w_);
    shape_.M.scatter(w_.terms.M, M_);
    hold_.matrix(w_.terms.C, C_hold_);
    push_.matrix(w_.terms.C, C_push_);
    phi_ = w_.terms.phi;
  }

  /// Newton's method for rows that are not linear in v; the others are met in the first step, and again in the second.
  bool meet() {
    constexpr int most = 40;
    const double good = 1e-2 * rounding_of_speeds();
    after_ = before_;
    for (int k = 0; k < most; ++k) {
      const Vector last = after_.v;
      linearise();
      step();
      if (!after_.v.allFinite()) return false;
      if (within(largest(after_.v - last), good)) break;
    }
    linearise();
    for (int k = 0; k < hold_.size(); ++k)
      if (!(std::abs(phi_[hold_.rows()[k]]) <= 1e3 * rounding_of_speeds() * C_hold_.row(k).norm())) return false;
    return true;
  }

  /// [M C_hᵀ; C_h 0] [v⁺ − v⁻; −Λ_h] = [C_pᵀΛ_p; −φ_h],  solved for Λ_p = 0 and for each of its entries. φ_p is then
  /// linear in Λ_p.
  void step() {
    const int n = shape_.n(), h = hold_.size(), p = push_.size();
    const Vector back = before_.v - after_.v;
    Matrix K = Matrix::Zero(n + h, n + h), right = Matrix::Zero(n + h, 1 + p);
    K.topLeftCorner(n, n) = M_;
    K.topRightCorner(n, h) = C_hold_.transpose();
    K.bottomLeftCorner(h, n) = C_hold_;
    right.col(0).tail(h) = -phi_(hold_.rows()) - C_hold_ * back;
    right.topRightCorner(n, p) = C_push_.transpose();
    const Matrix solved = K.completeOrthogonalDecomposition().solve(right);
    const auto of_v = solved.topRows(n);
    const Matrix A = C_push_ * of_v.rightCols(p);
    Vector b = phi_(push_.rows()) + C_push_ * (back + of_v.col(0)), pushes;
    for (int k = 0; k < p; ++k) b[k] += restitution_[push_.rows()[k]] * phi_before_[push_.rows()[k]];
    if (!solve_complementarity((A + A.transpose()) / 2, b, pushes)) refuse();
    Vector weights(1 + p);
    weights << 1.0, pushes;
    after_.v = before_.v + of_v * weights;
    impulse_.setZero();
    impulse_(push_.rows()) = pushes;
    impulse_(hold_.rows()) = -(solved.bottomRows(h) * weights);
  }

  /// Λᵀ(φ⁺ + φ⁻)/2, as seen by the rows: the change of the kinetic energy if none of them moves. 0 if it is rounding.
  double energy_given() const {
    constexpr double rounding = 1e-10;
    double given = 0.0, sum = 0.0;
    for (int i = 0; i < phi_.size(); ++i) {
      given += impulse_[i] * (phi_[i] + phi_before_[i]) / 2;
      sum += std::abs(impulse_[i] * phi_before_[i]);
    }
    return given > rounding * sum ? given : 0.0;
  }

  /// The constraints in force that move what the others would have to stop.
  std::vector<std::string> driving() const {
    constexpr double part = 1e-6;
    std::vector<std::string> names;
    if (hold_.size() == 0) return names;
    const Eigen::CompleteOrthogonalDecomposition<Matrix> of_hold(C_hold_.transpose());
    for (int p = 0; p < push_.size(); ++p) {
      const Vector along = C_push_.row(p).transpose(), weights = of_hold.solve(along);
      for (int k = 0; k < hold_.size(); ++k) {
        const std::string& owner = shape_.rows[hold_.rows()[k]].owner;
        if (std::abs(weights[k]) * C_hold_.row(k).norm() > part * along.norm() &&
            std::ranges::find(names, owner) == names.end())
          names.push_back(owner);
      }
    }
    return names;
  }

  [[noreturn]] void refuse() const {
    std::vector<std::string> names;
    for (const int row : push_.rows()) names.push_back(shape_.rows[row].name);
    const std::vector<std::string> against = driving();
    if (against.empty())
      throw Error(Errc::numerics, {}, fmt::format("no impulses keep {} from being violated", list_names(names)),
                  "the other constraints drive the motion against them");
    throw Error(Errc::numerics, {},
                fmt::format("{} {} the motion against {}, and no impulse stops it", list_names(against),
                            against.size() == 1 ? "drives" : "drive", list_names(names)),
                "end the run before, or let what is driven stay within the stop");
  }

  const System& system_;
  const Shape& shape_;
  Workspace& w_;
  RowSelection hold_, push_;
  State before_, after_;
  std::vector<double> restitution_;  // of all rows
  Matrix M_, C_hold_, C_push_;
  Vector phi_, phi_before_;  // of all rows up to velocity level; what does not approach counts as 0 before
  Vector impulse_;           // of all rows
};

/// Leaves the dynamics in the mode in which it was, whatever is tried.
class ModeTried {
 public:
  ModeTried(Dynamics& dynamics, const State& at) : dynamics_(dynamics), at_(at), mode_(dynamics.mode()) {}
  ~ModeTried() {
    if (dynamics_.mode() == mode_) return;
    dynamics_.set_mode(mode_);
    try {
      dynamics_.decide_rows(at_);
    } catch (const Error&) {  // it was possible when the state was reached
    }
  }
  ModeTried(const ModeTried&) = delete;
  ModeTried& operator=(const ModeTried&) = delete;

 private:
  Dynamics& dynamics_;
  const State at_;
  const Mode mode_;
};

/// The velocities after the impact and the mode they leave. One-sided rows whose rebound cannot be told from rest come
/// to rest.
bool collide(Impact& impact, Stops& stops, const std::vector<int>& push, Mode& mode) {
  constexpr double least_rebound = 4.0;  // times the resolution of the gap, so that the watch can follow
  const Mode before = mode;
  std::vector<int> resting;
  for (;;) {
    if (!impact.solve()) return false;
    mode = before;
    stops.look(impact.after());
    std::vector<int> touching;
    for (const int i : push) {
      mode.rows[i] = !stops.leaves(i);
      if (mode.rows[i]) touching.push_back(i);
    }
    if (push.empty()) return true;
    mode = stops.settle(impact.after(), mode, touching);
    bool again = false;
    for (const int i : push) {
      const double speed = stops.speed(i), rate = stops.acceleration(i);
      if (!stops.leaves(i) || rate >= 0.0 || std::ranges::find(resting, i) != resting.end()) continue;
      if (speed * speed > 2 * -rate * least_rebound * stops.resolution(i)) continue;
      impact.come_to_rest(i);
      resting.push_back(i);
      again = true;
    }
    if (!again) return true;
  }
}

}  // namespace

bool apply_impact(Dynamics& dynamics, Consequence& consequence, State& state) {
  const Shape& shape = dynamics.shape();
  const ModeTried tried(dynamics, state);
  const Mode before = dynamics.mode(), asked = consequence.mode;
  std::vector<int> hold, push;
  bool unmet = !consequence.struck.empty();
  for (int i = 0; i < shape.s_p + shape.s_v; ++i) {
    if (shape.rows[i].one_sided || !asked.rows[i]) continue;
    hold.push_back(i);
    unmet = unmet || !before.rows[i];
  }
  if (!unmet) return true;

  Stops stops(dynamics);
  stops.look(state);
  for (const int i : stops.rows())
    if (asked.rows[i] || stops.touches(i) || std::ranges::find(consequence.struck, i) != consequence.struck.end())
      push.push_back(i);
  Workspace& w = dynamics.workspace();
  const double kinetic = dynamics.system().energy(state, w).kinetic;
  Impact impact(dynamics, state, hold, push);
  if (!collide(impact, stops, push, consequence.mode)) return false;
  state = impact.after();

  report_stops(shape, asked, consequence.mode, impact.hit(), consequence.records);
  const auto record = std::ranges::find_if(
      consequence.records, [](const EventRecord& each) { return !each.on.empty() || each.what.starts_with("impact"); });
  if (!impact.jumped() || record == consequence.records.end()) return true;
  record->impulses = impact.impulses();
  record->energy_lost = kinetic - dynamics.system().energy(state, w).kinetic;
  return true;
}

}  // namespace maggi::integration
