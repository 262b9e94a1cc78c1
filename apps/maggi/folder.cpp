#include "folder.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>

#include "maggi/error.hpp"

namespace maggi::app {

void make_folder(const std::filesystem::path& folder) {
  std::error_code fault;
  std::filesystem::create_directories(folder, fault);
  if (!fault && access(folder.c_str(), W_OK) != 0) fault = std::error_code(errno, std::generic_category());
  if (fault)
    throw Error(Errc::io, {folder.string()}, fmt::format("cannot write there: {}", fault.message()),
                "--out DIR takes another folder");
}

}  // namespace maggi::app
