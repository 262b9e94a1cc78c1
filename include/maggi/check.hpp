#pragma once
#include <memory>
#include <string>
#include <vector>

namespace maggi {

/// What a model is, before it runs: degrees of freedom, rank, redundant constraints, loops, hidden constraints. A
/// value; to_text() prints it for people, to_json() for programs.
class Check {
 public:
  struct Data;
  explicit Check(std::shared_ptr<const Data> data) : data_(std::move(data)) {}

  int degrees_of_freedom() const;
  int rank() const;                             ///< of the constraints in force; of a mechanism, with every body free
  int constraints() const;                      ///< rows; of a mechanism, those of all its joints and all others
  std::vector<std::string> redundant() const;   ///< names of the rows that follow from others
  std::vector<std::string> not_unique() const;  ///< names of the rows whose multipliers are not unique
  bool singular_configuration() const;          ///< is the rank higher nearby?
  std::vector<std::string> hidden() const;      ///< hidden constraints, as formulas that are zero
  std::string formulation() const;              ///< the one that is chosen
  std::string reason() const;                   ///< and why

  const Data& data() const { return *data_; }  ///< what the library's own writers and texts read

 private:
  std::shared_ptr<const Data> data_;
};

}  // namespace maggi
