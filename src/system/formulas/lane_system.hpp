#pragma once
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/eight.hpp"
#include "expression/tape.hpp"
#include "system/formulas/equation_system.hpp"

namespace maggi {

/// Eight states of one system from formulas, evaluated side by side, each with parameters of its own: the same bits as
/// eight evaluations one by one, whatever the other lanes contain.
///
/// Each call evaluates what it is named after; the values are read by their place in the patterns of the shape. Copies
/// share the formulas and have memory of their own: one object per thread.
class LaneSystem {
 public:
  /// Why the motions of a system cannot be computed side by side, in words; empty if they can: its constraints are
  /// ideal, linear in v̇ and always in force, and nothing happens at events.
  static std::string why_not(const Shape& shape);

  /// Error (model) if why_not() says so. The system must outlive this object. All lanes have its parameters.
  explicit LaneSystem(const EquationSystem& system);

  const Shape& shape() const { return system_->shape(); }
  const EquationSystem& system() const { return *system_; }
  void set_parameters(int lane, std::span<const double> values);  ///< as EquationSystem::parameters()

  void acceleration(const Eight& t, const Eight* q, const Eight* v);  ///< M, C, h, γ
  void position(const Eight& t, const Eight* q);                      ///< f
  void velocity(const Eight& t, const Eight* q, const Eight* v);      ///< φ of the position and velocity rows

  const Eight& M(int k) const { return acceleration_(k); }  ///< entry k of the pattern of M
  const Eight& C(int k) const { return acceleration_(formulas_->C + k); }
  const Eight& h(int i) const { return acceleration_(formulas_->h + i); }
  const Eight& gamma(int i) const { return acceleration_(formulas_->gamma + i); }
  const Eight& f(int i) const { return position_(i); }
  const Eight& phi(int i) const { return velocity_(i); }

 private:
  struct Formulas {
    expression::Tape acceleration, position, velocity;
    int C = 0, h = 0, gamma = 0;  // places of their first outputs
  };
  /// A tape and its memory.
  struct Stage {
    const expression::Tape* tape = nullptr;
    std::vector<Eight> memory{};

    explicit Stage(const expression::Tape& t) : tape(&t), memory(t.slots()) {}
    const Eight& operator()(int output) const { return memory[tape->output(static_cast<std::size_t>(output))]; }
    void prepare(const std::vector<Eight>& parameters);
    void run(int n, const Eight& t, const Eight* q, const Eight* v);
  };

  const EquationSystem* system_;
  std::shared_ptr<const Formulas> formulas_;
  std::vector<Eight> parameters_;
  Stage acceleration_, position_, velocity_;
};

}  // namespace maggi
