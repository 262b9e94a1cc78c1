#pragma once
#include <vector>

#include "base/dual.hpp"
#include "system/mechanism/functions/system_with_functions.hpp"
#include "system/mechanism/recursion/lifted.hpp"

namespace maggi::mechanism {

/// The derivatives of a tree of links with its loops, exact for every kind of joint, row and force: by positions from
/// the recursions of Linkage and the rows of Closure, run with numbers that carry their derivatives along, four columns
/// in one pass over the links. All is a polynomial of degree 2 in the velocities, so that its derivative is (p(v + w) −
/// p(v − w))/2, without truncation for any w.
///
/// Has its own memory: one object for each caller. The model must outlive it.
template <class Space>
class TreeDerivatives {
 public:
  explicit TreeDerivatives(const TreeModel<Space>& model);

  /// ∂ṡ/∂q of all output functions.
  void velocity(const double* q, const double* v, FunctionDerivatives& d);
  /// All of them. `forces`: along the output functions.
  void acceleration(const double* q, const double* v, const double* vdot, const double* forces, FunctionDerivatives& d);

 private:
  using ToDual = Lift<Space, Dual>;
  using Lifted = typename ToDual::Lifted;

  void begin(const double* q, const double* v);
  void seed_positions(int first, int count, const double* q);
  void move();
  void load(const double* vdot, const double* forces);
  void add_at_velocities(const double* v, const double* vdot, const double* forces, double factor, int column,
                         FunctionDerivatives& d);
  void store_rates(int first, int count, Matrix& rates) const;
  void store_accelerations(int first, int count, Matrix& accelerations, Matrix& balance) const;
  template <class Visit>
  void for_rows(Visit visit) const;

  const TreeModel<Space>& model_;
  Linkage<Lifted> linkage_;
  std::vector<Closure<Lifted>> closures_;  // those that close loops, then the functions between frames, of one row each
  std::vector<SpringElement<Lifted>> springs_;
  std::vector<CoordinateForce> forces_;
  int quantities_ = 0, rows_count_ = 0;  // all; those that closures show

  LinkState<Lifted> state_;
  std::vector<Dual> q_, v_;
  std::vector<ClosureRow<Lifted>> rows_;
  Eigen::Matrix<Dual, Eigen::Dynamic, 1> balance_;
  // without derivatives
  LinkState<Space> plain_;
  std::vector<ClosureRow<Space>> plain_rows_;
  Vector moved_, resistance_;
};

}  // namespace maggi::mechanism
