#include "maggi/model.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/names.hpp"

namespace maggi {

Mechanism::Mechanism() = default;
Mechanism::Mechanism(const Mechanism&) = default;
Mechanism::Mechanism(Mechanism&&) noexcept = default;
Mechanism& Mechanism::operator=(const Mechanism&) = default;
Mechanism& Mechanism::operator=(Mechanism&&) noexcept = default;
Mechanism::~Mechanism() = default;

Model::Model() = default;
Model::Model(const Model&) = default;
Model::Model(Model&&) noexcept = default;
Model& Model::operator=(const Model&) = default;
Model& Model::operator=(Model&&) noexcept = default;
Model::~Model() = default;

Formula::Formula(double number) : text(fmt::format("{}", number)) {}  // shortest text that reads back the same

Parameter& find_parameter(Model& model, std::string_view name, const Where& where) {
  const auto found = std::ranges::find(model.parameters, name, &Parameter::name);
  if (found != model.parameters.end()) return *found;
  std::vector<std::string> names;
  for (const Parameter& parameter : model.parameters) names.push_back(parameter.name);
  throw Error(Errc::model, where,
              fmt::format("{} has no parameter named \"{}\"", model.file.empty() ? "the model" : model.file, name),
              names.empty() ? "it has no parameters" : suggest_name(std::string(name), names));
}

}  // namespace maggi
