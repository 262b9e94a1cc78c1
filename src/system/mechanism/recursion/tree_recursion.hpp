#pragma once
#include <vector>

#include "maggi/expert/recursion.hpp"
#include "system/mechanism/recursion/articulated.hpp"
#include "system/mechanism/recursion/elimination_plan.hpp"
#include "system/mechanism/recursion/mechanism_workspace.hpp"
#include "system/mechanism/tree/tree_model.hpp"

namespace maggi::mechanism {

/// The equations of a tree of links with loops, eliminated link by link from the leaves to the ground: articulated
/// bodies (Featherstone 2008, chapter 7), with the loops that are still open carried along.
///
/// What a link and all that it carries say to the rest, when everything beyond has been eliminated:
///
///     F   = I A + p − Σ K_r λ_r              the wrench that has to act on it                          (1)
///     ẍ_r = K_r·A + g_r + Σ D_rs λ_s         its part in the acceleration of the open row r            (2)
///
/// Both hold on when one more unknown goes. A joint, S·F = h with A = A_parent + S a:
///
///     U = I S,  d = S·U,  u_r = S·K_r,  e = h − S·p,    a = (e − U·A_parent + Σ u_r λ_r) / d           (3)
///     I −= U Uᵀ/d,  K_r −= U u_r/d,  D_rs += u_r u_s/d,  p += U e/d,  g_r += u_r e/d
///
/// A row, where all that it holds together has come together, ẍ_r = γ_r:
///
///     λ_r = (γ_r − g_r − K_r·A − Σ D_rs λ_s) / D_rr                                                    (4)
///     I += K_r K_rᵀ/D_rr,  K_s −= K_r D_rs/D_rr,  D_st −= D_sr D_rt/D_rr,  p −= K_r (γ_r − g_r)/D_rr, …
///
/// D_rr is what is left of C_r M⁻¹C_rᵀ: positive if the rows are independent, whatever the order. A tree costs O(n),
/// and so does a chain of loops: few rows are open at a time. Wrenches are about the origin of their link.
template <class Space>
class TreeRecursion final : public FunctionRecursion {
 public:
  using Row = RowOfFunctions;

  TreeRecursion(const TreeModel<Space>& model, std::vector<Row> rows);

  void use_rows(const std::vector<int>& rows) override;
  void use_coefficients(const double* values) override { coefficients_ = values; }
  bool factorise(const Workspace& w) override;
  void solve(const double* h, const double* gamma, double* x, double* lambda) override;
  bool factorise_and_solve(const Workspace& w, const double* h, const double* gamma, double* x,
                           double* lambda) override;
  Weakest weakest() override { return weakest_; }
  double operations() const { return plan_.operations; }  ///< multiplications of a factorisation

 private:
  using Step = EliminationPlan::Step;
  using Contribution = EliminationPlan::Contribution;
  using Closing = EliminationPlan::Closing;
  using Joint = EliminationPlan::Joint;
  using Coupling = EliminationPlan::Coupling;
  using Direct = EliminationPlan::Direct;
  using JointMotion = EliminationPlan::JointMotion;

  void plan();  ///< for the rows in use
  void calibrate(const LinkState<Space>& s);

  struct Bar {                 ///< of a link
    Articulated<Space> I;      ///< what the links beyond have handed on; empty again when the link has been passed
    Wrench<Space> p;           ///< as I
    typename Space::Linear r;  ///< from the origin of its parent
    Motion<Space> A;
  };
  struct Pivot {  ///< of a velocity
    Motion<Space> S;
    Wrench<Space> U;  ///< the last of a link: about the origin of the parent
    double inverse, x;
    double least = 0.0;  ///< d must not be less
  };

  void begin(const LinkState<Space>& s);
  void forget();
  Articulated<Space> body(const Step& step, std::size_t i, const LinkState<Space>& s) const;
  void act(const Step& step, int i, const MechanismWorkspace<Space>& w);
  bool close(const Closing& row, Bar& bar);
  bool eliminate(const Joint& joint, Bar& bar, const LinkState<Space>& s);
  void hand_on(const Step& step, int i);
  template <class Load>
  bool go_inwards(const Workspace& w, Load load);
  void load(int i, const double* h);
  void go_outwards(double* x, double* lambda);

  const Linkage<Space>& linkage_;
  const TreeModel<Space>& model_;
  std::vector<Row> all_;
  std::vector<int> used_;
  const double* coefficients_ = nullptr;

  EliminationPlan plan_;
  std::vector<Bar> bars_;
  std::vector<Pivot> pivots_;
  std::vector<Wrench<Space>> K_;
  std::vector<double> D_, factors_, u_;       // entries of D; beside the couplings; of one joint
  std::vector<double> inverse_, y_, lambda_;  // of rows
  std::vector<double> taken_;                 // from D_rr by rows that went before
  bool calibrated_ = false;
  Weakest weakest_;
  double weakest_square_ = 1.0;
};

}  // namespace maggi::mechanism
