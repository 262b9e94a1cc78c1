#pragma once
#include <optional>
#include <string>
#include <vector>

#include "dynamics/dynamics.hpp"

namespace maggi::integration {

/// A configuration in which rows of C become dependent, and the branches of the motion that meet in it.
///
///     A = S C L⁻ᵀ = U Σ Vᵀ,  M = L Lᵀ:   zᵀA = 0 for the last columns z of U,  A x = 0 for the last columns of V (1)
///     zᵀS φ(q, 0, t) = 0                 otherwise no velocity satisfies the rows: the mechanism locks (2)
///     zᵀS γ(q, v) = 0,  v = L⁻ᵀV₂ x      the tangents v of the branches that meet here (3)
///
/// (2) matters where time occurs in the constraints. (3) is quadratic in x; where time occurs, v = v₀ + L⁻ᵀV₂ x with
/// C v₀ = −φ(q, 0, t), and only a motion without degrees of freedom has isolated solutions.
class SingularConfiguration {
 public:
  /// Combinations of unit rows below this size count as zero in a configuration that was found by a search.
  static constexpr double found_within = 1e-4;

  /// `rank`: of the position and velocity rows nearby; `before`: a state nearby, where they have this rank.
  /// Combinations of unit rows smaller than `vanishing` count as zero.
  SingularConfiguration(Dynamics& dynamics, const State& at, const State& before, int rank, double vanishing);
  /// The same without a state nearby, for one degree of freedom; branches() shows whether there is one.
  SingularConfiguration(Dynamics& dynamics, const State& at, double vanishing);
  /// With the rank that the dynamics has found here, which masses of very different sizes do not hide.
  SingularConfiguration(Dynamics& dynamics, const State& at);

  std::vector<std::string> owners() const;  ///< the constraints and joints that take part
  std::string explain() const;              ///< which rows become dependent, and the rank
  int lost() const { return lost_; }        ///< by how much the rank drops
  bool locks();
  /// One for each branch, largest entry 1 if time does not occur in the rows; none if they are not isolated directions,
  /// or too many ranks are lost.
  std::vector<Vector> tangents();
  bool all_are_found() const { return lost_ <= all_found_; }  ///< of many branches, some may be missing

  /// Which motions w that the rows admit does the second order forbid? Those with wᵀ(Σ λ f_qq) w = −λᵀγ(q, w) > 0 for a
  /// self-stress λ, Cᵀλ = 0, with which it is negative for no motion. In words; empty if none was found, or time occurs
  /// in the rows. Loads along such a motion, loaded(), have no finite reactions.
  std::string explain_rigidity();
  int forbidden() const { return static_cast<int>(forbidden_.cols()); }  ///< how many; after explain_rigidity()
  bool forbids(const Vector& v) const;                                   ///< is a part of v along one of them?
  bool loaded() const { return loaded_; }
  /// The constraints whose residuals here cannot be met together; empty if all could.
  std::vector<std::string> contradicting();

  /// From rest: the tangents along which there are states, where the rows have their rank.
  struct Branch {
    Vector tangent;
    State near;   ///< a small step along it, on the constraints
    Vector vdot;  ///< τ τᵀh / τᵀMτ in the singular configuration
  };
  std::vector<Branch> branches();
  std::string explain_tangents();  ///< "a' = 1, c' = 1; or a' = 1, b' = 0.5, c' = -1"
  /// "; another motion branches off here: a' = 1, b' = 0.5" for a motion that goes on with the velocities v; empty if
  /// no other is found.
  std::string explain_other_branches(const Vector& v);

 private:
  struct Null {
    Matrix left, right;  // of unit rows in the mass metric; bases of the null spaces
  };
  Null null_spaces(const State& at, int rank, bool scaled);
  Vector demand(const Vector& v);
  std::vector<Matrix> quadratic_forms();
  bool find_self_stress();
  double curvature(const Vector& v);
  bool is_followed(Branch& branch);
  bool on_branch(const std::vector<Matrix>& Q, Vector& x) const;
  int freedom_at(const std::vector<Matrix>& Q, const Vector& x) const;
  std::vector<Vector> driven_velocities();
  std::string in_words(const Vector& v) const;

  static constexpr int all_found_ = 3, most_lost_ = 8;

  Dynamics& dynamics_;
  const Shape& shape_;
  State at_;
  int rank_, lost_ = 0;
  double vanishing_;
  RowSelection rows_;
  Matrix left_;     // columns: left null vectors of C here; those that are null vectors everywhere impose no condition
  Matrix z_;        // their part that is no null vector nearby
  Matrix motions_;  // columns: basis of the velocities that the rows admit here
  Vector scale_;
  Matrix forbidden_;  // columns: motions, orthonormal in the mass metric
  Matrix momentum_;   // M forbidden_
  Vector stress_;     // of the rows
  bool loaded_ = false;
  std::vector<int> freedom_;  // of the motions to which each of the last tangents() belongs
};

}  // namespace maggi::integration
