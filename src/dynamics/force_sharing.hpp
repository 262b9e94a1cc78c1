#pragma once
#include <vector>

#include "maggi/expert/system.hpp"
#include "maggi/mode.hpp"

namespace maggi {

/// Where rows that press and contacts that stick depend on each other, their forces are not unique: λ + Z z for any z.
/// Those that obey λ ≥ 0 and |τ| ≤ μ_s N are possible, and the motion goes on as long as there are any.
class ForceSharing {
 public:
  explicit ForceSharing(const System& system);

  /// Is a row in force whose force is bounded? Otherwise every share is possible.
  bool needed(const Mode& mode) const;
  /// λ (those of rows by which contacts stick among them) becomes possible, with the least change along the way to the
  /// share with the largest margin. `independent` and `dependent`: rows in force with a reaction of their own.
  void share(const Instant& at, const Mode& mode, const std::vector<int>& independent,
             const std::vector<int>& dependent, Workspace& w, Vector& lambda);
  void clear() { involved_.clear(); }

  /// Is the force of this row, pressing or sticking, not unique in the last solution?
  bool of_row(int row) const { return !involved_.empty() && involved_[row]; }
  double margin = 0.0;  ///< of the share with the largest; negative: no share is possible

 private:
  struct Conditions {
    Vector value;
    Matrix by_lambda;
  };
  Conditions conditions(const Instant& at, const Mode& mode, const Matrix& C, const Vector& lambda, Workspace& w) const;

  const System& system_;
  std::vector<int> bounded_;    // rows that press, and those by which contacts stick
  std::vector<bool> involved_;  // rows; empty: all forces are unique
};

}  // namespace maggi
