#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "io/npz/zip_file.hpp"

namespace maggi::io {

/// The head of an .npy file, padded so that the data begin at a multiple of 64 bytes. `shape`: "3, 4", or "3,".
std::string npy_header(std::string_view type, std::string_view shape);

/// An entry that holds texts.
void add_texts(ZipFile& zip, const std::string& name, const std::vector<std::string>& texts);

}  // namespace maggi::io
