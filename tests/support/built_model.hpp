#pragma once
#include <string>

namespace maggi {

/// A model file with a mistake: the model that its text describes, built without the rules of the reader, is refused
/// with the same cause and help by whoever makes a system of it; and if it can be written, the file can be read.
/// A text that is no model at all (its keys or types are wrong) is refused by the reader alone.
void expect_same_fault_when_built(const std::string& toml);

}  // namespace maggi
