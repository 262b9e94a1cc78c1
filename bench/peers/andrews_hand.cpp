// Compiled for this machine, so that the hand-written code has every advantage.
#include "andrews_hand.hpp"

namespace andrews {
void hand_terms(const double* q, const double* v, Terms& t) { terms(q, v, t); }
void hand_acceleration(const double* q, const double* v, double* a) { acceleration(q, v, a); }
void hand_acceleration_dense(const double* q, const double* v, double* a) { acceleration_dense(q, v, a); }
}  // namespace andrews
