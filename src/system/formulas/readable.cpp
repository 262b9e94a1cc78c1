#include "system/formulas/readable.hpp"

#include "expression/tidy.hpp"

namespace maggi {

DerivedEquations readable(DerivedEquations e) {
  for (auto* formulas :
       {&e.M, &e.h, &e.f, &e.phi, &e.psi, &e.C, &e.Cdot, &e.gamma, &e.x, &e.J, &e.Jdot, &e.Mdot, &e.outputs})
    for (expression::Id& formula : *formulas) formula = expression::tidy(e.graph, formula);
  return e;
}

}  // namespace maggi
