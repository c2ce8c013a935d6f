# Writes OUTPUT, a source file that holds the HEADERS as string literals.
#
#   cmake -D "HEADERS=a.h;b.h" -D OUTPUT=embedded.cpp -P embed_headers.cmake

set(entries "")
foreach(header IN LISTS HEADERS)
  file(READ "${header}" text)
  get_filename_component(name "${header}" NAME)
  if(text MATCHES "\\)wick_header\"")
    message(FATAL_ERROR "${header} holds the mark that ends its literal")
  endif()
  string(APPEND entries "    {\"${name}\", R\"wick_header(${text})wick_header\"},\n")
endforeach()

file(WRITE "${OUTPUT}" "// Made by frontend/embed/embed_headers.cmake.
#include \"frontend/embed/runtime_headers.h\"

namespace wick::frontend {
namespace {

constexpr RuntimeHeader kHeaders[] = {
${entries}};

}  // namespace

std::span<const RuntimeHeader> runtime_headers() { return kHeaders; }

}  // namespace wick::frontend
")
