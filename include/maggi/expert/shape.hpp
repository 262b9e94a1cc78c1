#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "maggi/expert/linear.hpp"
#include "maggi/expert/scene.hpp"
#include "maggi/model.hpp"

namespace maggi {

/// Where a matrix can be different from zero, entry by entry; its values travel as a vector in this order.
struct Pattern {
  int rows = 0, cols = 0;
  bool symmetric = false;     ///< only the entries with row ≥ col are listed
  std::vector<int> row, col;  ///< sorted by row, then column

  int size() const { return static_cast<int>(row.size()); }
  void add(int i, int j) { row.push_back(i), col.push_back(j); }
  /// Writes the values into a dense matrix of the right size; entries outside the pattern are set to zero.
  void scatter(const Vector& values, Matrix& dense) const;
};

/// The class of a constraint: how the reaction of its rows comes about.
enum class RowKind {
  ideal,     ///< Cᵀλ: does no work on admissible motions
  with_law,  ///< ideal part and a force along T given by a law (friction)
  servo,     ///< no reaction of its own; an unknown control keeps it
  sticking,  ///< sliding speed = 0 of a contact; its multiplier is the force of that contact, its τ
};

/// What others must know of a class. To add one, add its entry.
struct RowKindFacts {
  std::string_view name;         ///< "ideal"
  bool has_multiplier;           ///< its λ is a force; otherwise a control keeps it
  bool of_model;                 ///< it is a constraint of the model; otherwise of a contact, by which it sticks
  std::string_view no_lambda{};  ///< why λ is no number of its own; empty: it may be one
};
const RowKindFacts& facts_of(RowKind kind);
inline constexpr int row_kinds = 4;

/// A scalar quantity with a name and a unit.
struct Channel {
  std::string name;
  std::string unit;
  Where where{};
};

/// One scalar constraint: f(q,t) = 0, φ(q,v,t) = 0 or ψ(q,v,v̇,t) = 0.
struct Row {
  std::string name;       ///< what the user calls it: "guide", "pin_3.x"
  std::string owner;      ///< the constraint or joint it belongs to
  std::string component;  ///< which part of the owner; empty if the owner has one row
  std::string unit;       ///< of f, φ or ψ
  Level level = Level::position;
  RowKind kind = RowKind::ideal;
  bool nonlinear = false;       ///< velocity rows: in v; acceleration rows: in v̇
  bool active_at_start = true;  ///< rows may be switched on and off during a run
  bool hidden = false;          ///< follows from the others, which do not show it
  bool one_sided = false;       ///< f ≥ 0, λ ≥ 0: in force only while it presses
  double restitution = 0.0;     ///< one-sided: which part of the speed comes back from an impact
  Where where{};

  bool has_multiplier() const { return facts_of(kind).has_multiplier; }
  bool of_model() const { return facts_of(kind).of_model; }
};

/// One coordinate of a point in whose own coordinates constraints are written: x = g(q), ẋ = J v.
struct PointCoordinate {
  std::string name;       ///< what the user calls it: "A.x"
  std::string point;      ///< "A"
  std::string component;  ///< "x"
  std::string unit;
  Where where{};
};

/// Dry friction: either its laws are in force (it slides), or its rows (it sticks).
struct Contact {
  std::string name;
  std::vector<int> laws;     ///< one along a line, two in a plane, three in a ball
  std::vector<int> rows;     ///< sliding speed = 0, as many; off while it slides
  std::vector<int> pressed;  ///< rows whose multipliers make the normal force
  Where where{};
};

/// What happens when a function of the state, System::events(), crosses zero.
struct Switch {
  std::string name;
  Crossing crossing = Crossing::any;
  std::vector<int> on, off;  ///< rows
  bool stop = false;         ///< the run ends
  Where where{};
};

/// Outputs that a configuration gives modulo 2π only (one: an angle [rad]) or up to the sign only (four: a quaternion).
/// Trajectory unwraps them from one state to the next.
struct Cyclic {
  int first = 0, count = 1;
};

/// What never changes about a system: names, sizes, levels, and the static sparsity of its matrices.
/// The rows are ordered by level: s_p position rows, then s_v velocity rows, then s_a acceleration rows.
struct Shape {
  // compiled once, instead of in each file that copies or destroys one
  Shape();
  Shape(const Shape&);
  Shape(Shape&&) noexcept;
  Shape& operator=(const Shape&);
  Shape& operator=(Shape&&) noexcept;
  ~Shape();

  std::string title;
  std::vector<Channel> coordinates;    ///< q, n_q
  std::vector<Channel> velocities;     ///< v, n
  std::vector<Row> rows;               ///< m = s_p + s_v + s_a
  std::vector<Channel> laws;           ///< τ: forces along the columns of T, one law each
  std::vector<Channel> controls;       ///< p: unknown controls along the columns of B
  std::vector<Contact> contacts;       ///< laws that may stick
  std::vector<Switch> events;          ///< in the order of System::events()
  std::vector<Channel> outputs;        ///< formulas of the user
  std::vector<Cyclic> cyclic;          ///< some of the outputs
  std::vector<Channel> forces;         ///< directions in which the user wants the reactions
  std::vector<PointCoordinate> local;  ///< x, n_x: local coordinates, point by point
  std::vector<Channel> parameters;     ///< of the model, by which there are derivatives
  int s_p = 0, s_v = 0, s_a = 0;
  bool identity_rates = true;  ///< q̇ = v; otherwise q̇ = N(q) v
  bool rheonomic = false;      ///< time occurs in a constraint

  Pattern M;  ///< n × n, symmetric
  Pattern C;  ///< m × n
  Pattern J;  ///< n_x × n
  Pattern F;  ///< n × forces
  Pattern T;  ///< n × laws
  Pattern B;  ///< n × controls

  bool has_energy = false;     ///< T and V are known
  std::string energy_changes;  ///< why T + V is not conserved; empty if it is

  std::vector<Channel> drawing;  ///< coordinates of what is drawn, in the order of System::drawing()
  Scene scene;                   ///< what is drawn with them

  int nq() const { return static_cast<int>(coordinates.size()); }
  int n() const { return static_cast<int>(velocities.size()); }
  int m() const { return static_cast<int>(rows.size()); }
  int nx() const { return static_cast<int>(local.size()); }
  std::vector<int> constraints() const;  ///< the rows of the user: all but those by which contacts stick
  bool ideal() const { return laws.empty() && controls.empty(); }  ///< all forces of constraints are Cᵀλ
};

}  // namespace maggi
