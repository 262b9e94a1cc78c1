// SUNDIALS on the hand-written equations of Andrews' squeezer, index 1: what a good library costs besides them.
#include <cvode/cvode.h>
#include <ida/ida.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include <stdexcept>

#include "andrews_hand.hpp"
#include "andrews_run.hpp"
#include "measure.hpp"

namespace {

long evaluations = 0;

SUNContext context() {
  static SUNContext made = [] {
    SUNContext result;
    SUNContext_Create(nullptr, &result);
    return result;
  }();
  return made;
}

void require(int flag, const char* what) {
  if (flag < 0) throw std::runtime_error(std::string(what) + " failed with " + std::to_string(flag));
}

void at_rest(double* y) {
  std::copy(andrews::q0, andrews::q0 + 7, y);
  std::fill(y + 7, y + 14, 0.0);
}

/// Runs at the cheapest tolerance that is exact enough. `run(tolerance)` → error.
template <class Run>
void measure(const char* evaluated, const Run& run) {
  const double tolerance = bench::cheapest(bench::ladder(1e-6, 1e-10), andrews::demanded, run);
  const double seconds = bench::shortest([&] { run(tolerance); });
  bench::report(seconds, run(tolerance), {{"tolerance", tolerance}, {evaluated, static_cast<double>(evaluations)}});
}

int rate(realtype, N_Vector y, N_Vector ydot, void*) {
  const double* at = N_VGetArrayPointer(y);
  double* k = N_VGetArrayPointer(ydot);
  std::copy(at + 7, at + 14, k);
  andrews::acceleration(at, at + 7, k + 7);
  ++evaluations;
  return 0;
}

void adams(int) {
  N_Vector y = N_VNew_Serial(14, context());
  measure("evaluations", [&](double tolerance) {
    evaluations = 0;
    at_rest(N_VGetArrayPointer(y));
    void* memory = CVodeCreate(CV_ADAMS, context());
    CVodeInit(memory, rate, 0.0, y);
    CVodeSStolerances(memory, tolerance, tolerance);
    CVodeSetMaxNumSteps(memory, 1'000'000);
    SUNNonlinearSolver solver = SUNNonlinSol_FixedPoint(y, 0, context());
    CVodeSetNonlinearSolver(memory, solver);
    CVodeSetStopTime(memory, andrews::end);
    double t;
    require(CVode(memory, andrews::end, y, &t, CV_NORMAL), "CVODE");
    CVodeFree(&memory);
    SUNNonlinSolFree(solver);
    return andrews::error(N_VGetArrayPointer(y));
  });
  N_VDestroy(y);
}

/// y = (q, v, λ):  q̇ − v,  M v̇ − f + Gᵀλ,  G v̇ + γ.
int residual(realtype, N_Vector state, N_Vector derivative, N_Vector result, void*) {
  const double *y = N_VGetArrayPointer(state), *ydot = N_VGetArrayPointer(derivative), *a = ydot + 7;
  double *r = N_VGetArrayPointer(result), reaction[7];
  andrews::Terms t;
  andrews::terms(y, y + 7, t);
  andrews::mulGT(t, y + 14, reaction);
  const double inertia[7] = {t.M11 * a[0] + t.M21 * a[1], t.M21 * a[0] + t.M22 * a[1], t.M33 * a[2],
                             t.M44 * a[3] + t.M54 * a[4], t.M54 * a[3] + t.M55 * a[4], t.M66 * a[5] + t.M76 * a[6],
                             t.M76 * a[5] + t.M77 * a[6]};
  for (int i = 0; i < 7; ++i) r[i] = ydot[i] - y[7 + i], r[7 + i] = inertia[i] - t.f[i] + reaction[i];
  andrews::mulG(t, a, r + 14);
  for (int i = 0; i < 6; ++i) r[14 + i] += t.gam[i];
  ++evaluations;
  return 0;
}

void ida(int) {
  N_Vector y = N_VNew_Serial(20, context()), ydot = N_VClone(y), differential = N_VClone(y);
  SUNMatrix matrix = SUNDenseMatrix(20, 20, context());
  for (int i = 0; i < 20; ++i) N_VGetArrayPointer(differential)[i] = i < 14 ? 1.0 : 0.0;
  measure("residuals", [&](double tolerance) {
    double *at = N_VGetArrayPointer(y), *k = N_VGetArrayPointer(ydot);
    evaluations = 0;
    at_rest(at);
    std::fill(k, k + 20, 0.0);
    andrews::acceleration(at, at + 7, k + 7, at + 14);
    void* memory = IDACreate(context());
    IDAInit(memory, residual, 0.0, y, ydot);
    IDASStolerances(memory, tolerance, tolerance);
    IDASetId(memory, differential);
    IDASetSuppressAlg(memory, 1);
    IDASetMaxNumSteps(memory, 1'000'000);
    SUNLinearSolver solver = SUNLinSol_Dense(y, matrix, context());
    IDASetLinearSolver(memory, solver, matrix);
    IDASetStopTime(memory, andrews::end);
    double t;
    require(IDASolve(memory, andrews::end, &t, y, ydot, IDA_NORMAL), "IDA");
    IDAFree(&memory);
    SUNLinSolFree(solver);
    return andrews::error(at);
  });
  N_VDestroy(y), N_VDestroy(ydot), N_VDestroy(differential), SUNMatDestroy(matrix);
}

}  // namespace

int main(int argc, char** argv) {
  return bench::run(argc, argv, {{"andrews-cvode-run", adams}, {"andrews-ida-run", ida}});
}
