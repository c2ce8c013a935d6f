// One record per operation: everything the compiler knows about it. Inference, expansion, fusion,
// aliasing, emission, the reference interpreter, the documentation and the conformance tests all
// follow from the record; no other file names an operation.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/ops/attributes.h"
#include "compiler/tensor/dtype.h"
#include "compiler/tensor/host_tensor.h"
#include "compiler/tensor/layout.h"
#include "compiler/tensor/shape.h"

namespace wick::compiler::ops {

// What an operand or a result is: its dtype, and its shape with the way its elements lie in the
// storage it shares or owns.
struct TensorType {
  DType dtype = DType::kF32;
  Layout layout;
  const Shape& shape() const { return layout.shape(); }
};

// ---- Operands and attributes
// -----------------------------------------------------------------------------------

// A set of dtypes.
struct DTypeSet {
  std::uint8_t bits = 0;
  constexpr bool contains(DType dtype) const { return (bits >> static_cast<unsigned>(dtype)) & 1u; }
};
inline constexpr DTypeSet kFloats{0b0000011};
inline constexpr DTypeSet kIntegers{0b0111100};
inline constexpr DTypeSet kNumbers{0b0111111};
inline constexpr DTypeSet kBools{0b1000000};
inline constexpr DTypeSet kAnyDType{0b1111111};
inline constexpr DTypeSet kIndices{0b0110000};  // i32, i64

struct OperandSpec {
  std::string_view name;
  // Operands of one group share a dtype, and a literal among them takes it: 'T', 'U', …
  char group = 'T';
  DTypeSet dtypes = kAnyDType;
  bool optional = false;  // may be left out at the end
  bool variadic = false;  // the last operand: one or more
  std::string_view summary = {};
};

struct AttributeSpec {
  std::string_view name;
  AttributeKind kind;
  bool required = false;
  std::optional<AttributeValue> default_value = {};
  std::string_view summary = {};
  std::vector<std::string_view> choices = {};  // for text: the values allowed
};

// ---- Inference
// -------------------------------------------------------------------------------------------------

// A call of an operation, to be checked and typed. The caller has already checked the number of
// operands, their dtype groups, and the names and kinds of the attributes, and filled in defaults.
struct Inference {
  std::span<const TensorType> operands;
  Attributes attributes;
  std::optional<DType> stated_dtype;  // the node's own "dtype" and "shape", if any: what is wanted
                                      // where the record uses
  std::optional<Integers>
      stated_shape;               // them (cast, iota, reshape …), checked by the caller in any case
  std::size_t named_results = 1;  // how many names the node gives its results

  // What the record's function gives back.
  Attributes normal;  // attributes as every later stage reads them: axes non-negative and sorted,
                      // ranges as Strides …
  std::vector<TensorType>
      results;  // packed layouts; the layouts of views are set by the caller through OpRecord::view

  struct Fault {
    std::string path;  // JSON pointer below the node: "/axis", "/inputs/1"
    std::string message;
    std::string hint;
  };
  std::vector<Fault> faults;
  void fail(std::string path, std::string message, std::string hint = {}) {
    faults.push_back({std::move(path), std::move(message), std::move(hint)});
  }
};

// ---- Composition
// -----------------------------------------------------------------------------------------------

// How a composite builds itself from other operations. The names given become parts of the names of
// the new nodes.
class Composer {
 public:
  struct Value {
    std::uint32_t id = 0;
  };
  virtual ~Composer() = default;
  virtual std::size_t operand_count() const = 0;
  virtual Value operand(std::size_t index) const = 0;
  virtual TensorType type(Value value) const = 0;
  virtual const Attributes& attributes() const = 0;
  // A scalar constant of the dtype, rounded once.
  virtual Value literal(double value, DType dtype) = 0;
  // The first result of `op`. The attributes are written as a user would write them. An illegal
  // call is our bug.
  virtual Value call(std::string_view op, std::vector<Value> operands, Attributes attributes,
                     std::string_view name) = 0;
  virtual void result(std::size_t index, Value value) = 0;
};

// ---- Reference
// -------------------------------------------------------------------------------------------------

// A call of an operation on values. The record's function fills `results`, one per type, each
// element computed in double and rounded once to the dtype (integers exactly, wrapping).
struct Evaluation {
  std::span<const HostTensor> operands;
  const Attributes& attributes;  // normal
  std::span<const TensorType> types;
  std::vector<HostTensor> results;
};

// How far a compiled result may lie from the reference on the same operands.
enum class ErrorModel : std::uint8_t {
  kExact,        // the same bits (NaNs count as one value)
  kUlps,         // `ulps` units in the last place of the reference
  kAccumulated,  // gamma(n) * sum |terms| over the n reduced elements, plus `ulps`
  kMultiplied,   // gamma(n) * |product| of the n reduced elements, plus `ulps`; nothing is promised
                 // where the product of some of them leaves the range of normal numbers
  kProduct,      // gamma(k) * sum |products| over the k products, plus `ulps`
  kComposed,     // a composite: each operation that it expands into within its own bound
};

struct ErrorBound {
  ErrorModel model = ErrorModel::kExact;
  double ulps = 0;      // for f32
  double ulps_f64 = 0;  // for f64
  // How many elements (n) or products (k) one element of the result is accumulated from; where it
  // is left out, those along "axes" or "axis".
  std::int64_t (*terms)(std::span<const HostTensor> operands, const Attributes& normal) = nullptr;
  bool divides = false;  // what is accumulated is divided by their number, as a mean is
};

// ---- Emission
// -------------------------------------------------------------------------------------------------

// How an elementwise operation is written inside a kernel's lambda.
struct ElementwiseText {
  enum class Form : std::uint8_t { kNone, kInfix, kPrefix, kCall, kCast };
  Form form = Form::kNone;
  std::string_view token;  // "+", "-", "relu" (called as wick::relu)
  std::vector<std::string_view> literals =
      {};  // attributes appended as literals of the first operand's dtype
};

// How an operation with a runtime function of its own is called.
struct TemplateArgument {
  enum class Form : std::uint8_t {
    kInteger,    // 2
    kFlag,       // true
    kAxes,       // wick::Axes<0, 2>
    kSizes,      // wick::Sizes<3, 3>
    kSteps,      // wick::Steps<2, 2>
    kDilations,  // wick::Dilations<1, 1>
    kBefore,     // wick::Before<1, 0>: the first of each pair
    kAfter,      // wick::After<0, 1>: the second of each pair
  };
  Form form;
  std::string_view attribute;
};
struct RuntimeCall {
  std::string_view function = {};  // "gather" (wick::gather)
  std::vector<TemplateArgument> template_arguments = {};
  // Of a product: the function that writes its axes in the order of the template argument
  // Axes<...>, the last one staying last; none if absent.
  std::string_view transposed = {};
  std::string_view reducer = {};  // "Sum" (wick::Sum{}), passed after the result
  std::vector<std::string_view> literals =
      {};  // attributes appended as literals of the first operand's dtype
  // Bytes of scratch, passed last; none if absent.
  Bytes (*workspace)(std::span<const TensorType> operands, const Attributes& attributes) = nullptr;
};

// ---- Traits
// -------------------------------------------------------------------------------------------------

enum class FusionClass : std::uint8_t {
  kElementwise,  // result element i depends on operand elements at broadcast index i
  kReduction,    // attributes "axes", "keepdims"; call.reducer says what accumulates
  kProduct,      // the anchor: operands 0 and 1 multiplied and added up, each element of the result
                 // from many of theirs; takes an elementwise epilogue
  kLayout,       // a view: only the layout changes
  kPack,         // the operand in packed layout: a copy unless it already is
  kOpaque,       // a runtime function of its own
  kComposite,    // expands into other operations
};

// The part an operation plays in a chain a*x+b of scalars; the literal may stand on either side
// where that keeps the meaning.
enum class ScalarRole : std::uint8_t {
  kNone,
  kShift,
  kUnshift,
  kScale,
  kUnscale,
  kMultiplyAdd,
  kNegate
};

enum class Cost : std::uint8_t {
  kCheap,
  kExpensive
};  // expensive: never computed twice to save memory traffic

struct Traits {
  Cost cost = Cost::kCheap;
  bool exactly_rounded = false;  // may be folded at compile time: the same bits on every machine
  bool commutative = false;
  bool involution = false;  // f(f(x)) is x
  bool idempotent = false;  // f(f(x)) is f(x)
  ScalarRole scalar_role = ScalarRole::kNone;
  std::optional<double> right_identity =
      {};  // f(x, this) is x for every x, signed zeros and NaN included
  std::optional<double> left_identity = {};
  bool identity = false;  // a layout operation whose result is its operand, value and layout
};

struct OpRecord;

// ---- The record
// ------------------------------------------------------------------------------------------------

struct OpRecord {
  std::string_view name;
  std::string_view family;   // the heading in docs/ops.md
  std::string_view summary;  // one line
  std::string_view prose;    // shapes, dtypes, special values, source of a formula
  std::string_view example;  // a node in JSON

  std::vector<OperandSpec> operands = {};
  std::vector<AttributeSpec> attributes = {};
  bool uses_dtype = false;  // the node's "dtype" says what is wanted
  bool uses_shape = false;  // the node's "shape" likewise

  FusionClass fusion = FusionClass::kOpaque;
  Traits traits = {};
  ErrorBound error = {};

  void (*infer)(Inference&) = nullptr;
  // kLayout: result `index` of the operation as a layout of the operand's storage; nothing if the
  // operand's layout does not allow it and it has to be packed first.
  std::optional<Layout> (*view)(const Layout& operand, const Attributes& normal,
                                const Shape& result, std::size_t index) = nullptr;
  // Composites: builds the operation from others and returns true; returns false if, with these
  // operands and attributes, it is primitive.
  bool (*expand)(Composer&) = nullptr;
  void (*evaluate)(Evaluation&) = nullptr;

  ElementwiseText text = {};  // kElementwise
  RuntimeCall call = {};      // kReduction, kProduct, kOpaque
};

// ---- The table
// -------------------------------------------------------------------------------------------------

// Every record, by family, then in the order of the documentation.
std::span<const OpRecord* const> all();

// The record of that name, or null.
const OpRecord* find(std::string_view name);

// The record that plays this part; there is exactly one for each part but kNone.
const OpRecord& with_role(ScalarRole role);

// The record of the packing operation (kPack).
const OpRecord& packing();

}  // namespace wick::compiler::ops
