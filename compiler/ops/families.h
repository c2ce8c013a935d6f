// The families of operations: each file of records gives its own, in the order of the
// documentation.
#pragma once

#include <vector>

#include "compiler/ops/record.h"

namespace wick::compiler::ops {

const std::vector<OpRecord>& arithmetic_records();
const std::vector<OpRecord>& mathematics_records();
const std::vector<OpRecord>& activation_records();
const std::vector<OpRecord>& rounding_records();
const std::vector<OpRecord>& comparison_records();
const std::vector<OpRecord>& selection_records();
const std::vector<OpRecord>& layout_records();
const std::vector<OpRecord>& slicing_records();
const std::vector<OpRecord>& joining_records();
const std::vector<OpRecord>& indexing_records();
const std::vector<OpRecord>& reduction_records();
const std::vector<OpRecord>& product_records();
const std::vector<OpRecord>& convolution_records();
const std::vector<OpRecord>& pooling_records();
const std::vector<OpRecord>& softmax_records();
const std::vector<OpRecord>& normalization_records();
const std::vector<OpRecord>& sorting_records();

}  // namespace wick::compiler::ops
