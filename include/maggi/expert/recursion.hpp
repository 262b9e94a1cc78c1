#pragma once
#include <string_view>
#include <vector>

#include "maggi/expert/linear.hpp"

namespace maggi {

struct Workspace;

/// The equations of a system at one position, solved along its own structure: neither M nor a product with it is
/// formed.
///
///     M x = h + Cᵀλ      C x = γ          for some rows of C, which must be independent
///
/// What can be said once is said by use_rows(), which plans the order of all operations; factorise() and solve() run
/// that plan and allocate nothing. One object per thread; made by System::recursion().
class Recursion {
 public:
  /// How far the rows in use are from being dependent: the smallest sine, in the metric of the mass, between a row and
  /// those that were eliminated before it.
  struct Weakest {
    double sine = 1.0;
    int row = -1;  ///< of the shape
  };

  virtual ~Recursion() = default;

  virtual void use_rows(const std::vector<int>& rows) = 0;  ///< of the shape, in increasing order
  /// At the positions at which the system was evaluated last in w. false if a pivot is lost: a motion without inertia,
  /// or rows so close to dependence that `least_sine` is not reached.
  virtual bool factorise(const Workspace& w) = 0;
  /// x (n) and λ from h (n; null: 0) and γ, both in the order of the rows in use.
  virtual void solve(const double* h, const double* gamma, double* x, double* lambda) = 0;
  /// Both in one go: what a link needs is at hand while it is eliminated.
  virtual bool factorise_and_solve(const Workspace& w, const double* h, const double* gamma, double* x,
                                   double* lambda) = 0;
  /// Of the last factorise().
  virtual Weakest weakest() = 0;
  /// In which order it eliminates, for the user.
  virtual std::string_view order() const { return "along the joints"; }

  /// n + m: up to here matrices cost little memory, and those who may need them have it from the begin.
  static constexpr int small_system = 200;

  /// C M⁻¹Cᵀ has the square of the condition of the rows: half of the digits are left here, which a refinement makes
  /// whole. Long structures come so close without being near to a singular configuration.
  static constexpr double least_sine = 1e-4;
};

}  // namespace maggi
