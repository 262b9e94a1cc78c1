#include "system/mechanism/recursion/parameter_derivatives.hpp"

#include <algorithm>

#include "system/mechanism/functions/formulas.hpp"
#include "system/mechanism/tree/build_tree_model.hpp"

namespace maggi::mechanism {

template <class Space>
typename ParameterDerivatives<Space>::Tree& ParameterDerivatives<Space>::tree(int block) const {
  if (const auto found = made_.find(block); found != made_.end()) return found->second;
  const MechanismSource& of = *source_;
  const DualNumbers numbers(of.model, of.numbers, static_cast<std::size_t>(block) * Dual::directions);
  DrawingOver<Dual> drawing(of.model, numbers);
  hold_repaired(of.drawing, drawing);
  const FormulasOver<Dual> formulas(of.model, numbers, drawing, of.keeps_zeros);
  return made_
      .emplace(block, Tree(build_tree_with_derivatives<WithDerivatives<Space>>(of.model, numbers, drawing, formulas)))
      .first->second;
}

template <class Space>
void ParameterDerivatives<Space>::compute(const Instant& at, const double* vdot, const double* forces,
                                          const std::vector<int>& which, FunctionParameterDerivatives& d) const {
  const std::scoped_lock lock(busy_);
  const auto columns = static_cast<Eigen::Index>(which.size());
  int evaluated = -1;
  for (Eigen::Index j = 0; j < columns; ++j) {
    const int block = which[static_cast<std::size_t>(j)] / Dual::directions,
              k = which[static_cast<std::size_t>(j)] % Dual::directions;
    Tree& current = tree(block);
    if (j == 0) {
      for (Matrix* part : {&d.value_p, &d.rate_p, &d.acceleration_p}) part->setZero(current.quantities(), columns);
      d.balance_p.setZero(current.linkage().n(), columns);
    }
    if (block != evaluated) {
      std::copy_n(at.q, current.q.size(), current.q.begin());
      std::copy_n(at.v, current.v.size(), current.v.begin());
      current.move();
      current.load(vdot, forces);
      evaluated = block;
    }
    for (int i = 0; i < current.rows(); ++i) {
      d.value_p(i, j) = current.value(i).slope(k);
      d.rate_p(i, j) = current.rate(i).slope(k);
      d.acceleration_p(i, j) = current.acceleration(i).slope(k);
    }
    for (Eigen::Index i = 0; i < d.balance_p.rows(); ++i) d.balance_p(i, j) = current.balance()[i].slope(k);
  }
}

template class ParameterDerivatives<Planar>;
template class ParameterDerivatives<Spatial>;

}  // namespace maggi::mechanism
