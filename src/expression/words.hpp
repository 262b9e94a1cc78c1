#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "maggi/expert/expression.hpp"

namespace maggi::expression {

/// A function of the language.
struct Function {
  std::string_view name;
  Op op;
  std::string_view usage;
};

const Function* find_function(std::string_view name);  ///< nullptr if there is none
std::string_view function_name(Op op);
std::vector<std::string> function_names();

/// The shortest text that reads back as the same number; π by name.
std::string write_number(double value);

/// Numeric factors that the graph may merge: far enough from overflow and underflow for the result to mean the same.
bool is_mergeable(double factor);

/// The order of factors is free: what is itself a product stands first, so that x (y z) needs no parentheses, and a
/// velocity last.
bool second_factor_first(const Graph& graph, const Node& product);

/// Shared parts are written out as often as they are used, so a small graph can be an endless text.
void check_printed_size(std::size_t size);

}  // namespace maggi::expression
