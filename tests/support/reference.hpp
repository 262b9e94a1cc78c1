#pragma once
#include <Eigen/Core>
#include <nlohmann/json.hpp>
#include <string>

#include "base/largest.hpp"
#include "io/toml/model_file.hpp"
#include "support/source_tree.hpp"

namespace maggi::test {

/// A file of tests/reference; a missing one is a failure.
nlohmann::json read_reference(const std::string& name);
Model read_example(const std::string& name);  ///< models/NAME.toml
void set_parameter(Model& model, const std::string& name, double value);

/// References give numbers as numbers or as strings with more digits.
double number(const nlohmann::json& value);
Eigen::VectorXd vector(const nlohmann::json& values);
Eigen::MatrixXd matrix(const nlohmann::json& rows);

/// Largest difference, relative to the largest entry of the reference.
template <class A, class B>
double relative_error(const A& ours, const B& reference) {
  if (ours.rows() != reference.rows() || ours.cols() != reference.cols()) return 1e300;
  const double size = largest(reference);
  return largest(ours - reference) / (size > 0.0 ? size : 1.0);  // NaN if the reference is not finite
}

}  // namespace maggi::test
