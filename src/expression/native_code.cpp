#include "expression/native_code.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <vector>

namespace maggi::expression {

namespace fs = std::filesystem;

namespace {

// -ffp-contract=off: a·b + c is rounded twice, as on the tape, so that results do not depend on what is in the cache
constexpr std::array flags{"-std=c11",        "-O2",     "-march=native", "-ffp-contract=off",
                           "-fno-math-errno", "-shared", "-fPIC",         "-w"};

/// FNV-1a, 64 bits.
std::uint64_t hash(std::string_view bytes, std::uint64_t seed = 0xcbf29ce484222325U) {
  for (const char byte : bytes) seed = (seed ^ static_cast<unsigned char>(byte)) * 0x100000001b3U;
  return seed;
}

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

/// The program that compiles C; empty if there is none.
fs::path find_compiler() {
  const std::string name = environment("CC").empty() ? "cc" : environment("CC");
  const auto executable = [](const fs::path& path) { return access(path.c_str(), X_OK) == 0; };
  if (name.find('/') != std::string::npos) return executable(name) ? fs::path(name) : fs::path();
  std::string path = environment("PATH");
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find(':', begin), path.size());
    const fs::path candidate = fs::path(path.substr(begin, end - begin)) / name;
    if (executable(candidate)) return candidate;
    begin = end + 1;
  }
  return {};
}

/// What the machine code depends on besides the text: the compiler, by its file, and the processor.
std::string circumstances(const fs::path& compiler) {
  std::error_code fault;
  const fs::path file = fs::canonical(compiler, fault);
  std::string text = file.string();
  struct stat about {};
  if (stat(file.c_str(), &about) == 0) text += fmt::format(" {} {}", about.st_size, about.st_mtime);
  for (const char* flag : flags) text += fmt::format(" {}", flag);
  std::ifstream processors("/proc/cpuinfo");
  for (std::string line; std::getline(processors, line) && !line.empty();)  // the first one stands for all
    if (line.starts_with("model name") || line.starts_with("flags") || line.starts_with("Features")) text += line;
  return text;
}

/// The last bytes of an entry: its length and check sum. A loader of shared libraries does not look at them.
struct Seal {
  char magic[8] = {'m', 'a', 'g', 'g', 'i', ' ', 'c', '1'};
  std::uint64_t length = 0, sum = 0;
};

Seal seal_of(std::string_view bytes) {
  Seal seal;
  seal.length = bytes.size();
  seal.sum = hash(bytes);
  return seal;
}

std::string read_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// A shared library that is cut short can kill the process that loads it, so it is looked at first.
bool is_whole(const fs::path& path) {
  const std::string bytes = read_file(path);
  Seal seal;
  if (bytes.size() <= sizeof seal) return false;
  const std::string_view content = std::string_view(bytes).substr(0, bytes.size() - sizeof seal);
  std::memcpy(&seal, bytes.data() + content.size(), sizeof seal);
  const Seal expected = seal_of(content);
  return std::memcmp(&seal, &expected, sizeof seal) == 0;
}

bool belongs_to_user(const fs::path& path) {
  struct stat about {};
  return stat(path.c_str(), &about) == 0 && about.st_uid == geteuid() && (about.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

/// Files that go when this object does.
struct Temporaries {
  std::vector<fs::path> paths;
  ~Temporaries() {
    std::error_code ignored;
    for (const fs::path& path : paths) fs::remove(path, ignored);
  }
};

/// Runs a program, its complaints into a file; its exit code, −1 if it could not be started.
int run(const fs::path& program, const std::vector<std::string>& arguments, const fs::path& complaints) {
  std::vector<char*> list{const_cast<char*>(program.c_str())};
  for (const std::string& argument : arguments) list.push_back(const_cast<char*>(argument.c_str()));
  list.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 2, complaints.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  pid_t child = -1;
  const int fault = posix_spawn(&child, program.c_str(), &actions, nullptr, list.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (fault != 0) return -1;
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

std::string first_line(const fs::path& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

}  // namespace

/// The place of one text in the cache.
class NativeCodeCache {
 public:
  explicit NativeCodeCache(std::string_view text) : text_(text), compiler_(find_compiler()) {
    const std::string cache = environment("XDG_CACHE_HOME"), home = environment("HOME");
    if (!cache.empty())
      folder_ = fs::path(cache) / "maggi";
    else if (!home.empty())
      folder_ = fs::path(home) / ".cache" / "maggi";
    const std::string key = circumstances(compiler_);
    entry_ =
        folder_ / fmt::format("{:016x}{:016x}.so", hash(text_, hash(key)), hash(text_, hash(key, 0x9e3779b97f4a7c15U)));
  }

  NativeCode::Result load() const {
    if (compiler_.empty()) return no("there is no C compiler (cc) on this machine");
    if (folder_.empty()) return no("neither XDG_CACHE_HOME nor HOME says where to keep compiled code");
    if (!fs::exists(entry_)) return no("no compiled code is in the cache");
    if (!belongs_to_user(folder_) || !belongs_to_user(entry_))
      return no(fmt::format("{} can be written by others", entry_.string()));
    if (!is_whole(entry_)) return no("the compiled code in the cache is damaged");
    void* handle = dlopen(entry_.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!handle) return no(fmt::format("the compiled code cannot be loaded: {}", dlerror()));
    return {std::shared_ptr<const NativeCode>(new NativeCode(handle)), true, ""};
  }

  NativeCode::Result compile() const {
    if (NativeCode::Result known = load(); known.code || compiler_.empty() || folder_.empty()) return known;
    std::error_code fault;
    fs::create_directories(folder_, fault);
    if (fault) return no(fmt::format("{} cannot be made: {}", folder_.string(), fault.message()));
    const std::string stem = (folder_ / fmt::format("{}.{}", entry_.stem().string(), getpid())).string();
    const Temporaries temporaries{{stem + ".c", stem + ".so", stem + ".txt"}};
    std::ofstream(stem + ".c", std::ios::binary) << text_;
    std::vector<std::string> arguments(flags.begin(), flags.end());
    arguments.insert(arguments.end(), {"-o", stem + ".so", stem + ".c", "-lm"});
    if (run(compiler_, arguments, stem + ".txt") != 0)
      return no(fmt::format("{} failed: {}", compiler_.string(), first_line(stem + ".txt")));
    const std::string bytes = read_file(stem + ".so");
    const Seal seal = seal_of(bytes);
    std::ofstream(stem + ".so", std::ios::binary | std::ios::app)
        .write(reinterpret_cast<const char*>(&seal), sizeof seal);
    fs::permissions(stem + ".so", fs::perms::owner_all, fault);
    fs::rename(stem + ".so", entry_, fault);
    if (fault) return no(fmt::format("{} cannot be written: {}", entry_.string(), fault.message()));
    NativeCode::Result made = load();
    made.cached = false;
    return made;
  }

 private:
  static NativeCode::Result no(std::string why) { return {nullptr, false, std::move(why)}; }

  std::string_view text_;
  fs::path compiler_, folder_, entry_;
};

NativeCode::Result NativeCode::from_cache(std::string_view text) { return NativeCodeCache(text).load(); }
NativeCode::Result NativeCode::compile(std::string_view text) { return NativeCodeCache(text).compile(); }

NativeCode::~NativeCode() { dlclose(handle_); }

NativeCode::Function NativeCode::function(const std::string& name) const {
  return reinterpret_cast<Function>(dlsym(handle_, name.c_str()));
}

}  // namespace maggi::expression
