// Any text as a formula: parsed or refused with an Error, and what was parsed prints to something that parses to the
// same expression.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "maggi/base/error.hpp"
#include "maggi/expression/graph.hpp"
#include "maggi/expression/parse.hpp"
#include "maggi/expression/print.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  namespace ex = maggi::expression;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  ex::Graph graph;
  ex::Scope scope;
  for (const char* name : {"t", "x", "x'", "y", "y'", "m"}) scope.declare(name, graph.variable(name));
  ex::Id first = 0;
  try {
    first = ex::parse_equation(text, graph, scope, {});
  } catch (const maggi::Error&) { return 0; }
  if (ex::parse(ex::print(graph, first), graph, scope, {}) != first) std::abort();
  return 0;
}
