// MuJoCo: joint coordinates; loops are "connect" equalities (three rows each), soft by design and as stiff here as the
// step allows. Fixed steps; Newton's method on the dual of the forces.
#include <mujoco/mujoco.h>

#include <cstring>
#include <memory>
#include <stdexcept>

#include "andrews_hand.hpp"
#include "andrews_run.hpp"
#include "chain_hand.hpp"
#include "measure.hpp"
#include "parallel_cranks.hpp"

namespace {

using parallel_cranks::duration;
using parallel_cranks::Motion;

std::string text(double x) {
  char digits[32];
  std::snprintf(digits, sizeof digits, "%.17g", x);
  return digits;
}
std::string point(double x, double y) { return "\"" + text(x) + " " + text(y) + " 0\""; }

std::string option(double gravity, double step, long memory, int rows) {
  return "<mujoco><compiler angle=\"radian\" inertiafromgeom=\"false\" boundmass=\"0\"/><size njmax=\"" +
         std::to_string(rows) + "\" nconmax=\"1\" nstack=\"" + std::to_string(memory) + "\"/><option gravity=\"0 " +
         text(-gravity) + " 0\" timestep=\"" + text(step) +
         "\" solver=\"Newton\" integrator=\"RK4\" tolerance=\"1e-12\" iterations=\"100\"/>";
}
/// Time constant and impedance of an equality.
std::string stiffness(double step) {
  return " solref=\"" + text(2 * step) + " 1\" solimp=\"0.9999 0.9999 0.001 0.5 2\"/>";
}

/// A hinge about z and the body that it holds, left open.
std::string body(const std::string& name, const std::string& at, const std::string& centre, double mass,
                 const std::string& inertia) {
  return "<body name=\"" + name + "\" " + at + "><joint name=\"" + name +
         "\" type=\"hinge\" axis=\"0 0 1\"/><inertial pos=" + centre + " mass=\"" + text(mass) + "\" diaginertia=\"" +
         inertia + "\"/>";
}
const std::string along_y = text(1.0 / 12) + " " + text(spatial::thin) + " " + text(1.0 / 12),
                  along_x = text(spatial::thin) + " " + text(1.0 / 12) + " " + text(1.0 / 12);

struct Engine {
  explicit Engine(const std::string& xml) {
    const auto files = std::make_unique<mjVFS>();
    mj_defaultVFS(files.get());
    mj_makeEmptyFileVFS(files.get(), "model.xml", static_cast<int>(xml.size()));
    std::memcpy(files->filedata[0], xml.data(), xml.size());
    char why[500] = "";
    model.reset(mj_loadXML("model.xml", files.get(), why, sizeof why));
    mj_deleteVFS(files.get());
    if (!model) throw std::runtime_error(why);
    data.reset(mj_makeData(model.get()));
  }
  double time_evaluation() {
    return bench::shortest([&] {
      mju_zero(data->qacc_warmstart, model->nv);  // as if it had never been here
      mj_forward(model.get(), data.get());
    });
  }
  struct Delete {
    void operator()(mjModel* each) const { mj_deleteModel(each); }
    void operator()(mjData* each) const { mj_deleteData(each); }
  };
  std::unique_ptr<mjModel, Delete> model;
  std::unique_ptr<mjData, Delete> data;
};

struct Cranks : Engine {
  Cranks(int loops, double step, Motion at) : Engine(xml(loops, step)) {
    for (int i = 0; i < model->nv; ++i) {  // crank 0, coupler 0, crank 1, …
      const double sign = i % 2 == 0 ? -1 : 1;
      data->qpos[i] = sign * at.angle, data->qvel[i] = sign * at.speed;
    }
  }
  static std::string xml(int loops, double step) {
    std::string result = option(parallel_cranks::gravity, step, 2'000'000L + 200L * loops * loops, 3 * loops + 10);
    result += "<worldbody>";
    for (int i = 0; i <= loops; ++i) {
      result += body("crank" + std::to_string(i), "pos=" + point(i, 0), point(0, 0.5), 1, along_y);
      if (i < loops)
        result += body("coupler" + std::to_string(i), "pos=" + point(0, 1), point(0.5, 0), 1, along_x) + "</body>";
      result += "</body>";
    }
    result += "</worldbody><equality>";
    for (int i = 0; i < loops; ++i)
      result += "<connect body1=\"coupler" + std::to_string(i) + "\" body2=\"crank" + std::to_string(i + 1) +
                "\" anchor=" + point(1, 0) + stiffness(step);
    return result + "</equality></mujoco>";
  }
};

void cranks(int loops) {
  Cranks engine(loops, 1e-3, parallel_cranks::in_motion);
  const double seconds = engine.time_evaluation();
  bench::report(seconds, std::abs(-engine.data->qacc[0] -
                                  parallel_cranks::acceleration(loops, parallel_cranks::in_motion.angle)));
}

void chain(int n) {
  std::string xml = option(9.81, 1e-3, 2'000'000L + 200L * n * n, 10) + "<worldbody>";
  for (int i = 0; i < n; ++i)
    xml += body("rod" + std::to_string(i),
                "pos=" + point(0, i > 0 ? 1 : 0) + " euler=\"0 " +
                    (open_chain::turned(i) ? text(parallel_cranks::pi / 2) : std::string("0")) + " 0\"",
                point(0, 0.5), 1, along_y);
  for (int i = 0; i < n; ++i) xml += "</body>";
  Engine engine(xml + "</worldbody></mujoco>");
  for (int i = 0; i < n; ++i) engine.data->qpos[i] = open_chain::angle(i), engine.data->qvel[i] = open_chain::speed;
  const double seconds = engine.time_evaluation();
  bench::report(seconds, open_chain::error(n, engine.data->qacc[0]));
}

struct Result {
  double seconds, error, drift;
};
Result run(int loops, Motion start, double step) {
  Cranks engine(loops, step, start);
  mjData& data = *engine.data;
  engine.model->opt.enableflags |= mjENBL_ENERGY;
  mj_forward(engine.model.get(), &data);
  const double at_first = data.energy[0] + data.energy[1], begin = bench::cpu_seconds();
  double drift = 0;
  for (long i = std::lround(duration / step); i > 0; --i) {
    mj_step(engine.model.get(), &data);
    drift = std::max(drift, std::abs(data.energy[0] + data.energy[1] - at_first));
  }
  const double seconds = bench::cpu_seconds() - begin;
  return {seconds, std::abs(-data.qpos[0] - parallel_cranks::after(loops, start, duration).angle), drift};
}

void motion(int loops, Motion start, double demanded, const std::vector<double>& steps) {
  Result result{};
  const double step = bench::cheapest(steps, demanded, [&](double each) {
    result = run(loops, start, each);
    return result.error;
  });
  const Result again = run(loops, start, step);
  bench::report(std::min(again.seconds, result.error <= demanded ? result.seconds : again.seconds), again.error,
                {{"step", step}, {"drift", again.drift}});
}
void swing(int loops) {
  motion(loops, parallel_cranks::swing, parallel_cranks::swing_error, {2e-2, 1e-2, 5e-3, 2e-3, 1e-3});
}
void tumbling(int loops) {
  motion(loops, parallel_cranks::tumbling, parallel_cranks::tumbling_error, {2e-2, 1e-2, 5e-3, 2e-3});
}

struct Squeezer : Engine {
  static constexpr const char* names[7] = {"K1", "K2", "K3", "K4", "K5", "K6", "K7"};

  explicit Squeezer(double step) : Engine(xml(step)) {
    namespace A = andrews;
    // "connect" takes its second anchor from the pose as written, which is not assembled: it is set here
    const double anchor[3][2] = {{0, -A::ss}, {0, -A::e}, {A::zf, 0}};
    for (int i = 0; i < 3; ++i) {
      mjtNum* pair = model->eq_data + mjNEQDATA * i;
      pair[0] = -A::d, pair[1] = pair[2] = 0;
      pair[3] = anchor[i][0], pair[4] = anchor[i][1], pair[5] = 0;
    }
    for (int i = 0; i < 7; ++i) place[i] = model->jnt_qposadr[mj_name2id(model.get(), mjOBJ_JOINT, names[i])];
  }
  void at_rest() {
    mj_resetData(model.get(), data.get());
    for (int i = 0; i < 7; ++i) data->qpos[place[i]] = andrews::q0[i];
    data->ctrl[0] = andrews::mom;
  }
  static std::string xml(double step) {
    namespace A = andrews;
    const auto link = [](int k, double x, double y, double m, double i, double cx, double cy) {
      return body(names[k - 1], "pos=" + point(x, y), point(cx, cy), m, text(i) + " " + text(i) + " " + text(i));
    };
    const auto site = [](const char* name, double x, double y) {
      return std::string("<site name=\"") + name + "\" pos=" + point(x, y) + "/>";
    };
    std::string result = option(0, step, 2'000'000, 50) + "<worldbody>" + site("C", A::xc, A::yc);
    result += link(1, 0, 0, A::m1, A::i1, A::ra, 0) + link(2, A::rr, 0, A::m2, A::i2, -A::da, 0) + "</body></body>";
    result += link(3, A::xb, A::yb, A::m3, A::i3, A::sa, -A::sb) + site("D", A::sd, -A::sc) + "</body>";
    result += link(5, A::xa, A::ya, A::m5, A::i5, A::ta, A::tb) + link(4, A::zt, 0, A::m4, A::i4, 0, -(A::e - A::ea)) +
              "</body></body>";
    result += link(7, A::xa, A::ya, A::m7, A::i7, A::ua, -A::ub) + link(6, 0, -A::u, A::m6, A::i6, A::zf - A::fa, 0) +
              "</body></body></worldbody>";
    result += "<tendon><spatial stiffness=\"" + text(A::c0) + "\" springlength=\"" + text(A::l0) +
              "\"><site site=\"D\"/><site site=\"C\"/></spatial></tendon><equality>";
    for (const char* other : {"K3", "K4", "K6"})
      result +=
          std::string("<connect body1=\"K2\" body2=\"") + other + "\" anchor=" + point(-A::d, 0) + stiffness(step);
    return result + "</equality><actuator><motor joint=\"K1\" gear=\"1\"/></actuator></mujoco>";
  }
  int place[7];
};

void andrews_evaluation(int) {
  Squeezer engine(1e-5);
  engine.at_rest();
  const double seconds = engine.time_evaluation();
  bench::report(seconds, std::abs(engine.data->qacc[engine.place[0]] / andrews::start_beta_ddot - 1));
}

void andrews_motion(int) {
  double seconds = 0;
  const auto run = [&](double step) {
    Squeezer engine(step);
    engine.at_rest();
    const double begin = bench::cpu_seconds();
    for (long i = std::lround(andrews::end / step); i > 0; --i) mj_step(engine.model.get(), engine.data.get());
    seconds = bench::cpu_seconds() - begin;
    double q[7];
    for (int i = 0; i < 7; ++i) q[i] = engine.data->qpos[engine.place[i]];
    return andrews::error(q);
  };
  const double step = bench::cheapest({1e-4, 3e-5, 1e-5, 3e-6}, andrews::demanded, run);
  const double error = run(step);
  bench::report(seconds, error, {{"step", step}});
}

}  // namespace

int main(int argc, char** argv) {
  return bench::run(argc, argv,
                    {{"cranks", cranks},
                     {"chain", chain},
                     {"swing", swing},
                     {"tumbling", tumbling},
                     {"andrews", andrews_evaluation},
                     {"andrews-run", andrews_motion}});
}
