#pragma once
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "maggi/summary.hpp"

namespace maggi {

/// The result of a run: every stored state by named channels, how the run ended, and what it was like. A value; it
/// shares the system with the Simulation that made it and outlives it.
///
///     for (double angle : motion["pin_1.angle"]) ...
class Motion {
 public:
  struct Data;
  explicit Motion(std::shared_ptr<const Data> data) : data_(std::move(data)) {}

  std::size_t size() const;                ///< stored states
  std::vector<std::string> names() const;  ///< of the channels, "t" first
  /// The values of a channel at all stored states; they live as long as any copy of this motion.
  /// Error with the nearest name if there is no such channel, or with the reason why it was omitted.
  std::span<const double> operator[](std::string_view channel) const;
  std::string unit(std::string_view channel) const;

  Outcome outcome() const { return summary().outcome; }
  const std::string& explanation() const { return summary().explanation; }
  const Summary& summary() const;

  const Data& data() const { return *data_; }  ///< what the library's own writers and texts read

 private:
  int find(std::string_view channel) const;
  std::shared_ptr<const Data> data_;
};

}  // namespace maggi
