#pragma once
#include <optional>

#include "maggi/expert/linear.hpp"

namespace maggi {

/// The part of generalised forces that works on motions which the constraints allow.
///
///     r = Cᵀλ + M w,   C w = 0:   w = L⁻ᵀ (1 − Q Qᵀ) L⁻¹ r,   L⁻¹Cᵀ = Q R,   M = L Lᵀ
struct WorkingPart {
  Vector w;
  double size = 0.0;   ///< ‖M w‖ in the metric M⁻¹
  double whole = 0.0;  ///< ‖r‖ in the metric M⁻¹
};

/// Rows of C may be redundant. Nothing if M is not positive definite, so that it is no metric.
std::optional<WorkingPart> working_part(const Matrix& M, const Matrix& C, const Vector& r);

}  // namespace maggi
