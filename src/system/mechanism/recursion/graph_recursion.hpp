#pragma once
#include <vector>

#include "system/mechanism/recursion/graph_plan.hpp"
#include "system/mechanism/recursion/link_equations.hpp"

namespace maggi::mechanism {

/// The equations (1) of LinkEquations, eliminated in the order of a GraphPlan: for mechanisms whose loops form a
/// network, where an elimination from the leaves to the ground keeps many rows open.
///
/// All unknowns, the accelerations of the links and the forces of rows and of joints that the plan does not contract,
/// stand in one symmetric system, L D Lᵀ:
///
///     [ I   −Kᵀ ] [A]   [ b ]        b: of h, by wrenches P h on both links of a joint
///     [ −K   0  ] [λ] = [−γ ]                                                                       (1)
///
/// A contraction of link i into p, through a connection with the free motions S, puts
///
///     A_i = X A_p + S a + B γ        K_i S = 0,  K_i B = 1                                           (2)
///
/// into (1): a is eliminated, and λ of the connection follows from the balance of the link, λ = Bᵀ (I A − b − …).
/// Pivots of links are positive in every order. Pivots of rows are negative, or zero where the part that has been
/// eliminated is over-determined if its border is held; zero ones are moved, and the solution is refined (residual()).
template <class Space>
class GraphRecursion {
 public:
  GraphRecursion(const TreeModel<Space>& model, const LinkEquations<Space>& equations);

  const GraphPlan& plan() const { return plan_; }

  bool factorise();  ///< of the equations as they are evaluated; false if a pivot of a link is lost
  bool exact() const { return !moved_; }  ///< no pivot was moved
  void solve(const double* h, const double* gamma, double* x, double* lambda);

 private:
  static constexpr int size = link_size<Space>;
  using LinkVector = mechanism::LinkVector<Space>;
  using Step = GraphPlan::Step;

  struct Connection {
    int link = -1;                          // of the tree: the joint below it
    std::vector<int> rows;                  // otherwise: of the equations
    std::vector<std::vector<int>> entries;  // by end, by row
    std::vector<int> ends;
    std::vector<LinkVector> on_child, on_parent;  // of a joint of the tree: K
    int first = 0;                                // of its forces
  };
  struct Numbers {                      // of a step
    std::array<LinkVector, size> S, B;  // of a contraction
    std::array<double, size> inverse;
    std::array<std::array<double, size>, size> low;  // of L among the pivots
    std::array<int, size> order;                     // of the rows of a connection
    LinkVector y, before;                            // of the right side; Bᵀb
  };

  LinkGraph make_graph();
  void find_least_pivots();
  const LinkVector& K(const Connection& connection, int link, int row) const;
  void complete_joint(Connection& joint);
  bool find_free_motions(const Step& step, Numbers& numbers);
  bool split(const Connection& connection, int link, Numbers& numbers, int free);

  double& at(int row, int col) { return front_[static_cast<std::size_t>(row) * width_ + col]; }
  void assemble(const Step& step);
  bool contract(const Step& step, Numbers& numbers);
  void hand_over(const Step& step);
  bool find_pivots(double (&H)[size][size], int count, Numbers& numbers) const;
  bool eliminate_link(const Step& step, Numbers& numbers);
  void eliminate_rows(const Step& step, Numbers& numbers);
  void reduce(const Step& step, const Numbers& numbers, double* g);
  void keep(const Step& step);

  void load(const double* h, const double* gamma);
  void forward(const Step& step, Numbers& numbers, const double* h, const double* gamma);
  void load_contraction(const Step& step, Numbers& numbers, const double* h, const double* gamma, LinkVector& b);
  void backward(const Step& step, const Numbers& numbers, const double* gamma, double* x, double* lambda);
  void move(const Step& step, const Numbers& numbers, const LinkVector& a, const double* gamma, double* x,
            double* lambda);
  double* unknown(int id) { return values_.data() + first_[id]; }

  const LinkEquations<Space>& equations_;
  const Linkage<Space>& linkage_;
  std::vector<Connection> connections_;
  GraphPlan plan_;
  std::vector<Numbers> numbers_;
  std::vector<char> contracted_;                 // joints of the tree, by link
  std::vector<std::array<double, size>> least_;  // of the pivots of a step
  bool sized_ = false, moved_ = false;

  std::vector<double> front_, left_, panel_, free_columns_;
  int width_ = 0;
  std::vector<double> given_;  // to the diagonal of a force by the links
  std::vector<int> first_;     // of unknowns: in values_
  std::vector<double> values_;
};

}  // namespace maggi::mechanism
