#pragma once
#include <array>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "expression/tape.hpp"
#include "maggi/expert/system.hpp"
#include "maggi/model.hpp"
#include "system/formulas/derived_equations.hpp"

namespace maggi {

/// The derivatives of equations that come from formulas, as tapes made from their expressions. A tape is made when it
/// is asked for first: a model that never asks pays nothing. Threads share one object, each with its own Memory.
class FormulaDerivatives {
 public:
  /// `equations` and `shape` must outlive it; of the model the parameters are kept.
  FormulaDerivatives(const DerivedEquations& equations, const Shape& shape, const Model& model);
  ~FormulaDerivatives();

  /// The values of one caller.
  struct Memory {
    std::array<std::vector<double>, 3> scratch;     ///< one for each tape
    std::array<std::vector<double>, 3> parameters;  ///< those that the tape was prepared for
  };

  void velocity(const Instant& at, std::span<const double> parameters, Memory& memory, Derivatives& d) const;
  void acceleration(const Instant& at, const Acceleration& held, const Vector& sense,
                    std::span<const double> parameters, Memory& memory, Derivatives& d) const;
  void parameter(const Instant& at, const Acceleration& held, const Vector& sense, const std::vector<int>& which,
                 std::span<const double> parameters, Memory& memory, Derivatives& d) const;

 private:
  enum Kind { by_positions, by_state, by_parameters };

  /// An entry of a matrix that is not zero everywhere.
  struct Entry {
    Matrix Derivatives::*matrix;
    int row, col;
    std::uint32_t slot;
  };
  struct Program {
    std::once_flag made;
    expression::Tape tape;
    std::vector<Entry> entries;
  };
  class Builder;

  const Program& program(Kind kind) const;
  void run(Kind kind, const Instant& at, const Acceleration* held, const Vector* sense,
           std::span<const double> parameters, Memory& memory, Derivatives& d) const;

  const DerivedEquations& equations_;
  const Shape& shape_;
  std::vector<Parameter> parameters_;
  std::vector<TableFile> tables_;
  mutable std::array<Program, 3> programs_;
};

}  // namespace maggi
