// The one-step methods by themselves: the conditions on their coefficients, and what they promise the loop around them.
#include "integration/method/make_step.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "dynamics/dynamics.hpp"
#include "integration/method/dop853.hpp"
#include "integration/method/dopri5.hpp"
#include "support/motion.hpp"

namespace maggi::integration {
namespace {

std::unique_ptr<OneStep> named_step(Choice<Integrator> method, int size, Tolerance tolerance) {
  return make_step(method.value(), size, tolerance);
}

// The coefficients are given to 16 digits and at most 500 in size: sums of 16 terms are good to 1e-12.
constexpr double rounding = 1e-12;

template <class Method>
class Tableau : public ::testing::Test {
 protected:
  static double dot(const typename Method::Row& w, int power) {
    double sum = 0.0;
    for (std::size_t j = 0; j < Method::c.size(); ++j) sum += w[j] * std::pow(Method::c[j], power);
    return sum;
  }
  static constexpr int order = Method::rule.order;
};
using Methods = ::testing::Types<Dopri5, Dop853>;
TYPED_TEST_SUITE(Tableau, Methods);

TYPED_TEST(Tableau, EveryStageIsAtItsTime) {
  for (std::size_t j = 0; j < TypeParam::c.size(); ++j) {
    EXPECT_NEAR(this->dot(TypeParam::a[j], 0), TypeParam::c[j], rounding) << "stage " << j + 1;
    for (std::size_t l = j; l < TypeParam::c.size(); ++l) EXPECT_EQ(TypeParam::a[j][l], 0.0) << "explicit";
  }
}

TYPED_TEST(Tableau, WeightsIntegratePolynomials) {
  for (int k = 0; k < this->order; ++k) EXPECT_NEAR(this->dot(TypeParam::b, k), 1.0 / (k + 1), rounding) << k;
  EXPECT_GT(std::abs(this->dot(TypeParam::b, this->order) - 1.0 / (this->order + 1)), 1e-6) << "no higher order";
}

/// Trees with two levels: Σ b_i c_i^p a_ij c_j^k = 1/((k+1)(p+k+2)); with three, with p = 0.
TYPED_TEST(Tableau, WeightsMeetTheConditionsOfTallerTrees) {
  using Method = TypeParam;
  const std::size_t n = Method::c.size();
  for (int k = 1; k + 2 <= this->order; ++k) {
    for (int p = 0; p + k + 2 <= this->order; ++p) {
      double sum = 0.0;
      for (std::size_t i = 0; i < n; ++i) sum += Method::b[i] * std::pow(Method::c[i], p) * this->dot(Method::a[i], k);
      EXPECT_NEAR(sum, 1.0 / ((k + 1) * (p + k + 2)), 100 * rounding) << "k = " << k << ", p = " << p;
    }
  }
  for (int k = 1; k + 3 <= this->order; ++k) {
    double sum = 0.0;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < i; ++j) sum += Method::b[i] * Method::a[i][j] * this->dot(Method::a[j], k);
    EXPECT_NEAR(sum, 1.0 / ((k + 1) * (k + 2) * (k + 3)), 100 * rounding) << "k = " << k;
  }
}

TYPED_TEST(Tableau, EstimatesVanishForWhatTheLowerOrderIntegrates) {
  constexpr std::array lower = TypeParam::e.size() == 1 ? std::array{4, 0} : std::array{5, 3};
  for (std::size_t i = 0; i < TypeParam::e.size(); ++i) {
    for (int k = 0; k < lower[i]; ++k) EXPECT_NEAR(this->dot(TypeParam::e[i], k), 0.0, rounding) << i << ", " << k;
    EXPECT_GT(std::abs(this->dot(TypeParam::e[i], lower[i])), 1e-5);
  }
}

/// y_k' = (k + 1) t^k, so that y_k = t^(k+1). The motion that a form belongs to is of no importance here.
class Powers final : public Form {
 public:
  Powers(Dynamics& dynamics, int count) : Form(dynamics), count_(count) {}
  int size() const override { return count_; }
  std::string name(int) const override { return ""; }
  bool state(double, const double*, State&) override { return true; }
  void values(const State&, double*) override {}
  int evaluations = 0;

 protected:
  bool rate(double t, const double*, double* ydot) override {
    ++evaluations;
    for (int k = 0; k < count_; ++k) ydot[k] = (k + 1) * std::pow(t, k);
    return true;
  }

 private:
  int count_;
};

struct StepCase {
  const char* method;
  int at_end, between;            // polynomials up to this degree are exact
  int evaluations, interpolated;  // of a step of t^1 … t^at_end; those that interpolation adds
  bool first_same_as_last;
};
void PrintTo(const StepCase& c, std::ostream* os) { *os << c.method; }

class Step : public ::testing::TestWithParam<StepCase> {};
INSTANTIATE_TEST_SUITE_P(, Step,
                         ::testing::Values(StepCase{"dopri5", 5, 4, 6, 0, true}, StepCase{"dop853", 8, 7, 11, 3, false},
                                           // J has five columns, then two iterations on three stages, and the error of
                                           // a first step is damped once more
                                           StepCase{"radau5", 5, 3, 12, 0, false}),
                         [](const auto& test) { return std::string(test.param.method); });

TEST_P(Step, IsExactForPolynomialsAtTheEndAndBetween) {
  const StepCase& c = GetParam();
  test::Motion any(test::Motion::from_text("[coordinates]\nx = {}\n[energy]\nkinetic = \"x'^2/2\""));
  Powers form(any.dynamics, c.at_end);
  const auto step = named_step(c.method, form.size(), {1e-3, 1e-3});
  const double t = 0.5, h = 1.5;
  for (int k = 0; k < form.size(); ++k) step->y()[k] = std::pow(t, k + 1);
  form(t, step->y(), step->k1());
  form.evaluations = 0;
  ASSERT_TRUE(step->compute(form, t, h));
  EXPECT_EQ(form.evaluations, c.evaluations);
  for (int k = 0; k < form.size(); ++k)
    EXPECT_NEAR(step->y_new()[k] / std::pow(t + h, k + 1), 1.0, 100 * rounding) << "t^" << k + 1;

  std::copy(step->y_new(), step->y_new() + form.size(), step->y_kept());
  form(t + h, step->y_kept(), step->k_kept());
  ASSERT_EQ(step->rate_at_end() != nullptr, c.first_same_as_last);
  if (step->rate_at_end()) {
    for (int k = 0; k < form.size(); ++k) EXPECT_EQ(step->rate_at_end()[k], step->k_kept()[k]);
  }

  form.evaluations = 0;
  Vector y(form.size());
  for (const double theta : {0.0, 0.1, 0.35, 0.5, 0.77, 1.0}) {
    step->interpolate(form, t + theta * h, y.data());
    for (int k = 0; k < c.between; ++k)
      EXPECT_NEAR(y[k] / std::pow(t + theta * h, k + 1), 1.0, 1e3 * rounding) << "t^" << k + 1 << " at " << theta;
  }
  EXPECT_EQ(form.evaluations, c.interpolated) << "once, however often it is asked";
}

/// θ' = ω, ω' = −sin θ
class Pendulum final : public Form {
 public:
  using Form::Form;
  int size() const override { return 2; }
  std::string name(int) const override { return ""; }
  bool state(double, const double*, State&) override { return true; }
  void values(const State&, double*) override {}

 protected:
  bool rate(double, const double* y, double* ydot) override {
    ydot[0] = y[1], ydot[1] = -std::sin(y[0]);
    return true;
  }
};

/// The speed after 2 s, in so many steps.
double swing(Form& form, const char* method, int steps) {
  const double h = 2.0 / steps;
  const auto step = named_step(method, 2, {1e-13, 1e-13});
  step->y()[0] = 1.2, step->y()[1] = 0.3;
  form(0.0, step->y(), step->k1());
  for (int i = 0; i < steps; ++i) {
    EXPECT_TRUE(step->compute(form, i * h, h));
    std::copy(step->y_new(), step->y_new() + 2, step->y_kept());
    form((i + 1) * h, step->y_kept(), step->k_kept());
    step->advance();
  }
  return step->y()[1];
}

TEST_P(Step, HasItsOrder) {
  test::Motion any(test::Motion::from_text("[coordinates]\nx = {}\n[energy]\nkinetic = \"x'^2/2\""));
  Pendulum form(any.dynamics);
  const double exact = swing(form, "dop853", 200);  // (0.01/0.25)⁸ of the error below
  const double coarse = swing(form, GetParam().method, 8) - exact, fine = swing(form, GetParam().method, 16) - exact;
  // the next term of the expansion shifts it by O(h)
  EXPECT_NEAR(std::log2(std::abs(coarse / fine)), GetParam().at_end, 0.5) << coarse << ", " << fine;
}

/// ẏ = λ (y − sin t): the fast part decays as e^(λt).
class Decay final : public Form {
 public:
  Decay(Dynamics& dynamics, double lambda) : Form(dynamics), lambda_(lambda) {}
  int size() const override { return 1; }
  std::string name(int) const override { return ""; }
  bool state(double, const double*, State&) override { return true; }
  void values(const State&, double*) override {}

 protected:
  bool rate(double t, const double* y, double* ydot) override {
    *ydot = lambda_ * (*y - std::sin(t));
    return true;
  }

 private:
  double lambda_;
};

TEST_P(Step, SeesHowStiffTheMotionIs) {
  test::Motion any(test::Motion::from_text("[coordinates]\nx = {}\n[energy]\nkinetic = \"x'^2/2\""));
  Decay form(any.dynamics, -50.0);
  const auto step = named_step(GetParam().method, 1, {1e-6, 1e-6});
  const double h = 0.04;
  *step->y() = 0.1;
  form(0.0, step->y(), step->k1());
  ASSERT_TRUE(step->compute(form, 0.0, h));
  *step->y_kept() = *step->y_new();
  form(h, step->y_kept(), step->k_kept());
  EXPECT_NEAR(step->stretch(), 2.0, 0.2) << "|λ|h = 50 · 0.04, but for what depends on t";
}

// e^(−1e6 h) and sin t: a step that is long for the fast part is short for the slow one
TEST(Radau5, TakesLongStepsOverWhatHasDecayed) {
  test::Motion any(test::Motion::from_text("[coordinates]\nx = {}\n[energy]\nkinetic = \"x'^2/2\""));
  Decay form(any.dynamics, -1e6);
  const auto step = named_step("radau5", 1, {1e-9, 1e-9});
  const double h = 0.05;
  *step->y() = 0.0;
  form(0.0, step->y(), step->k1());
  for (int i = 0; i < 20; ++i) {
    ASSERT_TRUE(step->compute(form, i * h, h));
    *step->y_kept() = *step->y_new();
    form((i + 1) * h, step->y_kept(), step->k_kept());
    step->advance();
  }
  EXPECT_NEAR(*step->y(), std::sin(1.0), 2e-6) << "cos t/λ behind sin t";
}

}  // namespace
}  // namespace maggi::integration
