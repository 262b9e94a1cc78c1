#include "maggi/system/mechanism_system.hpp"

#include <limits>

#include "system/mechanism/assembly.hpp"

namespace maggi {

namespace mechanism {

namespace {

template <class Space>
struct MechanismWorkspace final : Workspace {
  LinkState<Space> links;
  std::vector<ClosureRow<Space>> rows;
};

template <class Space>
class TreeSystem final : public MechanismSystem {
 public:
  explicit TreeSystem(Assembly<Space> assembly) : a_(std::move(assembly)) {}

  const std::vector<Branch>& tree() const override { return a_.tree; }
  const std::vector<Loop>& loops() const override { return a_.loops; }
  const Shape& shape() const override { return a_.shape; }
  const Start& start() const override { return a_.start; }

  bool planar() const override { return Space::axes == 2; }
  std::vector<Placement> placements(const State& at) const override {
    LinkState<Space> s = a_.linkage.state();
    a_.linkage.positions(at.q.data(), s);
    a_.linkage.velocities(at.v.data(), s);
    std::vector<Placement> result;
    for (const PlacedBody<Space>& body : a_.bodies) {
      const typename Space::Linear c = s.pose[body.link] * a_.linkage.links[body.link].c;
      result.push_back({body.name, in_space(typename Space::Linear(a_.linkage.origin + c)),
                        in_space(s.pose[body.link].R * body.drawn.transpose()), in_space(s.V[body.link].at(c)),
                        turning(s.V[body.link].w)});
    }
    return result;
  }

  std::unique_ptr<Workspace> workspace() const override {
    auto w = std::make_unique<MechanismWorkspace<Space>>();
    w->links = a_.linkage.state();
    w->rows.resize(a_.shape.m());
    Terms& terms = w->terms;
    terms.M = terms.Mdot = Vector::Zero(a_.shape.M.size());
    terms.C = terms.Cdot = Vector::Zero(a_.shape.C.size());
    terms.f = terms.phi = terms.gamma = Vector::Zero(a_.shape.m());
    terms.h = Vector::Zero(a_.shape.n());
    return w;
  }

  void position(const Instant& at, Workspace& w) const override {
    LinkState<Space>& s = links(w);
    a_.linkage.positions(at.q, s);
    a_.linkage.mass_matrix(s, w.terms.M);
    evaluate_closures(false, w);
    for (int i = 0; i < a_.shape.m(); ++i) w.terms.f[i] = rows(w)[i].f;
    fill_C(w);
  }

  void velocity(const Instant& at, Workspace& w) const override {
    LinkState<Space>& s = links(w);
    a_.linkage.positions(at.q, s);
    a_.linkage.velocities(at.v, s);
    a_.linkage.mass_matrix(s, w.terms.M);
    evaluate_closures(false, w);
    fill_C(w);
    int i = 0;
    for (const Closure<Space>& closure : a_.closures) {
      const Motion<Space> V = s.V[closure.b] - s.V[closure.a];
      for (std::size_t k = 0; k < closure.rows.size(); ++k, ++i) w.terms.phi[i] = rows(w)[i].W.dot(V);
    }
  }

  void acceleration(const Instant& at, Workspace& w) const override {
    LinkState<Space>& s = links(w);
    a_.linkage.positions(at.q, s);
    a_.linkage.velocities(at.v, s);
    a_.linkage.accelerations(at.v, nullptr, s);
    a_.linkage.mass_matrix(s, w.terms.M);
    a_.linkage.inertia_forces(s);
    apply_springs(s);
    a_.linkage.carry(s);
    for (int j = 0; j < a_.shape.n(); ++j) w.terms.h[j] = -s.force[a_.linkage.link_of(j)].dot(s.S[j]);
    for (const CoordinateForce& F : a_.forces)
      w.terms.h[F.v] += F.force - F.stiffness * (at.q[F.q] - F.rest) - F.damping * at.v[F.v];
    evaluate_closures(true, w);
    fill_C(w);
    int i = 0;
    for (const Closure<Space>& closure : a_.closures) {
      const Motion<Space> V = s.V[closure.b] - s.V[closure.a], A = s.A[closure.b] - s.A[closure.a];
      for (std::size_t k = 0; k < closure.rows.size(); ++k, ++i)
        w.terms.gamma[i] = -rows(w)[i].Wdot.dot(V) - rows(w)[i].W.dot(A);
    }
  }

  void rates(const Instant& at, const double* /*vdot*/, Workspace& w) const override {
    LinkState<Space>& s = links(w);
    a_.linkage.positions(at.q, s);
    a_.linkage.velocities(at.v, s);
    a_.linkage.mass_matrix_rate(s, w.terms.M, w.terms.Mdot);
    evaluate_closures(true, w);
    for_entries(w, [&](const ClosureRow<Space>& row, int j, double sign, int entry) {
      w.terms.Cdot[entry] = sign * (row.Wdot.dot(s.S[j]) + row.W.dot(s.Sdot[j]));
    });
  }

  Energy energy(const Instant& at, Workspace& w) const override {
    LinkState<Space>& s = links(w);
    a_.linkage.positions(at.q, s);
    a_.linkage.velocities(at.v, s);
    Energy energy{a_.linkage.kinetic(s), a_.linkage.potential(s), 0.0};
    for (const SpringElement<Space>& spring : a_.springs) {
      const double l = (s.pose[spring.b.link] * spring.b.at - s.pose[spring.a.link] * spring.a.at).norm();
      energy.potential += spring.stiffness * (l - spring.length) * (l - spring.length) / 2.0 + spring.force * l;
    }
    for (const CoordinateForce& F : a_.forces) {
      const double x = at.q[F.q] - F.rest;
      energy.potential += F.stiffness * x * x / 2.0 - F.force * at.q[F.q];
    }
    energy.total = energy.kinetic + energy.potential;
    return energy;
  }

  void outputs(const Instant& at, const Acceleration& a, Workspace& w, std::span<double> values) const override {
    LinkState<Space>& s = links(w);
    a_.linkage.positions(at.q, s);
    a_.linkage.velocities(at.v, s);
    a_.linkage.accelerations(at.v, a.vdot.data(), s);
    a_.linkage.inertia_forces(s);
    apply_springs(s);
    evaluate_closures(false, w);
    int i = 0;
    for (const Closure<Space>& closure : a_.closures)
      for (std::size_t k = 0; k < closure.rows.size(); ++k, ++i) {
        s.force[closure.b] -= rows(w)[i].W * a.lambda[i];
        s.force[closure.a] += rows(w)[i].W * a.lambda[i];
      }
    a_.linkage.carry(s);
    double* next = values.data();
    for (const LinkPoint<Space>& marker : a_.markers) write(a_.linkage.origin + s.pose[marker.link] * marker.at, next);
    for (const JointReaction<Space>& reaction : a_.reactions) {
      const Wrench<Space> F = reaction.link >= 0 ? s.force[reaction.link] * reaction.sign : of_closure(reaction, a, w);
      write(F.f, next);
      if (reaction.torque) write(F.about(s.pose[reaction.at.link] * reaction.at.at), next);
    }
  }

  void drawing(const Instant& at, Workspace& w, std::span<double> values) const override {
    LinkState<Space>& s = links(w);
    a_.linkage.positions(at.q, s);
    double* next = values.data();
    for (const LinkPoint<Space>& point : a_.seen) write(a_.linkage.origin + s.pose[point.link] * point.at, next);
    for (const auto& [link, frame] : a_.seen_frames) {
      const Pose<Space> pose = s.pose[link] * frame;
      write(a_.linkage.origin + pose.p, next);
      write_turn(pose.R, next);
    }
  }

  void nonlinear_rows(const Instant&, const double*, const double*, Workspace&) const override {}  // has none
  void laws(const Instant&, const double*, const double*, const double*, Workspace&) const override {}

  void coordinate_rates(const double* q, const double* v, double* qdot) const override {
    for (const Link<Space>& link : a_.linkage.links) {
      if (link.freedom == Freedom::ball) {
        const Eigen::Vector4d rate = product(q + link.q, 0.0, v + link.v) / 2.0;  // q̇ = ½ q (0, ω)
        std::copy_n(rate.data(), 4, qdot + link.q);
      } else if (link.freedom != Freedom::none) {
        qdot[link.q] = v[link.v];
      }
    }
  }

  void move(double* q, const double* delta) const override {
    for (const Link<Space>& link : a_.linkage.links) {
      if (link.freedom == Freedom::ball) {
        const Vector3 d = Eigen::Map<const Vector3>(delta + link.v);
        const double angle = d.norm();
        const Vector3 half = (angle > 1e-8 ? std::sin(angle / 2.0) / angle : 0.5) * d;
        const Eigen::Vector4d moved = product(q + link.q, std::cos(angle / 2.0), half.data()).normalized();
        std::copy_n(moved.data(), 4, q + link.q);
      } else if (link.freedom != Freedom::none) {
        q[link.q] += delta[link.v];
      }
    }
  }

 private:
  static LinkState<Space>& links(Workspace& w) { return static_cast<MechanismWorkspace<Space>&>(w).links; }
  static std::vector<ClosureRow<Space>>& rows(Workspace& w) { return static_cast<MechanismWorkspace<Space>&>(w).rows; }

  void evaluate_closures(bool rates, Workspace& w) const {
    ClosureRow<Space>* row = rows(w).data();
    for (const Closure<Space>& closure : a_.closures) {
      closure.evaluate(links(w), rates, row);
      row += closure.rows.size();
    }
  }

  /// Calls visit(row, velocity, sign, entry) for every entry of C.
  template <class Visit>
  void for_entries(Workspace& w, Visit visit) const {
    int i = 0, entry = 0;
    for (std::size_t c = 0; c < a_.closures.size(); ++c)
      for (std::size_t k = 0; k < a_.closures[c].rows.size(); ++k, ++i)
        for (const auto& [j, sign] : a_.paths[c]) visit(rows(w)[i], j, sign, entry++);
  }

  void fill_C(Workspace& w) const {
    const LinkState<Space>& s = links(w);
    for_entries(w, [&](const ClosureRow<Space>& row, int j, double sign, int entry) {
      w.terms.C[entry] = sign * dot(row.W, s.S[j]);
    });
  }

  /// W · S, or 0 where it is nothing but rounding: such a row has no direction that could be trusted.
  static double dot(const Wrench<Space>& W, const Motion<Space>& S) {
    const double value = W.dot(S);
    const double size = std::sqrt(Space::dot(W.n, W.n) * Space::dot(S.w, S.w)) + W.f.norm() * S.v.norm();
    return std::abs(value) > 64.0 * std::numeric_limits<double>::epsilon() * size ? value : 0.0;
  }

  void apply_springs(LinkState<Space>& s) const {
    for (const SpringElement<Space>& spring : a_.springs) {
      const typename Space::Linear x = s.pose[spring.a.link] * spring.a.at, y = s.pose[spring.b.link] * spring.b.at;
      const double l = (y - x).norm();
      const typename Space::Linear e = (y - x) / l;
      const double rate = e.dot(s.V[spring.b.link].at(y) - s.V[spring.a.link].at(x));
      const double pull = spring.stiffness * (l - spring.length) + spring.damping * rate + spring.force;
      const auto F = Wrench<Space>::in(x, pull * e);  // on a; the opposite on b
      s.force[spring.a.link] -= F;
      s.force[spring.b.link] += F;
    }
  }

  Wrench<Space> of_closure(const JointReaction<Space>& reaction, const Acceleration& a, Workspace& w) const {
    Wrench<Space> sum;
    for (std::size_t k = 0; k < a_.closures[reaction.closure].rows.size(); ++k)
      sum += rows(w)[reaction.row + static_cast<int>(k)].W * a.lambda[reaction.row + static_cast<int>(k)];
    return sum;
  }

  static Vector3 in_space(const Vector2& x) { return {x[0], x[1], 0.0}; }
  static Vector3 in_space(const Vector3& x) { return x; }
  static Matrix3 in_space(const Planar::Rotation& R) {
    return Eigen::AngleAxisd(std::atan2(R.s, R.c), Vector3::UnitZ()).toRotationMatrix();
  }
  static Matrix3 in_space(const Spatial::Rotation& R) { return R.R; }
  static Vector3 turning(double w) { return {0.0, 0.0, w}; }
  static Vector3 turning(const Vector3& w) { return w; }

  static void write(double value, double*& next) { *next++ = value; }
  template <class Derived>
  static void write(const Eigen::MatrixBase<Derived>& value, double*& next) {
    for (Eigen::Index k = 0; k < value.size(); ++k) *next++ = value[k];
  }

  static void write_turn(const Planar::Rotation& R, double*& next) { *next++ = std::atan2(R.s, R.c); }
  static void write_turn(const Spatial::Rotation& R, double*& next) {
    const Eigen::Quaterniond q(R.R);
    for (const double value : {q.w(), q.x(), q.y(), q.z()}) *next++ = value;
  }

  /// Quaternion p (s, u), both in the order w, x, y, z.
  static Eigen::Vector4d product(const double* p, double s, const double* u) {
    return {p[0] * s - p[1] * u[0] - p[2] * u[1] - p[3] * u[2], p[0] * u[0] + p[1] * s + p[2] * u[2] - p[3] * u[1],
            p[0] * u[1] + p[2] * s + p[3] * u[0] - p[1] * u[2], p[0] * u[2] + p[3] * s + p[1] * u[1] - p[2] * u[0]};
  }

  Assembly<Space> a_;
};

}  // namespace

}  // namespace mechanism

std::unique_ptr<MechanismSystem> MechanismSystem::make(const Model& model) {
  using namespace mechanism;
  const Numbers numbers(model);
  const Drawing drawing(model.mechanism, numbers);
  if (drawing.planar) return std::make_unique<TreeSystem<Planar>>(assemble<Planar>(model, numbers, drawing));
  return std::make_unique<TreeSystem<Spatial>>(assemble<Spatial>(model, numbers, drawing));
}

}  // namespace maggi
