// Pass 2 of the seed's planner: a storage for every base, by one of the five kinds (in place,
// reference to a slot, eternal reference, reuse, fresh) or where the caller wants it, and the
// frees. Offsets come later, from `arrange`.
#pragma once

#include "compiler/plan/plan.h"
#include "compiler/plan/preplan.h"

namespace wick::compiler {

// Storages that exist before any program runs.
struct Given {
  IdVector<TensorId, StorageId> storage;  // of inputs and constants; of cached values once prepared
};

// Adds a storage for each input and constant to `plan`.
Given given_storages(const FusedGraph& fused, Plan& plan);

// Turns `staged` into a program whose storages it adds to `plan`. Of a program that prepares, it
// adds the storages of the cached values to `given`. Guarantees: each slot is freed once, by the
// last step that touches it; two storages never share bytes but in place. Cost: linear, but for
// what in_place.h says.
Program assign(const Preplan& staged, bool prepares, Given& given, Plan& plan);

}  // namespace wick::compiler
