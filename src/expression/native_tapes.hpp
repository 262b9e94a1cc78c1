#pragma once
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "expression/native_code.hpp"
#include "expression/tape.hpp"

namespace maggi::expression {

/// Some tapes as machine code that gives the same bits, or why there is none.
struct NativeTapes {
  std::shared_ptr<const NativeCode> code;
  std::vector<NativeCode::Function> functions;  ///< one per tape: what Tape::run() does
  bool cached = false;                          ///< it was there already
  bool compiled = false;                        ///< there was code; then a bit differs if there is none now
  std::string why_not;
};

/// Compiles them, or (`cached_only`) takes what is in the cache. The functions are checked against the tapes at
/// `inputs`, which all of them have, and at two points beside it; if a bit differs there is no code.
NativeTapes compile_tapes(std::span<const Tape* const> tapes, bool cached_only, std::span<const double> parameters,
                          std::span<const double> inputs);

}  // namespace maggi::expression
