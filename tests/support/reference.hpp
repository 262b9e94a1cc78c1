#pragma once
#include <Eigen/Core>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

#include "maggi/io/model_file.hpp"

namespace maggi::test {

/// A file of tests/reference; a missing one is a failure.
inline nlohmann::json read_reference(const std::string& name) {
  std::ifstream file(std::string(MAGGI_SOURCE_DIR) + "/tests/reference/" + name);
  if (!file) throw std::runtime_error("missing reference data: tests/reference/" + name);
  return nlohmann::json::parse(file);
}

inline Model read_example(const std::string& name) {
  return read_model(std::string(MAGGI_SOURCE_DIR) + "/models/" + name + ".toml");
}

inline void set_parameter(Model& model, const std::string& name, double value) {
  for (Parameter& p : model.parameters)
    if (p.name == name) {
      p.value = Formula(value);
      return;
    }
  throw std::runtime_error("no parameter " + name);
}

/// References give numbers as numbers or as strings with more digits.
inline double number(const nlohmann::json& value) {
  return value.is_string() ? std::stod(value.get<std::string>()) : value.get<double>();
}

inline Eigen::VectorXd vector(const nlohmann::json& values) {
  if (!values.is_array()) return Eigen::VectorXd::Constant(1, number(values));
  Eigen::VectorXd result(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) result[i] = number(values[i]);
  return result;
}

inline Eigen::MatrixXd matrix(const nlohmann::json& rows) {
  Eigen::MatrixXd result(rows.size(), rows.at(0).size());
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t j = 0; j < rows[i].size(); ++j) result(i, j) = number(rows[i][j]);
  return result;
}

/// Largest difference, relative to the largest entry of the reference.
template <class A, class B>
double relative_error(const A& ours, const B& reference) {
  if (ours.rows() != reference.rows() || ours.cols() != reference.cols()) return 1e300;
  const double size = reference.cwiseAbs().maxCoeff();
  return (ours - reference).cwiseAbs().maxCoeff() / (size > 0.0 ? size : 1.0);
}

}  // namespace maggi::test
