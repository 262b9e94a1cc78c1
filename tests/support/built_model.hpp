#pragma once
#include <functional>
#include <string>

#include "maggi/model.hpp"

namespace maggi {

/// A system is made of a model, and the names in its [simulation] are looked up.
void make_and_look_up(const Model& model);

/// A model file with a mistake: the same model without a file, as it is when it is built in C++, is refused with the
/// same cause and help by what uses it; and if it can be written, the file can be read. A text that is no model at all
/// (its keys or types are wrong) is refused by the reader alone.
void expect_same_fault_when_built(const std::string& toml,
                                  const std::function<void(const Model&)>& use = make_and_look_up);

}  // namespace maggi
