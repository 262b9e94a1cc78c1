#pragma once
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "basis/continuity.hpp"
#include "maggi/expert/system.hpp"
#include "maggi/mode.hpp"

namespace maggi::results {

/// Which basis the tangent velocities belong to: that of the formulation, else mass-gram-schmidt, as for
/// Unknowns::tangent.
struct TangentBasis {
  std::string name;  ///< empty: mass-gram-schmidt
  std::optional<Continuity> continuity{};
};

/// The motion along the tangent space of the constraints: what an integration of tangent velocities works with, at any
/// state, whatever is integrated. [Blajer1993, sec. 4 and 5]
///
///     v = D u + d_v,     u = Zᵀv,   ZᵀD = 1        D: of the position and velocity rows in force            (1)
///     u̇ = Zᵀv̇ + Żᵀv                                                                                       (2)
///     M_u u̇ = h_u,      M_u = DᵀM D,   h_u = Dᵀ(h + r₁ − M (d₀ − D Żᵀv)),   C d₀ = γ,  Zᵀd₀ = 0            (3)
///     ½ w_i²,            w = Lᵀu,  M_u = L Lᵀ      kinetic energy along each column of D, orthonormalised   (4)
///     Z_G = rᵀM⁻¹r       = (v̇ − M⁻¹h)ᵀM (v̇ − M⁻¹h) = |λ_w|²,  Gauss's measure of constraint               (5)
///
/// d₀ − D Żᵀv = Ḋu + ḋ_v, which does not depend on u̇. r₁: what friction, controls and rows of acceleration level exert,
/// the part of r that is not Cᵀλ of the rows of D. With Σ ½ w_i² = ½ uᵀM_u u; of a mass-orthonormal basis w = u.
///
/// The choices of the basis (pivots, supplement, reference) are kept from state to state, so that u is smooth. They are
/// renewed where the rows in force change, and after an accepted step at which the basis is strained: there u jumps.
class TangentMotion {
 public:
  /// At the start of a motion. Error (numerics) if the basis does not apply, Error (model) as make_smooth_basis().
  TangentMotion(const System& system, const TangentBasis& basis, const State& start, const Mode& mode);

  void evaluate(const State& state, const Acceleration& acceleration, const Mode& mode);
  /// After an accepted step: chooses again if the basis asks for it.
  void renew(const State& state);

  std::string_view basis() const { return basis_->name(); }
  bool mass_orthonormal() const { return mass_orthonormal_; }  ///< M_u = 1, whatever the state
  bool mass_is_regular() const { return regular_; }            ///< at the start: (5) and the cosines need it
  int freedom() const { return static_cast<int>(basis_->D().cols()); }
  /// The most columns that D has in any mode: those that the rows leave which are always in force.
  int most() const { return most_; }
  int selections() const { return selections_; }  ///< how often the basis has been chosen again

  // of the state evaluated last
  auto D() const { return basis_->D(); }
  const Vector& u() const { return u_; }
  const Vector& udot() const { return udot_; }
  const Matrix& M() const { return Mu_; }
  const Vector& h() const { return hu_; }
  const Vector& energies() const { return energies_; }        ///< (4)
  const Vector& d_v() const { return dv_; }                   ///< of (1)
  const Vector& d_0() const { return d0_; }                   ///< of (3)
  const Vector& constrained() const { return constrained_; }  ///< cos²α_i, see cosines_squared()
  double gauss() const { return gauss_; }                     ///< (5) [J/s²]

 private:
  std::vector<int> rows_in_force(const Mode& mode) const;
  std::vector<int> independent(const std::vector<int>& rows, const Instant& at);
  void find_most(const State& start);
  bool compute(const Instant& at);
  void choose(const State& at);
  void find_velocities(const State& state, const Acceleration& a);
  void find_forces(const State& state, const Acceleration& a);
  void find_measures(const Acceleration& a);

  const System& system_;
  const Shape& shape_;
  std::unique_ptr<Workspace> workspace_;
  std::unique_ptr<Basis> basis_;
  std::vector<int> in_force_;  // rows of position and velocity level
  RowSelection rows_;          // independent ones among them
  Equations equations_;
  bool mass_orthonormal_ = false, regular_ = true;
  int most_ = 0, selections_ = -1;

  Vector u_, udot_, turning_, hu_, energies_, dv_, d0_, constrained_;
  Matrix Mu_;
  double gauss_ = 0.0;
};

}  // namespace maggi::results
