// Asks the processor for memory that will be looked at soon: walks that jump about in large tables
// know their next steps long before they take them.
#pragma once

namespace wick::compiler {

// Brings the cache line at `address` nearer; any address will do, valid or not. g++ takes a
// function that does nothing but prefetch for one without effects, and drops the calls of it: the
// empty statement, which it may not drop, keeps them.
inline void prefetch(const void* address) {
  __builtin_prefetch(address);
  asm volatile("");
}

}  // namespace wick::compiler
