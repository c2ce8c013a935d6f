#pragma once

// The one include of generated code. docs/generated-code.md lists what it offers.

#include "wick/arg_reduce.h"
#include "wick/convolve.h"
#include "wick/elementwise.h"
#include "wick/gather.h"
#include "wick/heap.h"
#include "wick/interface.h"
#include "wick/literals.h"
#include "wick/map.h"
#include "wick/matmul.h"
#include "wick/memory.h"
#include "wick/move.h"
#include "wick/pool.h"
#include "wick/reduce.h"
#include "wick/rows.h"
#include "wick/scan.h"
#include "wick/sort.h"
#include "wick/state.h"
#include "wick/tensor.h"
#include "wick/version.h"
