#pragma once
#include <cstddef>
#include <vector>

namespace maggi::mechanism {

/// A mechanism as a graph: links, and what connects them.
struct LinkGraph {
  /// A joint of the tree, the rows of a closed joint, or another row.
  struct Connection {
    std::vector<int> ends;      ///< links that are not the ground
    int rows = 0;               ///< numbers of λ
    int free = 0;               ///< relative motions that it leaves; contracting needs one end, or two
    bool contractible = false;  ///< between two links, or a link and the ground
  };
  struct Node {
    bool carries = false;  ///< it has inertia
    bool solid = false;    ///< its inertia is positive definite: it resists every motion
  };
  int link_size = 0;        ///< numbers of an acceleration of a link
  std::vector<Node> links;  ///< 0: the ground
  std::vector<Connection> connections;
};

/// In which order the accelerations of the links and the forces λ of the connections are eliminated, whatever the
/// graph:
///
///   contract  a link moves with another one but for the free motions of one connection between them: these are
///             eliminated, and all that held the link holds the other one then
///   link      the acceleration of a link, held by nothing but λ of its connections
///   rows      λ of a connection, one of whose links has been eliminated
///
/// Each step is a front: a dense symmetric matrix of what is eliminated and of the unknowns that are coupled with that,
/// its border. What is left of the border is added to the front of the step that eliminates the first of its unknowns.
/// The next step is the one with the smallest border, where connections count that the step makes impossible to
/// contract.
struct GraphPlan {
  enum class Kind { contract, link, rows };

  struct Range {
    int from = 0, to = 0;
  };
  struct Variable {  ///< of a border
    int id;          ///< a link; or number of links + connection
    int at, size;    ///< its numbers in the front
  };
  struct Coupling {  ///< of a connection with a link, assembled in this front
    int connection, link;
    int rows_at, link_at;
  };
  struct Part {  ///< what an earlier step left
    int step;
    int map;  ///< in places: where the numbers of its border are in this front
  };
  struct Step {
    Kind kind = Kind::link;
    int id = 0;        ///< of the link, or of the connection
    int through = -1;  ///< contract: the connection
    int into = 0;      ///< contract: the link; 0: the ground
    int into_at = -1;  ///< its place in the front
    int own = 0;       ///< numbers of the unknown; the border begins behind them
    int pivots = 0;    ///< own, or of a contraction the free motions
    int border = 0;    ///< numbers
    Range variables, couplings, parts;
    std::size_t left = 0;   ///< where border × border numbers are kept
    std::size_t panel = 0;  ///< where border × pivots numbers are kept, and a contraction's others
  };

  bool complete = false;  ///< otherwise no order was found: something has no inertia
  std::vector<Step> steps;
  std::vector<Variable> variables;
  std::vector<Coupling> couplings;
  std::vector<Part> parts;
  std::vector<int> places;
  int widest_front = 0;
  std::size_t left_size = 0, panel_size = 0;
  double operations = 0.0;  ///< multiplications of a factorisation
};

GraphPlan plan_graph(const LinkGraph& graph);

}  // namespace maggi::mechanism
