#include "support/built_model.hpp"

#include <gtest/gtest.h>

#include <optional>

#include "integration/settings.hpp"
#include "io/toml/model_file.hpp"
#include "system/make_system.hpp"

namespace maggi {

namespace {

std::optional<Error> fault_of(const std::function<void()>& act) {
  try {
    act();
  } catch (const Error& error) { return error; }
  return std::nullopt;
}

void expect_same(const std::optional<Error>& found, const Error& expected) {
  ASSERT_TRUE(found) << "no error, expected: " << expected.what();
  EXPECT_EQ(found->cause(), expected.cause());
  EXPECT_EQ(found->help(), expected.help());
  EXPECT_EQ(found->code(), expected.code());
}

}  // namespace

void make_and_look_up(const Model& model) {
  make_system(model);
  check_names(model);
}

void expect_same_fault_when_built(const std::string& toml, const std::function<void(const Model&)>& use) {
  const std::string name = "model.toml";
  const std::optional<Error> of_file = fault_of([&] { use(parse_model(toml, name)); });
  ASSERT_TRUE(of_file) << "no error for:\n" << toml;
  Model model;
  if (const auto of_text = fault_of([&] { model = parse_model(toml, name); })) {
    expect_same(of_text, *of_file);
    return;
  }
  model.places.clear();
  model.file.clear();
  expect_same(fault_of([&] { use(model); }), *of_file);
  std::string written;
  if (const auto of_writer = fault_of([&] { written = write_model(model); }))
    expect_same(of_writer, *of_file);
  else
    EXPECT_NO_THROW(parse_model(written, name)) << written;
}

}  // namespace maggi
