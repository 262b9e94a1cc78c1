#include "expression/units.hpp"

#include <gtest/gtest.h>

#include <numbers>

#include "maggi/expert/parse.hpp"

namespace maggi::expression {
namespace {

using std::numbers::pi;
using Powers = std::array<int, 4>;

double factor(std::string_view text) {
  const auto unit = find_unit(text);
  return unit ? unit->factor : 0.0;
}

TEST(Units, AreThoseOfTheSiWithPrefixesAndSomeOthers) {
  // definitions of the units, to the rounding of one division or product
  EXPECT_DOUBLE_EQ(factor("mm"), 1e-3);
  EXPECT_DOUBLE_EQ(factor("cm"), 1e-2);
  EXPECT_DOUBLE_EQ(factor("µm"), 1e-6);
  EXPECT_DOUBLE_EQ(factor("g"), 1e-3);
  EXPECT_DOUBLE_EQ(factor("kg"), 1.0);
  EXPECT_DOUBLE_EQ(factor("kN"), 1e3);
  EXPECT_DOUBLE_EQ(factor("bar"), 1e5);
  EXPECT_DOUBLE_EQ(factor("MPa"), 1e6);
  EXPECT_DOUBLE_EQ(factor("N/mm^2"), 1e6);
  EXPECT_DOUBLE_EQ(factor("deg"), pi / 180);
  EXPECT_DOUBLE_EQ(factor("rpm"), 2 * pi / 60);
  EXPECT_DOUBLE_EQ(factor("min"), 60.0);
  EXPECT_DOUBLE_EQ(factor("km/h"), 1000.0 / 3600.0);
  EXPECT_DOUBLE_EQ(factor("g cm^2"), 1e-7);
  EXPECT_DOUBLE_EQ(factor("kg·m²"), 1.0);
  EXPECT_DOUBLE_EQ(factor("1/ms"), 1e3);
  EXPECT_DOUBLE_EQ(factor("in"), 0.0254);
  EXPECT_DOUBLE_EQ(factor("psi"), 6894.757293168361);  // NIST SP 811: 6.894 757 E+03
  for (const char* none : {"furlong", "", "m/", "/m", "kkg", "kdeg", "m^", "m^x", "mm per s", "N.m"})
    EXPECT_FALSE(find_unit(none)) << none;
}

TEST(Units, HaveAKind) {
  EXPECT_EQ(find_unit("N")->powers, (Powers{1, 1, -2, 0}));
  EXPECT_EQ(find_unit("N m/rad")->powers, (Powers{1, 2, -2, -1}));
  EXPECT_TRUE(find_unit("kN m")->same_kind(*find_unit("J")));
  EXPECT_FALSE(find_unit("deg")->same_kind(*find_unit("1")));
  EXPECT_FALSE(find_unit("Hz")->same_kind(*find_unit("rpm")));  // 1 Hz is no rad/s
}

TEST(Units, SayWhichUnitOfTheSiTheyAre) {
  EXPECT_EQ(si_text("mm"), "m");
  EXPECT_EQ(si_text("kg m^2"), "kg m^2");
  EXPECT_EQ(si_text("g cm^2"), "kg m^2");
  EXPECT_EQ(si_text("rpm"), "rad/s");
  EXPECT_EQ(si_text("kN/mm"), "N/m");
  EXPECT_EQ(unit_help("mmm"), "did you mean \"mm\"?");
  EXPECT_EQ(unit_help("N mm/dag"), "did you mean \"deg\"?");
}

TEST(Units, EndWhereTheFormulaGoesOn) {
  EXPECT_EQ(unit_length("mm + l"), 2u);
  EXPECT_EQ(unit_length("N/m*x"), 3u);
  EXPECT_EQ(unit_length("N m/rad"), 7u);
  EXPECT_EQ(unit_length("m/s^2"), 5u);
  EXPECT_EQ(unit_length("N/l"), 1u);
  EXPECT_EQ(unit_length("m x"), 1u);
  EXPECT_EQ(unit_length("x"), 0u);
  EXPECT_EQ(unit_length("m'"), 0u);
  EXPECT_EQ(unit_length("m.x"), 0u);
  EXPECT_EQ(unit_length("min(2, 3)"), 0u);
}

TEST(Units, OfAQuantityThatIsTheWholeFormula) {
  EXPECT_EQ(unit_of_quantity("30 mm"), "mm");
  EXPECT_EQ(unit_of_quantity(" -1.5e-3 N m/rad "), "N m/rad");
  EXPECT_EQ(unit_of_quantity("30[mm]"), "mm");
  EXPECT_EQ(unit_of_quantity("(2*l + (1)) [mm]"), "mm");
  for (const char* none : {"30", "l", "2*30 mm", "30 mm + 1", "(a) + (b) [mm]", "30*deg", ""})
    EXPECT_FALSE(unit_of_quantity(none)) << none;
}

double value(std::string_view text) {
  Graph graph;
  Scope scope;
  scope.declare("l", graph.constant(2.0));
  scope.declare("m", graph.constant(3.0));
  return graph[parse(text, graph, scope, {"formula", 1, 1})].value;
}

TEST(Units, StandBehindNumbersInFormulas) {
  EXPECT_DOUBLE_EQ(value("30 mm"), 0.03);
  EXPECT_DOUBLE_EQ(value("30mm"), 0.03);
  EXPECT_DOUBLE_EQ(value("1e3 mm"), 1.0);
  EXPECT_DOUBLE_EQ(value("-30 deg"), -pi / 6);
  EXPECT_DOUBLE_EQ(value("30*deg"), pi / 6);
  EXPECT_DOUBLE_EQ(value("l + 5 cm"), 2.05);
  EXPECT_DOUBLE_EQ(value("2 kN/mm*l"), 4e6);
  EXPECT_DOUBLE_EQ(value("10 N/l"), 5.0);
  EXPECT_DOUBLE_EQ(value("(3*l) [mm]"), 0.006);
  EXPECT_DOUBLE_EQ(value("2 [m] + m"), 5.0);
  EXPECT_DOUBLE_EQ(value("sin(90 deg)"), 1.0);
  EXPECT_DOUBLE_EQ(value("2 mm^2"), 2e-6);  // the power belongs to the unit
}

std::string fault(std::string_view text) {
  try {
    value(text);
  } catch (const Error& error) { return error.what(); }
  return "no error";
}

TEST(Units, ThatAreNoneOrNamesOfTheModelAreRefused) {
  EXPECT_EQ(fault("30 mmm"), "formula:1:4: no unit is named \"mmm\" (did you mean \"mm\"?)");
  EXPECT_EQ(
      fault("30 [furlong]"),
      "formula:1:4: no unit is named \"furlong\" (units are written like \"mm\", \"deg\", \"N m/rad\", \"kg/m^3\")");
  EXPECT_EQ(fault("30 [mm"), "formula:1:4: this \"[\" is never closed");
  EXPECT_EQ(fault("2 m"),
            "formula:1:3: \"m\" is a unit and a name of the model (write 2*m for the product, 2 [m] for the unit)");
  EXPECT_EQ(fault("2 l"), "formula:1:3: an operator is missing between \"2\" and \"l\" (write 2*l)");
}

TEST(Units, AreNoNamesThatAFormulaMentions) {
  const auto names = [](std::string_view text) {
    std::string result;
    for (const Mention& mention : mentions(text)) result += mention.name + " ";
    return result;
  };
  EXPECT_EQ(names("30 mm + l"), "l ");
  EXPECT_EQ(names("10 N/m*x + 1.5e-3*y"), "x y ");
  EXPECT_EQ(names("(2*l) [mm]"), "l ");
  EXPECT_EQ(names("10 N/l"), "l ");
}

}  // namespace
}  // namespace maggi::expression
