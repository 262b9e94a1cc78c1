#include "maggi/error.hpp"

#include <gtest/gtest.h>

namespace maggi {
namespace {

TEST(Error, ReadsWhereWhatHelp) {
  const Error error(Errc::model, {"four_bar.toml", 17, 18}, "no body is named \"coupeler\"",
                    "did you mean \"coupler\"?");
  EXPECT_STREQ(error.what(), "four_bar.toml:17:18: no body is named \"coupeler\" (did you mean \"coupler\"?)");
}

TEST(Error, LeavesOutWhatIsUnknown) {
  EXPECT_STREQ(Error(Errc::numerics, {}, "cannot assemble").what(), "cannot assemble");
  EXPECT_STREQ(Error(Errc::io, {"a.toml", 0, 0}, "no such file").what(), "a.toml: no such file");
  EXPECT_STREQ(Error(Errc::model, {"", 3, 0}, "empty").what(), "3: empty");
}

TEST(Error, ExitCodes) {
  EXPECT_EQ(Error(Errc::model, {}, "").exit_code(), 1);
  EXPECT_EQ(Error(Errc::numerics, {}, "").exit_code(), 2);
  EXPECT_EQ(Error(Errc::io, {}, "").exit_code(), 3);
}

}  // namespace
}  // namespace maggi
