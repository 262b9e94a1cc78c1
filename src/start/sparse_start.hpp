#pragma once
#include <Eigen/SparseCore>
#include <optional>
#include <vector>

#include "maggi/expert/equations.hpp"
#include "start/start_blocks.hpp"

namespace maggi::integration {

/// The start of a large system: positions and velocities that satisfy the rows, by Newton's method from the guess with
/// sparse matrices only. Given values stay, all others change as little as possible in the mass metric:
///
///     | M_oo   C_oᵀ | | δ |   |  0 |
///     | C_o   −ε I  | | λ | = | −r |        o: what is not given                             (1)
///
/// The rows of C_o are scaled to length 1 in the metric of diag M, and ε makes the factor LDLᵀ exist where rows depend
/// on each other; what it leaves of r the next step removes.
class SparseStart {
 public:
  /// `rows`: of the shape, in increasing order. `let_stay`: what rather stays does, like what is given.
  SparseStart(const System& system, Workspace& w, const Start& start, const std::vector<int>& rows,
              bool let_stay = false);

  /// Is the system large, and does the start say where the search begins and nothing that (1) does not know?
  static bool fits(const Shape& shape, const Start& start);

  struct Found {
    std::vector<bool> solved_for;
    bool least_change = true;  ///< something could be chosen; otherwise it follows from what is given,
    double condition = 1.0;    ///< and so well, but for a few per cent
  };
  /// The state must hold the guess. false if Newton's method ends elsewhere.
  bool positions(State& state, Found& found);
  bool velocities(State& state, Found& found);

  double residual() const { return residual_; }  ///< the largest that the last call left, |r_i| / ‖row i‖
  int worst() const { return worst_; }           ///< row of the shape that has it

 private:
  struct Level {
    bool velocity;
    RowSelection rows;
    std::vector<int> open;  // velocities that are not given and occur in a row
    std::vector<int> row_at, open_at;
    std::optional<StartBlocks> blocks;  // of the open ones and the rows

    void change_only(std::vector<int> some);  ///< of the open ones
  };

  Level level(bool velocity, const std::vector<int>& rows, const std::vector<Start::Value>& values,
              bool let_stay) const;
  double evaluate(const Level& level, const State& state);
  bool newton(Level level, State& state);
  bool step(const Level& level, State& state);
  bool take(const Level& level, State& state, const Vector& delta);
  Eigen::SparseMatrix<double> scaled_rows(const Level& level, bool all) const;
  Found judge(const Level& level) const;

  const System& system_;
  const Shape& shape_;
  Workspace& w_;
  Level position_, velocity_;
  Vector r_, lengths_;  // of the rows of the level at hand: residuals, lengths
  double residual_ = 0.0;
  int worst_ = -1;
};

}  // namespace maggi::integration
