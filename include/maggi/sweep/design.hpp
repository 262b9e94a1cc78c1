#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "maggi/sweep/axis.hpp"

namespace maggi {

/// Which values the axes take in which run. Each run is computed from its index alone, so that runs can be made in any
/// order, anywhere, and again.
///
/// The axes that are not drawn form a grid, the last one varying fastest; at each of its points the drawn ones take
/// `draws` values, the same at every point, so that points differ by the grid alone:
///
///     run = point · draws + draw
class Design {
 public:
  enum class Sampling {
    random,           ///< independent draws
    latin_hypercube,  ///< of every axis one draw from each of `draws` parts of equal probability
  };

  /// Error (model) if an axis occurs twice, draws are missing or without use, or there are too many runs to count.
  Design(std::vector<Axis> axes, std::optional<std::uint64_t> draws, std::uint64_t seed, Sampling sampling);

  std::uint64_t size() const { return points_ * draws_; }  ///< runs
  std::uint64_t draws() const { return draws_; }           ///< at each point of the grid; 1 if nothing is drawn
  const std::vector<Axis>& axes() const { return axes_; }
  /// Which of its values an axis takes: k of Axis::value(k), or of the draws.
  std::uint64_t place(std::uint64_t run, std::size_t axis) const;
  double value(std::uint64_t run, std::size_t axis) const;
  std::vector<double> values(std::uint64_t run) const;  ///< of all axes
  std::string text() const;                             ///< how it draws: "1000 at random, seed 1"; "none"

 private:
  double draw(std::uint64_t k, std::size_t axis) const;

  std::vector<Axis> axes_;
  std::uint64_t points_ = 1, draws_ = 1, seed_;
  Sampling sampling_;
};

}  // namespace maggi
