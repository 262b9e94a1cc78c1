#include "io/file/file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "io/file/atomic_file.hpp"
#include "maggi/error.hpp"

namespace maggi {
namespace {

namespace fs = std::filesystem;

std::string content(const fs::path& path) {
  std::stringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

std::string message(const std::function<void()>& act) {
  try {
    act();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Errc::io);
    return error.what();
  }
  return "no error";
}

class WriteFile : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) /
              (std::string("maggi_file_") + testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  int files() const {
    int count = 0;
    for ([[maybe_unused]] const auto& entry : fs::directory_iterator(folder_)) ++count;
    return count;
  }
  fs::path folder_;
};

TEST_F(WriteFile, MakesFoldersAndReplacesWhatIsThere) {
  const fs::path path = folder_ / "a" / "b" / "c.txt";
  write_file(path, "first");
  EXPECT_EQ(content(path), "first");
  write_file(path, std::string("sec\0nd", 6));
  EXPECT_EQ(content(path), std::string("sec\0nd", 6));
}

TEST_F(WriteFile, WithoutCommitTheOldOneStays) {
  const fs::path path = folder_ / "a.txt";
  write_file(path, "old");
  {
    io::AtomicFile file(path);
    file.write("new");
    EXPECT_EQ(content(path), "old");
  }
  EXPECT_EQ(content(path), "old");
  EXPECT_EQ(files(), 1);  // the temporary is gone
}

TEST_F(WriteFile, AFullDiskKeepsTheOldOne) {
  const fs::path path = folder_ / "a.txt";
  write_file(path, "old");
  rlimit limit{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &limit), 0);
  const rlimit small{1000, limit.rlim_max};
  const auto previous = std::signal(SIGXFSZ, SIG_IGN);
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  const std::string what = message([&] { write_file(path, std::string(5000, 'x')); });
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);
  std::signal(SIGXFSZ, previous);
  EXPECT_EQ(what, path.string() + ": cannot be written: File too large");
  EXPECT_EQ(content(path), "old");
  EXPECT_EQ(files(), 1);
}

TEST_F(WriteFile, ADeviceIsWrittenToAndStaysADevice) {
  EXPECT_EQ(message([] { write_file("/dev/full", "x"); }), "/dev/full: cannot be written: No space left on device");
  write_file("/dev/null", "x");
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST_F(WriteFile, ALinkStaysALink) {
  write_file(folder_ / "a.txt", "old");
  fs::create_symlink("a.txt", folder_ / "link.txt");
  write_file(folder_ / "link.txt", "new");
  EXPECT_TRUE(fs::is_symlink(folder_ / "link.txt"));
  EXPECT_EQ(content(folder_ / "a.txt"), "new");
}

TEST_F(WriteFile, PermissionsStay) {
  write_file(folder_ / "a.txt", "old");
  fs::permissions(folder_ / "a.txt", fs::perms::owner_read | fs::perms::owner_write);
  write_file(folder_ / "a.txt", "new");
  EXPECT_EQ(fs::status(folder_ / "a.txt").permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(WriteFile, SaysWhyItCannot) {
  write_file(folder_ / "file", "x");
  EXPECT_EQ(message([&] { write_file(folder_ / "file" / "a.txt", ""); }),
            (folder_ / "file" / "a.txt").string() + ": cannot be written: Not a directory");
  EXPECT_EQ(message([&] { write_file(folder_, ""); }), folder_.string() + ": cannot be written: Is a directory");
  EXPECT_THAT(message([] { write_file("/proc/maggi/a.txt", ""); }),
              testing::StartsWith("/proc/maggi/a.txt: cannot be written: "));
}

TEST_F(WriteFile, AReadOnlyFolder) {
  const auto readable = fs::perms::owner_read | fs::perms::owner_exec;
  fs::permissions(folder_, readable | fs::perms::others_read | fs::perms::others_exec);
  const bool root = ::geteuid() == 0;  // root may write everywhere, so it becomes nobody meanwhile
  if (root) {
    constexpr uid_t nobody = 65534;
    ASSERT_EQ(::seteuid(nobody), 0);
  }
  const std::string said = message([&] { write_file(folder_ / "a.txt", ""); });
  if (root) {
    ASSERT_EQ(::seteuid(0), 0);
  }
  EXPECT_EQ(said, (folder_ / "a.txt").string() + ": cannot be written: Permission denied");
  fs::permissions(folder_, fs::perms::owner_all);
}

}  // namespace
}  // namespace maggi
