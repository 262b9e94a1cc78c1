#pragma once
#include <utility>
#include <vector>

#include "maggi/expert/expression.hpp"

namespace maggi {

/// What is derived from the formulas of a model, as expressions: for reading and printing.
struct DerivedEquations {
  // compiled once, instead of in each file that copies or destroys one
  DerivedEquations();
  DerivedEquations(const DerivedEquations&);
  DerivedEquations(DerivedEquations&&) noexcept;
  DerivedEquations& operator=(const DerivedEquations&);
  DerivedEquations& operator=(DerivedEquations&&) noexcept;
  ~DerivedEquations();

  expression::Graph graph;
  std::vector<expression::Id> q, v, a, lambda, parameters;  ///< variables
  std::vector<expression::Id> tau, p, sense;                ///< variables: forces of laws, controls, ±1 for each law
  expression::Id t = 0;
  std::vector<expression::Id> M;                  ///< lower triangle, row by row: n (n+1)/2
  std::vector<expression::Id> h;                  ///< n
  std::vector<expression::Id> f, phi, psi;        ///< s_p; s_p + s_v; s_a
  std::vector<expression::Id> C, Cdot, gamma;     ///< m × n row by row; m × n; m
  std::vector<expression::Id> F;                  ///< n × forces, row by row
  std::vector<expression::Id> T, B;               ///< n × laws, n × controls, row by row
  std::vector<expression::Id> law;                ///< laws
  std::vector<expression::Id> hold, coefficient;  ///< contacts
  std::vector<expression::Id> law_gradient;       ///< laws × (m + laws), row by row
  std::vector<expression::Id> events;
  std::vector<expression::Id> x, J, Jdot;  ///< n_x; n_x × n row by row; n_x × n
  /// The constraints once more, with the local coordinates as variables of their own: f̂(x), Ĉ = ∂f̂/∂x, C = Ĉ J.
  struct Local {
    std::vector<expression::Id> x, v, a;  ///< variables A.x, A.x', A.x''
    std::vector<expression::Id> C;        ///< m × n_x
    std::vector<bool> complete;           ///< m: nothing but local coordinates (and time) occurs in the row
  } local;
  std::vector<expression::Id> Mdot, curvature;                      ///< as M
  expression::Id kinetic = 0, potential = 0, total = 0, power = 0;  ///< see Energy
  /// Variables that formulas of the model call otherwise, and what they call them.
  std::vector<std::pair<expression::Id, expression::Id>> spelling;
  std::vector<expression::Id> outputs;
  std::vector<expression::Id> drawing;
};

}  // namespace maggi
