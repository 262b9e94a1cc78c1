#pragma once
#include <optional>
#include <string>
#include <vector>

#include "maggi/state.hpp"

namespace maggi {

/// The entries of the equations of motion as text, in the order of the matrices; "0" where an entry is zero.
struct EquationFormulas {
  using Entries = std::vector<std::vector<std::string>>;  ///< row by row

  Entries M, C;                          ///< n × n, m × n
  std::vector<std::string> h, gamma;     ///< n, m
  std::vector<std::string> f, phi, psi;  ///< the constraints of position, velocity and acceleration level
  Entries D, Ddot;                       ///< n × k; empty where EquationsOfMotion::why_no_D says why
};

/// The equations of motion at one state, as dense matrices with names. A value; to_text() prints it for people,
/// to_json() for programs.
///
///     M v̇ = h + Cᵀλ     C v̇ = γ     C D = 0
///
/// All rows of the system are there, whether they are in force or not. Rows that are nonlinear in v̇ are linearised at
/// the v̇ of this state.
struct EquationsOfMotion {
  std::string title;                     ///< of the model
  State state;                           ///< t, q, v
  std::vector<std::string> coordinates;  ///< n_q  names of q
  std::vector<std::string> velocities;   ///< n    of v: rows and columns of M, columns of C, rows of D; the coordinates
                                         ///<      themselves where q̇ = v
  std::vector<std::string> constraints;  ///< m    rows of C

  Matrix M;           ///< n × n  mass matrix, symmetric
  Vector h;           ///< n      applied and velocity-dependent forces
  Matrix C;           ///< m × n
  Vector gamma;       ///< m
  std::string basis;  ///< the name of the one that gave D
  Matrix D;           ///< n × k  orthogonal complement of C; k = n − rank C

  std::optional<EquationFormulas> formulas, latex;  ///< the same as formulas; none for bodies and joints
  std::string why_no_D;                             ///< why the formulas do not contain D; empty if they do
};

/// What equations() computes besides the numbers.
struct EquationsOptions {
  std::string basis = "lu";  ///< by name
  bool formulas = false;     ///< also as formulas, where the model has them
};

}  // namespace maggi
