#pragma once
#include <string_view>

#include "model/numbers.hpp"

namespace maggi::mechanism {

/// Errors of points (by the size of their loops) and of axes [rad] that are taken as rounding: 1e-6 unless the model
/// says otherwise. Error for a value that makes no sense.
double data_tolerance(const Mechanism& mechanism, const Numbers& numbers);

/// What rounding may have changed of the numbers of a vector: half a unit of the last decimal, the largest number of
/// decimals among them. Fewer than 4 decimals are exact numbers, more than 12 those of a double, and formulas are
/// exact: 0 for these.
double half_unit(const Triple& given);
/// The same of one number.
double half_unit_of(std::string_view number);

}  // namespace maggi::mechanism
