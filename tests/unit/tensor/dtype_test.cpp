#include "compiler/tensor/dtype.h"

#include <gtest/gtest.h>

#include <type_traits>

namespace wick::compiler {
namespace {

TEST(DType, NamesAndSizesAreThoseOfTheGraphLanguage) {
  EXPECT_EQ(name_of(DType::kF32), "f32");
  EXPECT_EQ(size_of(DType::kF32), 4u);
  EXPECT_EQ(name_of(DType::kF64), "f64");
  EXPECT_EQ(size_of(DType::kF64), 8u);
  EXPECT_EQ(name_of(DType::kI8), "i8");
  EXPECT_EQ(size_of(DType::kI8), 1u);
  EXPECT_EQ(name_of(DType::kU8), "u8");
  EXPECT_EQ(size_of(DType::kU8), 1u);
  EXPECT_EQ(name_of(DType::kI32), "i32");
  EXPECT_EQ(size_of(DType::kI32), 4u);
  EXPECT_EQ(name_of(DType::kI64), "i64");
  EXPECT_EQ(size_of(DType::kI64), 8u);
  EXPECT_EQ(name_of(DType::kBool), "bool");
  EXPECT_EQ(size_of(DType::kBool), 1u);
}

TEST(DType, IsFoundByName) {
  EXPECT_EQ(dtype_named("i64"), DType::kI64);
  EXPECT_EQ(dtype_named("bool"), DType::kBool);
  EXPECT_EQ(dtype_named("float32"), std::nullopt);
  EXPECT_EQ(dtype_named(""), std::nullopt);
}

TEST(DType, IsOfOneKind) {
  EXPECT_TRUE(is_float(DType::kF64));
  EXPECT_FALSE(is_integer(DType::kF64));
  EXPECT_TRUE(is_integer(DType::kU8));
  EXPECT_FALSE(is_float(DType::kU8));
  EXPECT_FALSE(is_float(DType::kBool));
  EXPECT_FALSE(is_integer(DType::kBool));
}

TEST(DType, DispatchGivesTheElementType) {
  for (const DTypeInfo& known : kDTypes) {
    const DType dtype = dtype_named(known.name).value();
    EXPECT_EQ(dispatch(dtype, [](auto zero) { return sizeof(zero); }), known.size);
    EXPECT_EQ(dispatch(dtype, [](auto zero) { return std::is_floating_point_v<decltype(zero)>; }),
              is_float(dtype));
  }
}

TEST(DType, DispatchOverAnUnknownDTypeIsOurBug) {
  EXPECT_THROW(dispatch(static_cast<DType>(99), [](auto) {}), InternalError);
}

}  // namespace
}  // namespace wick::compiler
