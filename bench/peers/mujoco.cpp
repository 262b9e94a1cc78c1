// MuJoCo: joint coordinates; loops are "connect" equalities (three rows each), soft by design and as stiff here as the
// step allows. Fixed steps; Newton's method on the dual of the forces.
#include <mujoco/mujoco.h>

#include <cstring>
#include <memory>

#include "engine.hpp"

namespace {

using parallel_cranks::Motion;

std::string text(double x) {
  char digits[32];
  std::snprintf(digits, sizeof digits, "%.17g", x);
  return digits;
}
std::string point(double x, double y) { return "\"" + text(x) + " " + text(y) + " 0\""; }

std::string option(double gravity, double step, long memory, int rows, const std::string& integrator = "RK4") {
  return "<mujoco><compiler angle=\"radian\" inertiafromgeom=\"false\" boundmass=\"0\"/><size njmax=\"" +
         std::to_string(rows) + "\" nconmax=\"1\" nstack=\"" + std::to_string(memory) + "\"/><option gravity=\"0 " +
         text(-gravity) + " 0\" timestep=\"" + text(step) + "\" solver=\"Newton\" integrator=\"" + integrator +
         "\" tolerance=\"1e-12\" iterations=\"100\"/>";
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

/// A model at its start.
class Model {
 public:
  explicit Model(const std::string& xml) {
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
  virtual ~Model() = default;
  virtual double acceleration() const { return data->qacc[0]; }
  virtual std::vector<double> observed() const = 0;

  struct Delete {
    void operator()(mjModel* each) const { mj_deleteModel(each); }
    void operator()(mjData* each) const { mj_deleteData(each); }
  };
  std::unique_ptr<mjModel, Delete> model;
  std::unique_ptr<mjData, Delete> data;
};

struct Cranks final : Model {
  Cranks(int loops, double step, Motion at) : Model(xml(loops, step)) {
    for (int i = 0; i < model->nv; ++i) {  // crank 0, coupler 0, crank 1, …
      const double sign = i % 2 == 0 ? -1 : 1;
      data->qpos[i] = sign * at.angle, data->qvel[i] = sign * at.speed;
    }
  }
  double acceleration() const override { return -data->qacc[0]; }
  std::vector<double> observed() const override { return {-data->qpos[0]}; }
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

struct Chain final : Model {
  Chain(int n, double step) : Model(xml(n, step)) {
    for (int i = 0; i < n; ++i) data->qpos[i] = open_chain::angle(i), data->qvel[i] = open_chain::speed;
  }
  std::vector<double> observed() const override { return {}; }
  static std::string xml(int n, double step) {
    std::string result = option(9.81, step, 2'000'000L + 200L * n * n, 10) + "<worldbody>";
    for (int i = 0; i < n; ++i)
      result += body("rod" + std::to_string(i),
                     "pos=" + point(0, i > 0 ? 1 : 0) + " euler=\"0 " +
                         (open_chain::turned(i) ? text(parallel_cranks::pi / 2) : std::string("0")) + " 0\"",
                     point(0, 0.5), 1, along_y);
    for (int i = 0; i < n; ++i) result += "</body>";
    return result + "</worldbody></mujoco>";
  }
};

struct Squeezer final : Model {
  static constexpr const char* names[7] = {"K1", "K2", "K3", "K4", "K5", "K6", "K7"};

  explicit Squeezer(double step) : Model(xml(step)) {
    namespace A = andrews;
    // "connect" takes its second anchor from the pose as written, which is not assembled: it is set here
    const double anchor[3][2] = {{0, -A::ss}, {0, -A::e}, {A::zf, 0}};
    for (int i = 0; i < 3; ++i) {
      mjtNum* pair = model->eq_data + mjNEQDATA * i;
      pair[0] = -A::d, pair[1] = pair[2] = 0;
      pair[3] = anchor[i][0], pair[4] = anchor[i][1], pair[5] = 0;
    }
    for (int i = 0; i < 7; ++i) place[i] = model->jnt_qposadr[mj_name2id(model.get(), mjOBJ_JOINT, names[i])];
    for (int i = 0; i < 7; ++i) data->qpos[place[i]] = andrews::q0[i];
    data->ctrl[0] = andrews::mom;
  }
  double acceleration() const override { return data->qacc[place[0]]; }
  std::vector<double> observed() const override {
    std::vector<double> q(7);
    for (int i = 0; i < 7; ++i) q[i] = data->qpos[place[i]];
    return q;
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

struct Pendulum final : Model {
  explicit Pendulum(double step)
      : Model(option(9.81, step, 100'000, 10) + "<worldbody>" +
              body("bob", "pos=" + point(0, 0), point(-1, 0), 1, "1e-15 1e-15 1e-15") +
              "</body></worldbody></mujoco>") {}
  std::vector<double> observed() const override { return {-std::cos(data->qpos[0]), -std::sin(data->qpos[0])}; }
};

/// The sixth hinge is closed at two points of its axis.
struct Bricard final : Model {
  explicit Bricard(double step) : Model(xml(step)) {}
  std::vector<double> observed() const override {
    const mjtNum* at = data->site_xpos + 3 * mj_name2id(model.get(), mjOBJ_SITE, "P3");
    return {at[0], at[1], at[2]};
  }
  static std::string xml(double step) {
    struct Rod {
      const char *pin, *axis, *centre;
      int along;
    };
    const Rod rods[] = {{"0 0 0", "0 1 0", "0.5 0 0", 0},
                        {"1 0 0", "0 0 1", "0 -0.5 0", 1},
                        {"0 -1 0", "1 0 0", "0 0 0.5", 2},
                        {"0 0 1", "0 1 0", "-0.5 0 0", 0},
                        {"-1 0 0", "0 0 1", "0 0.5 0", 1}};
    std::string result = option(parallel_cranks::gravity, step, 1'000'000, 50) + "<worldbody>";
    for (const Rod& rod : rods) {
      const double flat = 0.02 / 12, across = 1.01 / 12;  // a box of 1 × 0.1 × 0.1 m
      std::string inertia;
      for (int k = 0; k < 3; ++k) inertia += (k > 0 ? " " : "") + text(k == rod.along ? flat : across);
      result += std::string("<body name=\"rod") + std::to_string(&rod - rods) + "\" pos=\"" + rod.pin +
                "\"><joint type=\"hinge\" axis=\"" + rod.axis + "\"/><inertial pos=\"" + rod.centre +
                "\" mass=\"1\" diaginertia=\"" + inertia + "\"/>";
      if (&rod - rods == 1) result += "<site name=\"P3\" pos=\"0 -1 0\"/>";
    }
    for (int i = 0; i < 5; ++i) result += "</body>";
    result += "</worldbody><equality>";
    for (const char* at : {"0 1 0", "1 1 0"})
      result += std::string("<connect body1=\"rod4\" anchor=\"") + at + "\"" + stiffness(step);
    return result + "</equality></mujoco>";
  }
};

/// No loops; the struts are tendons. z is up.
struct Governor final : Model {
  Governor(double step, const std::string& integrator) : Model(xml(step, integrator)) {
    model->opt.gravity[2] = -9.81;
    data->qvel[0] = 2 * parallel_cranks::pi;
  }
  std::vector<double> observed() const override {  // spindle, guide, the pins: upwards
    return {0.5 + data->qpos[1], parallel_cranks::pi / 6 - data->qpos[2]};
  }
  static std::string xml(double step, const std::string& integrator) {
    const double c = std::cos(parallel_cranks::pi / 6), s = std::sin(parallel_cranks::pi / 6);
    const auto brick = [](double m, double x, double y, double z) {
      return "mass=\"" + text(m) + "\" diaginertia=\"" + text(m / 12 * (y * y + z * z)) + " " +
             text(m / 12 * (x * x + z * z)) + " " + text(m / 12 * (x * x + y * y)) + "\"/>";
    };
    std::string result = option(0, step, 100'000, 10, integrator);
    result += "<worldbody><body name=\"shaft\"><joint type=\"hinge\" axis=\"0 0 1\"/><inertial pos=\"0 0 0.5\" " +
              brick(0.3, 0.01, 0.01, 1) +
              "<body name=\"slider\" pos=\"0 0 0.5\"><joint type=\"slide\" axis=\"0 0 1\"/><inertial pos=\"0 0 0\" " +
              brick(3, 0.1, 0.1, 0.1) +
              "<site name=\"s1\" pos=\"0.05 0 0\"/><site name=\"s2\" pos=\"-0.05 0 0\"/></body>";
    for (int side : {1, -1}) {
      const double x = side * c / 2, z = -s / 2;  // the middle of the arm
      const std::string number = side > 0 ? "1" : "2",
                        along = "euler=\"0 " + text(side * parallel_cranks::pi / 6) + " 0\" ";
      const std::string at = text(side * 0.05) + " 0 1";
      result += "<body pos=\"" + at + "\"><joint type=\"hinge\" axis=\"0 " + (side > 0 ? "-1" : "1") +
                " 0\"/><inertial pos=\"" + text(x) + " 0 " + text(z) + "\" " + along + brick(0.3, 1, 0.01, 0.01) +
                "<site name=\"a" + number + "\" pos=\"" + text(x) + " 0 " + text(z) + "\"/><body pos=\"" + text(2 * x) +
                " 0 " + text(2 * z) +
                "\"><inertial pos=\"0 0 0\" mass=\"5\" diaginertia=\"1e-15 1e-15 1e-15\"/></body></body>";
    }
    result += "</body></worldbody><tendon>";
    for (const char* number : {"1", "2"})
      result += std::string("<spatial stiffness=\"8e5\" damping=\"4e4\" springlength=\"0.5\"><site site=\"a") + number +
                "\"/><site site=\"s" + number + "\"/></spatial>";
    return result + "</tendon></mujoco>";
  }
};

std::unique_ptr<Model> make(const bench::Problem& problem, double step, const std::string& method = "") {
  if (problem.name == "cranks") return std::make_unique<Cranks>(problem.size, step, parallel_cranks::in_motion);
  if (problem.name == "swing") return std::make_unique<Cranks>(problem.size, step, parallel_cranks::swing);
  if (problem.name == "tumbling") return std::make_unique<Cranks>(problem.size, step, parallel_cranks::tumbling);
  if (problem.name == "chain") return std::make_unique<Chain>(problem.size, step);
  if (problem.name == "andrews") return std::make_unique<Squeezer>(step);
  if (problem.name == "pendulum") return std::make_unique<Pendulum>(step);
  if (problem.name == "bricard") return std::make_unique<Bricard>(step);
  if (problem.name == "governor") return std::make_unique<Governor>(step, method.empty() ? "RK4" : method);
  throw bench::NotOffered();
}

class Mujoco final : public bench::Engine {
 public:
  bench::Evaluation evaluate(const bench::Problem& problem) override {
    const auto made = make(problem, problem.name == "andrews" ? 1e-5 : 1e-3);
    const double seconds = bench::shortest([&] {
      mju_zero(made->data->qacc_warmstart, made->model->nv);  // as if it had never been here
      mj_forward(made->model.get(), made->data.get());
    });
    return {seconds, made->acceleration()};
  }

  bench::Course run(const bench::Problem& problem, const bench::Goal& goal, const std::string& method,
                    double step) override {
    const auto made = make(problem, step, method);
    mjModel* model = made->model.get();
    mjData* data = made->data.get();
    model->opt.enableflags |= mjENBL_ENERGY;
    mj_forward(model, data);
    const double at_first = data->energy[0] + data->energy[1], begin = bench::cpu_seconds();
    double drift = 0;
    for (long i = std::lround(goal.until / step); i > 0; --i) {
      mj_step(model, data);
      drift = std::max(drift, std::abs(data->energy[0] + data->energy[1] - at_first));
    }
    const double seconds = bench::cpu_seconds() - begin;
    if (data->warning[mjWARN_BADQACC].number > 0) throw std::runtime_error("unstable");  // it has started afresh
    return {seconds, made->observed(), {{"drift", drift}, {"steps", std::round(goal.until / step)}}};
  }

  std::vector<double> settings(const bench::Problem& problem, const std::string&) override {
    if (problem.name == "andrews") return {1e-4, 3e-5, 1e-5, 3e-6};
    if (problem.name == "governor") return {1e-3, 5e-4, 2e-4, 1e-4, 5e-5};
    return {2e-2, 1e-2, 5e-3, 2e-3, 1e-3};
  }
  const char* setting() const override { return "step"; }
};

}  // namespace

int main(int argc, char** argv) {
  mju_user_warning = [](const char*) {};
  Mujoco engine;
  return bench::run(argc, argv, engine);
}
