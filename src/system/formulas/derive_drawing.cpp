#include "system/formulas/derive_drawing.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/names.hpp"
#include "model/numbers.hpp"

namespace maggi {

namespace {

class DrawingDerivation {
 public:
  DrawingDerivation(const ParseFormula& parse, Shape& shape, DerivedEquations& equations)
      : parse_(parse), shape_(shape), e_(equations) {}

  void derive(const Sketch& given) {
    std::vector<std::pair<std::string, Where>> taken;
    const auto take = [&](const auto& item) {
      check_name(item.name, "drawing", item.where, taken);
      taken.emplace_back(item.name, item.where);
    };
    for (const Sketch::Point& point : given.points) {
      take(point);
      check_dimension(point);
      shape_.scene.points.push_back({.name = point.name, .at = drawn(point.at, point.name), .trace = point.trace});
    }
    for (const Sketch::Line& line : given.lines) {
      take(line);
      if (line.through.size() < 2)
        throw Error(Errc::model, line.where,
                    fmt::format("\"{}\" goes through fewer than two points, so there is no line", line.name),
                    fmt::format("write {} = {{ line = [\"A\", \"B\"] }}", line.name));
      std::vector<int> through;
      for (const Reference& point : line.through) through.push_back(point_index(point));
      shape_.scene.lines.push_back({line.name, std::move(through), line.spring});
    }
    for (const Sketch::Circle& circle : given.circles) {
      take(circle);
      if (!circle.axis.empty() && (circle.axis.size() != 3 || shape_.scene.dimension != 3))
        throw Error(Errc::model, circle.where,
                    shape_.scene.dimension != 3
                        ? fmt::format("the circle \"{}\" has an axis, but all points lie in a plane", circle.name)
                        : fmt::format("the axis of \"{}\" has {} coordinates", circle.name, circle.axis.size()),
                    shape_.scene.dimension != 3 ? "remove axis, or give every point a third coordinate"
                                                : "write axis = [x, y, z]");
      const int about = point_index(circle.about);
      const int radius = drawn(circle.radius, circle.name + ".radius");
      shape_.scene.circles.push_back({circle.name, about, radius, drawn(circle.axis, circle.name + ".axis", "")});
    }
  }

 private:
  /// The first point decides between a plane and space.
  void check_dimension(const Sketch::Point& point) {
    const int size = static_cast<int>(point.at.size());
    int& dimension = shape_.scene.dimension;
    if (size != 2 && size != 3)
      throw Error(
          Errc::model, point.where,
          fmt::format("the point \"{}\" has {} coordinate{}, not two or three", point.name, size, size == 1 ? "" : "s"),
          fmt::format("write {} = {{ point = [x, y] }}, or [x, y, z]", point.name));
    if (dimension != 0 && dimension != size)
      throw Error(Errc::model, point.where,
                  fmt::format("the point \"{}\" has {} coordinates, those above have {}", point.name, size, dimension),
                  "a drawing is either in a plane or in space");
    dimension = size;
  }

  int point_index(const Reference& point) const {
    std::vector<std::string> names;
    for (const Scene::Point& each : shape_.scene.points) names.push_back(each.name);
    const auto found = std::find(names.begin(), names.end(), point.name);
    if (found == names.end())
      throw Error(Errc::model, point.where, fmt::format("no point of the drawing is named \"{}\"", point.name),
                  suggest_name(point.name, names));
    return static_cast<int>(found - names.begin());
  }

  /// A number that is drawn: its place among those of the shape.
  int drawn(const Formula& formula, const std::string& name, const std::string& unit = "m") {
    e_.drawing.push_back(parse_(formula, Reach::position, fmt::format("the drawing of \"{}\"", name)));
    shape_.drawing.push_back({"drawing." + name, unit, formula.where});
    return static_cast<int>(shape_.drawing.size()) - 1;
  }
  std::vector<int> drawn(const std::vector<Formula>& formulas, const std::string& name, const std::string& unit = "m") {
    std::vector<int> places;
    for (std::size_t i = 0; i < formulas.size(); ++i)
      places.push_back(drawn(formulas[i], fmt::format("{}.{}", name, "xyz"[i]), unit));
    return places;
  }

  const ParseFormula& parse_;
  Shape& shape_;
  DerivedEquations& e_;
};

}  // namespace

void derive_drawing(const Sketch& drawing, const ParseFormula& parse, Shape& shape, DerivedEquations& equations) {
  DrawingDerivation(parse, shape, equations).derive(drawing);
}

}  // namespace maggi
