// The limits: what a person with time would code for each work, as fast as we can.
#include <vector>

#include "andrews_hand.hpp"
#include "andrews_run.hpp"
#include "chain_hand.hpp"
#include "cranks_planar_hand.hpp"
#include "cranks_spatial_hand.hpp"
#include "explicit_runge_kutta.hpp"
#include "measure.hpp"

namespace {

using parallel_cranks::duration;

double largest_error(int loops, double first, double middle) {
  const double exact = parallel_cranks::acceleration(loops, parallel_cranks::in_motion.angle);
  return std::max(std::abs(first - exact), std::abs(middle - exact));
}

void cranks(int loops) {
  parallel_cranks::SpatialHand hand(loops);
  const double seconds = bench::shortest([&] { hand.evaluate(); });
  bench::report(seconds, largest_error(loops, hand.acceleration(0), hand.acceleration(loops / 2)));
}

void cranks_planar(int loops) {
  parallel_cranks::PlanarHand hand(loops);
  const double seconds = bench::shortest([&] { hand.evaluate(); });
  bench::report(seconds, largest_error(loops, hand.theta_ddot[0], hand.theta_ddot[loops / 2]));
}

void chain(int n) {
  open_chain::Hand hand(n);
  const double seconds = bench::shortest([&] { hand.evaluate(); });
  bench::report(seconds, open_chain::error(n, hand.a[0]));
}

/// The classical Runge-Kutta method with a fixed step, without projection; the angle of the first crank at the end.
double swing_with_step(int loops, double step) {
  parallel_cranks::PlanarHand hand(loops, parallel_cranks::swing);
  const int m = loops + 1;
  std::vector<double> q(2 * m), v(2 * m), k[4], w[4];
  for (int i = 0; i < m; ++i) q[i] = hand.theta[i], q[m + i] = hand.alpha[i];
  for (int s = 0; s < 4; ++s) k[s].resize(2 * m), w[s].resize(2 * m);
  const auto stage = [&](int s, double h) {
    for (int i = 0; i < m; ++i) {
      hand.theta[i] = q[i] + (s > 0 ? h * k[s - 1][i] : 0);
      hand.alpha[i] = q[m + i] + (s > 0 ? h * k[s - 1][m + i] : 0);
      hand.theta_dot[i] = v[i] + (s > 0 ? h * w[s - 1][i] : 0);
      hand.alpha_dot[i] = v[m + i] + (s > 0 ? h * w[s - 1][m + i] : 0);
    }
    hand.evaluate();
    for (int i = 0; i < m; ++i) {
      k[s][i] = hand.theta_dot[i], k[s][m + i] = hand.alpha_dot[i];
      w[s][i] = hand.theta_ddot[i], w[s][m + i] = i < loops ? hand.alpha_ddot[i] : 0;
    }
  };
  const long steps = std::lround(duration / step);
  for (long j = 0; j < steps; ++j) {
    stage(0, 0), stage(1, step / 2), stage(2, step / 2), stage(3, step);
    for (int i = 0; i < 2 * m; ++i) {
      q[i] += step / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
      v[i] += step / 6 * (w[0][i] + 2 * w[1][i] + 2 * w[2][i] + w[3][i]);
    }
  }
  return q[0];
}

void swing(int loops) {
  const double exact = parallel_cranks::after(loops, parallel_cranks::swing, duration).angle;
  const auto error = [&](double step) { return std::abs(swing_with_step(loops, step) - exact); };
  const double step = bench::cheapest({2e-2, 1e-2, 5e-3, 2e-3}, parallel_cranks::swing_error, error);
  bench::report(bench::shortest([&] { swing_with_step(loops, step); }), error(step), {{"step", step}});
}

void andrews_evaluation(int) {
  double q[7], v[7] = {}, a[7];
  std::copy(andrews::q0, andrews::q0 + 7, q);
  const double seconds = bench::shortest([&] {
    andrews::acceleration(q, v, a);
    v[0] = 1e-30 * a[0];  // the next call depends on this one
  });
  bench::report(seconds, std::abs(a[0] / andrews::start_beta_ddot - 1));
}

template <ARKODE_ERKTableID method>
void andrews_motion(int) {
  const bench::ExplicitRungeKutta<14> integrator(method);
  long evaluations = 0;
  std::array<double, 14> y;
  const auto rate = [&](const auto& at, auto& k) {
    std::copy(at.begin() + 7, at.end(), k.begin());
    andrews::acceleration(at.data(), at.data() + 7, k.data() + 7);
    ++evaluations;
  };
  const auto run = [&](double tolerance) {
    evaluations = 0;
    y.fill(0.0);
    std::copy(andrews::q0, andrews::q0 + 7, y.begin());
    integrator.run(rate, andrews::end, tolerance, y);
    return andrews::error(y.data());
  };
  const double tolerance = bench::cheapest(bench::ladder(1e-4, 1e-10), andrews::demanded, run);
  const double seconds = bench::shortest([&] { run(tolerance); });
  bench::report(seconds, run(tolerance), {{"tolerance", tolerance}, {"evaluations", static_cast<double>(evaluations)}});
}

}  // namespace

int main(int argc, char** argv) {
  return bench::run(argc, argv,
                    {{"cranks", cranks},
                     {"cranks-planar", cranks_planar},
                     {"chain", chain},
                     {"swing-run", swing},
                     {"andrews", andrews_evaluation},
                     {"andrews-run", andrews_motion<ARKODE_FEHLBERG_13_7_8>},
                     {"andrews-run-dopri5", andrews_motion<ARKODE_DORMAND_PRINCE_7_4_5>}});
}
