#include "system/mechanism/recursion/tree_formulas.hpp"

#include "system/mechanism/kinematics/symbol.hpp"
#include "system/mechanism/recursion/lifted.hpp"
#include "system/mechanism/tree/spring_forces.hpp"

namespace maggi::mechanism {

namespace {

using expression::Graph;
using expression::Id;
using Symbols = Eigen::Matrix<Symbol, Eigen::Dynamic, 1>;

template <class Space>
class FormulaPass {
 public:
  FormulaPass(const TreeModel<Space>& model, Graph& graph, const std::vector<Id>& q, const std::vector<Id>& v)
      : model_(model), graph_(graph), linkage_(ToSymbol::of(model.linkage)), q_(symbols(q)), v_(symbols(v)) {}

  FunctionFormulas run() {
    result_.n = linkage_.n();
    fill_h();
    linkage_.gravity.setZero();  // in the difference of two accelerations it is none
    LinkState<Lifted> s = moving_state(v_);
    linkage_.accelerations(v_.data(), nullptr, s);
    add_closures(model_.closures, model_.paths, s);
    add_closures(model_.frame_functions, model_.frame_function_paths, s);
    add_sums();
    fill_M();
    return std::move(result_);
  }

 private:
  using ToSymbol = Lift<Space, Symbol>;
  using Lifted = typename ToSymbol::Lifted;

  std::vector<Symbol> symbols(const std::vector<Id>& variables) {
    std::vector<Symbol> result;
    for (const Id id : variables) result.emplace_back(graph_, id);
    return result;
  }

  LinkState<Lifted> moving_state(const std::vector<Symbol>& v) const {
    LinkState<Lifted> s = linkage_.state();
    linkage_.positions(q_.data(), s);
    linkage_.velocities(v.data(), s);
    return s;
  }

  void fill_h() {
    LinkState<Lifted> s = moving_state(v_);
    linkage_.accelerations(v_.data(), nullptr, s);
    linkage_.inertia_forces(s);
    apply_springs(ToSymbol::all_of(model_.springs), s);
    Symbols resistance(linkage_.n());
    linkage_.carry(s, resistance);
    for (Symbol& force : resistance) force = -force;
    for (const CoordinateForce<double>& F : model_.forces)
      resistance[F.v] += F.force - F.stiffness * (q_[F.q] - F.rest) - F.damping * v_[F.v];
    for (const Symbol& force : resistance) result_.h.push_back(force.in(graph_));
  }

  /// What resists a unit of each acceleration, at rest and without gravity.
  void fill_M() {
    const int n = linkage_.n();
    const std::vector<Symbol> still(v_.size());
    LinkState<Lifted> s = moving_state(still);
    std::vector<Symbols> columns;
    for (int j = 0; j < n; ++j) {
      const Vector unit = Vector::Unit(n, j);
      linkage_.accelerations(still.data(), unit.data(), s);
      linkage_.inertia_forces(s);
      columns.emplace_back(n);
      linkage_.carry(s, columns.back());
    }
    for (int i = 0; i < n; ++i)
      for (int j = 0; j <= i; ++j) result_.M.push_back(columns[j][i].in(graph_));
  }

  void add_closures(const std::vector<Closure<Space>>& closures, const std::vector<Path>& paths,
                    const LinkState<Lifted>& s) {
    for (std::size_t c = 0; c < closures.size(); ++c) {
      const Closure<Lifted> closure = ToSymbol::of(closures[c]);
      std::vector<ClosureRow<Lifted>> rows(closure.rows.size());
      closure.evaluate(s, true, rows.data());
      for (const ClosureRow<Lifted>& row : rows) {
        std::vector<Id> S(linkage_.n(), graph_.constant(0.0));
        for (const auto& [j, sign] : paths[c]) S[j] = Symbol(sign * row.W.dot(s.S[j])).in(graph_);
        const Symbol bias = row.Wdot.dot(s.V[closure.b] - s.V[closure.a]) + row.W.dot(s.A[closure.b] - s.A[closure.a]);
        add(row.f, S, bias);
      }
    }
  }

  void add_sums() {
    for (const CoordinateSum& sum : model_.sums) {
      Symbol value;
      std::vector<Id> S(linkage_.n(), graph_.constant(0.0));
      for (const CoordinateSum::Term& term : sum.terms) {
        if (term.q >= 0) value += term.sign * q_[term.q];
        S[term.v] = graph_.constant(term.sign);
      }
      add(value, S, 0.0);
    }
  }

  void add(const Symbol& value, const std::vector<Id>& S, const Symbol& bias) {
    result_.value.push_back(value.in(graph_));
    result_.S.insert(result_.S.end(), S.begin(), S.end());
    result_.bias.push_back(bias.in(graph_));
  }

  const TreeModel<Space>& model_;
  Graph& graph_;
  Linkage<Lifted> linkage_;
  std::vector<Symbol> q_, v_;
  FunctionFormulas result_;
};

}  // namespace

template <class Space>
FunctionFormulas tree_formulas(const TreeModel<Space>& model, Graph& graph, const std::vector<Id>& q,
                               const std::vector<Id>& v) {
  return FormulaPass<Space>(model, graph, q, v).run();
}

template FunctionFormulas tree_formulas(const TreeModel<Planar>&, Graph&, const std::vector<Id>&,
                                        const std::vector<Id>&);
template FunctionFormulas tree_formulas(const TreeModel<Spatial>&, Graph&, const std::vector<Id>&,
                                        const std::vector<Id>&);

}  // namespace maggi::mechanism
