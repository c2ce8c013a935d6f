// Where every tensor lives, in which order kernels run, and after which step memory is free: the
// product of `plan`, hard-coded into the emitted function.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "compiler/fuse/fused_graph.h"
#include "compiler/support/ids.h"
#include "compiler/support/short_vector.h"
#include "compiler/tensor/layout.h"

namespace wick::compiler {

using StorageId = Id<struct StorageTag>;

// ---- Options
// -------------------------------------------------------------------------------------------------

enum class StorageMode : std::uint8_t {
  kArena,   // the caller hands the arena in
  kStatic,  // one static arena, not reentrant
  kHeap,    // each slot allocated and freed on its own; freed slots of the right size are reused
  kNone,    // every value its own bytes, nothing in place, nothing reused
};
enum class Schedule : std::uint8_t { kDepthFirst, kGiven, kMemory };
enum class PackMode : std::uint8_t { kDefault, kExact };

struct PlanOptions {
  StorageMode storage = StorageMode::kArena;
  Schedule schedule = Schedule::kDepthFirst;
  PackMode pack = PackMode::kDefault;
  double pack_seconds = 10;  // limit of the exact search
};

// ---- Storages
// -------------------------------------------------------------------------------------------------

enum class StorageKind : std::uint8_t {
  kSlot,      // bytes of the arena (or an allocation of its own)
  kInput,     // the caller's, `index` among the inputs
  kOutput,    // the caller's, `index` among the outputs
  kConstant,  // `index` among FusedGraph::constants
  kState,     // lives across calls, at `offset` in the caller's State: a cached value
};

// A step of a program; a storage is alive in [birth, death) of them.
using StepIndex = std::uint32_t;

// A range of bytes that tensors share by being in place of each other or views of one another.
struct Storage {
  StorageKind kind = StorageKind::kSlot;
  Bytes size;
  std::uint32_t index = 0;
  Bytes offset;         // of a slot in the arena, of a cached value in the state
  StepIndex birth = 0;  // slots: the step that writes it first
  StepIndex death =
      0;  // slots: one past the step that reads it last (or writes it, if nobody reads it)
  bool in_prepare = false;  // a slot of the program that computes cached values
  bool workspace = false;   // scratch of one step
  // Heap: whose allocation its bytes are, itself if it is the first in it. An allocation is given
  // back where the last slot in it is freed. None for slots without bytes, and in other modes.
  StorageId allocation = {};
  TensorId first = {};  // the tensor that gives the slot its name; none for workspace
};

// ---- Steps
// -------------------------------------------------------------------------------------------------

// A tensor as a step sees it: which bytes, in which layout (in elements of the tensor's dtype from
// the start of the storage).
struct Located {
  TensorId tensor;
  StorageId storage;
  Layout layout;
};

// How a result got its bytes: the seed's five kinds, and the caller's memory.
enum class Placement : std::uint8_t {
  kInPlace,           // over operand `in_place_operand`, which dies here
  kReferenceSlot,     // another layout of a slot
  kReferenceEternal,  // another layout of an input, constant or cached value
  kReuse,  // a freed slot's bytes (heap: the same allocation; arena: a label derived after packing)
  kFresh,
  kOutput,  // written where the caller wants it
  kState,   // a cached value's own bytes
};

enum class StepKind : std::uint8_t {
  kKernel,
  kReference,  // a view: names a layout, computes nothing
  kCopy,  // operand 0 copied into the result: a packing, or an output that is an input, a constant
          // or a second name
};

struct Step {
  StepKind kind = StepKind::kKernel;
  KernelId kernel;  // none for the copy of an output
  ShortVector<Located, 2> reads;
  ShortVector<Located, 1> writes;
  ShortVector<Placement, 8> placements;  // one per write
  std::uint32_t in_place_operand = 0;    // kInPlace: index in `reads`
  StorageId workspace;                   // invalid if the kernel needs none
  StorageId reused;                      // kReuse: whose bytes, for the comment
  ShortVector<StorageId, 2> frees;       // slots that nothing reads after this step
};

struct Program {
  std::vector<Step> steps;
  Bytes arena;  // its own need, the plan's is the larger of both programs
  std::vector<StepIndex>
      parts;  // where each part of at most 256 statements begins; empty if one part is enough
};

// ---- The plan
// -------------------------------------------------------------------------------------------------

enum class AliasKind : std::uint8_t { kNoAlias, kAlias, kTakeover };
enum class AliasTag : std::uint8_t { kAnything, kContiguous, kContiguousCached };

// What the pre-planner decided for a kernel, kept for `--emit=plan` and the tests.
struct AliasDecision {
  AliasKind kind = AliasKind::kNoAlias;
  AliasTag tag = AliasTag::kAnything;
  TensorId target;  // whose storage, or whom it takes over
};

// Memory in figures. All in bytes.
struct MemoryReport {
  Bytes arena;        // what the caller hands in
  Bytes lower_bound;  // most bytes alive at once, sizes rounded up to the alignment
  Bytes live;         // most raw bytes alive at once
  StepIndex peak_step = 0;
  bool peak_in_prepare = false;  // the peak is in the program that computes cached values
  std::vector<StorageId> at_peak;
  std::size_t slots = 0;  // of `run`, as the figures below; the ones above are of both programs
  Bytes no_reuse;         // every result its own bytes
  Bytes with_views;       // … but views
  Bytes with_in_place;    // … and in-place writes
  Bytes run_bound;        // the lower bound of `run` alone
  std::optional<Bytes> depth_first;  // … had it run in depth-first order, if it does not
  Bytes state;
  Bytes moved;  // read and written by all steps
  bool packing_optimal = false;
  std::string packing;  // how the packer got there
};

struct Plan {
  const FusedGraph* fused = nullptr;
  PlanOptions options;
  IdVector<StorageId, Storage> storages;
  Program prepare;  // computes the cached values; empty if there are none
  Program run;
  IdVector<KernelId, AliasDecision> aliases;
  Bytes arena;  // of run and prepare
  Bytes state;  // of cached values, without the flag that guards them
  MemoryReport report;
};

// Plans `fused`, which must outlive the plan. Guarantees: `validate` accepts the result. Cost: O(n
// log n).
Plan plan(const FusedGraph& fused, const PlanOptions& options);

}  // namespace wick::compiler
