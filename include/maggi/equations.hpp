#pragma once
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "maggi/formula.hpp"
#include "maggi/state.hpp"

namespace maggi {

/// The entries of the equations of motion as text, in the order of the matrices; "0" where an entry is zero.
struct EquationFormulas {
  using Entries = std::vector<std::vector<std::string>>;  ///< row by row

  Entries M, C;                          ///< n × n, m × n
  std::vector<std::string> h, gamma;     ///< n, m
  std::vector<std::string> f, phi, psi;  ///< the constraints of position, velocity and acceleration level
  Entries T, B;                          ///< n × laws, n × controls
  /// laws   what is zero, in the sense in which the contacts slide; empty for the force of a contact that sticks
  std::vector<std::string> law;
  Entries D, Ddot;  ///< n × k; empty where EquationsOfMotion::why_no_D says why
};

/// The equations of motion at one state with their solution, as dense matrices with names. A value; to_text() prints it
/// for people, to_json() for programs.
///
///     M v̇ = h + Cᵀλ + T τ + B p     C v̇ = γ     C D = 0
///
/// Only what is in force at this state is there: rows that are switched off, open or let slide are listed in
/// `not_in_force`. Rows that are nonlinear in v̇ are linearised at v̇.
struct EquationsOfMotion {
  std::string title;                     ///< of the model
  State state;                           ///< t, q, v
  std::vector<std::string> coordinates;  ///< n_q  names of q
  std::vector<std::string> velocities;   ///< n    of v: rows and columns of M, columns of C, rows of D, T, B; the
                                         ///<      coordinates themselves where q̇ = v
  std::vector<std::string> constraints;  ///< m    rows of C: those in force
  std::vector<std::string> laws;         ///< columns of T: forces of laws in force, and of contacts that stick
  std::vector<std::string> controls;     ///< columns of B
  /// What the model has besides, and why it is not in force: {"floor", "open by 1 m"}.
  std::vector<std::pair<std::string, std::string>> not_in_force;

  Matrix M;       ///< n × n     mass matrix, symmetric
  Vector h;       ///< n         applied and velocity-dependent forces
  Matrix C;       ///< m × n
  Vector gamma;   ///< m
  Matrix T;       ///< n × laws  directions of the forces of laws; of a contact, the gradient of its sliding velocity
  Matrix B;       ///< n × controls
  Vector vdot;    ///< n         the solution: accelerations,
  Vector lambda;  ///< m         multipliers; 0 for rows that are kept by controls or by which contacts stick
  Vector tau;     ///< laws
  Vector p;       ///< controls
  std::vector<std::string> open_controls;  ///< of more than the servo constraints need: those that are not unique, of
                                           ///< which p is the least in the sum of squares
  /// m: how λ comes about where it is no number of its own: "not unique", "kept by controls", "sticks"; or empty
  std::vector<std::string> no_lambda;

  std::string basis;        ///< the name of the one that gave D
  Matrix D;                 ///< n × k  orthogonal complement of C; k = n − rank C
  Matrix Ddot;              ///< n × k  along the motion; without entries where why_no_Ddot says why
  std::string why_no_Ddot;  ///< empty if there is one

  std::optional<EquationFormulas> formulas, latex;  ///< the same as formulas; none for bodies and joints
  std::string why_no_D;                             ///< why the formulas do not contain D; empty if they do
};

/// Where and how equations() takes the equations.
struct EquationsOptions {
  std::string basis = "lu";    ///< by name
  bool formulas = false;       ///< also as formulas, where the model has them
  std::optional<double> at{};  ///< [s] of a run from the start; otherwise at the start
  /// Values of that state to change, by the name of a coordinate ("x") or velocity ("x'"), or "t"; the others change
  /// as little as the constraints allow.
  std::vector<std::pair<std::string, Formula>> state{};
};

}  // namespace maggi
