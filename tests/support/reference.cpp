#include "support/reference.hpp"

#include <fstream>
#include <stdexcept>

namespace maggi::test {

nlohmann::json read_reference(const std::string& name) {
  std::ifstream file(source_path("tests/reference/" + name));
  if (!file) throw std::runtime_error("missing reference data: tests/reference/" + name);
  return nlohmann::json::parse(file);
}

Model read_example(const std::string& name) { return read_model(source_path("models/" + name + ".toml")); }

void set_parameter(Model& model, const std::string& name, double value) {
  for (Parameter& p : model.parameters)
    if (p.name == name) {
      p.value = Formula(value);
      return;
    }
  throw std::runtime_error("no parameter " + name);
}

double number(const nlohmann::json& value) {
  return value.is_string() ? std::stod(value.get<std::string>()) : value.get<double>();
}

Eigen::VectorXd vector(const nlohmann::json& values) {
  if (!values.is_array()) return Eigen::VectorXd::Constant(1, number(values));
  Eigen::VectorXd result(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) result[i] = number(values[i]);
  return result;
}

Eigen::MatrixXd matrix(const nlohmann::json& rows) {
  Eigen::MatrixXd result(rows.size(), rows.at(0).size());
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t j = 0; j < rows[i].size(); ++j) result(i, j) = number(rows[i][j]);
  return result;
}

}  // namespace maggi::test
