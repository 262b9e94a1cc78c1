#pragma once
#include <optional>
#include <vector>

#include "dynamics/contact_problem.hpp"

namespace maggi {

/// One combination of what each contact may do: a face of the complementarity problem.
///
///     open      x = 0                       needs  r ≥ 0
///     closed    r = 0                       needs  x ≥ 0
///     sticks    r_t = 0                     needs  |x_t| ≤ μ_s N
///     slides    x_t = −μ N σ                needs  σ·r_t ≥ 0 if it has no velocity
struct ContactMode {
  enum class Does : char { nothing, sticks, slides };
  struct Rub {
    Does does = Does::nothing;
    SlidingVector sense = SlidingVector::Zero();  ///< σ; in a plane, from rest, it is found
    double sign = 1.0;                            ///< of the reaction with which the search for N begins
  };
  std::vector<bool> closed;  ///< one-sided rows
  std::vector<Rub> rubs;

  int rows_in_force() const;
  int sticking() const;
  bool same_as(const ContactMode& other) const;  ///< but for the signs
};

/// The forces of a mode. It exists if its equations are consistent, whether or not they are regular.
struct ContactTrial {
  ContactMode mode;
  Vector x;
  Matrix open;               ///< columns z: x + z satisfies the equations, too
  double margin = 0.0;       ///< of the inequalities, for the best share; negative: the mode is none
  double allowed = 0.0;      ///< rounding of the margin
  int worst = -1;            ///< which one-sided row, or (stops + …) which contact, lacks most
  bool open_motion = false;  ///< the motion depends on how the forces share their load

  bool holds() const { return margin >= -allowed; }
};

/// Solves one mode after the other.
class ContactModes {
 public:
  static constexpr long most_tried = 4096;  ///< four modes for each of six contacts

  explicit ContactModes(ContactProblem& problem) : problem_(problem) {}

  /// None: the mode asks for motions that contradict each other.
  std::optional<ContactTrial> solve(const ContactMode& mode);

  /// How many modes there are, where one with a direction of sliding that must be found counts as several; more than
  /// most_tried: all() takes too long.
  long count() const;
  /// Those that hold.
  std::vector<ContactTrial> all();
  double most_stiction() const;  ///< the largest μ_s / μ
  /// Of those that hold, the one with most rows in force; of these the one with the least forces.
  std::optional<ContactTrial> most_in_force();
  /// One that holds, from a mode nearby: of the contacts that contradict themselves the worst is changed, at last the
  /// first. None if none was found.
  /// `loose`: contacts (of the problem) that have reached their limit and do not stick.
  std::optional<ContactTrial> pivot(ContactMode mode, std::vector<int> loose = {});

 private:
  struct Inequalities {
    std::vector<double> value;
    std::vector<Vector> by_x;
    std::vector<int> owner;
    void add(double v, Vector gradient, int who) {
      value.push_back(v), by_x.push_back(std::move(gradient)), owner.push_back(who);
    }
  };

  bool in_force(const ContactMode& mode, std::size_t rub) const;
  std::vector<ContactMode::Rub> choices(const ContactMode& mode, std::size_t rub) const;
  void visit(ContactMode& mode, std::size_t rub, std::vector<ContactTrial>& found);
  void begin_bounds(const ContactMode& mode);
  void update_bounds(const Vector& x);
  bool solve_linear(const ContactMode& mode, ContactTrial& trial) const;
  bool iterate(const ContactMode& mode, ContactTrial& trial);
  bool find_directions(ContactMode& mode, ContactTrial& trial);
  std::optional<SlidingVector> first_sense(const ContactMode& mode, std::size_t rub, const SlidingVector& rate);
  SlidingVector part(const Vector& all, int first, int size) const;
  Inequalities inequalities(const ContactTrial& trial) const;
  void judge(ContactTrial& trial) const;
  std::optional<ContactTrial> by_complementarity();
  void slide_against(const ContactTrial& trial, int j, ContactMode& mode) const;
  bool change_worst(ContactTrial& trial, std::vector<int>& changes, bool first) const;

  ContactProblem& problem_;
  ContactProblem::Bounds bounds_;
  Vector ratio_;  // μ_s / μ of the rubs
};

}  // namespace maggi
