#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "maggi/expert/shape.hpp"

namespace maggi {

/// A motion read back from the files of a run.
struct StoredRun {
  struct Column {
    Channel channel;
    std::vector<double> values;  ///< of all states
  };
  std::vector<Column> columns;  ///< time first

  /// Error (model) with the nearest name if there is none.
  const Column& column(const std::string& name) const;
  /// The states between two times, where these are given. Error (model) if there are none.
  StoredRun between(std::optional<double> from, std::optional<double> until) const;
};

/// From a folder that `maggi run` has written. Error (io) if it is missing, of a newer format, or not complete.
StoredRun read_run(const std::filesystem::path& folder);

/// Any file of such columns: a line of headings, then numbers, separated by commas. Error (io) if it cannot be read, or
/// a line has not one finite number for each heading.
StoredRun read_columns(const std::filesystem::path& file);

}  // namespace maggi
