#pragma once
#include <Eigen/Core>
#include <string>
#include <vector>

#include "simulation/check_data.hpp"

namespace maggi::text {

/// A vector: "(1, 2)" in the plane, "(0, 0, 0.5)" in space.
std::string components(const Eigen::Vector3d& x, bool planar);

/// "2 left − middle"
std::string sum_text(const Shape& shape, const std::vector<Dependency::Term>& terms);

/// "23: 20 of all joints, 2 of drivers and 1 other": those in force, whose rank is that of the certificate.
std::string constraints_of_mechanism(const Check::Data& found);

/// Which reactions of each joint the equations determine, and which multipliers of what is no joint.
std::string joints_text(const Shape& constraints, const Redundancy& redundancy);

/// Redundant constraints: which follow from which, what is unique all the same, and what would help. Empty if none is.
std::string certificate_text(const Check::Data& found);

}  // namespace maggi::text
