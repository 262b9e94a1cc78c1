#pragma once
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

namespace maggi::test {

/// Keeps what a test measured as a property of it, in the files that --gtest_output writes: how far below its tolerance
/// an error is, and how it changes from version to version.
inline void record(const std::string& name, double value) {
  ::testing::Test::RecordProperty(name, fmt::format("{:.3g}", value));
}

}  // namespace maggi::test
