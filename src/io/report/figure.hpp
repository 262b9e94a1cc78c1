#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "io/stored/stored_run.hpp"

namespace maggi {

/// Curves for a paper.
struct Figure {
  std::string title;
  StoredRun::Column over;                 ///< what runs along the horizontal axis
  std::vector<StoredRun::Column> curves;  ///< one panel for each of their units
  bool log = false;                       ///< logarithms of absolute values
};

/// Colours differ in lightness and lines in their dashes, so that it can be read in grey.
std::string svg(const Figure& figure);

/// As .svg, or as .png by Debian's rsvg-convert. Error (io) if that is missing, (model) for any other ending.
void write_figure(const std::filesystem::path& path, const Figure& figure);

}  // namespace maggi
