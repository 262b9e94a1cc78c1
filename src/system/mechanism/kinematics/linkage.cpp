#include "system/mechanism/kinematics/linkage.hpp"

#include "base/dual.hpp"
#include "base/sincos.hpp"
#include "system/mechanism/kinematics/symbol.hpp"

namespace maggi::mechanism {

template <class Space>
void Linkage<Space>::finish() {
  n_ = 0;
  moving_.assign(links.size(), {});
  link_of_.clear();
  turning_.clear();
  for (std::size_t i = 1; i < links.size(); ++i) {
    if (links[i].freedom == Freedom::turn) {
      links[i].turn = static_cast<int>(turning_.size());
      turning_.push_back(static_cast<int>(i));
    }
    moving_[i] = moving_[links[i].parent];
    for (int j = 0; j < links[i].velocities; ++j) {
      moving_[i].push_back(n_++);
      link_of_.push_back(static_cast<int>(i));
    }
  }
}

template <class Space>
LinkState<Space> Linkage<Space>::state() const {
  const std::size_t count = links.size();
  LinkState<Space> s;
  for (std::vector<Real>* values : {&s.angle, &s.cosine, &s.sine}) values->resize(turning_.size());
  s.pose.resize(count), s.centre.resize(count), s.turned.resize(count);
  s.V.resize(count), s.A.resize(count);
  s.S.resize(n_), s.Sdot.resize(n_), s.momentum.resize(n_);
  s.inertia.resize(count), s.inertia_rate.resize(count), s.force.resize(count);
  s.pose[0].p = -origin;
  s.A[0].v = -gravity;  // bodies that fall freely feel nothing
  return s;
}

template <class Space>
inline void Linkage<Space>::find_turns(const Real* q, LinkState<Space>& s) const {
  for (std::size_t k = 0; k < turning_.size(); ++k) s.angle[k] = links[turning_[k]].sign * q[links[turning_[k]].q];
  sincos(static_cast<int>(turning_.size()), s.angle.data(), s.sine.data(), s.cosine.data());
}

template <class Space>
inline void Linkage<Space>::place(std::size_t i, const Real* q, LinkState<Space>& s) const {
  const Link<Space>& link = links[i];
  Pose<Space>& pose = s.pose[i];
  pose = s.pose[link.parent] * link.joined;
  Motion<Space>* S = s.S.data() + link.v;
  switch (link.freedom) {
    case Freedom::none: break;
    case Freedom::slide:
      S->w = Space::zero();
      S->v = link.sign * pose.R.col(link.axis);
      pose.p += q[link.q] * S->v;
      break;
    case Freedom::turn: {
      S->w = link.sign * pose.R.turn_about(link.axis, s.cosine[link.turn], s.sine[link.turn]);
      S->v = -Space::turn(S->w, pose.p);
      if constexpr (Space::turns == 3)
        if (link.pitch != 0.0) {
          S->v += link.pitch * S->w;
          pose.p += link.pitch * q[link.q] * S->w;
        }
      break;
    }
    case Freedom::ball:
      if constexpr (Space::turns == 3) {
        // the quaternion of the second body in the first, w x y z; its velocities are along the own axes of the second
        using Turn = Matrix3Over<Real>;
        const Turn R = Eigen::Quaternion<Real>(q[link.q], q[link.q + 1], q[link.q + 2], q[link.q + 3])
                           .normalized()
                           .toRotationMatrix();
        const Turn carried = link.sign > 0 ? Turn(pose.R.R * R) : pose.R.R, axes = carried * link.own.R;
        pose.R.R = link.sign > 0 ? carried : Turn(pose.R.R * R.transpose());
        for (int k = 0; k < 3; ++k) {
          S[k].w = link.sign * axes.col(k);
          S[k].v = -S[k].w.cross(pose.p);
        }
      }
      break;
  }
  if (link.carries_body) {
    s.centre[i] = pose * link.c;
    s.turned[i] = Space::turned(pose.R, link.I);
  }
}

template <class Space>
inline void Linkage<Space>::set_moving(std::size_t i, const Real* v, LinkState<Space>& s) const {
  const Link<Space>& link = links[i];
  s.V[i] = s.V[link.parent];
  for (int j = link.v; j < link.v + link.velocities; ++j) s.V[i] += s.S[j] * v[j];
  // the axes of a ball are fixed in the second body, those of a slide and a turn in both
  const Motion<Space>& carrier = link.freedom == Freedom::ball && link.sign < 0 ? s.V[link.parent] : s.V[i];
  for (int j = link.v; j < link.v + link.velocities; ++j) s.Sdot[j] = carrier.cross(s.S[j]);
}

template <class Space>
inline void Linkage<Space>::accelerate(std::size_t i, const Real* v, const double* vdot, LinkState<Space>& s) const {
  const Link<Space>& link = links[i];
  s.A[i] = s.A[link.parent];
  for (int j = link.v; j < link.v + link.velocities; ++j) {
    s.A[i] += s.Sdot[j] * v[j];
    if (vdot) s.A[i] += s.S[j] * vdot[j];
  }
}

/// About the mass centre, where nothing large is subtracted from something large.
template <class Space>
inline void Linkage<Space>::load(std::size_t i, LinkState<Space>& s) const {
  s.force[i] = {};
  if (!links[i].carries_body) return;
  const typename Space::Angular &w = s.V[i].w, &wdot = s.A[i].w;
  const typename Space::Linear& c = s.centre[i];
  s.force[i] = Wrench<Space>::in(c, links[i].m * (s.A[i].at(c) + Space::turn(w, s.V[i].at(c))));
  s.force[i].n += s.turned[i] * wdot + Space::spin(w, s.turned[i] * w);
}

template <class Space>
void Linkage<Space>::positions(const Real* q, LinkState<Space>& s) const {
  find_turns(q, s);
  for (std::size_t i = 1; i < links.size(); ++i) place(i, q, s);
}

template <class Space>
void Linkage<Space>::velocities(const Real* v, LinkState<Space>& s) const {
  for (std::size_t i = 1; i < links.size(); ++i) set_moving(i, v, s);
}

template <class Space>
void Linkage<Space>::accelerations(const Real* v, const double* vdot, LinkState<Space>& s) const {
  for (std::size_t i = 1; i < links.size(); ++i) accelerate(i, v, vdot, s);
}

template <class Space>
void Linkage<Space>::inertia_forces(LinkState<Space>& s) const {
  for (std::size_t i = 1; i < links.size(); ++i) load(i, s);
}

template <class Space>
void Linkage<Space>::motion(const double* q, const double* v, LinkState<Space>& s) const {
  find_turns(q, s);
  for (std::size_t i = 1; i < links.size(); ++i) {
    const Link<Space>& link = links[i];
    if (link.freedom == Freedom::ball || link.freedom == Freedom::none) {
      place(i, q, s);
      set_moving(i, v, s);
      accelerate(i, v, nullptr, s);
      load(i, s);
      continue;
    }
    // all in local variables: nothing that was just stored is read again
    Pose<Space> pose = s.pose[link.parent] * link.joined;
    Motion<Space> S;
    const double x = q[link.q], rate = v[link.v];
    if (link.freedom == Freedom::turn) {
      S.w = link.sign * pose.R.turn_about(link.axis, s.cosine[link.turn], s.sine[link.turn]);
      S.v = -Space::turn(S.w, pose.p);
      if constexpr (Space::turns == 3)
        if (link.pitch != 0.0) {
          S.v += link.pitch * S.w;
          pose.p += link.pitch * x * S.w;
        }
    } else {
      S.v = link.sign * pose.R.col(link.axis);
      pose.p += x * S.v;
    }
    const Motion<Space> before = s.V[link.parent];
    const Motion<Space> V = before + S * rate, Sdot = before.cross(S), A = s.A[link.parent] + Sdot * rate;
    s.pose[i] = pose, s.S[link.v] = S, s.V[i] = V, s.A[i] = A;
    if (!link.carries_body) {
      s.force[i] = {};
      continue;
    }
    const typename Space::Linear c = pose * link.c;
    const typename Space::Rotational I = Space::turned(pose.R, link.I);
    Wrench<Space> F = Wrench<Space>::in(c, link.m * (A.at(c) + Space::turn(V.w, V.at(c))));
    F.n += I * A.w + Space::spin(V.w, I * V.w);
    s.centre[i] = c, s.turned[i] = I, s.force[i] = F;
  }
}

template <class Space>
Inertia<Space> Linkage<Space>::inertia(int i, const LinkState<Space>& s) const {
  if (!links[i].carries_body) return {};
  const Real m = links[i].m;
  return {m, m * s.centre[i], s.turned[i] + Space::of_point(s.centre[i]) * m};
}

template <class Space>
Inertia<Space> Linkage<Space>::inertia_rate(int i, const LinkState<Space>& s) const {
  if (!links[i].carries_body) return {};
  const Real m = links[i].m;
  const typename Space::Linear& c = s.centre[i];
  const typename Space::Linear cdot = s.V[i].at(c);
  return {0.0, m * cdot, Space::turned_rate(s.V[i].w, s.turned[i]) + Space::of_point_rate(c, cdot) * m};
}

template <class Space>
void Linkage<Space>::mass_matrix(LinkState<Space>& s, Vector& M) const {
  const int count = static_cast<int>(links.size());
  for (int i = 1; i < count; ++i) s.inertia[i] = inertia(i, s);
  for (int i = count - 1; i > 0; --i)
    if (links[i].parent > 0) s.inertia[links[i].parent] += s.inertia[i];
  int entry = 0;
  for (int j = 0; j < n_; ++j) {
    s.momentum[j] = s.inertia[link_of_[j]] * s.S[j];
    for (const int k : moving_[link_of_[j]])
      if (k <= j) M[entry++] = s.momentum[j].dot(s.S[k]);
  }
}

template <class Space>
void Linkage<Space>::mass_matrix_rate(LinkState<Space>& s, Vector& M, Vector& Mdot) const {
  mass_matrix(s, M);
  const int count = static_cast<int>(links.size());
  for (int i = 1; i < count; ++i) s.inertia_rate[i] = inertia_rate(i, s);
  for (int i = count - 1; i > 0; --i)
    if (links[i].parent > 0) s.inertia_rate[links[i].parent] += s.inertia_rate[i];
  int entry = 0;
  for (int j = 0; j < n_; ++j) {
    const int i = link_of_[j];
    const Wrench<Space> rate = s.inertia_rate[i] * s.S[j] + s.inertia[i] * s.Sdot[j];
    for (const int k : moving_[i])
      if (k <= j) Mdot[entry++] = rate.dot(s.S[k]) + s.momentum[j].dot(s.Sdot[k]);
  }
}

template <class Space>
void Linkage<Space>::carry(LinkState<Space>& s) const {
  for (std::size_t i = links.size() - 1; i > 0; --i)
    if (links[i].parent > 0) s.force[links[i].parent] += s.force[i];
}

template <class Space>
void Linkage<Space>::carry(LinkState<Space>& s, Eigen::Matrix<Real, Eigen::Dynamic, 1>& resistance) const {
  for (std::size_t i = links.size() - 1; i > 0; --i) {
    const Link<Space>& link = links[i];
    for (int j = link.v; j < link.v + link.velocities; ++j) resistance[j] = s.force[i].dot(s.S[j]);
    if (link.parent > 0) s.force[link.parent] += s.force[i];
  }
}

template <class Space>
double Linkage<Space>::kinetic(const LinkState<Space>& s) const {
  double sum = 0.0;
  for (std::size_t i = 1; i < links.size(); ++i) sum += (inertia(static_cast<int>(i), s) * s.V[i]).dot(s.V[i]);
  return sum / 2.0;
}

template <class Space>
double Linkage<Space>::potential(const LinkState<Space>& s) const {
  double sum = 0.0;
  for (std::size_t i = 1; i < links.size(); ++i)
    sum -= links[i].m * gravity.dot(origin_in_model + s.pose[i] * links[i].c);
  return sum;
}

template class Linkage<Planar>;
template class Linkage<Spatial>;

// with derivatives, and as formulas: what the forces of inertia need
#define MAGGI_FORCES_OF_INERTIA(Space, Number)                                                        \
  template void Linkage<Space>::finish();                                                             \
  template LinkState<Space> Linkage<Space>::state() const;                                            \
  template void Linkage<Space>::positions(const Number*, LinkState<Space>&) const;                    \
  template void Linkage<Space>::velocities(const Number*, LinkState<Space>&) const;                   \
  template void Linkage<Space>::accelerations(const Number*, const double*, LinkState<Space>&) const; \
  template void Linkage<Space>::inertia_forces(LinkState<Space>&) const;                              \
  template void Linkage<Space>::carry(LinkState<Space>&, Eigen::Matrix<Number, Eigen::Dynamic, 1>&) const
MAGGI_FORCES_OF_INERTIA(PlanarOver<Dual>, Dual);
MAGGI_FORCES_OF_INERTIA(SpatialOver<Dual>, Dual);
MAGGI_FORCES_OF_INERTIA(PlanarOver<Symbol>, Symbol);
MAGGI_FORCES_OF_INERTIA(SpatialOver<Symbol>, Symbol);
#undef MAGGI_FORCES_OF_INERTIA

}  // namespace maggi::mechanism
