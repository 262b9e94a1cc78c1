#pragma once
#include <memory>
#include <string>
#include <vector>

#include "maggi/expert/system.hpp"

namespace maggi::results {

/// What each constraint, force law and control contributes to the generalised reaction. [BlajerBestleSchiehlen1994
/// (36)]
///
///     r = Σ_j r_j,   r_j = C_jᵀλ_j  of a constraint or joint (all its rows), T_j τ_j of a law, B_j p_j of a control
///
/// A contact that sticks exerts its τ.
class ReactionParts {
 public:
  struct Part {
    std::string of, along;  ///< "guide"; the coordinate or velocity
    int entry = 0;          ///< of r
    std::vector<int> rows;  ///< whose multipliers it needs; none: a law or a control
  };

  explicit ReactionParts(const System& system);

  const std::vector<Part>& parts() const { return parts_; }
  /// One value for each part.
  void evaluate(const State& state, const Acceleration& acceleration, Vector& values);

 private:
  struct Term {
    int part, packed, factor;
  };
  void add(const Pattern& pattern, bool transposed, const std::vector<std::string>& owners,
           const std::vector<bool>& some, std::vector<Term>& terms);
  int part_of(const std::string& owner, int entry);

  const System& system_;
  const Shape& shape_;
  std::unique_ptr<Workspace> workspace_;
  std::vector<Part> parts_;
  std::vector<Term> of_rows_, of_laws_, of_controls_;
};

}  // namespace maggi::results
