#pragma once
#include <filesystem>
#include <string_view>
#include <vector>

#include "maggi/model.hpp"

namespace maggi::io {

/// The tables that the formulas of a model file mention, table("lift.csv", t), read from the folder of that file.
/// There are two columns, x and y, separated by commas, or by semicolons, tabs or blanks; in these lines commas are
/// decimal points. Lines that begin with # and one line of headings, without any number, are passed over. What cannot be
/// read is said where the formula needs it.
std::vector<TableFile> read_tables(std::string_view model_text, const std::filesystem::path& model_file);

}  // namespace maggi::io
