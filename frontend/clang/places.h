// Where something stands in the checked files.
#pragma once

#include <clang/Basic/SourceManager.h>

#include "frontend/check/program.h"

namespace wick::frontend::check {

// The folders of the parser's file system.
inline constexpr const char* kEmittedFolder = "/emitted/";
inline constexpr const char* kSourcePath = "/emitted/<source>";
inline constexpr const char* kRuntimeFolder = "/runtime/";

// The place in the source or its header where `location` was written (a macro's use, not its
// definition); line 0 if it lies in the runtime or nowhere.
inline Place place_in(const clang::SourceManager& files, clang::SourceLocation location) {
  if (location.isInvalid()) return {};
  const auto [file, offset] = files.getDecomposedLoc(files.getExpansionLoc(location));
  const clang::OptionalFileEntryRef entry = files.getFileEntryRefForID(file);
  if (!entry || !entry->getName().starts_with(kEmittedFolder)) return {};
  Place place;
  place.file = file == files.getMainFileID() ? Place::File::kSource : Place::File::kHeader;
  place.line = files.getLineNumber(file, offset);
  place.column = files.getColumnNumber(file, offset);
  return place;
}

}  // namespace wick::frontend::check
