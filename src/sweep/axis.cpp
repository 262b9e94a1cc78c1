#include "maggi/sweep/axis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/names.hpp"
#include "model/adjustable.hpp"
#include "model/numbers.hpp"
#include "sweep/trimmed.hpp"

namespace maggi {

namespace {

constexpr const char* forms =
    "for example m=1:0.1:2 (first:step:last), m=1,2,5, m=uniform(1,2) or m=normal(1,0.1) (mean, deviation)";

/// At a separator that stands in no parentheses.
std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts(1);
  int depth = 0;
  for (const char c : text) {
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (c == separator && depth == 0)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

}  // namespace

/// The text after "=", with what it needs to be understood.
struct Axis::Reader {
  Axis& axis;
  Where where;
  Numbers numbers;

  [[noreturn]] void refuse(std::string what, std::string help = forms) const {
    throw Error(Errc::model, where, std::move(what), std::move(help));
  }

  std::vector<double> read(const std::vector<std::string>& parts) const {
    std::vector<double> values;
    for (const std::string& part : parts) {
      if (trimmed(part).empty()) refuse(fmt::format("a value is missing in \"{}\"", axis.text_));
      values.push_back(numbers(Formula(trimmed(part), where), fmt::format("a value of \"{}\"", axis.name_)));
    }
    return values;
  }

  /// The arguments of "uniform(1,2)" as two numbers.
  bool drawn(const std::string& values, const std::string& law, Kind kind) {
    if (!values.starts_with(law + "(") || values.back() != ')') return false;
    const auto arguments = split(values.substr(law.size() + 1, values.size() - law.size() - 2), ',');
    if (arguments.size() != 2)
      refuse(fmt::format("{}({}) has {} numbers, expected 2", law, axis.name_, arguments.size()));
    axis.kind_ = kind;
    axis.numbers_ = read(arguments);
    return true;
  }

  void check_range() {
    const double first = axis.numbers_[0], step = axis.numbers_[1], last = axis.numbers_[2];
    if (step == 0.0) refuse(fmt::format("the step of \"{}\" is 0", axis.name_));
    if ((last - first) / step < 0.0)
      refuse(fmt::format("\"{}\" goes from {:g} to {:g}, and its step {:g} leads away from there", axis.name_, first,
                         last, step),
             fmt::format("write {}={:g}:{:g}:{:g}", axis.name_, first, -step, last));
    // 1 in steps of 0.1 are 10 intervals, although 1/0.1 may come out a rounding error below 10
    constexpr double slack = 1e-9;
    const double count = std::floor((last - first) / step * (1.0 + slack) + slack) + 1.0;
    if (!(count < most)) refuse(fmt::format("\"{}\" has more values than can be counted", axis.name_), "a larger step");
    axis.count_ = static_cast<std::uint64_t>(count);
  }

  void read_values(const std::string& values) {
    if (drawn(values, "uniform", Kind::uniform)) {
      if (!(axis.numbers_[0] < axis.numbers_[1]))
        refuse(fmt::format("the range of \"{}\" is empty: {:g} is not below {:g}", axis.name_, axis.numbers_[0],
                           axis.numbers_[1]),
               "uniform(least,greatest)");
    } else if (drawn(values, "normal", Kind::normal)) {
      if (!(axis.numbers_[1] > 0.0))
        refuse(fmt::format("the deviation of \"{}\" is {:g}", axis.name_, axis.numbers_[1]),
               "normal(mean,deviation), with a deviation above 0");
    } else if (const auto range = split(values, ':'); range.size() > 1) {
      if (range.size() != 3) refuse(fmt::format("\"{}\" has {} numbers, expected 3", axis.text_, range.size()));
      axis.kind_ = Kind::range;
      axis.numbers_ = read(range);
      check_range();
    } else {
      axis.numbers_ = read(split(values, ','));
      axis.count_ = axis.numbers_.size();
    }
  }
};

Axis::Axis(const std::string& text, const Model& model) : text_(text) {
  const std::size_t equals = text.find('=');
  const std::string values = equals == std::string::npos ? "" : trimmed(text.substr(equals + 1));
  name_ = trimmed(text.substr(0, equals));
  const Where where{"--over " + name_};
  if (name_.empty() || values.empty())
    throw Error(Errc::model, {"--over " + text}, "not of the form name=values", forms);

  Model copy = model;
  std::vector<std::string> names;
  const std::vector<Adjustable> all = adjustables(copy);
  for (const Adjustable& each : all) names.push_back(each.name);
  const auto found = std::ranges::find(names, name_);
  if (found == names.end())
    throw Error(Errc::model, where,
                fmt::format("{} has no parameter and no value given at the start named \"{}\"", model.file, name_),
                names.empty() ? "it has no numbers that could be varied" : suggest_name(name_, names));
  unit_ = all[static_cast<std::size_t>(found - names.begin())].unit;
  Reader{*this, where, Numbers(model)}.read_values(values);
}

double Axis::value(std::uint64_t k) const {
  if (kind_ == Kind::list) return numbers_[k];
  const double first = numbers_[0], step = numbers_[1], last = numbers_[2];
  const double value = first + static_cast<double>(k) * step;
  constexpr double rounding = 1e-9;  // of a step: the last value is the one that was written
  return std::abs(value - last) <= rounding * std::abs(step) ? last : value;
}

double Axis::quantile(double part) const {
  const double a = numbers_[0], b = numbers_[1];
  return kind_ == Kind::uniform ? a + part * (b - a) : a + b * normal_quantile(part);
}

double normal_quantile(double part) {
  // Newton's method on log Φ̄(x) = log tail, Φ̄(x) = erfc(x/√2)/2. It is concave, and from Φ̄(x) ≤ e^(−x²/2)/2 the start
  // lies beyond the solution: the iteration comes down to it without leaving the side.
  const double tail = std::min(part, 1.0 - part);
  if (tail == 0.5) return 0.0;
  double x = std::sqrt(std::max(0.0, -2.0 * std::log(2.0 * tail)));
  for (int k = 0; k < 60; ++k) {
    const double above = 0.5 * std::erfc(x / std::numbers::sqrt2);
    const double density = std::exp(-0.5 * x * x) / std::sqrt(2.0 * std::numbers::pi);
    const double change = above / density * std::log(above / tail);  // d(log Φ̄)/dx = −density/above
    x += change;
    if (std::abs(change) <= 1e-15 * (1.0 + std::abs(x))) break;
  }
  return part < 0.5 ? -x : x;
}

}  // namespace maggi
