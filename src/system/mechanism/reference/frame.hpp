#pragma once
#include "system/mechanism/kinematics/space.hpp"

namespace maggi::mechanism {

/// The frame whose axis k is the unit vector e: R of the least rotation that carries the world axis E_k to e,
///   R x = x − (e·x)/(1 + c) (E_k + e) for x ⟂ E_k,  c = e·E_k,  1 + c = (e_i² + e_j²)/(1 − c) for c < 0,
/// where i, j follow k cyclically. It is continuous in e everywhere but at −E_k (and within 1e-12 rad of it, what
/// rounding makes of −E_k), where it is half a turn about E_j followed by the least rotation from −E_k to e.
template <class Real>
Matrix3Over<Real> frame_about(const Vector3Over<Real>& e, int k);

}  // namespace maggi::mechanism
