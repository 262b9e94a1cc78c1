#include "system/mechanism/reference/drawing.hpp"

#include "base/dual.hpp"

namespace maggi::mechanism {

const std::string ground_name = "ground";

void fail(const Where& where, std::string what, std::string help) {
  throw Error(Errc::model, where, std::move(what), std::move(help));
}

template <class Real>
const std::string& DrawnBodyOver<Real>::name() const {
  return given ? given->name : ground_name;
}

void hold_repaired(const Drawing& repaired, DrawingOver<Dual>& drawing) {
  const auto hold = [](const auto& values, auto& numbers) {
    for (Eigen::Index i = 0; i < values.size(); ++i) numbers.data()[i].value = values.data()[i];
  };
  for (std::size_t j = 0; j < repaired.joints.size(); ++j) {
    const DrawnJoint& from = repaired.joints[j];
    DrawnJointOver<Dual>& to = drawing.joints[j];
    hold(from.at, to.at), hold(from.to, to.to), hold(from.frame, to.frame);
    to.length.value = from.length, to.pitch.value = from.pitch;
  }
}

template struct DrawnBodyOver<double>;
template struct DrawnBodyOver<Dual>;

}  // namespace maggi::mechanism
