#include "start/start_modes.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/decompositions.hpp"
#include "dynamics/contacts.hpp"

namespace maggi::integration {

namespace {
// of the forces and accelerations of a solution that may have ended at 1e-10
constexpr double contact_tolerance = 1e-9;
}  // namespace

StartModes::StartModes(const System& system, Workspace& w, const Demands& demands)
    : system_(system), shape_(system.shape()), w_(w) {
  for (int c = 0; c < static_cast<int>(shape_.contacts.size()); ++c)
    if (demands.laws[shape_.contacts[c].laws[0]]) contacts_.push_back(c);
}

Vector StartModes::turned_with(const State& state, Vector sense) {
  system_.velocity(state, w_);
  for (const int c : contacts_) {
    const Vector v_t = w_.terms.phi(shape_.contacts[c].rows);
    if (!is_at_rest(v_t, state.v)) sense(shape_.contacts[c].laws) = v_t.normalized();
  }
  return sense;
}

std::vector<Vector> StartModes::nearest_first(const State& state) {
  Vector first =
      Vector::Ones(static_cast<Eigen::Index>(shape_.laws.size()));  // laws without a contact have no use for it
  for (const int c : contacts_)
    for (const int law : shape_.contacts[c].laws) first[law] = 0.0;
  first = turned_with(state, std::move(first));
  std::vector<Vector> modes{first};
  std::vector<std::size_t> next{0};  // the first contact in which what a mode leads to may differ from it
  for (std::size_t i = 0; i < modes.size(); ++i)
    for (std::size_t c = next[i]; c < contacts_.size(); ++c) {
      const std::vector<int>& laws = shape_.contacts[contacts_[c]].laws;
      const Vector own = first(laws), zero = Vector::Zero(own.size());
      const Vector forwards = own.isZero(0.0) ? Vector::Unit(own.size(), 0).eval() : own;
      for (const Vector& other : {forwards, Vector(-forwards), zero}) {
        if (other == own || modes.size() == most) continue;
        modes.push_back(modes[i]);
        modes.back()(laws) = other;
        next.push_back(c + 1);
      }
    }
  return modes;
}

std::optional<StartModes::Objection> StartModes::object(const State& state, const Acceleration& a,
                                                        const Vector& sense) {
  if (contacts_.empty()) return std::nullopt;
  Objection objection{"", sense, state.v};
  const auto add = [&](const Contact& contact, const Vector& instead, const std::string& what) {
    objection.instead(contact.laws) = instead;
    objection.text += fmt::format("{}contact \"{}\" {}", objection.text.empty() ? "" : " and ", contact.name, what);
  };
  system_.velocity(state, w_);
  const Vector speeds = w_.terms.phi;
  system_.laws(state, a.lambda.data(), a.tau.data(), sense.data(), w_);
  system_.acceleration(state, w_);
  Matrix C(shape_.m(), shape_.n());
  shape_.C.scatter(w_.terms.C, C);
  const Vector rates = C * a.vdot - w_.terms.gamma;
  for (const int c : contacts_) {
    const Contact& contact = shape_.contacts[c];
    const Vector own = sense(contact.laws), v_t = speeds(contact.rows), force = a.lambda(contact.rows);
    if (own.isZero(0.0)) {
      if (force.norm() > (1.0 + contact_tolerance) * w_.terms.hold[c] + contact_tolerance * a.reaction.norm())
        add(contact, -force.normalized(),
            fmt::format("would have to stick with {:.6g}, but bears {:.6g}", force.norm(), w_.terms.hold[c]));
    } else if (!is_at_rest(v_t, state.v)) {
      if (v_t.dot(own) >= 0.0) continue;
      add(contact, v_t.normalized(), "would slide against its own sense");
      const Matrix by_v = C(contact.rows, Eigen::all);  // v_t changes by this times the change of v
      objection.turned -= by_v.completeOrthogonalDecomposition().solve(2.0 * v_t);
    } else if (rates(contact.rows).dot(own) < -contact_tolerance * (1.0 + a.vdot.norm())) {
      add(contact, Vector::Zero(own.size()), "would begin to slide against its own sense");
    }
  }
  return objection.text.empty() ? std::nullopt : std::optional(objection);
}

}  // namespace maggi::integration
