#include "maggi/sweep/measure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "sweep/trimmed.hpp"

namespace maggi {

namespace {

using Kind = Measure::Kind;
constexpr std::array<std::pair<const char*, Kind>, 6> functions{{{"last", Kind::last},
                                                                 {"min", Kind::min},
                                                                 {"max", Kind::max},
                                                                 {"mean", Kind::mean},
                                                                 {"rms", Kind::rms},
                                                                 {"at", Kind::at}}};

}  // namespace

Measure::Measure(const std::string& given) : text(trimmed(given)), channel(text) {
  const Where where{"--keep " + text};
  for (const auto& [name, function] : functions) {
    if (!text.starts_with(fmt::format("{}(", name)) || text.back() != ')') continue;
    kind = function;
    const std::size_t open = text.find('(') + 1;
    channel = trimmed(text.substr(open, text.size() - open - 1));
  }
  if (kind == Kind::at) {
    const std::size_t comma = channel.rfind(',');
    if (comma == std::string::npos)
      throw Error(Errc::model, where, "at which time?", fmt::format("for example at({}, 2.5)", channel));
    time = Formula(trimmed(channel.substr(comma + 1)), where);
    channel = trimmed(channel.substr(0, comma));
  }
  if (channel.empty())
    throw Error(Errc::model, where, "no channel is named",
                "for example x, max(x), min(x), mean(x), rms(x) or at(x, 2.5)");
}

void Meter::accept(double t, double value) {
  const double step = any_ ? t - t_ : 0.0;
  switch (kind_) {
    case Kind::last: result_ = value; break;
    case Kind::min: result_ = any_ ? std::min(result_, value) : value; break;
    case Kind::max: result_ = any_ ? std::max(result_, value) : value; break;
    case Kind::mean: result_ += 0.5 * step * (last_ + value); break;
    case Kind::rms: result_ += 0.5 * step * (last_ * last_ + value * value); break;
    case Kind::at:
      if (std::abs(t - time_) > within_) return;  // at a jump the value behind it
      result_ = value;
      break;
  }
  if (!any_) begin_ = t;
  any_ = true;
  t_ = t;
  last_ = value;
}

double Meter::value() const {
  if (kind_ != Kind::mean && kind_ != Kind::rms) return result_;
  if (t_ == begin_) return kind_ == Kind::mean ? last_ : std::abs(last_);
  const double mean = result_ / (t_ - begin_);
  return kind_ == Kind::mean ? mean : std::sqrt(mean);
}

}  // namespace maggi
