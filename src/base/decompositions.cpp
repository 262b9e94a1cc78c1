#define MAGGI_DECOMPOSITIONS  // here they are
#include "base/decompositions.hpp"
