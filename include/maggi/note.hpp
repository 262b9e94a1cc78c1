#pragma once
#include <string>
#include <vector>

#include "maggi/error.hpp"

namespace maggi {

/// Something in a model that is allowed and yet probably not what was meant: an angle in degrees, a length in
/// millimetres, a joint far from its bodies.
struct Note {
  Where where;
  std::string what;  ///< "joint "m" is 1997 m from the mass centre of body "b""
  std::string help;  ///< what was probably meant

  std::string text() const;  ///< "note: model.toml:19:1: what (help)"
};

}  // namespace maggi
