#pragma once
#include <unordered_map>

#include "maggi/expert/expression.hpp"

namespace maggi::expression {

/// Formulas of one graph in another. Every variable that they contain has been given an image; parts that formulas
/// share are carried over once.
class Transfer {
 public:
  Transfer(const Graph& from, Graph& to) : from_(from), to_(to) {}

  void give(Id variable, Id image) { image_[variable] = image; }
  Id operator()(Id formula);

 private:
  const Graph& from_;
  Graph& to_;
  std::unordered_map<Id, Id> image_;
};

}  // namespace maggi::expression
