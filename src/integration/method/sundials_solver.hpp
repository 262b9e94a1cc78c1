#pragma once
#include <string>

#include "integration/method/sundials_objects.hpp"

namespace maggi::integration {

/// What one solver of SUNDIALS calls the functions that every solver of SUNDIALS has.
struct SundialsFunctions {
  const char* name;
  void (*free)(void** memory);
  int (*error_test_failures)(void* memory, long* count);
  int (*convergence_failures)(void* memory, long* count);
  int (*interpolate)(void* memory, double t, int derivative, N_Vector y);
  int (*use_linear_solver)(void* memory, SUNLinearSolver solver, SUNMatrix matrix);
  int too_much_accuracy;  // the flag
#if SUNDIALS_VERSION_MAJOR < 7
  int (*handle_errors)(void* memory, void (*handler)(int, const char*, const char*, char*, void*), void* self);
#endif
};

/// CVODE or IDA, with the vectors and matrices that it works on. Its size may change between two steps.
class SundialsSolver {
 public:
  explicit SundialsSolver(const SundialsFunctions& functions) : functions_(functions) {}
  ~SundialsSolver() { functions_.free(&memory_); }
  SundialsSolver(const SundialsSolver&) = delete;
  SundialsSolver& operator=(const SundialsSolver&) = delete;

  /// A new solver in the place of the old: `memory` is what CVodeCreate or IDACreate returned.
  void create(void* memory, int size);
  void use_dense_matrices();  ///< after its initialisation

  void* memory() const { return memory_; }
  SUNContext context() const { return context_; }
  N_Vector vector() const { return y_.get(); }  ///< for the solver's own functions
  double* y() const { return values(y_.get()); }
  SundialsPtr<N_Vector> new_vector() const { return own(N_VNew_Serial(size_, context_)); }

  void interpolate(double t, double* y, int size);  ///< the first `size` unknowns, within the last step
  void about_to_restart();                          ///< counts of the solver begin again
  long rejections() const;                          ///< steps, since the first solver was created
  std::string why_it_gives_up(double t, int flag) const;

 private:
  long rejections_of_this() const;

  const SundialsFunctions& functions_;
  SundialsContext context_;
  SundialsPtr<N_Vector> y_, between_;
  SundialsPtr<SUNMatrix> matrix_;
  SundialsPtr<SUNLinearSolver> linear_;
  int size_ = 0;
  long rejected_ = 0;  // before the last restart
  void* memory_ = nullptr;
};

}  // namespace maggi::integration
