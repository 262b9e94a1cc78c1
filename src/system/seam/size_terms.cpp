#include "system/seam/size_terms.hpp"

namespace maggi {

void size_terms(const Shape& s, Terms& terms) {
  for (Vector* packed_as_M : {&terms.M, &terms.Mdot, &terms.curvature}) *packed_as_M = Vector::Zero(s.M.size());
  for (Vector* packed_as_C : {&terms.C, &terms.Cdot}) *packed_as_C = Vector::Zero(s.C.size());
  for (Vector* packed_as_J : {&terms.J, &terms.Jdot}) *packed_as_J = Vector::Zero(s.J.size());
  terms.F = Vector::Zero(s.F.size());
  terms.T = Vector::Zero(s.T.size());
  terms.B = Vector::Zero(s.B.size());
  terms.law = Vector::Zero(s.laws.size());
  terms.law_gradient = Matrix::Zero(s.laws.size(), s.m() + s.laws.size());
  terms.hold = terms.coefficient = Vector::Zero(s.contacts.size());
  terms.f = Vector::Zero(s.s_p);
  terms.phi = Vector::Zero(s.s_p + s.s_v);
  terms.psi = Vector::Zero(s.s_a);
  terms.h = Vector::Zero(s.n());
  terms.gamma = Vector::Zero(s.m());
}

void leave_out_J(Terms& terms) {
  for (Vector* packed_as_J : {&terms.J, &terms.Jdot}) packed_as_J->resize(0);
}

void ask_for_J(const Shape& s, Terms& terms) {
  for (Vector* packed_as_J : {&terms.J, &terms.Jdot})
    if (packed_as_J->size() == 0) *packed_as_J = Vector::Zero(s.J.size());
}

}  // namespace maggi
