#pragma once
#include <string>
#include <vector>

#include "system/mechanism/kinematics/power_or_zero.hpp"
#include "system/mechanism/tree/tree_model.hpp"

namespace maggi::mechanism {

/// The local coordinates of the joints that close loops: where B is as seen from A, along and about all axes of A.
/// Every row of the joint is a combination of them, and what none of its rows sees is what the joint leaves free.
/// [BlajerBestleSchiehlen1994]
///
///     ẋ = W · (V_b − V_a),   J_j = ± W · S_j,   W: unit forces through B and unit torques along the axes of A
template <class Space>
class LocalCoordinates {
 public:
  /// Adds them and their pattern to the shape, whose rows are those of the closures.
  LocalCoordinates(const std::vector<Closure<Space>>& closures, const std::vector<Path>& paths, Shape& shape)
      : paths_(paths) {
    std::size_t row = 0;
    for (const Closure<Space>& closure : closures) {
      Closure<Space>& all = relative_.emplace_back(closure);
      std::vector<JointRow> motions;
      for (int k = 0; k < Space::axes; ++k) motions.push_back({Holds::along, k, std::string(1, "xyz"[k])});
      for (int k = 0; k < Space::turns; ++k)
        motions.push_back({Holds::turning, k, Space::turns == 1 ? "turn" : std::string("turn_") + "xyz"[k]});
      all.rows = motions;
      const maggi::Row& held = shape.rows[row];
      row += closure.rows.size();
      for (const JointRow& motion : motions) {
        for (const auto& [j, sign] : paths[relative_.size() - 1]) shape.J.add(shape.J.rows, j);
        ++shape.J.rows;
        shape.local.push_back(
            {held.owner + "." + motion.component, held.owner, motion.component, unit_of(motion.holds), held.where});
      }
    }
  }

  /// J, and its rate where V is known, if they have their size; `rows`: scratch, one for each of them.
  void matrix(const LinkState<Space>& s, std::vector<ClosureRow<Space>>& rows, Vector& J) const {
    if (J.size() == 0) return;
    for_entries(s, false, rows, [&](const ClosureRow<Space>& row, int j, double sign, int entry) {
      J[entry] = sign * power_or_zero<Space>(row.W, s.S[j]);
    });
  }
  void matrix_rate(const LinkState<Space>& s, std::vector<ClosureRow<Space>>& rows, Vector& Jdot) const {
    if (Jdot.size() == 0) return;
    for_entries(s, true, rows, [&](const ClosureRow<Space>& row, int j, double sign, int entry) {
      Jdot[entry] = sign * (row.Wdot.dot(s.S[j]) + row.W.dot(s.Sdot[j]));
    });
  }

 private:
  /// Calls visit(row, velocity, sign, entry) for every entry of J.
  template <class Visit>
  void for_entries(const LinkState<Space>& s, bool rates, std::vector<ClosureRow<Space>>& rows, Visit visit) const {
    int entry = 0;
    ClosureRow<Space>* row = rows.data();
    for (std::size_t c = 0; c < relative_.size(); ++c) {
      relative_[c].evaluate(s, rates, row);
      for (std::size_t k = 0; k < relative_[c].rows.size(); ++k, ++row)
        for (const auto& [j, sign] : paths_[c]) visit(*row, j, sign, entry++);
    }
  }

  std::vector<Closure<Space>> relative_;  // the frames of the closures, with all motions for rows
  std::vector<Path> paths_;
};

}  // namespace maggi::mechanism
