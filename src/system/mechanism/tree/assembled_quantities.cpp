#include "system/mechanism/tree/joint_coordinates.hpp"

namespace maggi::mechanism {

namespace {

template <class Space>
void add_gauge(const Quantity& quantity, Assembling<Space>& work) {
  Assembly<Space>& built = work.built;
  Closure<Space> gauge;
  gauge.a = work.links[quantity.a], gauge.b = work.links[quantity.b];
  gauge.on_a = work.drawn[gauge.a].inverse() * work.pose(quantity.frame_a, quantity.at_a);
  gauge.on_b = work.drawn[gauge.b].inverse() * work.pose(quantity.frame_b, quantity.at_b);
  gauge.rows = std::vector{quantity.row};
  gauge.length = quantity.length;
  const auto owner = work.reaction_number.find(quantity.joint);
  built.gauge_reactions.push_back(owner == work.reaction_number.end() ? -1 : owner->second);
  built.gauge_paths.push_back(path_between(gauge.a, gauge.b, built.linkage));
  built.gauges.push_back(std::move(gauge));
}

template <class Space>
CoordinateSum one_coordinate(const Quantity& quantity, const JointCoordinates<Space>& coordinates,
                             Assembling<Space>& work) {
  const std::size_t dot = quantity.name.find('.');
  const std::string joint = quantity.name.substr(0, dot);
  const int v =
      coordinates.velocity({joint, quantity.where}, quantity.name.substr(dot + 1), quantity.where, "a formula");
  show_torque(joint, v, work);
  return {{{quantity.rate_only ? -1 : coordinates.coordinate(v), v, 1.0}}};
}

}  // namespace

template <class Space>
void add_quantities(Assembling<Space>& work) {
  const JointCoordinates<Space> coordinates(work);
  for (const Quantity& quantity : work.formulas.quantities())
    if (quantity.kind == Quantity::Kind::row) add_gauge(quantity, work);
  for (const Quantity& quantity : work.formulas.quantities())
    if (quantity.kind == Quantity::Kind::coordinate)
      work.built.sums.push_back(one_coordinate(quantity, coordinates, work));
    else if (quantity.kind != Quantity::Kind::row)
      work.built.sums.push_back(turns_between(work.links[quantity.a], work.links[quantity.b], work.built.linkage));
}

template void add_quantities(Assembling<Planar>&);
template void add_quantities(Assembling<Spatial>&);

}  // namespace maggi::mechanism
