#include "basis/realisation.hpp"

#include <gtest/gtest.h>

namespace maggi {
namespace {

const Matrix none(0, 2);

TEST(Realisation, AForceReachesItsOwnMassOnly) {
  const Matrix M = Vector{{2.0, 1.0}}.asDiagonal();
  const Matrix B{{1.0}, {0.0}};
  EXPECT_EQ(Realisation(M, none, Matrix{{1.0, 0.0}}, B).rank(), 1);
  const Realisation other(M, none, Matrix{{0.0, 1.0}}, B);
  EXPECT_EQ(other.rank(), 0);
  EXPECT_EQ(other.unreached_rows(), std::vector<int>{0});
  EXPECT_EQ(other.without_effect().cols(), 0);  // it moves the other mass
}

TEST(Realisation, InertiaCarriesAForceToTheOtherCoordinate) {
  const Matrix M{{2.0, 1.0}, {1.0, 1.0}};
  EXPECT_EQ(Realisation(M, none, Matrix{{0.0, 1.0}}, Matrix{{1.0}, {0.0}}).rank(), 1);
}

TEST(Realisation, UnitsHaveNoSay) {
  // millimetres and tonnes: rows, columns and coordinates in other units
  const Vector units{{1e-3, 1e4}};
  const Matrix M = units.asDiagonal() * Matrix{{2.0, 1.0}, {1.0, 1.0}} * units.asDiagonal();
  const Matrix C2 = 1e6 * Matrix{{0.0, 1.0}} * units.asDiagonal();
  const Matrix B = units.asDiagonal() * Matrix{{1e-7}, {0.0}};
  EXPECT_EQ(Realisation(M, none, C2, B).rank(), 1);
}

TEST(Realisation, WhatIdealConstraintsHoldNoControlMoves) {
  const Matrix M = Matrix::Identity(3, 3), C1{{1.0, 0.0, 0.0}, {2.0, 0.0, 0.0}}, C2{{0.0, 1.0, 0.0}};
  const Realisation along(M, C1, C2, Matrix{{1.0}, {0.0}, {0.0}});
  EXPECT_EQ(along.independent().size(), 1u);
  EXPECT_EQ(along.rank(), 0);
  EXPECT_EQ(along.without_effect().cols(), 1);
  EXPECT_EQ(Realisation(M, C1, C2, Matrix{{1.0}, {1.0}, {0.0}}).rank(), 1);
}

TEST(Realisation, TheCombinationThatNoControlReaches) {
  const Matrix M = Matrix::Identity(3, 3), C2{{1.0, 0.0, 0.0}, {3.0, 1.0, 0.0}};
  const Matrix B{{1.0, 0.0}, {0.0, 0.0}, {0.0, 1.0}};
  const Realisation realisation(M, Matrix(0, 3), C2, B);
  ASSERT_EQ(realisation.rank(), 1);
  const Vector u = realisation.unreached().col(0);
  EXPECT_LT((u.transpose() * C2 * B).norm(), 1e-15 * u.norm());  // rounding of two products
  EXPECT_NEAR(u[0] / u[1], -3.0, 1e-14);
}

TEST(Realisation, OfTooManyRowsThoseThatControlsReachBest) {
  const Matrix M = Matrix::Identity(2, 2), C2{{1.0, 1e-12}, {0.0, 1.0}};
  EXPECT_EQ(Realisation(M, none, C2, Matrix{{0.0}, {1.0}}).served(), std::vector<int>{1});
}

}  // namespace
}  // namespace maggi
