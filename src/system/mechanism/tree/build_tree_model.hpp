#pragma once
#include "system/mechanism/tree/tree_model.hpp"

namespace maggi::mechanism {

template <class Space>
TreeModel<Space> build_tree_model(const Model& model, const Numbers& numbers, const Drawing& drawing,
                                  const Formulas& formulas);

/// The same with derivatives by parameters, without what is there for people: start, scene, outputs.
template <class Space>
TreeModel<Space> build_tree_with_derivatives(const Model& model, const DualNumbers& numbers,
                                             const DrawingOver<Dual>& drawing, const FormulasOver<Dual>& formulas);

}  // namespace maggi::mechanism
