#pragma once
#include <vector>

#include "system/mechanism/recursion/link_equations.hpp"

namespace maggi::mechanism {

/// Wrenches that do no work along the free motions S of a joint of the tree, about the origin of the link: as many as
/// hold it, S·W = 0.
std::vector<LinkVector<Planar>> complement(const Link<Planar>& link, const LinkVector<Planar>* S);
std::vector<LinkVector<Spatial>> complement(const Link<Spatial>& link, const LinkVector<Spatial>* S);

}  // namespace maggi::mechanism
