// What the checker says of a mutant, stage by stage. Each stage stands for itself here, so that
// nothing that one of them overlooks hides behind another that happens to object to the layout of
// the text: form is judged for no mutant but those that break nothing else.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "tests/check/mutant.h"
#include "tests/check/subjects.h"

namespace wick::mutation {

enum class Stage {
  kReading,       // not C++, or nothing that wick emits
  kSafety,        // the proof of memory safety
  kFaithfulness,  // the comparison with the graph
  kAccepted,
};

struct Judged {
  Stage stage = Stage::kAccepted;
  std::string message;  // of the first finding, with its line
};

// The files of a subject, changed or not, against its graph.
Judged judge(const Subject& subject, const MutatedFiles& files, std::span<const std::byte> packed);

}  // namespace wick::mutation
