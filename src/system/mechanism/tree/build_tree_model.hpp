#pragma once
#include "system/mechanism/tree/tree_model.hpp"

namespace maggi::mechanism {

template <class Space>
TreeModel<Space> build_tree_model(const Model& model, const Numbers& numbers, const Drawing& drawing,
                                  const Formulas& formulas);

}  // namespace maggi::mechanism
