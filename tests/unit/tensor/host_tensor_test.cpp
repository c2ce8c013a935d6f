#include "compiler/tensor/host_tensor.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace wick::compiler {
namespace {

TEST(HostTensor, StartsAsZeros) {
  const HostTensor tensor(DType::kI32, Shape::of({2, 2}));
  EXPECT_EQ(tensor.bytes().size(), 16u);
  for (std::int64_t i = 0; i < 4; ++i) EXPECT_EQ(tensor.at<std::int32_t>(i), 0);
}

TEST(HostTensor, KeepsWhatIsSet) {
  const std::vector<double> values{1.5, -0.0, 3};
  const HostTensor tensor = HostTensor::of<double>(Shape::of({3}), values);
  EXPECT_EQ(tensor.dtype(), DType::kF64);
  EXPECT_EQ(tensor.at<double>(0), 1.5);
  EXPECT_TRUE(std::signbit(tensor.at<double>(1)));
  EXPECT_EQ(tensor.as_double(2), 3.0);
  EXPECT_THROW(HostTensor::of<double>(Shape::of({2}), values), InternalError);
}

TEST(HostTensor, ReadsForeignBytesAtAnyAlignment) {
  std::vector<std::byte> file(9, std::byte{0});
  const float value = 2.5f;
  std::memcpy(file.data() + 1, &value, sizeof(value));
  const HostTensor tensor(DType::kF32, Shape::of({2}), std::span(file).subspan(1), nullptr);
  EXPECT_EQ(tensor.at<float>(0), 2.5f);
  EXPECT_EQ(tensor.at<float>(1), 0.0f);
  EXPECT_THROW(HostTensor(DType::kF32, Shape::of({2}), file, nullptr), InternalError);
}

TEST(HostTensor, SharedBytesNeverChange) {
  HostTensor tensor = HostTensor::scalar(1.0f);
  EXPECT_NO_THROW(tensor.mutable_bytes());
  const HostTensor copy = tensor;
  EXPECT_THROW(tensor.mutable_bytes(), InternalError);
}

TEST(HostTensor, KeepsItsOwnerAlive) {
  auto owner = std::make_shared<std::vector<std::byte>>(4, std::byte{1});
  const HostTensor tensor(DType::kU8, Shape::of({4}), *owner, owner);
  const std::weak_ptr<std::vector<std::byte>> watch = owner;
  owner.reset();
  EXPECT_FALSE(watch.expired());
  EXPECT_EQ(tensor.at<std::uint8_t>(3), 1);
}

TEST(HostTensor, AnyElementIsADouble) {
  EXPECT_EQ(HostTensor::scalar(true).as_double(0), 1.0);
  EXPECT_EQ(HostTensor::scalar(std::int8_t{-3}).as_double(0), -3.0);
  EXPECT_EQ(HostTensor::scalar((std::int64_t{1} << 53) + 1).as_double(0), 9007199254740992.0);
}

TEST(HostTensor, SameValuesCountsNaNsAsOneAndZerosAsTwo) {
  const float quiet = std::numeric_limits<float>::quiet_NaN();
  EXPECT_TRUE(same_values(HostTensor::scalar(quiet), HostTensor::scalar(-quiet)));
  EXPECT_FALSE(same_values(HostTensor::scalar(quiet), HostTensor::scalar(0.0f)));
  EXPECT_FALSE(same_values(HostTensor::scalar(0.0f), HostTensor::scalar(-0.0f)));
  EXPECT_FALSE(same_values(HostTensor::scalar(0.0f), HostTensor::scalar(0.0)));
  EXPECT_FALSE(same_values(HostTensor(DType::kI8, Shape::of({2})),
                           HostTensor(DType::kI8, Shape::of({1, 2}))));
}

}  // namespace
}  // namespace wick::compiler
