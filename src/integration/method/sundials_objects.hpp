#pragma once
#include <nvector/nvector_serial.h>
#include <sundials/sundials_config.h>
#include <sundials/sundials_context.h>
#include <sundials/sundials_linearsolver.h>
#include <sundials/sundials_matrix.h>
#include <sundials/sundials_nonlinearsolver.h>

#include <exception>
#include <memory>
#include <new>
#include <string>
#include <type_traits>

namespace maggi::integration {

// SUNDIALS objects that free themselves; declare the context first, it must go last

/// Keeps what SUNDIALS has to say instead of letting it print.
class SundialsContext {
 public:
  SundialsContext();
  ~SundialsContext() { SUNContext_Free(&context_); }
  SundialsContext(const SundialsContext&) = delete;
  SundialsContext& operator=(const SundialsContext&) = delete;
  operator SUNContext() const { return context_; }  // NOLINT(google-explicit-constructor)

  const std::string& last_message() const { return message_; }
#if SUNDIALS_VERSION_MAJOR < 7  // where every solver has its own handler
  static void keep_message(int code, const char*, const char*, char* message, void* self) {
    if (code < 0) static_cast<SundialsContext*>(self)->message_ = message;
  }
#endif

 private:
  SUNContext context_ = nullptr;
  std::string message_;
};

#if SUNDIALS_VERSION_MAJOR < 7

inline SundialsContext::SundialsContext() {
  if (SUNContext_Create(nullptr, &context_) != 0) throw std::bad_alloc();
}

#else

inline SundialsContext::SundialsContext() {
  if (SUNContext_Create(SUN_COMM_NULL, &context_) != 0) throw std::bad_alloc();
  SUNContext_ClearErrHandlers(context_);  // the one that prints
  const SUNErrHandlerFn keep_message = [](int, const char*, const char*, const char* message, SUNErrCode code,
                                          void* self, SUNContext) {
    if (code < 0 && message) static_cast<SundialsContext*>(self)->message_ = message;
  };
  SUNContext_PushErrHandler(context_, keep_message, this);
}

#endif

struct SundialsFree {
  void operator()(N_Vector v) const { N_VDestroy(v); }
  void operator()(SUNMatrix a) const { SUNMatDestroy(a); }
  void operator()(SUNLinearSolver s) const { SUNLinSolFree(s); }
  void operator()(SUNNonlinearSolver s) const { SUNNonlinSolFree(s); }
};

template <class Handle>
using SundialsPtr = std::unique_ptr<std::remove_pointer_t<Handle>, SundialsFree>;

/// Takes what a SUNDIALS constructor returns.
template <class Handle>
SundialsPtr<Handle> own(Handle handle) {
  if (!handle) throw std::bad_alloc();
  return SundialsPtr<Handle>(handle);
}

inline double* values(N_Vector v) { return N_VGetArrayPointer(v); }

/// Carries an exception from a callback over the C code of SUNDIALS.
class CarriedException {
 public:
  /// What `callback` returns, or −1 (unrecoverable) if it throws.
  template <class Callback>
  int guard(const Callback& callback) noexcept {
    try {
      return callback();
    } catch (...) {
      exception_ = std::current_exception();
      return -1;
    }
  }
  void rethrow() const {
    if (exception_) std::rethrow_exception(exception_);
  }

 private:
  std::exception_ptr exception_;
};

}  // namespace maggi::integration
