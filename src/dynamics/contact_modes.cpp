#include "dynamics/contact_modes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/decompositions.hpp"
#include "base/largest.hpp"
#include "dynamics/feasible_share.hpp"

namespace maggi {

namespace {
using Does = ContactMode::Does;

// fractions of the size of the problem, see docs/theory/contact.md
constexpr double rank_tolerance = 1e-10;  // rows and columns of unit length
constexpr double inconsistent = 1e-8;     // a prescribed acceleration smaller than this is a tie
constexpr double obeyed = 1e-9;           // the error of a solution at condition 1e6
constexpr double share_in_motion = 1e-6;  // a range of the motion well above the errors of the linear programme
}  // namespace

int ContactMode::sticking() const { return static_cast<int>(std::ranges::count(rubs, Does::sticks, &Rub::does)); }

int ContactMode::rows_in_force() const { return sticking() + static_cast<int>(std::ranges::count(closed, true)); }

bool ContactMode::same_as(const ContactMode& other) const {
  constexpr double turned = 1e-9;  // of a direction found by repetition
  return closed == other.closed && std::ranges::equal(rubs, other.rubs, [](const Rub& a, const Rub& b) {
           return a.does == b.does && (a.sense - b.sense).norm() <= turned;
         });
}

SlidingVector ContactModes::part(const Vector& all, int first, int size) const {
  SlidingVector result = SlidingVector::Zero();
  result.head(size) = all.segment(first, size);
  return result;
}

/// Is the contact pressed by anything?
bool ContactModes::in_force(const ContactMode& mode, std::size_t rub) const {
  const ContactProblem::Rub& r = problem_.rubs[rub];
  return r.always || std::ranges::any_of(r.stops, [&](int stop) { return mode.closed[stop]; });
}

/// What a contact may do where these rows are closed.
std::vector<ContactMode::Rub> ContactModes::choices(const ContactMode& mode, std::size_t rub) const {
  if (!in_force(mode, rub)) return {{}};
  const ContactProblem::Rub& r = problem_.rubs[rub];
  std::vector<SlidingVector> senses{r.sense};
  if (!r.slides && r.size == 1) senses = {SlidingVector::UnitX(), -SlidingVector::UnitX()};
  std::vector<ContactMode::Rub> result;
  if (!r.slides) result.push_back({Does::sticks, SlidingVector::Zero(), 1.0});
  for (const SlidingVector& sense : senses) {
    result.push_back({Does::slides, sense, 1.0});
    if (r.always) result.push_back({Does::slides, sense, -1.0});
  }
  return result;
}

long ContactModes::count() const {
  constexpr int of_direction = 8;  // modes that take as long as one whose direction of sliding is found by repetition
  double all = 1.0;
  for (const ContactProblem::Rub& rub : problem_.rubs) {
    const int senses = rub.slides ? 1 : rub.size > 1 ? of_direction : 2;
    all *= (rub.slides ? 0 : 1) + senses * (rub.always ? 2 : 1);
  }
  all *= std::ldexp(1.0, problem_.stops());
  return all > static_cast<double>(most_tried) ? most_tried + 1 : static_cast<long>(all);
}

std::vector<ContactTrial> ContactModes::all() {
  std::vector<ContactTrial> found;
  const int stops = problem_.stops();
  for (long pattern = 0; pattern < 1L << stops; ++pattern) {
    ContactMode mode;
    for (int s = 0; s < stops; ++s) mode.closed.push_back((pattern >> s & 1) != 0);
    mode.rubs.resize(problem_.rubs.size());
    visit(mode, 0, found);
  }
  return found;
}

void ContactModes::visit(ContactMode& mode, std::size_t rub, std::vector<ContactTrial>& found) {
  if (rub < mode.rubs.size()) {
    for (const ContactMode::Rub& choice : choices(mode, rub)) {
      mode.rubs[rub] = choice;
      visit(mode, rub + 1, found);
    }
    return;
  }
  std::optional<ContactTrial> trial = solve(mode);
  if (!trial || !trial->holds()) return;
  const bool known = std::ranges::any_of(found, [&](const ContactTrial& other) {
    return other.mode.same_as(trial->mode) && (other.x - trial->x).norm() <= inconsistent * problem_.size;
  });
  if (!known) found.push_back(std::move(*trial));
}

// --- one mode --------------------------------------------------------------------------------------------------------

/// Bounds where the reactions that press have the signs of the mode. The ratio μ_s / μ is seen where N is not zero.
void ContactModes::begin_bounds(const ContactMode& mode) {
  const Vector none = Vector::Zero(problem_.forces());
  Vector lambda = problem_.lambda(none);
  ratio_ = Vector::Zero(static_cast<Eigen::Index>(mode.rubs.size()));
  for (std::size_t j = 0; j < mode.rubs.size(); ++j) {
    const std::vector<int>& pressed = problem_.rows_that_press(j);
    for (const int row : pressed)
      if (pressed.size() == 1 || lambda[row] == 0.0) lambda[row] = mode.rubs[j].sign * larger(1.0, lambda[row]);
  }
  problem_.find_bounds(lambda, problem_.tau(none), bounds_);
  ratio_ = bounds_.ratio;
}

/// One-sided rows press: N of a share that would pull is seen from the side on which they push.
void ContactModes::update_bounds(const Vector& x) {
  constexpr double little = 1e-6;
  Vector seen = x;
  for (int s = 0; s < problem_.stops(); ++s) {
    double& push = seen[problem_.first_stop() + s];
    if (push < little * problem_.size) push = little * problem_.size;
  }
  problem_.find_bounds(problem_.lambda(seen), problem_.tau(seen), bounds_);
  for (Eigen::Index j = 0; j < ratio_.size(); ++j)
    if (bounds_.ratio[j] > 0.0) ratio_[j] = bounds_.ratio[j];
}

bool ContactModes::solve_linear(const ContactMode& mode, ContactTrial& trial) const {
  const ContactProblem& p = problem_;
  const int forces = p.forces(), rates = static_cast<int>(p.W.rows());
  Matrix A = Matrix::Zero(rates + p.laws(), forces);
  Vector right = Vector::Zero(A.rows());
  const auto meet = [&](int row, int rate) {
    A.row(row) = p.W.row(rate);
    right[row] = -p.b[rate];
  };
  int row = 0;
  for (; row < p.servo_rows(); ++row) meet(row, row);
  for (int s = 0; s < p.stops(); ++s, ++row) {
    if (mode.closed[s])
      meet(row, p.first_stop_rate() + s);
    else
      A(row, p.first_stop() + s) = 1.0;
  }
  for (std::size_t j = 0; j < mode.rubs.size(); ++j) {
    const ContactProblem::Rub& rub = p.rubs[j];
    const auto at = static_cast<Eigen::Index>(j);
    for (int k = 0; k < rub.size; ++k, ++row) {
      if (mode.rubs[j].does == Does::sticks) {
        meet(row, rub.rate + k);
        continue;
      }
      A(row, rub.force + k) = 1.0;
      if (mode.rubs[j].does == Does::nothing) continue;
      A.row(row) += mode.rubs[j].sense[k] * bounds_.by_x.row(at);
      right[row] = -mode.rubs[j].sense[k] * bounds_.at_zero[at];
    }
  }
  for (int l = 0; l < p.laws(); ++l, ++row) {
    A.row(row) = bounds_.law_by_x.row(l);
    right[row] = -bounds_.law[l];
  }
  if (!A.allFinite() || !right.allFinite()) return false;
  if (forces == 0) {
    trial.x.resize(0), trial.open.resize(0, 0);
    return within(right.norm(), inconsistent * p.size);
  }
  Eigen::JacobiSVD<Matrix> svd(A, Eigen::ComputeFullU | Eigen::ComputeFullV);
  svd.setThreshold(rank_tolerance);
  trial.x = svd.solve(right);
  trial.open = svd.matrixV().rightCols(forces - svd.rank());
  return within((A * trial.x - right).norm(), inconsistent * p.size);
}

/// Bounds and laws are linearised again until the forces stay; those in |N| of one reaction do at once.
bool ContactModes::iterate(const ContactMode& mode, ContactTrial& trial) {
  constexpr int most = 30;
  constexpr double rounding = 1e-12;
  begin_bounds(mode);
  for (int k = 0; k < most; ++k) {
    const Vector before = trial.x;
    if (!solve_linear(mode, trial)) return false;
    const double change = k > 0 ? (trial.x - before).norm() : std::numeric_limits<double>::infinity();
    update_bounds(trial.x);
    if (within(change, rounding * (trial.x.norm() + problem_.size))) return true;
  }
  return false;
}

std::optional<ContactTrial> ContactModes::solve(const ContactMode& mode) {
  ContactTrial trial;
  trial.mode = mode;
  const bool turns = std::ranges::any_of(
      mode.rubs, [&](const ContactMode::Rub& rub) { return rub.does == Does::slides && rub.sense.isZero(0.0); });
  if (turns ? !find_directions(trial.mode, trial) : !iterate(mode, trial)) return std::nullopt;
  judge(trial);
  return trial;
}

/// In a plane a contact begins to slide along its own acceleration, which depends on the direction σ of the friction;
/// both are found by repetition of first_sense(), from the direction against the force that sticking would take, or of
/// the motion without this friction where it cannot stick.
bool ContactModes::find_directions(ContactMode& mode, ContactTrial& trial) {
  constexpr int most = 100;
  constexpr double same = 1e-12;
  ContactMode stuck = mode;
  std::vector<std::size_t> turning;
  for (std::size_t j = 0; j < mode.rubs.size(); ++j)
    if (mode.rubs[j].does == Does::slides && mode.rubs[j].sense.isZero(0.0)) {
      turning.push_back(j);
      stuck.rubs[j].does = Does::sticks;
    }
  const bool solved = iterate(stuck, trial);
  if (!solved) {  // others move it
    for (const std::size_t j : turning) stuck.rubs[j].does = Does::nothing;
    if (!iterate(stuck, trial)) return false;
  }
  const Vector rates = problem_.rates(trial.x);
  for (const std::size_t j : turning) {
    const ContactProblem::Rub& rub = problem_.rubs[j];
    const SlidingVector from = solved ? part(-trial.x, rub.force, rub.size) : part(rates, rub.rate, rub.size);
    if (!(from.norm() > 0.0)) return false;
    mode.rubs[j].sense = from.normalized();
  }
  for (int k = 0; k < most; ++k) {
    Largest turned;
    for (const std::size_t j : turning) {
      if (!iterate(mode, trial)) return false;
      const ContactProblem::Rub& rub = problem_.rubs[j];
      const SlidingVector rate = part(problem_.rates(trial.x), rub.rate, rub.size);
      if (rate.norm() <= obeyed * problem_.size) continue;  // its direction is rounding
      const std::optional<SlidingVector> sense = first_sense(mode, j, rate);
      if (!sense) return false;
      turned.note((*sense - mode.rubs[j].sense).norm());
      mode.rubs[j].sense = *sense;
    }
    if (within(turned.value(), same)) return iterate(mode, trial);
  }
  return false;
}

/// The direction in which the acceleration of sliding points if the friction acts against it:
///
///     a(σ) ≈ c + B σ,   a = κ σ,   |σ| = 1      →   |(κ − B)⁻¹ c| = 1,  which falls from more than 1 while κ grows
///     from 0
///
/// None if it would stick.
std::optional<SlidingVector> ContactModes::first_sense(const ContactMode& mode, std::size_t j,
                                                       const SlidingVector& rate) {
  constexpr double little = 1e-3;  // of σ; without a normal force that depends on it, a is linear
  const ContactProblem::Rub& rub = problem_.rubs[j];
  const SlidingVector sense = mode.rubs[j].sense;
  Eigen::Matrix3d B = Eigen::Matrix3d::Zero();
  for (int k = 0; k < rub.size; ++k) {
    ContactMode beside = mode;
    beside.rubs[j].sense += little * SlidingVector::Unit(k);
    ContactTrial trial;
    if (!iterate(beside, trial)) return std::nullopt;
    B.col(k) = (part(problem_.rates(trial.x), rub.rate, rub.size) - rate) / little;
  }
  const SlidingVector c = rate - B * sense;
  const auto solution = [&](double kappa) {
    return SlidingVector((kappa * Eigen::Matrix3d::Identity() - B).fullPivLu().solve(c));
  };
  double low = 0.0, high = c.norm() + B.norm();
  if (!(solution(low).norm() >= 1.0)) return rate.normalized();
  for (int i = 0; i < 200; ++i) {
    const double middle = (low + high) / 2.0;
    if (middle == low || middle == high) break;
    (solution(middle).norm() >= 1.0 ? low : high) = middle;
  }
  return solution(high).normalized();
}

// --- its inequalities ------------------------------------------------------------------------------------------------

ContactModes::Inequalities ContactModes::inequalities(const ContactTrial& trial) const {
  const ContactProblem& p = problem_;
  const Vector rates = p.rates(trial.x);
  Inequalities result;
  for (int s = 0; s < p.stops(); ++s) {
    const int force = p.first_stop() + s, rate = p.first_stop_rate() + s;
    if (trial.mode.closed[s])
      result.add(trial.x[force], Vector::Unit(p.forces(), force), s);
    else
      result.add(rates[rate], p.W.row(rate).transpose(), s);
  }
  for (std::size_t j = 0; j < trial.mode.rubs.size(); ++j) {
    const ContactProblem::Rub& rub = p.rubs[j];
    const ContactMode::Rub& mode = trial.mode.rubs[j];
    const int who = p.stops() + static_cast<int>(j);
    if (mode.does == Does::slides && !rub.slides) {
      const Vector by_x = p.W.middleRows(rub.rate, rub.size).transpose() * mode.sense.head(rub.size);
      result.add(mode.sense.head(rub.size).dot(rates.segment(rub.rate, rub.size)), by_x, who);
    }
    if (mode.does != Does::sticks) continue;
    const auto at = static_cast<Eigen::Index>(j);
    const Vector force = trial.x.segment(rub.force, rub.size), by_x = ratio_[at] * bounds_.by_x.row(at).transpose();
    const double hold = ratio_[at] * bounds_.at_zero[at] + by_x.dot(trial.x);
    const auto add = [&](const Vector& direction) {
      Vector gradient = by_x;
      gradient.segment(rub.force, rub.size) -= direction;
      result.add(hold - direction.dot(force), gradient, who);
    };
    if (rub.size > 1) add(force.norm() > 0.0 ? Vector(force.normalized()) : Vector(Vector::Unit(rub.size, 0)));
    if (rub.size == 1 || trial.open.cols() > 0)
      for (const Vector& direction : directions_of_cone(rub.size)) add(direction);
  }
  return result;
}

/// The margin of the best share, and whether the motion depends on it.
void ContactModes::judge(ContactTrial& trial) const {
  const ContactProblem& p = problem_;
  const Inequalities all = inequalities(trial);
  Largest mu;
  for (Eigen::Index j = 0; j < ratio_.size(); ++j) mu.note(bounds_.by_x.row(j).norm());
  trial.allowed = obeyed * p.size * (1.0 + mu.value());
  trial.margin = p.size, trial.worst = -1;
  if (all.value.empty()) return;
  const Vector value = Eigen::Map<const Vector>(all.value.data(), static_cast<Eigen::Index>(all.value.size()));
  Matrix by_x(value.size(), p.forces());
  for (Eigen::Index i = 0; i < value.size(); ++i) by_x.row(i) = all.by_x[i].transpose();
  if (trial.open.cols() == 0) {
    const Least least(value);
    trial.margin = std::min(least.value, p.size);
    trial.worst = all.owner[least.where];
    return;
  }
  const Matrix D = by_x * trial.open;
  const FeasibleShare share = find_feasible_share(value, D, p.size);
  trial.margin = share.margin;
  trial.x += trial.open * share.z;
  const Vector left = value + D * share.z;
  trial.worst = all.owner[Least(left).where];
  const Matrix motion = p.in_metric(trial.open);
  if (!trial.holds() || within(largest(motion), inconsistent)) return;
  const Eigen::JacobiSVD<Matrix> svd(motion, Eigen::ComputeThinU | Eigen::ComputeThinV);
  for (Eigen::Index k = 0; k < svd.singularValues().size() && !trial.open_motion; ++k) {
    if (svd.singularValues()[k] <= inconsistent) break;
    const Vector g = svd.matrixV().col(k);
    const double range = largest_over_shares(g, left, D, p.size) + largest_over_shares(-g, left, D, p.size);
    trial.open_motion = range * svd.singularValues()[k] > share_in_motion * p.size;
  }
}

}  // namespace maggi
