#include "system/mechanism/reference/place_reader.hpp"

#include <fmt/format.h>

#include "base/dual.hpp"
#include "base/names.hpp"
#include "system/mechanism/reference/frame.hpp"

namespace maggi::mechanism {

template <class Real>
PlaceReader<Real>::PlaceReader(const Mechanism& mechanism, const NumbersOver<Real>& numbers,
                               const DrawingOver<Real>& drawing)
    : mechanism_(mechanism), number_(numbers), drawing_(drawing) {
  for (std::size_t b = 0; b < mechanism.bodies.size(); ++b)
    numbers_of_bodies_.emplace(mechanism.bodies[b].name, static_cast<int>(b) + 1);
}

template <class Real>
std::string PlaceReader<Real>::of(std::string_view what, const std::string& name) {
  return fmt::format("{} of \"{}\"", what, name);
}

template <class Real>
Real PlaceReader<Real>::number(const Formula& formula, const std::string& what, Real otherwise) const {
  return formula.empty() ? otherwise : number_(formula, what);
}
template <class Real>
Real PlaceReader<Real>::positive(const Formula& formula, const std::string& what) const {
  const Real value = number_(formula, what);
  if (!(value > 0.0)) fail(formula.where, fmt::format("{} is {:.6g}", what, value_of(value)), "it must be positive");
  return value;
}
template <class Real>
Real PlaceReader<Real>::not_negative(const Formula& formula, const std::string& what) const {
  const Real value = number(formula, what);
  if (value < 0.0) fail(formula.where, fmt::format("{} is {:.6g}", what, value_of(value)), "it cannot be negative");
  return value;
}

template <class Real>
Vector3Over<Real> PlaceReader<Real>::triple(const Triple& given, const std::string& what) const {
  Vector3Over<Real> result = Vector3Over<Real>::Zero();
  for (std::size_t i = 0; i < given.values.size(); ++i) result[static_cast<int>(i)] = number_(given.values[i], what);
  return result;
}

template <class Real>
Vector3Over<Real> PlaceReader<Real>::point(const Triple& given, const std::string& what) const {
  const Reference& frame = given.frame;
  if (frame.name.empty()) return triple(given, what) - drawing_.origin;
  if (given.values.empty()) return marker(frame, what);
  const DrawnBodyOver<Real>& body = body_drawn(frame, what);
  return body.position + body.turned * triple(given, what);
}
template <class Real>
Vector3Over<Real> PlaceReader<Real>::direction(const Triple& given, std::string_view key,
                                               const std::string& owner) const {
  Vector3Over<Real> value = triple(given, of(key, owner));
  if (!(value.norm() > 0.0))
    fail(given.where, fmt::format("the {} of \"{}\" is zero", key, owner), "a direction, of any length: [0, 0, 1]");
  if (!given.frame.name.empty()) value = body_drawn(given.frame, of(key, owner)).turned * value;
  return value.normalized();
}

/// The body in whose frame something is given; it has been read.
template <class Real>
const DrawnBodyOver<Real>& PlaceReader<Real>::body_drawn(const Reference& reference, const std::string& what) const {
  const auto index = static_cast<std::size_t>(body(reference));
  if (index >= drawing_.bodies.size())
    fail(reference.where, fmt::format("{} is in the frame of \"{}\", which comes later", what, reference.name),
         "bodies are drawn in the order of the file: use one above");
  return drawing_.bodies[index];
}

template <class Real>
Vector3Over<Real> PlaceReader<Real>::marker(const Reference& reference, const std::string& what) const {
  const std::size_t dot = reference.name.find('.');
  const std::string owner = reference.name.substr(0, dot);
  if (dot == std::string::npos)
    fail(reference.where, fmt::format("{} is \"{}\", which names no marker", what, reference.name),
         "write body.marker, as \"arm.tip\", or body.centre, or a list of numbers");
  const DrawnBodyOver<Real>& body = body_drawn({owner, reference.where}, what);
  const std::string name = reference.name.substr(dot + 1);
  std::vector<std::string> names;
  for (std::size_t k = 0; k < body.markers.size(); ++k) {
    names.push_back(body.given->markers[k].name);
    if (names.back() == name) return body.markers[k];
  }
  if (name == "centre" && body.given) return body.position;
  names.emplace_back("centre");
  fail(reference.where, fmt::format("body \"{}\" has no marker \"{}\"", owner, name), suggest_name(name, names));
}

template <class Real>
int PlaceReader<Real>::body(const Reference& reference) const {
  if (reference.name == ground_name) return 0;
  if (const auto found = numbers_of_bodies_.find(reference.name); found != numbers_of_bodies_.end())
    return found->second;
  std::vector<std::string> names{ground_name};
  for (const Body& b : mechanism_.bodies) names.push_back(b.name);
  fail(reference.where, fmt::format("no body is named \"{}\"", reference.name), suggest_name(reference.name, names));
}

template <class Real>
void PlaceReader<Real>::between(const std::array<Reference, 2>& bodies, std::string_view kind, const std::string& name,
                                int& a, int& b) const {
  a = body(bodies[0]), b = body(bodies[1]);
  if (a == b)
    fail(bodies[1].where, fmt::format("{} \"{}\" joins \"{}\" to itself", kind, name, bodies[0].name),
         "name two different bodies, or a body and \"ground\"");
}

template <class Real>
Matrix3Over<Real> PlaceReader<Real>::axes_about(const Vector3Over<Real>& axis) const {
  return frame_about<Real>(axis, drawing_.planar ? 0 : 2);
}

template class PlaceReader<double>;
template class PlaceReader<Dual>;

}  // namespace maggi::mechanism
