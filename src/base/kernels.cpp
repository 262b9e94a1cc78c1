#define MAGGI_KERNELS  // here they are
#include "base/kernels.hpp"
