#pragma once
#include "dynamics/dynamics.hpp"

namespace maggi {

/// ‖C v̇ − γ‖∞, or |ψ(v̇)| where a row is nonlinear in v̇, over all active rows, each divided by ‖row‖ (1 + ‖v̇‖).
/// `worst`: the row where it occurs; −1 if there are none.
double acceleration_residual(Dynamics& dynamics, const Instant& at, const Acceleration& a, int& worst);

}  // namespace maggi
