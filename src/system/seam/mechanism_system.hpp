#pragma once
#include <Eigen/Core>
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "maggi/expert/system.hpp"

namespace maggi {

class Numbers;

/// A system from bodies and joints. A spanning tree of the joints gives the coordinates; every other joint closes a
/// loop by constraints in its own frame [BlajerBestleSchiehlen1994].
///
///     q: joint coordinates, 0 in the reference configuration; rotations of spherical and free joints are unit
///     quaternions (w, x, y, z),
///        their velocities the angular velocity of the second body against the first, along the axes of the second
///     λ of a row: force or torque of the first body on the second, along an axis of the joint on the first
///
/// The outputs are the positions of the markers, and force and torque of every joint on its second body in the world
/// frame, the torque about the joint.
class MechanismSystem : public System {
 public:
  /// How the joints were used, for people.
  struct Branch {
    std::string joint;  ///< "" if the body floats freely: no joint of the tree holds it
    std::string parent, body;
    std::vector<std::string> coordinates;
  };
  struct Loop {
    std::string joint;
    std::vector<std::string> around;  ///< joints of the tree that it closes into a loop
    int rows = 0;
    std::string through{};  ///< the body that is cut to close it, if it is not the joint itself
  };

  /// A body at an instant, in the world frame.
  struct Placement {
    std::string body;
    Eigen::Vector3d position;  ///< of the mass centre
    Eigen::Matrix3d rotation;  ///< since the reference configuration
    Eigen::Vector3d velocity, angular_velocity;
    Eigen::Matrix3d own_axes;  ///< in columns: those of the world in the drawing, or as the body is `turned` there
  };

  /// What was found about joints of loops whose data are rounded, or nearly fit.
  struct RoundedLoop {
    enum class Finding {
      moves,                ///< within the tolerance of the data
      moves_from_singular,  ///< the same; several motions lead from the reference configuration
      locked,               ///< it would move with other data, which are not within the tolerance
      shaky,                ///< rigid but for infinitely small motions
    };
    Finding finding = Finding::moves;
    std::vector<std::string> joints;
    Where where{};                  ///< of the first
    bool repaired = false;          ///< the data were changed
    int freedom = 0;                ///< degrees of freedom of the loops by themselves
    int freedom_missed = 0;         ///< of a lock: with other data
    double tolerance = 0.0;         ///< errors of the data that are taken as rounding: as parts of the size, rad
    double size = 1.0;              ///< of the loops [m]
    double misfit = 0.0;            ///< of the rows along the motion, with the data as typed: parts of the size, rad
    double misfit_left = 0.0;       ///< with the changed data
    double change = 0.0;            ///< largest change of the data that makes the loops move: parts of the size, rad
    std::string largest{};          ///< where that is: "b.at"
    double tolerance_needed = 0.0;  ///< of a lock: the data_tolerance with which it moves; 0: none would do
    std::string text{};             ///< all of it in words
    std::vector<std::string> relations{};  ///< what nearly holds: "the axes of b and c differ from parallel by ..."
    /// "moves", "moves from a singular configuration", "locked", "shaky".
    static std::string_view finding_name(Finding finding) {
      constexpr std::array<std::string_view, 4> names{"moves", "moves from a singular configuration", "locked",
                                                      "shaky"};
      return names[static_cast<std::size_t>(finding)];
    }
    bool moves() const { return finding == Finding::moves || finding == Finding::moves_from_singular; }
  };

  virtual const std::vector<Branch>& tree() const = 0;
  virtual const std::vector<RoundedLoop>& rounded_loops() const = 0;  ///< in the order of the model
  virtual const std::vector<Loop>& loops() const = 0;

  virtual bool planar() const = 0;
  /// How many of the outputs, the first ones, are those of the mechanism; the others are formulas of the user.
  virtual std::size_t own_outputs() const = 0;
  /// What the constraint of a row makes follow a function of time, and its value: "ram.length".
  struct Followed {
    std::string name, unit;
    double value;
  };
  virtual std::optional<Followed> followed_by(int /*row*/, const State& /*at*/) const { return std::nullopt; }
  /// Two points between which something acts, where no direction is defined: "the ends of spring "s" meet at (0, 0)".
  struct MeetingEnds {
    std::string text;
    Where where{};
  };
  /// The first ones that are closer than `within` times their distance in the reference configuration.
  virtual std::optional<MeetingEnds> meeting_ends(const State& at, double within) const = 0;
  virtual std::vector<Placement> placements(const State& at) const = 0;  ///< in the order of the model

  /// Error with file, line and column if a name or a number of the mechanism makes no sense.
  static std::unique_ptr<MechanismSystem> make(const Model& model);
  /// The same of a model that has passed validate(), whose numbers are known.
  static std::unique_ptr<MechanismSystem> make(const Model& model, const Numbers& numbers);

  /// The mechanism of a model that differs in numbers only from that of this one. What formulas say about it is not
  /// derived again, unless these numbers decide what that is (a damping of 0, a number that stands in a formula).
  virtual std::unique_ptr<MechanismSystem> with_numbers(const Model& changed, const Numbers& numbers) const = 0;
  /// The mechanism of a model that has these constraints instead of its own, in the same reference configuration.
  virtual std::unique_ptr<MechanismSystem> with_constraints(const std::vector<Constraint>& all) const = 0;
  /// The same mechanism in absolute coordinates: every body floats and every joint is constraints. What can be said
  /// about its constraints and their forces does not depend on any choice of a tree. It is made of the same numbers and
  /// the same reference configuration.
  virtual std::unique_ptr<MechanismSystem> absolute_twin() const = 0;
  /// The state of absolute_twin() that is this one.
  State absolute(const State& at) const;
  /// Some rows of C in the velocities of absolute_twin(): with which force and torque a multiplier acts on each body.
  /// `a`: for rows that are nonlinear in v̇. A force along a coordinate of a joint acts in the point of its second body.
  virtual Matrix absolute_rows(const Instant& at, const Acceleration& a, const std::vector<int>& rows,
                               Workspace& w) const = 0;
};

/// MechanismSystem::meeting_ends() of a system that has bodies and joints; otherwise none.
std::optional<MechanismSystem::MeetingEnds> meeting_ends(const System& system, const State& at, double within);

}  // namespace maggi
