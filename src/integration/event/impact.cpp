#include "integration/event/impact.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/decompositions.hpp"
#include "base/largest.hpp"
#include "base/names.hpp"
#include "dynamics/contact_decision.hpp"
#include "integration/event/contact_records.hpp"
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

RowSelection every_row(const Shape& shape) {
  std::vector<int> rows(static_cast<std::size_t>(shape.m()));
  std::iota(rows.begin(), rows.end(), 0);
  return {shape, std::move(rows)};
}

/// v⁻ ↦ v⁺ at one place, for some rows that hold, some that only push, and all contacts with friction.
class Impact {
 public:
  Impact(Dynamics& dynamics, const State& before, std::vector<int> hold, std::vector<int> push)
      : system_(dynamics.system()),
        shape_(dynamics.shape()),
        w_(dynamics.workspace()),
        problem_(system_, w_),
        modes_(problem_),
        all_rows_(every_row(shape_)),
        before_(before),
        after_(before),
        squares_(shape_.m()),
        impulse_(Vector::Zero(shape_.m())),
        friction_(Vector::Zero(static_cast<Eigen::Index>(shape_.laws.size()))) {
    for (const Row& row : shape_.rows) restitution_.push_back(row.restitution);
    system_.velocity(before_, w_);
    phi_before_ = w_.terms.phi;
    for (const int i : push) approach_.push_back(std::min(phi_before_[i], 0.0));
    question_.hold = std::move(hold);
    question_.touch = std::move(push);
    for (int c = 0; c < static_cast<int>(shape_.contacts.size()); ++c)
      question_.rubs.push_back({c, false, SlidingVector::Zero()});
  }

  const State& after() const { return after_; }

  /// The row does not rebound, and is not left.
  void come_to_rest(int row) {
    const auto at = std::ranges::find(question_.touch, row);
    approach_.erase(approach_.begin() + (at - question_.touch.begin()));
    question_.touch.erase(at);
    question_.hold.insert(std::ranges::upper_bound(question_.hold, row), row);
  }

  /// With all of the restitution, or as much of it as gives no energy.
  bool solve() {
    if (meet(1.0) && !(energy_given() > 0.0)) return true;
    if (!meet(0.0)) return false;
    constexpr int most = 50;
    double low = 0.0, high = 1.0;
    for (int k = 0; k < most; ++k) {
      const double middle = (low + high) / 2.0;
      (meet(middle) && !(energy_given() > 0.0) ? low : high) = middle;
    }
    return meet(low);
  }

  /// Rows that took no part, and must not have been touched by the jump.
  void refuse_what_jumps(const Mode& mode) const {
    for (int row = 0; row < phi_.size(); ++row)
      if (!shape_.rows[row].has_multiplier() && mode.rows[row] && differs(row, phi_[row] - phi_before_[row]))
        throw Error(Errc::numerics, shape_.rows[row].where,
                    fmt::format("the velocities jump away from \"{}\", which a control keeps", shape_.rows[row].name),
                    "no control can make velocities jump: switch rows on where the motion already satisfies them");
    refuse_unbounded_accelerations(mode);
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
      if (std::ranges::binary_search(question_.hold, i) || std::ranges::binary_search(question_.touch, i))
        named.emplace_back(shape_.rows[i].name, impulse_[i]);
    constexpr double rounding = 1e-12;
    for (Eigen::Index l = 0; l < friction_.size(); ++l)
      if (std::abs(friction_[l]) > rounding * (impulse_.norm() + friction_.norm()))
        named.emplace_back(shape_.laws[l].name, friction_[l]);
    return named;
  }

  /// No velocities satisfy the rows in force and the one-sided ones: which of the former are in the way?
  [[noreturn]] void refuse() {
    std::vector<std::string> pushing, driving;
    for (const int row : question_.touch) pushing.push_back(shape_.rows[row].name);
    const std::vector<int> all = question_.hold;
    for (const int row : all) {
      std::erase(question_.hold, row);
      if (meet(0.0)) driving.push_back(shape_.rows[row].name);
      question_.hold = all;
    }
    if (driving.empty())
      throw Error(Errc::numerics, {}, fmt::format("no impulses keep {} from being violated", list_names(pushing)),
                  "the other constraints drive the motion against them");
    throw Error(Errc::numerics, shape_.rows[question_.touch.front()].where,
                fmt::format("{} drive{} the motion against {}{}", list_names(driving), driving.size() == 1 ? "s" : "",
                            list_names(pushing), place_of_stop(question_.touch.front())),
                "end the run before, or let the driver stop there");
  }

 private:
  /// " (h.angle = 0.5 rad)" if the row limits a single coordinate.
  std::string place_of_stop(int row) const {
    std::vector<int> columns;
    for (int e = 0; e < shape_.C.size(); ++e)
      if (shape_.C.row[e] == row) columns.push_back(shape_.C.col[e]);
    if (!shape_.identity_rates || columns.size() != 1) return "";
    const Channel& coordinate = shape_.coordinates[columns[0]];
    return fmt::format(" ({} = {:.6g}{}{})", coordinate.name, after_.q[columns[0]], coordinate.unit.empty() ? "" : " ",
                       coordinate.unit);
  }

  /// At accelerations without meaning, at which no entry of C vanishes by chance.
  void refuse_unbounded_accelerations(const Mode& mode) const {
    const Vector some = Vector::LinSpaced(shape_.n(), 1.0, 2.0), zero = Vector::Zero(shape_.m());
    system_.nonlinear_rows(after_, some.data(), zero.data(), w_);
    for (int e = 0; e < shape_.C.size(); ++e) {
      const Row& row = shape_.rows[shape_.C.row[e]];
      const double jump = after_.v[shape_.C.col[e]] - before_.v[shape_.C.col[e]];
      if (row.level == Level::acceleration && row.nonlinear && mode.rows[shape_.C.row[e]] && w_.terms.C[e] != 0.0 &&
          std::abs(jump) > rounding_of_speeds())
        throw Error(Errc::numerics, row.where,
                    fmt::format("velocities in \"{}\" jump, which is nonlinear in their accelerations", row.name),
                    "it does not say what accelerations without bound do");
    }
  }

  double rounding_of_speeds() const { return 1e-12 * (1.0 + largest(before_.v)); }

  /// Newton's method for rows that are not linear in v; the others are met in the first step, and again in the second.
  bool meet(double part) {
    constexpr int most = 40;
    const double good = 1e-2 * rounding_of_speeds();
    after_ = before_;
    for (int k = 0; k < most; ++k) {
      const Vector last = after_.v;
      if (!step(part) || !after_.v.allFinite()) return false;
      if (within(largest(after_.v - last), good)) break;
    }
    system_.velocity(after_, w_);
    phi_ = w_.terms.phi;
    all_rows_.squared_lengths(w_.terms.C, squares_);
    return std::ranges::none_of(question_.hold, [&](int row) { return row < phi_.size() && differs(row, phi_[row]); });
  }

  /// Is a rate of this row more than rounding?
  bool differs(int row, double rate) const {
    return !(std::abs(rate) <= 1e3 * rounding_of_speeds() * std::sqrt(squares_[row]));
  }

  /// 0 ≤ Λ ⊥ φ⁺ + s e φ⁻ ≥ 0 of one-sided rows, −Λ_t ∈ μ N Sgn(v_t⁺) of contacts: a complementarity problem like that
  /// of the accelerations.
  bool step(double part) {
    problem_.pose_impact(question_, before_, after_);
    for (int s = 0; s < problem_.stops(); ++s) {
      const int rate = problem_.first_stop_rate() + s;
      problem_.b[rate] += part * restitution_[question_.touch[s]] * approach_[s] / problem_.rate_scale(rate);
    }
    const std::optional<ContactTrial> trial = modes_.most_in_force();
    if (!trial) return false;
    after_.v = problem_.vdot(trial->x);
    impulse_ = problem_.lambda(trial->x);
    share_among_redundant();
    friction_ = problem_.tau(trial->x);
    return true;
  }

  /// Λ of least norm among the rows that hold.
  void share_among_redundant() {
    if (problem_.independent().size() == question_.hold.size()) return;
    Matrix C(shape_.m(), shape_.n());
    shape_.C.scatter(w_.terms.C, C);
    const Matrix directions = C(question_.hold, Eigen::all).transpose();
    const Vector together = directions * impulse_(question_.hold);
    const Vector share = directions.completeOrthogonalDecomposition().solve(together);
    impulse_(question_.hold) = share;
  }

  /// Λᵀ(φ⁺ + φ⁻)/2, as seen by rows and contacts: the change of the kinetic energy if none of them moves. 0 if it is
  /// rounding.
  double energy_given() const {
    constexpr double rounding = 1e-10;
    double given = 0.0, sum = 0.0;
    const auto add = [&](double impulse, double before, double after) {
      given += impulse * (after + before) / 2;
      sum += std::abs(impulse) * (std::abs(before) + std::abs(after));
    };
    for (std::size_t s = 0; s < question_.touch.size(); ++s)
      add(impulse_[question_.touch[s]], approach_[s], phi_[question_.touch[s]]);
    for (const int i : question_.hold)
      if (i < phi_.size()) add(impulse_[i], phi_before_[i], phi_[i]);
    for (const Contact& contact : shape_.contacts)
      for (std::size_t k = 0; k < contact.rows.size(); ++k)
        add(friction_[contact.laws[k]], phi_before_[contact.rows[k]], phi_[contact.rows[k]]);
    return given > rounding * sum ? given : 0.0;
  }

  const System& system_;
  const Shape& shape_;
  Workspace& w_;
  ContactProblem problem_;
  ContactModes modes_;
  ContactQuestion question_;
  RowSelection all_rows_;
  State before_, after_;
  std::vector<double> restitution_, approach_;  // of all rows; φ⁻ of those that push, 0 where they do not approach
  Vector phi_, phi_before_;                     // of all rows up to velocity level
  Vector squares_;                              // ‖row‖² of all rows
  Vector impulse_, friction_;                   // of all rows; of all laws
};

/// Which rows take part in a jump of the velocities, and whether there is one.
struct Jump {
  std::vector<int> hold, push;
  bool due = false;
};

Jump find_jump(const Dynamics& dynamics, const Consequence& consequence, const OneSidedRows& rows) {
  const Shape& shape = dynamics.shape();
  Jump jump;
  jump.due = !consequence.struck.empty();
  for (int i = 0; i < shape.m(); ++i) {
    const Row& row = shape.rows[i];
    if (row.one_sided || !consequence.mode.rows[i] || !row.of_model() || !row.has_multiplier() ||
        (row.level == Level::acceleration && row.nonlinear))
      continue;
    jump.hold.push_back(i);
    jump.due = jump.due || (row.level != Level::acceleration && !dynamics.mode().rows[i]);
  }
  for (const int i : rows.rows())
    if (consequence.mode.rows[i] || rows.touches(i) ||
        std::ranges::find(consequence.struck, i) != consequence.struck.end())
      jump.push.push_back(i);
  return jump;
}

/// The velocities after the impact and the mode they leave. One-sided rows whose rebound cannot be told from rest come
/// to rest.
bool collide(Dynamics& dynamics, Impact& impact, ContactDecision& decision, const std::vector<int>& push,
             Consequence& consequence) {
  constexpr double least_rebound = 4.0;  // times the resolution of the gap, so that the watch can follow
  const Shape& shape = dynamics.shape();
  Workspace& w = dynamics.workspace();
  const Mode asked = consequence.mode;
  Matrix C(shape.m(), shape.n());
  std::vector<int> resting;
  for (bool again = true; again;) {
    if (!impact.solve()) impact.refuse();
    consequence.mode = decision.decide(impact.after(), asked, consequence.ended);
    dynamics.system().acceleration(impact.after(), w);
    shape.C.scatter(w.terms.C, C);
    const Vector rates = C * decision.vdot() - w.terms.gamma;
    const OneSidedRows& rows = decision.one_sided();
    again = false;
    for (const int i : push) {
      if (!rows.leaves(i) || rates[i] >= 0.0 || std::ranges::find(resting, i) != resting.end()) continue;
      if (rows.speed(i) * rows.speed(i) > 2 * -rates[i] * least_rebound * rows.resolution(i)) continue;
      impact.come_to_rest(i);
      resting.push_back(i);
      again = true;
    }
  }
  return true;
}

}  // namespace

bool apply_jump(Dynamics& dynamics, Consequence& consequence, State& state) {
  const Shape& shape = dynamics.shape();
  const Mode before = dynamics.mode();
  ContactDecision decision(dynamics);
  OneSidedRows rows(dynamics.system());
  rows.look(state, dynamics.workspace());
  const Jump jump = find_jump(dynamics, consequence, rows);
  if (!jump.due) {
    if (decision.needed()) consequence.mode = decision.decide(state, consequence.mode, consequence.ended);
    report_contacts(shape, before, consequence, {});
    return true;
  }
  Workspace& w = dynamics.workspace();
  const double energy = dynamics.system().energy(state, w).total;  // T alone is relative to a frame that may move
  Impact impact(dynamics, state, jump.hold, jump.push);
  if (!collide(dynamics, impact, decision, jump.push, consequence)) return false;
  impact.refuse_what_jumps(consequence.mode);
  state = impact.after();

  report_contacts(shape, before, consequence, impact.hit());
  const auto record = std::ranges::find_if(
      consequence.records, [](const EventRecord& each) { return !each.on.empty() || each.what.starts_with("impact"); });
  if (!impact.jumped() || record == consequence.records.end()) return true;
  record->impulses = impact.impulses();
  record->energy_lost = energy - dynamics.system().energy(state, w).total;
  return true;
}

}  // namespace maggi::integration
