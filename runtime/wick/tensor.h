#pragma once

// Tensor descriptions, and the operands that statements of generated code take.
//
// A description is a type: all extents and strides are constants, a tensor at run time is one
// pointer. The operand types say what a statement does with the memory:
//
//   In<T>     only read
//   Out<T>    written completely; readable afterwards, so it converts to In<T>
//   InOut<T>  overwritten in place, each element read before it is written at the same index
//   Slot<T>   a named range of the arena; converts to all three
//
// The conversions are derivations (Slot -> InOut -> Out -> In), so that a statement's parameter
// types state its effect and its template parameters are still deduced from what is passed.

#include <cstddef>
#include <cstdint>

namespace wick {

/// Counts and strides, in elements.
using Index = std::ptrdiff_t;

inline constexpr int kMaxRank = 8;

/// Extents and strides of a tensor, outermost axis first.
struct Layout {
  int rank = 0;
  Index extents[kMaxRank] = {};
  Index strides[kMaxRank] = {};

  constexpr Index elements() const noexcept {
    Index count = 1;
    for (int axis = 0; axis < rank; ++axis) count *= extents[axis];
    return count;
  }
};

namespace internal {

template <Index... Extents>
constexpr Layout row_major() noexcept {
  static_assert(sizeof...(Extents) <= kMaxRank, "a tensor has at most 8 axes");
  Layout layout;
  ((layout.extents[layout.rank++] = Extents), ...);
  Index stride = 1;
  for (int axis = layout.rank - 1; axis >= 0; --axis) {
    layout.strides[axis] = stride;
    stride *= layout.extents[axis];
  }
  return layout;
}

template <Index... Strides>
constexpr Layout with_strides(Layout layout) noexcept {
  [[maybe_unused]] int axis = 0;
  ((layout.strides[axis++] = Strides), ...);
  return layout;
}

}  // namespace internal

/// Elements of type E in row-major order.
template <class E, Index... Extents>
struct Tensor {
  static_assert(((Extents >= 0) && ...), "an extent is not negative");

  using Element = E;
  static constexpr bool kRowMajor = true;
  static constexpr Layout kLayout = internal::row_major<Extents...>();
  static constexpr Index kElements = kLayout.elements();
  static constexpr std::size_t kBytes = static_cast<std::size_t>(kElements) * sizeof(E);
};

/// The tensor T read through other strides (in elements; 0 and negative ones are legal).
template <class T, Index... Strides>
struct Strided {
  static_assert(sizeof...(Strides) == T::kLayout.rank, "one stride per axis");

  using Element = typename T::Element;
  static constexpr bool kRowMajor = false;
  static constexpr Layout kLayout = internal::with_strides<Strides...>(T::kLayout);
  static constexpr Index kElements = T::kElements;
  static constexpr std::size_t kBytes = T::kBytes;
};

/// A K x N matrix in k-major panels: the right factor of a product, laid out for it beforehand. A
/// panel is 64 bytes of columns, K rows of them one after the other; what is left over of the
/// columns makes a narrower panel. Element [k, n], with W = 64 / sizeof(E), lies at
///   n / W * W * K + k * min(W, N - n / W * W) + n % W
template <class E, Index K, Index N>
struct Panels {
  static_assert(K >= 0 && N >= 0, "an extent is not negative");

  using Element = E;
  static constexpr Index kElements = K * N;
  static constexpr std::size_t kBytes = static_cast<std::size_t>(kElements) * sizeof(E);
};

/// An operand that is only read. Its memory needs no more than the alignment of an element.
template <class T>
class In {
 public:
  using Element = typename T::Element;

  // Implicit: a caller passes plain pointers.
  constexpr In(const Element* data) noexcept : data_(data) {}

  constexpr const Element* data() const noexcept { return data_; }

 private:
  const Element* data_;
};

/// An operand that is written completely and that nobody reads before.
template <class T>
class Out : public In<T> {
 public:
  static_assert(T::kRowMajor, "results are row-major");
  using Element = typename T::Element;

  constexpr Out(Element* data) noexcept : In<T>(data) {}

  // The constructor took a mutable pointer.
  constexpr Element* data() const noexcept { return const_cast<Element*>(In<T>::data()); }
};

/// An operand that is overwritten in place.
template <class T>
class InOut : public Out<T> {
 public:
  using Out<T>::Out;
};

/// A range of the arena under a name.
template <class T>
class Slot : public InOut<T> {
 public:
  using InOut<T>::InOut;
};

/// Scratch memory of one statement, aligned to 64 bytes.
template <std::size_t Bytes>
class Workspace {
 public:
  explicit constexpr Workspace(std::byte* data) noexcept : data_(data) {}

  constexpr std::byte* data() const noexcept { return data_; }

 private:
  std::byte* data_;
};

/// The axes a reduction or a row program works along, counted from 0.
template <int... A>
struct Axes {};

/// Elements before and after the operand, per axis (pad).
template <Index... Count>
struct Before {};
template <Index... Count>
struct After {};

/// Of windows that move over an operand, one number per spatial axis, outermost first: elements
/// from one window to the next, elements from one place of a window to the next, places.
template <Index... Count>
struct Steps {};
template <Index... Count>
struct Dilations {};
template <Index... Count>
struct Sizes {};

}  // namespace wick
