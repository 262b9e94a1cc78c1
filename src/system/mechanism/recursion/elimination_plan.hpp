#pragma once
#include <utility>
#include <vector>

#include "system/mechanism/tree/tree_model.hpp"

namespace maggi::mechanism {

/// A row is a sum of output functions, in the order of SystemWithFunctions: gaps of the closures, functions between
/// frames, sums of coordinates.
struct RowTerm {
  int quantity;
  int coefficient;  ///< where it is found; −1: it is 1
};
using RowOfFunctions = std::vector<RowTerm>;

/// In which order TreeRecursion eliminates the velocities and the rows in use, and which rows are open meanwhile: all
/// that does not depend on the state.
struct EliminationPlan {
  enum class JointMotion { turn, slide, screw };

  /// A part of a list.
  struct Range {
    int from = 0, to = 0;
  };
  struct Contribution {  ///< sign · coefficient · quantity acts on a slot
    int slot, quantity, coefficient;
    bool first;  ///< on that slot
    double sign;
  };
  struct Direct {  ///< a row that is moved by a velocity itself
    int entry, coefficient;
    double sign;
  };
  struct Coupling {  ///< of an unknown with an open row
    int row, slot;   ///< slot: of K_r here; −1: on the ground
  };
  struct Joint {
    int v;
    JointMotion motion;
    double pitch;
    bool last;       ///< of its link
    bool handed_on;  ///< there is something below that has to know
    Range open;      ///< couplings; u_r/d is kept beside them
    int pairs;       ///< where D of all pairs of them is listed
    Range direct;
  };
  struct Closing {
    int row, slot, diagonal;
    Range open;   ///< couplings; D_rs/D_rr is kept beside them
    int entries;  ///< where D_rs is listed, then the pairs
  };
  struct Step {  ///< what happens at a link, inwards
    int parent = -1;
    bool carries_body = false;
    double m = 0.0;
    Range contributions, merges, closings, joints, carried;
  };

  std::vector<Step> steps;  ///< by link
  std::vector<Contribution> contributions;
  std::vector<std::pair<int, int>> merges;  ///< to, from
  std::vector<Closing> closings;
  std::vector<Joint> joints;
  std::vector<int> carried;
  std::vector<int> empty;  ///< slots on which nothing acts at first
  std::vector<Coupling> couplings;
  std::vector<Direct> directs;
  std::vector<int> pairs;
  int slots = 0;            ///< of wrenches K_r
  int entries = 0;          ///< of D
  double operations = 0.0;  ///< multiplications of a factorisation
};

/// For some of the rows, `used`.
template <class Space>
EliminationPlan plan_elimination(const TreeModel<Space>& model, const std::vector<RowOfFunctions>& rows,
                                 const std::vector<int>& used);

}  // namespace maggi::mechanism
