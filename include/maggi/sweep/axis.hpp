#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "maggi/model.hpp"

namespace maggi {

/// A quantity that differs from run to run, and the values it takes.
///
///     m=1:0.1:2          from 1 to 2 in steps of 0.1, both ends included
///     m=1,2,5            these
///     m=uniform(1,2)     drawn, evenly between two values
///     m=normal(1,0.1)    drawn, by mean and standard deviation
///
/// Numbers may be formulas over the parameters of the model.
class Axis {
 public:
  /// `model` has the quantity: a parameter, "x" or "x'" of a value given at the start (see adjustables()).
  /// Error (model) with the nearest name if it has not, or if the values make no sense.
  Axis(const std::string& text, const Model& model);

  const std::string& name() const { return name_; }
  const std::string& unit() const { return unit_; }
  const std::string& text() const { return text_; }  ///< as given

  bool drawn() const { return kind_ == Kind::uniform || kind_ == Kind::normal; }
  std::uint64_t size() const { return count_; }  ///< of values; of one that is drawn 1
  double value(std::uint64_t k) const;           ///< k < size(), not drawn
  double quantile(double part) const;            ///< drawn: the value below which this part of all lies, 0 < part < 1

  static constexpr double most = 9007199254740992.0;  ///< 2⁵³: values that can be counted as numbers

 private:
  enum class Kind { range, list, uniform, normal };
  struct Reader;

  std::string text_, name_, unit_;
  Kind kind_ = Kind::list;
  std::vector<double> numbers_;  // range: first, step, last; list: all; uniform: ends; normal: mean, deviation
  std::uint64_t count_ = 1;
};

/// x with Φ(x) = part, the standard normal distribution; 0 < part < 1.
double normal_quantile(double part);

}  // namespace maggi
