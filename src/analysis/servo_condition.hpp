#pragma once
#include <optional>
#include <string>

#include "analysis/written_system.hpp"
#include "maggi/hidden_constraint.hpp"

namespace maggi::analysis {

/// Where no control reaches a combination of servo rows, their accelerations and the balance of forces agree only if a
/// condition on q, v and t holds that contains no control. With
///
///     K x = b,   K = [ M −C₁ᵀ −B ; C₁ 0 0 ; C₂ 0 0 ],   x = (v̇, λ₁, p),   b = (h, γ₁, γ₂)                     (1)
///
/// and a row c of K that depends on rows A of it everywhere, it is the minor that borders a regular block of A by the
/// right sides:
///
///     g(q,v,t) = det [ A_P b_A ; c_P b_c ] = 0                                                                 (2)
///
/// which is U₀ᵀ(C M⁻¹h − γ) = 0 without its denominators. If v does not occur in it, it is a position constraint.
/// [Dinh2002 (2.46); AltmannHeiland2017]
///
/// The next such condition that the state does not satisfy everywhere nearby; nothing if there is none, with the reason
/// in `unfinished` if it could not be derived.
/// Error (model) if a control has no effect, if two act alike, or if no control can ever influence a row.
std::optional<HiddenConstraint> find_servo_condition(const WrittenSystem& system, const State& state,
                                                     std::string& unfinished);

}  // namespace maggi::analysis
