#include "model/numbers.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace maggi {
namespace {

using testing::ElementsAre;

Model with(std::vector<Parameter> parameters) {
  Model model;
  model.parameters = std::move(parameters);
  model.coordinates.push_back({.name = "x"});
  return model;
}

std::string message(const std::function<void()>& act) {
  try {
    act();
  } catch (const Error& error) { return error.what(); }
  return "no error";
}

TEST(Numbers, ParametersInOrderOverThoseAbove) {
  const Numbers numbers(with({{"m", 2.0, "", {}}, {"k", "m^2 + 1", "", {}}, {"w", "sqrt(k/m)*pi", "", {}}}));
  EXPECT_THAT(numbers.parameters(), ElementsAre(2.0, 5.0, std::sqrt(5.0 / 2.0) * 3.14159265358979323846));
}

TEST(Numbers, OtherNumbersOverAllParameters) {
  const Numbers numbers(with({{"m", 2.0, "", {}}}));
  EXPECT_EQ(numbers("-m/4", "the start of \"x\""), -0.5);
  EXPECT_EQ(numbers(0.1, "until"), 0.1);
}

TEST(Numbers, WhatIsNotANumber) {
  const Numbers numbers(with({{"m", 0.0, "", {}}}));
  EXPECT_EQ(message([&] { numbers("1/m", "until"); }),
            "until is not a finite number: 1/m (a division by zero, a root or logarithm of a negative number, or too "
            "large)");
  EXPECT_EQ(message([&] { numbers("", "until"); }), "until is empty (write a number)");
  EXPECT_EQ(message([&] { numbers("x'", "until"); }), "\"x\" is a coordinate (a number may use parameters only)");
}

TEST(Numbers, NamesAreTakenOnce) {
  EXPECT_EQ(
      message([] {
        Numbers(with({{"m", 1.0, "", {"f.toml", 2, 1}}, {"m", 2.0, "", {"f.toml", 3, 1}}}));
      }),
      "f.toml:3:1: the name \"m\" is already taken at f.toml:2:1 (every name means one thing: choose another one)");
}

TEST(CheckName, AcceptsAndRefuses) {
  EXPECT_NO_THROW(check_name("x_1", "coordinate", {}, {{"x_2", {}}}));
  EXPECT_EQ(message([] { check_name("", "coordinate", {}, {}); }),
            "\"\" cannot be the name of a coordinate (a name is a letter, followed by letters, digits and _)");
  EXPECT_EQ(message([] { check_name("sin", "coordinate", {}, {}); }),
            "\"sin\" cannot be the name of a coordinate: formulas use it already (choose another one, for example "
            "\"sin_1\")");
  EXPECT_EQ(message([] {
              check_name("a", "constraint", {}, {{"a", {}}});
            }),
            "the name \"a\" is already taken (every name means one thing: choose another one)");
}

}  // namespace
}  // namespace maggi
