// A graph cut into kernels: what each loop computes, in which form, and which tensors stand between
// them. The product of `fuse`; the planner gives the tensors memory, the emitter writes the kernels
// down.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "compiler/graph/graph.h"
#include "compiler/ops/record.h"
#include "compiler/support/ids.h"
#include "compiler/support/short_vector.h"
#include "compiler/tensor/scalar.h"

namespace wick::compiler {

using TensorId = Id<struct TensorTag>;
using KernelId = Id<struct KernelTag>;
using BodyId = Id<struct BodyTag>;

// ---- Tensors
// -------------------------------------------------------------------------------------------------

enum class TensorKind : std::uint8_t { kInput, kConstant, kResult };

// A tensor that exists in memory, at least as a name for a part of it.
struct FusedTensor {
  std::string name;  // of the value it holds
  DType dtype = DType::kF32;
  Shape shape;
  TensorKind kind = TensorKind::kResult;
  std::uint32_t index = 0;  // which input of the graph, or which entry of FusedGraph::constants
  ValueId value;            // what it holds; invalid for a constant that `fuse` laid out anew
  KernelId producer;        // of a result
  bool cached = false;      // lives across calls
  bool panels = false;      // a constant whose bytes are to lie in panels; read by products alone
};

// ---- Bodies: the lambdas
// ---------------------------------------------------------------------------------------

// What a statement of a body reads.
struct BodyOperand {
  enum class Kind : std::uint8_t { kParameter, kStatement, kLiteral };
  Kind kind = Kind::kParameter;
  std::uint32_t index = 0;  // of the parameter or statement
  Scalar literal;
};

// One elementwise operation on the elements at hand. The names in a body are those of the graph,
// which outlives it.
struct BodyStatement {
  const ops::OpRecord* op = nullptr;
  ops::Attributes attributes;
  ShortVector<BodyOperand, 2> operands;
  DType dtype = DType::kF32;  // of the result
  std::string_view name;      // of the value in the graph
  NodeId node;                // the node it computes; nodes of one folded chain share the last
};

struct BodyParameter {
  std::string_view name;
  DType dtype = DType::kF32;
};

// A straight line of statements; the result is one of them, or a parameter, or a literal.
struct Body {
  std::vector<BodyParameter> parameters;
  std::vector<BodyStatement> statements;
  BodyOperand result;
  DType dtype = DType::kF32;  // of the result

  // True if the body returns its only parameter.
  bool is_identity() const {
    return statements.empty() && parameters.size() == 1 &&
           result.kind == BodyOperand::Kind::kParameter;
  }
};

// ---- Kernels
// -------------------------------------------------------------------------------------------------

// In a pass of a row program, what a parameter of its body is bound to.
struct RowOperand {
  enum class Kind : std::uint8_t {
    kOperand,  // operand `index` of the kernel, at the element (or once per row, if its extents
               // along the row are 1)
    kKept,     // the row kept by pass `index`
    kScalar,   // the row scalar of pass `index`
  };
  Kind kind = Kind::kOperand;
  std::uint32_t index = 0;

  friend bool operator==(const RowOperand&, const RowOperand&) = default;
};

struct RowPass {
  enum class Kind : std::uint8_t {
    kReduce,  // a row scalar: `reducer` over the body
    kKeep,    // a row of elements in the workspace
    kScalar,  // a row scalar: the body once
    kWrite,   // result `result` of the kernel: at each element, or once per row if it has one
              // element per row
  };
  Kind kind = Kind::kWrite;
  BodyId body;                       // invalid: the only operand as it is
  std::vector<RowOperand> operands;  // one per parameter of the body
  std::string_view reducer;          // kReduce: "Sum" …, from the op's record
  std::uint32_t result = 0;          // kWrite
  std::string name;                  // of the row scalar or kept row
};

enum class KernelKind : std::uint8_t {
  kLayout,   // no computation: the result is its operand through `views`, in order
  kPack,     // copies its operand into packed layout, unless planning finds it packed already
  kMap,      // body over the operands, broadcast to the result
  kReduce,   // body (`terms`) over operands [0, terms), reduced over `axes`, then `results` on it
             // and the other operands
  kRows,     // passes over the rows along `axes`
  kProduct,  // operands 0 and 1 multiplied by `op`, then `results` on it and the other operands,
             // written with its axes in `order`
  kCall,     // the runtime function of `op`, attributes as there
};

// What planning looks at stands first, within one line of the processor's cache.
struct Kernel {
  KernelKind kind = KernelKind::kMap;
  // The trait of the node: as_contiguous and cache nodes keep their part in aliasing after fusion.
  bool cache = false;
  std::uint32_t view_index = 0;  // kLayout: which result of the last view (a split has several)
  ShortVector<TensorId, 2> operands;
  ShortVector<TensorId, 2> results;
  Bytes workspace;  // scratch it needs while it runs

  ShortVector<NodeId, 2> nodes;  // computed here, in order; empty for a packing `fuse` put in
  ShortVector<NodeId, 2> views;  // kLayout: the layout operations applied, first to last

  BodyId body;                     // kMap; kReduce: the terms, invalid: the operand as it is
  BodyId results_body;             // kReduce, kProduct; invalid: the result as it is
  std::uint32_t terms = 0;         // kReduce: how many operands the terms read
  std::vector<std::int64_t> axes;  // kReduce, kRows
  std::vector<RowPass> passes;     // kRows
  // kProduct: axis i of the result is axis order[i] of the product; empty: as the product lies
  std::vector<std::int64_t> order;

  const ops::OpRecord* op = nullptr;  // kReduce, kProduct, kCall: whose `call` it is
  ops::Attributes attributes;         // kProduct, kCall
};

// Why two nodes were not put into one kernel (`--explain-fusion`).
struct FusionRefusal {
  NodeId producer;
  NodeId consumer;
  const char* reason = "";
};

// Kernels stand in topological order. Every operand of a kernel is an input, a constant or the
// result of an earlier kernel. Every output of the graph is a tensor. Equal bodies are one body.
struct FusedGraph {
  const Graph* graph = nullptr;
  IdVector<TensorId, FusedTensor> tensors;
  IdVector<KernelId, Kernel> kernels;
  IdVector<BodyId, Body> bodies;
  std::vector<HostTensor> constants;  // row-major; an entry per constant tensor
  std::vector<TensorId> outputs;      // one per output of the graph, in order
  std::vector<FusionRefusal> refusals;
};

// The layout of a view's result, derived from its operand's; nothing if the operand has to be
// packed first.
std::optional<Layout> apply_views(const FusedGraph& fused, const Kernel& kernel, Layout operand);

}  // namespace wick::compiler
