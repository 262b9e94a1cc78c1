#include <algorithm>

#include "base/largest.hpp"
#include "model/validate.hpp"
#include "system/mechanism/functions/formula_mechanism.hpp"
#include "system/mechanism/functions/zeros_kept.hpp"
#include "system/mechanism/kinematics/quaternion.hpp"
#include "system/mechanism/make_mechanism.hpp"
#include "system/mechanism/recursion/mechanism_recursion.hpp"
#include "system/mechanism/recursion/parameter_derivatives.hpp"
#include "system/mechanism/recursion/tree_formulas.hpp"
#include "system/mechanism/reference/data_errors.hpp"
#include "system/mechanism/reference/meeting_ends.hpp"
#include "system/mechanism/rounding/rounded_couplings.hpp"
#include "system/mechanism/rounding/rounded_data.hpp"
#include "system/mechanism/rounding/rounded_formulas.hpp"
#include "system/mechanism/tree/body_forces.hpp"
#include "system/mechanism/tree/build_tree_model.hpp"
#include "system/mechanism/tree/local_coordinates.hpp"
#include "system/mechanism/tree/spring_forces.hpp"
#include "system/mechanism/tree/written_values.hpp"
#include "system/mechanism/tree_functions.hpp"
#include "system/mechanism/tree_outputs.hpp"
#include "system/seam/mechanism_system.hpp"
#include "system/seam/size_terms.hpp"

namespace maggi {

namespace mechanism {

namespace {

template <class Space>
class TreeSystem final : public SystemWithFunctions {
 public:
  TreeSystem(TreeModel<Space> assembly, const std::shared_ptr<const MechanismSource>& source, bool leaves_zeros_out)
      : a_(std::move(assembly)),
        source_(source),
        functions_(a_),
        local_(a_.closures, a_.paths, a_.shape),
        by_parameters_(source),
        zeros_kept_(source, leaves_zeros_out, &make_mechanism) {
    for (const Parameter& p : source->model.parameters) a_.shape.parameters.push_back({p.name, p.unit, p.where});
  }

  const std::vector<Branch>& tree() const override { return a_.tree; }
  const std::vector<Loop>& loops() const override { return a_.loops; }
  const std::vector<RoundedLoop>& rounded_loops() const override { return a_.rounded_loops; }
  const Shape& shape() const override { return a_.shape; }
  const Start& start() const override { return a_.start; }

  bool planar() const override { return Space::axes == 2; }
  std::unique_ptr<MechanismSystem> with_numbers(const Model& changed, const Numbers& numbers) const override {
    return make_mechanism(std::make_shared<MechanismSource>(changed, numbers));
  }
  std::unique_ptr<MechanismSystem> with_constraints(const std::vector<Constraint>& all) const override {
    Model model = source_->model;
    model.constraints = all;
    return make_mechanism(std::make_shared<MechanismSource>(*source_, model));
  }
  std::unique_ptr<MechanismSystem> absolute_twin() const override { return make_absolute(*source_); }
  std::size_t own_outputs() const override { return a_.shape.outputs.size(); }
  std::vector<Placement> placements(const State& at) const override {
    LinkState<Space> s = a_.linkage.state();
    a_.linkage.positions(at.q.data(), s);
    a_.linkage.velocities(at.v.data(), s);
    std::vector<Placement> result;
    for (const PlacedBody<Space>& body : a_.bodies) {
      const typename Space::Linear c = s.pose[body.link] * a_.linkage.links[body.link].c;
      result.push_back({body.name, in_space(typename Space::Linear(a_.linkage.origin_in_model + c)),
                        in_space(s.pose[body.link].R * body.drawn.transpose()), in_space(s.V[body.link].at(c)),
                        turning(s.V[body.link].w), in_space(s.pose[body.link].R * body.own)});
    }
    return result;
  }

  std::optional<MeetingEnds> meeting_ends(const State& at, double within) const override {
    return find_meeting_ends(source_->drawing, placements(at), within);
  }

  std::unique_ptr<Workspace> workspace() const override {
    auto w = std::make_unique<MechanismWorkspace<Space>>();
    w->links = a_.linkage.state();
    w->rows.resize(a_.shape.m());
    w->vanishes.assign(a_.shape.m(), false);
    w->frame_functions.resize(a_.frame_functions.size());
    w->relative.resize(a_.shape.nx());
    functions_.size(w->function_values);
    size_terms(a_.shape, w->terms);
    leave_out_J(w->terms);
    return w;
  }

  std::unique_ptr<Recursion> recursion() const override {
    std::vector<RowOfFunctions> rows;
    for (int i = 0; i < a_.shape.m(); ++i) rows.push_back({{i, -1}});
    return std::make_unique<MechanismRecursion<Space>>(a_, std::move(rows));
  }

  std::unique_ptr<FunctionRecursion> recursion_over(const Pattern& pattern) const override {
    std::vector<RowOfFunctions> rows(pattern.rows);
    for (int k = 0; k < pattern.size(); ++k) rows[pattern.row[k]].push_back({pattern.col[k], k});
    return std::make_unique<MechanismRecursion<Space>>(a_, std::move(rows));
  }

  void position(const Instant& at, Workspace& w) const override {
    place(at, w);
    if (w.matrices) a_.linkage.mass_matrix(links(w), w.terms.M);
    for (int i = 0; i < a_.shape.m(); ++i) w.terms.f[i] = rows(w)[i].f;
  }

  void velocity(const Instant& at, Workspace& w) const override {
    LinkState<Space>& s = links(w);
    place(at, w);
    a_.linkage.velocities(at.v, s);
    if (w.matrices) a_.linkage.mass_matrix(s, w.terms.M);
    int i = 0;
    for (const Closure<Space>& closure : a_.closures) {
      const Motion<Space> V = s.V[closure.b] - s.V[closure.a];
      for (std::size_t k = 0; k < closure.rows.size(); ++k, ++i)
        w.terms.phi[i] = own(w).vanishes[i] ? 0.0 : rows(w)[i].W.dot(V);
    }
    functions_.set_rates(at, own(w));
    local_.matrix(s, own(w).relative, w.terms.J);
  }

  void acceleration(const Instant& at, Workspace& w) const override {
    LinkState<Space>& s = links_elsewhere(w);
    a_.linkage.motion(at.q, at.v, s);
    if (w.matrices) a_.linkage.mass_matrix(s, w.terms.M);
    apply_springs(a_.springs, s);
    a_.linkage.carry(s, w.terms.h);
    w.terms.h = -w.terms.h;
    for (const CoordinateForce<double>& F : a_.forces)
      w.terms.h[F.v] += F.force - F.stiffness * (at.q[F.q] - F.rest) - F.damping * at.v[F.v];
    ClosureRow<Space>* row = rows(w).data();
    double* gamma = w.terms.gamma.data();
    for (const Closure<Space>& closure : a_.closures) {
      closure.evaluate(s, true, row);
      const Motion<Space> V = s.V[closure.b] - s.V[closure.a], A = s.A[closure.b] - s.A[closure.a];
      const typename Space::Angular &wa = s.V[closure.a].w, &wb = s.V[closure.b].w;
      const double turning = Space::dot(wa, wa) + Space::dot(wb, wb);
      for (std::size_t k = 0; k < closure.rows.size(); ++k, ++row) {
        const double bias = -row->Wdot.dot(V) - row->W.dot(A);
        *gamma++ = std::abs(bias) > closure.scale.of(row->W) * turning ? bias : 0.0;
      }
    }
    evaluate_frame_functions(true, w);
    if (w.matrices || functions_.any()) fill_C(w);  // S begins with C
    functions_.set_values(at, own(w));
    functions_.set_rates(at, own(w));
    functions_.set_biases(own(w));
    local_.matrix(s, own(w).relative, w.terms.J);
  }

  void rates(const Instant& at, const double* /*vdot*/, Workspace& w) const override {
    LinkState<Space>& s = links_elsewhere(w);
    a_.linkage.positions(at.q, s);
    a_.linkage.velocities(at.v, s);
    a_.linkage.mass_matrix_rate(s, w.terms.M, w.terms.Mdot);
    evaluate_closures(true, w);
    for_entries(w, [&](const NaturalScale&, const ClosureRow<Space>& row, int j, double sign, int entry) {
      w.terms.Cdot[entry] = sign * (row.Wdot.dot(s.S[j]) + row.W.dot(s.Sdot[j]));
    });
    local_.matrix_rate(s, own(w).relative, w.terms.Jdot);
    functions_.set_turning(at, own(w));
  }

  Energy energy(const Instant& at, Workspace& w) const override {
    LinkState<Space>& s = links_elsewhere(w);
    a_.linkage.positions(at.q, s);
    a_.linkage.velocities(at.v, s);
    Energy energy{a_.linkage.kinetic(s), a_.linkage.potential(s), 0.0};
    for (const SpringElement<Space>& spring : a_.springs) {
      const typename Space::Linear x = s.pose[spring.a.link] * spring.a.at, y = s.pose[spring.b.link] * spring.b.at;
      const double l = (y - x).norm();
      const double rate = l > 0.0 ? (y - x).dot(s.V[spring.b.link].at(y) - s.V[spring.a.link].at(x)) / l : 0.0;
      energy.potential += spring.stiffness * (l - spring.length) * (l - spring.length) / 2.0 + spring.force * l;
      energy.power -= spring.damping * rate * rate;
    }
    for (const CoordinateForce<double>& F : a_.forces) {
      const double x = at.q[F.q] - F.rest;
      energy.potential += F.stiffness * x * x / 2.0 - F.force * at.q[F.q];
      energy.power -= F.damping * at.v[F.v] * at.v[F.v];
    }
    energy.total = energy.kinetic + energy.potential;
    return energy;
  }

  const Pattern& function_pattern() const override { return functions_.pattern(); }
  const FunctionValues& function_values(const Workspace& w) const override {
    return static_cast<const MechanismWorkspace<Space>&>(w).function_values;
  }

  void outputs(const Instant& at, const Acceleration& a, Workspace& w, std::span<double> values) const override {
    outputs_under(at, a.vdot.data(), a.lambda.data(), w, values);
  }

  void outputs_under(const Instant& at, const double* vdot, const double* forces, Workspace& w,
                     std::span<double> values) const override {
    LinkState<Space>& s = links_elsewhere(w);
    a_.linkage.positions(at.q, s);
    a_.linkage.velocities(at.v, s);
    a_.linkage.accelerations(at.v, vdot, s);
    a_.linkage.inertia_forces(s);
    apply_springs(a_.springs, s);
    evaluate_closures(false, w);
    TreeOutputs<Space>(a_, own(w), forces).write_all(at, values);
  }

  Matrix absolute_rows(const Instant& at, const Acceleration& /*a*/, const std::vector<int>& rows,
                       Workspace& w) const override {
    Matrix forces =
        Matrix::Zero(static_cast<Eigen::Index>(rows.size()), std::max(a_.shape.m(), functions_.pattern().rows));
    for (std::size_t i = 0; i < rows.size(); ++i) forces(static_cast<Eigen::Index>(i), rows[i]) = 1.0;
    return absolute_rows_of(at, forces, w);
  }

  Matrix absolute_rows_of(const Instant& at, const Matrix& forces, Workspace& w) const override {
    LinkState<Space>& s = links_elsewhere(w);
    a_.linkage.positions(at.q, s);
    evaluate_closures(false, w);
    return BodyForces<Space>(a_, s, own(w).rows, own(w).frame_functions).absolute_rows(forces);
  }

  void drawing(const Instant& at, Workspace& w, std::span<double> values) const override {
    LinkState<Space>& s = links_elsewhere(w);
    a_.linkage.positions(at.q, s);
    double* next = values.data();
    for (const LinkPoint<Space>& point : a_.seen)
      write(a_.linkage.origin_in_model + s.pose[point.link] * point.at, next);
    for (const auto& [link, frame] : a_.seen_frames) {
      const Pose<Space> pose = s.pose[link] * frame;
      write(a_.linkage.origin_in_model + pose.p, next);
      write_turn(pose.R, next);
    }
  }

  void nonlinear_rows(const Instant&, const double*, const double*, Workspace&) const override {}  // has none
  void laws(const Instant&, const double*, const double*, const double*, Workspace&) const override {}

  void coordinate_rates(const double* q, const double* v, double* qdot) const override {
    for (const Link<Space>& link : a_.linkage.links) {
      if (link.freedom == Freedom::ball) {
        const Eigen::Vector4d rate = quaternion_rate(q + link.q, in_ball_frame(link.own, v + link.v).data());
        std::copy_n(rate.data(), 4, qdot + link.q);
      } else if (link.freedom != Freedom::none) {
        qdot[link.q] = v[link.v];
      }
    }
  }

  void move(double* q, const double* delta) const override {
    for (const Link<Space>& link : a_.linkage.links) {
      if (link.freedom == Freedom::ball) {
        const Eigen::Vector4d moved = turned_quaternion(q + link.q, in_ball_frame(link.own, delta + link.v));
        std::copy_n(moved.data(), 4, q + link.q);
      } else if (link.freedom != Freedom::none) {
        q[link.q] += delta[link.v];
      }
    }
  }

  void move_rates(const double* delta, const double* rate, double* v) const override {
    std::copy_n(rate, a_.shape.n(), v);
    for (const Link<Space>& link : a_.linkage.links)
      if (link.freedom == Freedom::ball)
        Eigen::Map<Vector3>(v + link.v) =
            rotation_vector_rate(Eigen::Map<const Vector3>(delta + link.v), Eigen::Map<const Vector3>(rate + link.v));
  }

  FunctionFormulas function_formulas(expression::Graph& graph, const std::vector<expression::Id>& q,
                                     const std::vector<expression::Id>& v) const override {
    return tree_formulas(a_, graph, q, v);
  }

  const FunctionDerivatives& velocity_slopes(const Instant& at, Workspace& w) const override {
    tree_derivatives(w).velocity(at.q, at.v, own(w).slopes);
    return own(w).slopes;
  }
  const FunctionDerivatives& acceleration_slopes(const Instant& at, const double* vdot, const double* forces,
                                                 Workspace& w) const override {
    tree_derivatives(w).acceleration(at.q, at.v, vdot, forces, own(w).slopes);
    return own(w).slopes;
  }

  void velocity_derivatives(const Instant& at, Workspace& w, Derivatives& d) const override {
    d.phi_q = velocity_slopes(at, w).rate_q.topRows(a_.shape.m());
  }
  /// The rows are gaps: γ − C v̇ = −s̈.
  void acceleration_derivatives(const Instant& at, const Acceleration& held, const Vector& /*sense*/, Workspace& w,
                                Derivatives& d) const override {
    const int n = a_.shape.n(), m = a_.shape.m();
    Vector &vdot = own(w).held_vdot, &forces = own(w).held_forces;
    vdot.setZero(n);
    forces.setZero(std::max(m, functions_.pattern().rows));
    if (held.vdot.size() > 0) vdot = held.vdot;
    if (held.lambda.size() > 0) forces.head(m) = held.lambda;
    const FunctionDerivatives& slopes = acceleration_slopes(at, vdot.data(), forces.data(), w);
    d.balance_q = slopes.balance_q;
    d.balance_v = slopes.balance_v;
    d.rows_q = -slopes.acceleration_q.topRows(m);
    d.rows_v = -slopes.acceleration_v.topRows(m);
    for (Matrix* law : {&d.law_q, &d.law_v}) law->resize(0, n);
  }
  void parameter_derivatives(const Instant& at, const Acceleration& held, const Vector& sense,
                             const std::vector<int>& which, Workspace& /*w*/, Derivatives& d) const override {
    if (const System* all = zeros_kept_.get(a_.shape))
      return all->parameter_derivatives(at, held, sense, which, *all->workspace(), d);
    const int m = a_.shape.m();
    Vector vdot = Vector::Zero(a_.shape.n()), forces = Vector::Zero(std::max(m, functions_.pattern().rows));
    if (held.vdot.size() > 0) vdot = held.vdot;
    if (held.lambda.size() > 0) forces.head(m) = held.lambda;
    FunctionParameterDerivatives slopes;
    parameter_slopes(at, vdot.data(), forces.data(), which, slopes);
    d.balance_p = slopes.balance_p;
    d.rows_p = -slopes.acceleration_p.topRows(m);
    d.phi_p = slopes.rate_p.topRows(m);
    d.f_p = slopes.value_p.topRows(m);
    d.law_p.resize(0, d.f_p.cols());
  }
  void parameter_slopes(const Instant& at, const double* vdot, const double* forces, const std::vector<int>& which,
                        FunctionParameterDerivatives& d) const override {
    by_parameters_.compute(at, vdot, forces, which, d);
  }

 private:
  TreeDerivatives<Space>& tree_derivatives(Workspace& w) const {
    std::unique_ptr<TreeDerivatives<Space>>& derivatives = own(w).derivatives;
    if (!derivatives) derivatives = std::make_unique<TreeDerivatives<Space>>(a_);
    return *derivatives;
  }

  static MechanismWorkspace<Space>& own(Workspace& w) { return static_cast<MechanismWorkspace<Space>&>(w); }
  static LinkState<Space>& links(Workspace& w) { return own(w).links; }
  /// For a call that places the links itself: what was placed before is lost.
  static LinkState<Space>& links_elsewhere(Workspace& w) {
    own(w).placed_at.clear();
    return own(w).links;
  }

  /// All that depends on positions only, unless the last call was for the same.
  void place(const Instant& at, Workspace& w) const {
    std::vector<double>& placed_at = own(w).placed_at;
    const double* end = at.q + a_.shape.nq();
    if (!placed_at.empty() && std::equal(at.q, end, placed_at.begin())) return;
    placed_at.assign(at.q, end);
    a_.linkage.positions(at.q, links(w));
    evaluate_closures(false, w);
    fill_C(w);
    meet_vanishing_rows(w);
    functions_.set_values(at, own(w));
  }

  /// A row that has no direction is met, if its f is rounding, too: nothing could change it.
  void meet_vanishing_rows(Workspace& w) const {
    std::size_t i = 0;
    const double* entry = w.terms.C.data();
    for (std::size_t c = 0; c < a_.closures.size(); ++c)
      for (std::size_t k = 0; k < a_.closures[c].rows.size(); ++k, ++i, entry += a_.paths[c].size()) {
        own(w).vanishes[i] = std::all_of(entry, entry + a_.paths[c].size(), [](double x) { return x == 0.0; });
        if (own(w).vanishes[i] && std::abs(rows(w)[i].f) <= a_.closures[c].scale.of(rows(w)[i].W)) rows(w)[i].f = 0.0;
      }
  }
  static std::vector<ClosureRow<Space>>& rows(Workspace& w) { return own(w).rows; }

  void evaluate_closures(bool rates, Workspace& w) const {
    ClosureRow<Space>* row = rows(w).data();
    for (const Closure<Space>& closure : a_.closures) {
      closure.evaluate(links(w), rates, row);
      row += closure.rows.size();
    }
    evaluate_frame_functions(rates, w);
  }
  void evaluate_frame_functions(bool rates, Workspace& w) const {
    for (std::size_t k = 0; k < a_.frame_functions.size(); ++k)
      a_.frame_functions[k].evaluate(links(w), rates, &own(w).frame_functions[k]);
  }

  /// Calls visit(scale, row, velocity, sign, entry) for every entry of C.
  template <class Visit>
  void for_entries(Workspace& w, Visit visit) const {
    int i = 0, entry = 0;
    for (std::size_t c = 0; c < a_.closures.size(); ++c)
      for (std::size_t k = 0; k < a_.closures[c].rows.size(); ++k, ++i)
        for (const auto& [j, sign] : a_.paths[c]) visit(a_.closures[c].scale, rows(w)[i], j, sign, entry++);
  }

  void fill_C(Workspace& w) const {
    const LinkState<Space>& s = links(w);
    for_entries(w, [&](const NaturalScale& scale, const ClosureRow<Space>& row, int j, double sign, int entry) {
      w.terms.C[entry] = sign * power_or_zero<Space>(row.W, s.S[j], scale);
    });
  }

  TreeModel<Space> a_;
  std::shared_ptr<const MechanismSource> source_;
  TreeFunctions<Space> functions_;
  LocalCoordinates<Space> local_;
  ParameterDerivatives<Space> by_parameters_;
  ZerosKept zeros_kept_;
};

template <class Space>
std::unique_ptr<SystemWithFunctions> make_tree(const std::shared_ptr<const MechanismSource>& source,
                                               const Formulas& formulas) {
  TreeModel<Space> assembly = build_tree_model<Space>(source->model, source->numbers, source->drawing, formulas);
  assembly.rounded_loops = source->rounded_loops;
  return std::make_unique<TreeSystem<Space>>(std::move(assembly), source, formulas.leaves_zeros_out());
}

std::unique_ptr<MechanismSystem> assemble(const std::shared_ptr<const MechanismSource>& source,
                                          const FormulaMechanism* before) {
  const Formulas formulas(source->model, source->numbers, source->drawing, source->keeps_zeros);
  auto tree = source->drawing.planar ? make_tree<Planar>(source, formulas) : make_tree<Spatial>(source, formulas);
  if (formulas.empty()) return tree;
  Model over_functions = formulas.model(tree->shape().rows);
  return std::make_unique<FormulaMechanism>(std::move(tree), std::move(over_functions), source,
                                            formulas.leaves_zeros_out(), before, &make_mechanism);
}

/// Numbers that are typed in the constraints of the model; it then has those that are meant. Is anything found?
bool repair_formulas(MechanismSource& source, const MechanismSystem& made) {
  const auto make = [&](const std::vector<Constraint>& constraints) -> std::unique_ptr<System> {
    Model model = source.model;
    model.constraints = constraints;
    auto other = std::make_shared<MechanismSource>(source, model);
    other->formulas_repaired = true;
    return assemble(other, nullptr);
  };
  Largest size;
  for (const DrawnJoint& joint : source.drawing.joints) size.note((joint.at - source.drawing.joints[0].at).norm());
  RoundedFormulas repaired =
      repair_rounded_formulas(made, source.model.constraints, data_tolerance(source.model.mechanism, source.numbers),
                              source.model.mechanism.repair, size.value(), make);
  source.model.constraints = std::move(repaired.constraints);
  source.rounded_loops.insert(source.rounded_loops.end(), repaired.found.begin(), repaired.found.end());
  return !repaired.found.empty();
}

}  // namespace

std::unique_ptr<MechanismSystem> make_mechanism(std::shared_ptr<MechanismSource> source,
                                                const FormulaMechanism* before) {
  if (!source->repaired) {
    source->rounded_loops = repair_rounded_data(source->model.mechanism, source->numbers, source->drawing);
    repair_couplings(source->drawing, source->numbers, source->model.mechanism, source->rounded_loops);
    source->repaired = true;
  }
  std::unique_ptr<MechanismSystem> made = assemble(source, before);
  if (source->formulas_repaired) return made;
  source->formulas_repaired = true;
  return repair_formulas(*source, *made) ? assemble(source, before) : std::move(made);
}

}  // namespace mechanism

std::unique_ptr<MechanismSystem> MechanismSystem::make(const Model& model) {
  validate(model);
  return make(model, Numbers(model));
}

std::unique_ptr<MechanismSystem> MechanismSystem::make(const Model& model, const Numbers& numbers) {
  return mechanism::make_mechanism(std::make_shared<mechanism::MechanismSource>(model, numbers));
}

}  // namespace maggi
