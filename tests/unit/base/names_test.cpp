#include "base/names.hpp"

#include <gtest/gtest.h>

namespace maggi {
namespace {

const std::vector<std::string> names{"crank", "coupler", "rocker"};

TEST(Names, NearestForgivesATypo) {
  EXPECT_EQ(nearest_name("coupeler", names), "coupler");
  EXPECT_EQ(nearest_name("carnk", names), "crank");  // neighbours exchanged
  EXPECT_EQ(nearest_name("Crank", names), "crank");  // case
}

TEST(Names, NearestDoesNotGuessWildly) {
  EXPECT_EQ(nearest_name("wheel", names), "");
  EXPECT_EQ(nearest_name("x", std::vector<std::string>{"m", "l"}), "");
  EXPECT_EQ(nearest_name("M", std::vector<std::string>{"m", "l"}), "m");
}

TEST(Names, SuggestListsAShortSetWhenNothingIsClose) {
  EXPECT_EQ(suggest_name("wheel", names), "valid here: crank, coupler and rocker");
  EXPECT_EQ(suggest_name("rockr", names), "did you mean \"rocker\"?");
  EXPECT_EQ(suggest_name("x", std::vector<std::string>{}), "");
}

TEST(Names, List) {
  EXPECT_EQ(list_names(names), "\"crank\", \"coupler\" and \"rocker\"");
  EXPECT_EQ(list_names(std::vector<std::string>{"a"}, false), "a");
}

}  // namespace
}  // namespace maggi
