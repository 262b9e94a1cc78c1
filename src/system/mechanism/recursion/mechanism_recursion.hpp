#pragma once
#include <memory>
#include <optional>
#include <vector>

#include "system/mechanism/recursion/graph_recursion.hpp"
#include "system/mechanism/recursion/tree_recursion.hpp"

namespace maggi::mechanism {

/// The equations of a mechanism, eliminated along its tree (TreeRecursion) or, where many rows would stay open on the
/// way to the ground, along its graph (GraphRecursion): whichever needs fewer operations. The rows in use decide.
///
/// Where rows are close to dependence, or pivots were moved, the solution is refined: what it leaves of the equations
/// is the right side of a correction. Each correction is smaller than the one before by the same factor.
template <class Space>
class MechanismRecursion final : public FunctionRecursion {
 public:
  MechanismRecursion(const TreeModel<Space>& model, std::vector<RowOfFunctions> rows);

  void use_rows(const std::vector<int>& rows) override;
  void use_coefficients(const double* values) override;
  bool factorise(const Workspace& w) override;
  void solve(const double* h, const double* gamma, double* x, double* lambda) override;
  bool factorise_and_solve(const Workspace& w, const double* h, const double* gamma, double* x,
                           double* lambda) override;
  Weakest weakest() override;
  std::string_view order() const override {
    return graph_ ? "along the graph of joints and loops" : "along the joints";
  }

 private:
  void plan();
  bool needs_refinement();
  void evaluate();
  void solve_once(const double* h, const double* gamma, double* x, double* lambda);
  bool refine(const double* h, const double* gamma, double* x, double* lambda);
  Weakest find_weakest();
  double alone(int row);

  const TreeModel<Space>& model_;
  std::vector<RowOfFunctions> all_;
  std::vector<int> used_;
  const double* coefficients_ = nullptr;
  TreeRecursion<Space> tree_;
  std::optional<LinkEquations<Space>> equations_;  // once they are needed
  std::optional<GraphRecursion<Space>> graph_;
  std::optional<TreeRecursion<Space>> free_;  // no row holds it
  const Workspace* at_ = nullptr;             // of the last factor
  std::optional<Weakest> weakest_;            // at this position

  Vector left_h_, left_gamma_, change_x_, change_lambda_, z_, forces_, motion_;
};

}  // namespace maggi::mechanism
