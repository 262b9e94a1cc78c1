#pragma once
#include <string>
#include <vector>

#include "maggi/expert/linear.hpp"
#include "maggi/model.hpp"

namespace maggi::mechanism {

/// The numbers with decimals that are typed in the constraints of position level, such as 0.57735 in "y = 0.57735*x".
class TypedNumbers {
 public:
  explicit TypedNumbers(const std::vector<Constraint>& constraints);
  /// Those of some constraints, by their names.
  TypedNumbers(const std::vector<Constraint>& constraints, const std::vector<std::string>& names);

  struct Number {
    std::size_t constraint;
    bool equals;             ///< in `equals` instead of `formula`
    std::size_t at, length;  ///< within its text
    double value;
    double half_unit;  ///< what rounding may have changed of it, relatively
  };

  int count() const { return static_cast<int>(numbers_.size()); }
  const Number& operator[](int k) const { return numbers_[k]; }
  std::string text(int k) const;  ///< as it is typed
  double changed(int k, const Vector& p) const { return numbers_[k].value * (1.0 + p[k]); }
  /// The constraints with the numbers changed by the parts p.
  std::vector<Constraint> with(const Vector& p) const;
  const std::vector<Constraint>& constraints() const { return constraints_; }

 private:
  void find(std::size_t constraint, bool equals, const std::string& text);

  std::vector<Constraint> constraints_;
  std::vector<Number> numbers_;
};

}  // namespace maggi::mechanism
