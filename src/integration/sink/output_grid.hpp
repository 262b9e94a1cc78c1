#pragma once

namespace maggi::integration {

/// The times at which states are stored:  t_k = t₀ + k Δ for k = 0 … last−1, and t_last = until exactly.
/// Each is computed by one multiplication, so that no rounding accumulates. Δ = 0: no grid, every step is stored.
class OutputGrid {
 public:
  OutputGrid(double from, double until, double spacing);

  bool every_step() const { return spacing_ == 0.0; }
  long last() const { return last_; }
  double operator[](long k) const { return k >= last_ ? until_ : from_ + static_cast<double>(k) * spacing_; }

  /// How many intervals of this spacing the run has, as a real number; to refuse what memory cannot hold.
  static double intervals(double from, double until, double spacing) { return (until - from) / spacing; }
  static constexpr double max_intervals = 1e9;

 private:
  double from_, until_, spacing_;
  long last_ = 0;
};

}  // namespace maggi::integration
