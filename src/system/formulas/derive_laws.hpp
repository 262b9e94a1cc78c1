#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "maggi/expert/shape.hpp"
#include "maggi/model.hpp"
#include "model/numbers.hpp"
#include "system/formulas/derived_equations.hpp"
#include "system/formulas/reach.hpp"

namespace maggi {

/// A sliding speed, which is zero while the contact sticks.
struct SlidingSpeed {
  Row row;
  expression::Id speed;                 ///< over q, v, t
  std::optional<expression::Id> local;  ///< over the variables of the local point, if it is given by them alone
};

/// The forces of constraints that are not ideal: the columns of T with their laws, and the rows of contacts that stick.
///
///     friction    τ + μ |N| σ = 0 while it slides in the sense σ,  v_t = 0 and |τ| ≤ μ_s |N| while it sticks
///     in a plane  τ + μ |N| v_t/|v_t| = 0,                         v_t = 0 and |τ| ≤ μ_s |N|
class LawDerivation {
 public:
  LawDerivation(const Model& model, const Numbers& numbers, Shape& shape, DerivedEquations& equations,
                ParseFormula parse);

  /// Checks the names; `taken` are those of other forces.
  void declare_names(std::vector<std::pair<std::string, Where>>& taken) const;
  /// Of all contacts, once the position rows are there. Each is to become a velocity row, in this order.
  std::vector<SlidingSpeed> sliding_speeds();
  /// T, the laws and their gradient, once all rows are there; `coordinate` finds the index of a name.
  void derive(const std::function<int(const GeneralisedForce&, const std::string& what)>& coordinate);

 private:
  using Id = expression::Id;

  /// A friction with what is found out about it.
  struct Slide {
    const Friction& friction;
    std::vector<int> pressed;             // rows
    std::vector<int> x;                   // coordinates of the local point that slides, or
    std::vector<int> marker;              // those of the marker; both empty: the speeds are given
    std::vector<std::vector<Id>> normal;  // there, ∂f/∂x of each row pressed, over q
    std::vector<Id> speed;                // one, or two in a plane, over q, v, t
  };

  std::vector<int> rows_pressed(const Friction& friction) const;
  std::string unit_of_point(const Slide& slide) const;
  std::string marker_of(std::size_t coordinate) const;
  bool find_marker(Slide& slide) const;
  void find_point(Slide& slide) const;
  std::string example_of_speed(const Friction& friction) const;
  std::vector<std::vector<Id>> tangents(const std::vector<std::vector<Id>>& normal);
  Id given_speed(const Slide& slide, const Formula& formula);
  bool only_presses(const Slide& slide) const;
  Id normal_force(const Slide& slide);
  std::vector<Id> direction(const Slide& slide, std::size_t first_law);
  void add_friction(const Slide& slide);
  std::pair<Id, Id> coefficients(const Friction& friction);
  std::optional<double> constant_value(Id id) const;
  void add_force(const std::string& name, const std::string& unit, const Where& where, const std::vector<Id>& along);

  Id dot(const std::vector<Id>& a, const std::vector<Id>& b);
  Id length(const std::vector<Id>& a);
  std::vector<Id> by_velocities(Id speed);

  const Model& model_;
  const Numbers& numbers_;
  Shape& shape_;
  DerivedEquations& e_;
  expression::Graph& g_;
  ParseFormula parse_;
  std::vector<Slide> slides_;
  std::vector<std::vector<Id>> columns_;  // of T
};

}  // namespace maggi
