#include <fmt/format.h>

#include <algorithm>

#include "base/names.hpp"
#include "system/mechanism/tree/tree_model_builder.hpp"

namespace maggi::mechanism {

namespace {

template <class Space>
void add_outputs(TreeModelBuilder<Space>& work) {
  TreeModel<Space>& built = work.built;
  const std::vector<std::string> axes =
      Space::axes == 2 ? std::vector<std::string>{".x", ".y"} : std::vector<std::string>{".x", ".y", ".z"};
  for (std::size_t b = 1; b < work.drawing.bodies.size(); ++b)
    for (std::size_t k = 0; k < work.drawing.bodies[b].markers.size(); ++k) {
      const Marker& marker = work.drawing.bodies[b].given->markers[k];
      built.markers.push_back(work.point(static_cast<int>(b), work.drawing.bodies[b].markers[k]));
      for (const std::string& axis : axes)
        built.shape.outputs.push_back({work.drawing.bodies[b].name() + "." + marker.name + axis, "m", marker.where});
    }
  for (const int link : built.spins) {
    const DrawnBodyOver<typename Space::Real>& body = work.drawing.bodies[built.body_of[link] + 1];
    for (const char* rate : {".wx", ".wy", ".wz"})
      built.shape.outputs.push_back({body.name() + rate, "rad/s", body.given->where});
  }
  for (std::size_t k = 0; k < built.reactions.size(); ++k) {
    const Joint& joint = *work.reaction_of[k]->given;
    const JointKind& kind = joint_kind<Space>(joint.type);
    JointSide<Space>&first = built.reactions[k].first, &second = built.reactions[k].second;
    const auto holds_turn = [](const JointRow& row) { return is_rotation(row.holds); };
    const auto slides = [](const JointFreedom& freedom) { return freedom.freedom == Freedom::slide; };
    second.torque = second.torque || std::ranges::any_of(kind.rows, holds_turn);
    first.torque = second.torque || std::ranges::any_of(kind.freedoms, slides);  // by a force beside its point
    for (const bool on_second : {true, false}) {
      const std::string name = joint.name + (on_second ? "" : ".first");
      for (const std::string& axis : axes) built.shape.outputs.push_back({name + ".force" + axis, "N", joint.where});
      if (!(on_second ? second : first).torque) continue;
      for (const std::string& axis : Space::turns == 1 ? std::vector<std::string>{""} : axes)
        built.shape.outputs.push_back({name + ".torque" + axis, "N m", joint.where});
    }
  }
}

}  // namespace

template <class Space>
void fill_shape(TreeModelBuilder<Space>& work) {
  add_outputs(work);
  TreeModel<Space>& built = work.built;
  Shape& shape = built.shape;
  const int n = shape.n();
  shape.title = work.model.title;
  shape.s_p = shape.m();
  shape.has_energy = true;
  if (!work.dampers.empty())
    shape.energy_changes =
        fmt::format("{} {}", list_names(work.dampers), work.dampers.size() == 1 ? "is a damper" : "are dampers");
  shape.M = {.rows = n, .cols = n, .symmetric = true, .row = {}, .col = {}};
  for (int j = 0; j < n; ++j)
    for (const int k : built.linkage.moving(built.linkage.link_of(j)))
      if (k <= j) shape.M.add(j, k);
  shape.C = {.rows = shape.m(), .cols = n, .symmetric = false, .row = {}, .col = {}};
  int row = 0;
  for (std::size_t c = 0; c < built.closures.size(); ++c)
    for (std::size_t i = 0; i < built.closures[c].rows.size(); ++i, ++row)
      for (const auto& [j, sign] : built.paths[c]) shape.C.add(row, j);
  for (Pattern* none : {&shape.J, &shape.F, &shape.T, &shape.B})
    *none = {.rows = n, .cols = 0, .symmetric = false, .row = {}, .col = {}};
  shape.J = {.rows = 0, .cols = n, .symmetric = false, .row = {}, .col = {}};
}

template void fill_shape(TreeModelBuilder<Planar>&);
template void fill_shape(TreeModelBuilder<Spatial>&);

}  // namespace maggi::mechanism
