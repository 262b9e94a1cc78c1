#pragma once
#include "system/mechanism/functions/system_with_functions.hpp"
#include "system/mechanism/tree/tree_model.hpp"

namespace maggi::mechanism {

/// The equations of a tree of links without its formulas, and its output functions, as formulas in q and v: those of
/// the recursions of Linkage and Closure, run with numbers that are formulas. Error (model) with the reason if they
/// cannot be written as formulas.
template <class Space>
FunctionFormulas tree_formulas(const TreeModel<Space>& model, expression::Graph& graph,
                               const std::vector<expression::Id>& q, const std::vector<expression::Id>& v);

}  // namespace maggi::mechanism
