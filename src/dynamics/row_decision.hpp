#pragma once
#include <memory>
#include <string>
#include <vector>

#include "basis/metric_factor.hpp"
#include "maggi/expert/equations.hpp"
#include "maggi/mode.hpp"

namespace maggi {

class Realisation;

/// Which rows are in force by a mode, and which of them are independent, so that the equations are solved with them.
///
/// Rows that depend on others follow from them as long as they are compatible. The rank is decided on rows of unit
/// length in the mass metric.
class RowDecision {
 public:
  explicit RowDecision(const Shape& shape);
  ~RowDecision();

  void use_mode(const Mode& mode);  ///< all rows switched on; all of them are in use until decide()
  void need_matrices();             ///< memory for decide()

  /// M and C of the terms, with those of acceleration level. `in_turn`: rows of a joint may exchange their parts while
  /// it turns; see order_long_rows_first(). Error (model) if there is an admissible motion without inertia, Error
  /// (numerics) if controls do not reach the rows that they must keep.
  void decide(const Terms& terms, bool in_turn);
  void take_all();  ///< all rows are known to be independent
  bool has_zero_row(const Terms& terms) const;  ///< among the active ones

  const RowSelection& active() const { return active_; }      ///< all rows switched on
  const RowSelection& reacting() const { return reacting_; }  ///< those with a reaction of their own
  const std::vector<int>& in_use() const { return in_use_; }
  const std::vector<int>& dependent() const { return dependent_; }  ///< active, but not in use
  bool redundant() const { return redundant_; }  ///< is a row with a reaction of its own among the dependent ones?
  int rank() const { return rank_; }             ///< of all active rows
  bool regular() const { return !factor_ || factor_->regular(); }  ///< is the mass matrix?

  /// Without deciding: why there is no solution here; empty if the rows and the mass matrix are not the reason.
  std::string explain(const Terms& terms);

 private:
  void fill_matrices(const Terms& terms);
  bool order_long_rows_first(bool in_turn);
  void find_rows_that_controls_keep(const Terms& terms);
  void check_all_are_kept() const;
  [[noreturn]] void throw_unreached(int needed) const;
  [[noreturn]] void throw_weightless() const;

  const Shape& shape_;
  RowSelection active_, reacting_, servo_;  // servo: kept by controls
  std::vector<int> in_use_, dependent_;
  std::vector<int> order_;  // of the active rows in a decision
  bool redundant_ = false;
  int rank_ = 0;
  Matrix M_, C_, C_reacting_, C_servo_, B_;
  std::unique_ptr<MetricFactor> factor_;      // once matrices are needed
  std::unique_ptr<Realisation> realisation_;  // none without controls
};

}  // namespace maggi
