// Which slots are alive when.
#pragma once

#include <vector>

#include "compiler/plan/plan.h"

namespace wick::compiler {

struct Peak {
  Bytes rounded;       // sizes rounded up to the alignment: no packing is lower
  Bytes raw;           // sizes as they are
  StepIndex step = 0;  // the first at which `rounded` is alive
};

// The most bytes of slots of one program alive at once; `steps` is the program's length. Linear.
Peak peak_of(const IdVector<StorageId, Storage>& storages, bool prepare, std::size_t steps);

}  // namespace wick::compiler
