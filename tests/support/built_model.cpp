#include "support/built_model.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <optional>

#include "integration/settings.hpp"
#include "io/toml/model_file.hpp"
#include "io/toml/unchecked_model.hpp"
#include "system/make_system.hpp"

namespace maggi {

namespace {

std::optional<Error> fault_of(const std::function<void()>& act) {
  try {
    act();
  } catch (const Error& error) { return error; }
  return std::nullopt;
}

void use(const Model& model) {
  make_system(model);
  check_names(model.simulation);
}

void expect_same(const std::optional<Error>& found, const Error& expected) {
  ASSERT_TRUE(found) << "no error, expected: " << expected.what();
  EXPECT_EQ(found->cause(), expected.cause());
  EXPECT_EQ(found->help(), expected.help());
  EXPECT_EQ(found->code(), expected.code());
}

}  // namespace

void expect_same_fault_when_built(const std::string& toml) {
  const std::string name = "model.toml";
  const std::optional<Error> of_file = fault_of([&] { use(parse_model(toml, name)); });
  ASSERT_TRUE(of_file) << "no error for:\n" << toml;
  Model model;
  Places places;
  if (const auto of_text = fault_of([&] { model = io::unchecked_model(toml, name, places); })) {
    expect_same(of_text, *of_file);
    return;
  }
  expect_same(fault_of([&] { use(model); }), *of_file);
  std::string written;
  if (const auto of_writer = fault_of([&] { written = write_model(model); }))
    expect_same(of_writer, *of_file);
  else
    EXPECT_NO_THROW(parse_model(written, name)) << written;
}

}  // namespace maggi
