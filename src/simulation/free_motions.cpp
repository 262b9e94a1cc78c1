#include "simulation/free_motions.hpp"

#include <algorithm>
#include <cmath>

#include "analysis/mobility.hpp"
#include "base/largest.hpp"
#include "manifold/projection.hpp"
#include "start/initial_conditions.hpp"
#include "system/seam/displacement.hpp"

namespace maggi {

namespace {

constexpr int most_motions = 6;
constexpr int quarter = 10;        // steps from the start to where it turns back
constexpr double amplitude = 0.2;  // of the size of what is drawn
constexpr double cycle = 2.0;      // [s]

class Follower {
 public:
  explicit Follower(const System& system) : system_(system), projection_(system), workspace_(system.workspace()) {}

  /// Where a motion goes from `at`, which leaves along v: as straight on as the constraints let it.
  std::vector<std::vector<double>> follow(State at, Vector v, double length) {
    std::vector<std::vector<double>> seen;
    for (int step = 0; step < quarter; ++step) {
      const Vector along = length / quarter * v;
      system_.move(at.q.data(), along.data());
      if (!along.allFinite() || !projection_.positions(at, *workspace_)) break;
      seen.push_back(drawing(at));
      v = admissible(at, v) - admissible(at, Vector::Zero(v.size()));  // without what time demands
    }
    return seen;
  }

  std::vector<double> drawing(const State& at) {
    std::vector<double> values(system_.shape().drawing.size());
    system_.drawing(at, *workspace_, values);
    return values;
  }

 private:
  /// Nearest in the mass metric.
  Vector admissible(State at, const Vector& v) {
    at.v = v;
    projection_(at, *workspace_);
    return at.v;
  }

  const System& system_;
  Projection projection_;
  std::unique_ptr<Workspace> workspace_;
};

/// How far the points are spread, at most.
double size_of(const Shape& shape, const std::vector<double>& drawing) {
  Largest size;
  for (const Scene::Point& a : shape.scene.points)
    for (const Scene::Point& b : shape.scene.points)
      for (std::size_t axis = 0; axis < a.at.size(); ++axis) size.note(drawing[a.at[axis]] - drawing[b.at[axis]]);
  return size.value() > 0.0 ? size.value() : 1.0;
}

double distance(const std::vector<double>& a, const std::vector<double>& b) {
  Largest result;
  for (std::size_t i = 0; i < a.size(); ++i) result.note(a[i] - b[i]);
  return result.value();
}

}  // namespace

std::vector<FreeMotion> find_free_motions(Simulation& simulation) {
  std::vector<FreeMotion> found;
  const Shape& shape = simulation.system().shape();
  if (shape.scene.dimension == 0) return found;
  const State start = simulation.start().state;
  const Mobility mobility = find_mobility(simulation.dynamics(), start, simulation.start().acceleration);
  Follower follower(simulation.system());
  const std::vector<double> here = follower.drawing(start);
  const auto motions = std::min<int>(most_motions, static_cast<int>(mobility.independent.size()));
  for (int i = 0; i < motions; ++i) {
    constexpr double little = 1e-4;
    const std::vector<std::vector<double>> tried = follower.follow(start, mobility.motions.col(i), little);
    const double seen = tried.empty() ? 0.0 : distance(tried.back(), here) / little;
    if (seen < 1e-6) continue;  // nothing of it is drawn
    const double length = amplitude * size_of(shape, here) / seen;
    FreeMotion motion{displacement_name(shape, mobility.independent[i]), {}, {here}};
    for (const double way : {length, -length}) {
      const std::vector<std::vector<double>> out = follower.follow(start, mobility.motions.col(i), way);
      motion.drawing.insert(motion.drawing.end(), out.begin(), out.end());
      for (std::size_t k = out.size(); k-- > 0;) motion.drawing.push_back(k == 0 ? here : out[k - 1]);
    }
    for (std::size_t k = 0; k < motion.drawing.size(); ++k)
      motion.times.push_back(cycle * static_cast<double>(k) / static_cast<double>(motion.drawing.size() - 1));
    if (motion.drawing.size() > 1) found.push_back(std::move(motion));
  }
  return found;
}

}  // namespace maggi
