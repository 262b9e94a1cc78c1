#include "system/mechanism/rounding/rounded_couplings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <optional>

#include "base/decompositions.hpp"
#include "base/largest.hpp"
#include "base/names.hpp"
#include "system/mechanism/kinematics/joint_kind.hpp"
#include "system/mechanism/reference/data_errors.hpp"

namespace maggi::mechanism {

namespace {

constexpr double small_ratio = 0.05;   // singular values above it are no rounding
constexpr double most_of_error = 1.5;  // changes, in errors of the data
constexpr int most_changes = 6;        // iterations

/// "A.angle" of "A.angle", and of "A" if this is its only coordinate.
std::string coordinate_of(const Reference& reference, const Drawing& drawing) {
  if (reference.name.find('.') != std::string::npos) return reference.name;
  for (const DrawnJoint& joint : drawing.joints) {
    if (joint.given->name != reference.name) continue;
    const JointKind kind =
        drawing.planar ? joint_kind<Planar>(joint.given->type) : joint_kind<Spatial>(joint.given->type);
    if (kind.freedoms.size() == 1) return reference.name + "." + kind.freedoms.front().component;
  }
  return reference.name;
}

/// Factors of some couplings by coordinate, with rows and columns of equal lengths: no unit and no choice of a factor
/// matters.
struct Factors {
  std::vector<const Coupling*> couplings;
  std::map<std::string, int> columns;
  Matrix A;
  double error = 0.0;  ///< of the factors, as a part of each

  void equilibrate() {
    constexpr int sweeps = 20;
    for (int k = 0; k < sweeps; ++k) {
      for (Eigen::Index i = 0; i < A.rows(); ++i)
        if (const double norm = A.row(i).norm(); norm > 0.0) A.row(i) /= norm;
      for (Eigen::Index j = 0; j < A.cols(); ++j)
        if (const double norm = A.col(j).norm(); norm > 0.0) A.col(j) /= norm;
    }
  }
};

Factors factors_of(const std::vector<const Coupling*>& couplings, const Drawing& drawing, const Numbers& numbers,
                   double tolerance) {
  Factors result{couplings, {}, {}, tolerance};
  for (const Coupling* coupling : couplings)
    for (const Coupling::Term& term : coupling->terms)
      result.columns.emplace(coordinate_of(term.coordinate, drawing), static_cast<int>(result.columns.size()));
  result.A =
      Matrix::Zero(static_cast<Eigen::Index>(couplings.size()), static_cast<Eigen::Index>(result.columns.size()));
  Largest error(tolerance);
  for (std::size_t i = 0; i < couplings.size(); ++i)
    for (const Coupling::Term& term : couplings[i]->terms) {
      const double factor = numbers(term.factor, "a factor");
      result.A(static_cast<Eigen::Index>(i), result.columns.at(coordinate_of(term.coordinate, drawing))) += factor;
      if (factor != 0.0) error.note(half_unit({{term.factor}}) / factor);
    }
  result.error = error.value();
  result.equilibrate();
  return result;
}

/// The least relative changes p of the entries with which A has rank r; nothing if they do not converge.
std::optional<Matrix> least_changes(const Matrix& A, int r) {
  Matrix p = Matrix::Zero(A.rows(), A.cols());
  for (int k = 0; k < most_changes; ++k) {
    const Matrix changed = A + A.cwiseProduct(p);
    const Eigen::JacobiSVD<Matrix> svd(changed, Eigen::ComputeFullU | Eigen::ComputeFullV);
    const Matrix Z = svd.matrixU().rightCols(A.rows() - r), N = svd.matrixV().rightCols(A.cols() - r);
    const Matrix misfit = Z.transpose() * changed * N;
    if (largest(misfit) < 8.0 * std::numeric_limits<double>::epsilon()) return p;
    Matrix conditions(misfit.size(), A.size());  // of vec(p)
    for (Eigen::Index j = 0; j < A.cols(); ++j)
      for (Eigen::Index i = 0; i < A.rows(); ++i) {
        const Matrix effect = A(i, j) * Z.row(i).transpose() * N.row(j);
        conditions.col(j * A.rows() + i) = effect.reshaped();
      }
    const Vector change = conditions.completeOrthogonalDecomposition().solve(-misfit.reshaped());
    p += change.reshaped(A.rows(), A.cols());
  }
  return std::nullopt;
}

class CouplingRepair {
 public:
  CouplingRepair(const Drawing& drawing, const Numbers& numbers, Mechanism& mechanism,
                 std::vector<MechanismSystem::RoundedLoop>& found)
      : drawing_(drawing), mechanism_(mechanism), found_(found) {
    const double tolerance = data_tolerance(mechanism, numbers);
    if (tolerance == 0.0) return;
    for (const auto& couplings : groups()) repair(factors_of(couplings, drawing, numbers, tolerance));
  }

 private:
  /// Couplings that share coordinates.
  std::vector<std::vector<const Coupling*>> groups() const {
    std::map<std::string, std::size_t> first;  // of coordinates: the first coupling
    std::vector<std::size_t> group(mechanism_.couplings.size());
    std::iota(group.begin(), group.end(), 0);
    for (std::size_t i = 0; i < group.size(); ++i)
      for (const Coupling::Term& term : mechanism_.couplings[i].terms) {
        const auto [known, added] = first.emplace(coordinate_of(term.coordinate, drawing_), i);
        if (!added) std::ranges::replace(group, group[i], group[known->second]);
      }
    std::map<std::size_t, std::vector<const Coupling*>> by_group;
    for (std::size_t i = 0; i < group.size(); ++i) by_group[group[i]].push_back(&mechanism_.couplings[i]);
    std::vector<std::vector<const Coupling*>> result;
    for (auto& [number, couplings] : by_group) result.push_back(std::move(couplings));
    return result;
  }

  void repair(const Factors& factors) {
    const Eigen::JacobiSVD<Matrix> svd(factors.A);
    const Vector& sigma = svd.singularValues();
    const double noise = 50.0 * std::numeric_limits<double>::epsilon() * static_cast<double>(factors.A.size());
    const auto above = [&](double bound) { return static_cast<int>((sigma.array() > bound).count()); };
    const int high = above(noise);
    for (int r = above(small_ratio); r < high; ++r)
      if (const auto p = least_changes(factors.A, r); p && within(largest(*p), most_of_error * factors.error)) {
        report(factors, *p, r);
        if (mechanism_.repair) apply(factors, *p);
        return;
      }
  }

  void report(const Factors& factors, const Matrix& p, int r) {
    MechanismSystem::RoundedLoop& loop = found_.emplace_back();
    for (const Coupling* coupling : factors.couplings) loop.joints.push_back(coupling->name);
    loop.where = factors.couplings.front()->where;
    loop.repaired = mechanism_.repair;
    loop.freedom = static_cast<int>(factors.A.cols()) - r;
    loop.tolerance = factors.error;
    loop.change = largest(p);
    Eigen::Index row, column;
    (void)largest(p, &row, &column);
    loop.largest = factors.couplings[static_cast<std::size_t>(row)]->name;
    loop.text = fmt::format(
        "the couplings {}: rank {} if their factors change by at most {:.2g} of their values ({}), which is taken as "
        "rounding (data_tolerance = {:.2g}){}",
        list_names(loop.joints, false), r, loop.change, loop.largest, loop.tolerance,
        loop.repaired ? "" : "; the data are kept as typed (repair = false)");
  }

  /// Factors stay the formulas that they are.
  void apply(const Factors& factors, const Matrix& p) {
    for (Coupling& coupling : mechanism_.couplings) {
      const auto found = std::ranges::find(factors.couplings, &coupling);
      if (found == factors.couplings.end()) continue;
      const auto row = static_cast<Eigen::Index>(found - factors.couplings.begin());
      for (Coupling::Term& term : coupling.terms)
        if (const double change = p(row, factors.columns.at(coordinate_of(term.coordinate, drawing_))); change != 0.0)
          term.factor = Formula(fmt::format("({})*(1 + ({}))", term.factor.text, change), term.factor.where);
    }
  }

  const Drawing& drawing_;
  Mechanism& mechanism_;
  std::vector<MechanismSystem::RoundedLoop>& found_;
};

}  // namespace

void repair_couplings(const Drawing& drawing, const Numbers& numbers, Mechanism& mechanism,
                      std::vector<MechanismSystem::RoundedLoop>& found) {
  if (mechanism.couplings.size() > 1) CouplingRepair(drawing, numbers, mechanism, found);
}

}  // namespace maggi::mechanism
