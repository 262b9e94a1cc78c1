#pragma once

/// Tolerances that many tests share, each with its reason. One that belongs to a single test has its reason there.
namespace maggi::test::tolerance {

/// Tens of operations on numbers of order one, each with an error of ε = 2.2e-16.
inline constexpr double rounding = 1e-14;

/// Some thousand operations on numbers of order one, or tens of operations on numbers of order ten, such as forces in N
/// where g = 9.81 m/s² acts on a few kilograms, with a condition number of ten.
inline constexpr double many_roundings = 1e-12;

/// The search for a start ends at a scaled residual of 1e-13 (1 + |x|).
inline constexpr double start_search = 1e-13;

/// A value that follows from such a start, through equations with a condition number up to ten.
inline constexpr double start_value = 10 * start_search;

/// A force that follows from such a start: of order ten in N, where the unknowns are of order one.
inline constexpr double start_force = 10 * start_value;

/// What an integration leaves whose local error is held at rtol: the errors of some hundred steps add up.
constexpr double integrated(double rtol) { return 100 * rtol; }

}  // namespace maggi::test::tolerance
