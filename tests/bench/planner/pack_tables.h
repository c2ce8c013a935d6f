// The packers on real and hard sets of lifetimes, next to two allocators' rules done in the same
// run, and on a million buffers.
#pragma once

namespace wick::bench {

// Prints Markdown. Every packing is checked by the independent sweep; a packing with a fault ends
// the program. `seconds` of wall time is the limit of each exact search; what is printed is
// processor time, so that a busy machine does not blur it.
void print_packing_tables(double seconds);

}  // namespace wick::bench
