#include "integration/method/sundials_solver.hpp"

#include <fmt/format.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include <algorithm>

namespace maggi::integration {

void SundialsSolver::create(void* memory, int size) {
  functions_.free(&memory_);
  memory_ = memory;
  if (!memory_) throw std::bad_alloc();
#if SUNDIALS_VERSION_MAJOR < 7
  functions_.handle_errors(memory_, SundialsContext::keep_message, &context_);
#endif
  size_ = size;
  y_ = new_vector();
  between_ = new_vector();
}

void SundialsSolver::use_dense_matrices() {
  matrix_ = own(SUNDenseMatrix(size_, size_, context_));
  linear_ = own(SUNLinSol_Dense(y_.get(), matrix_.get(), context_));
  functions_.use_linear_solver(memory_, linear_.get(), matrix_.get());
}

void SundialsSolver::interpolate(double t, double* y, int size) {
  functions_.interpolate(memory_, t, 0, between_.get());
  std::copy_n(values(between_.get()), size, y);
}

void SundialsSolver::about_to_restart() { rejected_ += rejections_of_this(); }

long SundialsSolver::rejections() const { return rejected_ + rejections_of_this(); }

long SundialsSolver::rejections_of_this() const {
  if (!memory_) return 0;  // done before it began
  long errors = 0, divergences = 0;
  functions_.error_test_failures(memory_, &errors);
  functions_.convergence_failures(memory_, &divergences);
  return errors + divergences;
}

std::string SundialsSolver::why_it_gives_up(double t, int flag) const {
  const char* help =
      flag == functions_.too_much_accuracy ? " (the tolerances ask for more than double precision has)" : "";
  return fmt::format("at t = {:.9g} s {} gives up: {}{}", t, functions_.name, context_.last_message(), help);
}

}  // namespace maggi::integration
