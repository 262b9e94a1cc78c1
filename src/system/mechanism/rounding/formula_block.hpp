#pragma once
#include <functional>
#include <memory>
#include <vector>

#include "maggi/expert/system.hpp"
#include "system/mechanism/rounding/axis_relations.hpp"
#include "system/mechanism/rounding/typed_numbers.hpp"

namespace maggi::mechanism {

/// Constraints that are written as formulas, with rows of joints that share coordinates with them, as a block whose
/// data are the numbers typed in the formulas. It offers what LoopBlock does.
///
///     rows     f / (median of |∂f/∂q s| at configurations around the reference)
///     columns  rad; lengths in units of `size`: s
///     p        relative changes of the typed numbers
class FormulaBlock {
 public:
  using Configuration = std::vector<double>;
  /// The same system with other constraints.
  using Make = std::function<std::unique_ptr<System>(const std::vector<Constraint>&)>;

  FormulaBlock(const System& system, std::vector<int> rows, std::vector<int> columns, double size,
               const TypedNumbers& numbers, Make make);

  int n() const { return static_cast<int>(columns_.size()); }
  int m() const { return static_cast<int>(rows_.size()); }
  double remoteness() const { return remote_; }
  const std::vector<int>& joints() const { return owners_; }  ///< one for each constraint or joint

  Configuration reference() const { return reference_; }
  /// Moves the reference configuration to where the rows are met up to `tolerance`.
  bool close(double tolerance);
  void move(Configuration& q, const Vector& displacement) const;
  void evaluate(const Configuration& q) {
    last_ = q;
    evaluate(*system_, *w_, q, f_, &C_);
  }
  const Vector& f() const { return f_; }
  const Matrix& C() const { return C_; }

  int changes() const { return numbers_.count(); }
  void change(const Vector& p);
  Matrix f_by_changes() const;
  struct Part {
    int first, points;
    int count() const { return points; }
  };
  Part part(int joint) const { return {0, joint == 0 ? changes() : 0}; }
  bool held(int) const { return false; }

 private:
  void evaluate(const System& system, Workspace& w, const Configuration& q, Vector& f, Matrix* C) const;
  void find_scales(double size);
  Vector natural_lengths(const Configuration& q, double size);

  const System* system_;  // with the present changes
  TypedNumbers numbers_;
  Make make_;
  std::vector<int> rows_, columns_, owners_;
  std::vector<int> row_at_, column_at_;  // of the rows and velocities of the system: their places here, or −1
  Vector row_scale_, column_scale_, body_scale_;
  double remote_ = 0.0;
  State at_;
  Configuration reference_, last_;
  std::unique_ptr<System> changed_;
  std::unique_ptr<Workspace> w_;
  Vector p_, f_;
  Matrix C_;
};

inline std::vector<AxisRelation> find_axis_relations(const FormulaBlock&, double) { return {}; }
inline void deviations(const FormulaBlock&, const AxisRelation&, const Vector&, Vector&, Matrix&) {}

}  // namespace maggi::mechanism
