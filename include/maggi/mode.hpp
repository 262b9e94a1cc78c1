#pragma once
#include <vector>

#include "maggi/expert/linear.hpp"

namespace maggi {

/// What is in force at a time; events change it.
struct Mode {
  std::vector<bool> rows;  ///< m      is the row switched on?
  Vector sense;            ///< laws   the direction of sliding, see System::laws(); 0: not in force (it sticks)

  bool operator==(const Mode& other) const { return rows == other.rows && sense == other.sense; }
};

}  // namespace maggi
