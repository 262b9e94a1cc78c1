#pragma once
#include <string>
#include <utility>

#include "maggi/error.hpp"

namespace maggi {

/// The model says something that it cannot say: where, what, and what helps.
[[noreturn]] inline void refuse(const Where& where, std::string what, std::string help = "") {
  throw Error(Errc::model, where, std::move(what), std::move(help));
}

}  // namespace maggi
