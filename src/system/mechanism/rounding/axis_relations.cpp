#include "system/mechanism/rounding/axis_relations.hpp"

#include "base/largest.hpp"

namespace maggi::mechanism {

namespace {

constexpr double parallel_axes = 1e-3;  // sine of axes that are compared as parallel ones

/// Has the joint an axis, column 2 of its frame, and a place on it? A slide has a direction only.
bool has_axis(JointType type) {
  return type == JointType::revolute || type == JointType::cylindrical || type == JointType::screw ||
         type == JointType::prismatic;
}
bool has_place(JointType type) { return has_axis(type) && type != JointType::prismatic; }

/// `basis`: the first of the two joints as given, in whose directions across its axis vectors are measured.
Vector deviation(AxisRelation::Kind kind, const JointGeometry& x, const JointGeometry& y, const JointGeometry& basis) {
  const Vector3 a = x.frame.col(2), b = y.frame.col(2), d = y.at - x.at;
  const Eigen::Matrix<double, 3, 2> across = basis.frame.leftCols<2>();
  switch (kind) {
    case AxisRelation::Kind::parallel: return across.transpose() * a.cross(b);
    case AxisRelation::Kind::perpendicular: return Vector::Constant(1, a.dot(b));
    case AxisRelation::Kind::meeting: return Vector::Constant(1, d.dot(a.cross(b).normalized()));
    case AxisRelation::Kind::coaxial: return across.transpose() * d.cross(a);
  }
  return {};
}

}  // namespace

template <class Space>
std::vector<AxisRelation> find_axis_relations(const LoopBlock<Space>& block, double tolerance) {
  std::vector<AxisRelation> result;
  if (Space::turns == 1) return result;
  const auto joints = static_cast<int>(block.joints().size());
  const auto add = [&](AxisRelation::Kind kind, int i, int j) {
    const JointGeometry& x = block.given(i);
    if (within(largest(deviation(kind, x, block.given(j), x)), tolerance)) result.push_back({kind, i, j});
  };
  for (int i = 0; i < joints; ++i)
    for (int j = i + 1; j < joints; ++j) {
      if (!has_axis(block.type(i)) || !has_axis(block.type(j))) continue;
      const bool places = has_place(block.type(i)) && has_place(block.type(j));
      add(AxisRelation::Kind::perpendicular, i, j);
      if (block.given(i).frame.col(2).cross(block.given(j).frame.col(2)).norm() < parallel_axes) {
        add(AxisRelation::Kind::parallel, i, j);
        if (places) add(AxisRelation::Kind::coaxial, i, j);
      } else if (places) {
        add(AxisRelation::Kind::meeting, i, j);
      }
    }
  return result;
}

template <class Space>
void deviations(const LoopBlock<Space>& block, const AxisRelation& relation, const Vector& p, Vector& values,
                Matrix& by_changes) {
  constexpr double h = 1e-6;  // central differences of functions of size 1: 1e-10
  const AxisRelation::Kind kind = relation.kind;
  const int i = relation.i, j = relation.j;
  const JointGeometry x = block.changed(i, p), y = block.changed(j, p);
  values = deviation(kind, x, y, block.given(i));
  by_changes = Matrix::Zero(values.size(), block.changes());
  for (const int joint : {i, j}) {
    if (block.held(joint)) continue;
    const auto& part = block.part(joint);
    for (int c = part.first; c < part.first + part.count(); ++c) {
      const auto at = [&](double step) {
        const Vector moved = p + step * Vector::Unit(p.size(), c);
        return joint == i ? deviation(kind, block.changed(i, moved), y, block.given(i))
                          : deviation(kind, x, block.changed(j, moved), block.given(i));
      };
      by_changes.col(c) = (at(h) - at(-h)) / (2 * h);
    }
  }
}

template std::vector<AxisRelation> find_axis_relations(const LoopBlock<Planar>&, double);
template std::vector<AxisRelation> find_axis_relations(const LoopBlock<Spatial>&, double);
template void deviations(const LoopBlock<Planar>&, const AxisRelation&, const Vector&, Vector&, Matrix&);
template void deviations(const LoopBlock<Spatial>&, const AxisRelation&, const Vector&, Vector&, Matrix&);

}  // namespace maggi::mechanism
