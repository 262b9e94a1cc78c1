#pragma once
#include "system/mechanism/tree/tree_model.hpp"

namespace maggi::mechanism {

/// A space with another kind of number: one that carries its derivatives, or a formula.
template <class Space, class Number>
struct SpaceOver;
template <class Number>
struct SpaceOver<Planar, Number> {
  using type = PlanarOver<Number>;
};
template <class Number>
struct SpaceOver<Spatial, Number> {
  using type = SpatialOver<Number>;
};

/// Constants of a mechanism as constants of another kind of number.
template <class Space, class Number>
struct Lift {
  using Lifted = typename SpaceOver<Space, Number>::type;

  static Vector2Over<Number> of(const Vector2& x) { return x.cast<Number>(); }
  static Vector3Over<Number> of(const Vector3& x) { return x.cast<Number>(); }
  static typename PlanarOver<Number>::Rotation of(const Planar::Rotation& R) { return {R.c, R.s}; }
  static typename SpatialOver<Number>::Rotation of(const Spatial::Rotation& R) { return {R.R.cast<Number>()}; }
  static Number of(double inertia) { return inertia; }
  static Symmetric3Over<Number> of(const Symmetric3& I) { return {I.xx, I.xy, I.xz, I.yy, I.yz, I.zz}; }
  static Pose<Lifted> of(const Pose<Space>& pose) { return {of(pose.R), of(pose.p)}; }

  static Link<Lifted> of(const Link<Space>& link) {
    Link<Lifted> result;
    result.parent = link.parent, result.freedom = link.freedom, result.axis = link.axis;
    result.sign = link.sign, result.pitch = link.pitch;
    result.joined = of(link.joined), result.own = of(link.own);
    result.q = link.q, result.v = link.v, result.velocities = link.velocities, result.turn = link.turn;
    result.carries_body = link.carries_body;
    result.m = link.m, result.c = of(link.c), result.I = of(link.I);
    return result;
  }
  static Linkage<Lifted> of(const Linkage<Space>& linkage) {
    Linkage<Lifted> result;
    result.links.clear();
    for (const Link<Space>& link : linkage.links) result.add(of(link));
    result.origin = of(linkage.origin);
    result.origin_in_model = of(linkage.origin_in_model);
    result.gravity = of(linkage.gravity);
    result.finish();
    return result;
  }
  static Closure<Lifted> of(const Closure<Space>& closure) {
    Closure<Lifted> result;
    result.a = closure.a, result.b = closure.b;
    result.on_a = of(closure.on_a), result.on_b = of(closure.on_b);
    result.rows = closure.rows;
    result.length = closure.length, result.pitch = closure.pitch;
    return result;
  }
  static SpringElement<Lifted> of(const SpringElement<Space>& spring) {
    return {{spring.a.link, of(spring.a.at)},
            {spring.b.link, of(spring.b.at)},
            spring.stiffness,
            spring.damping,
            spring.force,
            spring.length};
  }
  template <class Item>
  static auto all_of(const std::vector<Item>& items) {
    std::vector<decltype(of(items.front()))> result;
    for (const Item& item : items) result.push_back(of(item));
    return result;
  }
};

}  // namespace maggi::mechanism
