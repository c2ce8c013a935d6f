// Shape rules of the statements that slide windows over spatial axes: convolution and pooling. What
// lies outside of the operand is padding and is never read; how much there is behind the operand
// follows from the shape of the result.
#include <algorithm>

#include "frontend/check/call.h"

namespace wick::frontend::check {
namespace {

using compiler::Shape;
using Numbers = std::vector<std::int64_t>;

// The largest size, step, dilation and padding: no product of two leaves 64 bits.
constexpr std::int64_t kMost = 2147483647;

// Whether the list has a number from `least` on for each spatial axis of the operand; a finding if
// not.
bool is_list(const Call& call, const Numbers& numbers, std::int64_t least, const char* what) {
  const std::size_t rank = call.operands[0].shape().rank();
  const auto fits = [&](std::int64_t number) { return number >= least && number <= kMost; };
  if (numbers.size() + 2 == rank && std::ranges::all_of(numbers, fits)) return true;
  call.fail(call.statement->place,
            std::string(what) + " are missing or out of range: " + call.operands[0].with_type() +
                ", has " + std::to_string(rank - 2) + " spatial axes",
            "expected one for each of them, from " + std::to_string(least) + " to " +
                std::to_string(kMost));
  return false;
}

// Whether the operand is [batch, channels, spatial...]; a finding if not.
bool has_spatial_axes(const Call& call) {
  const std::size_t rank = call.operands[0].shape().rank();
  if (rank == 3 || rank == 4) return true;
  call.fail(call.operands[0].place,
            call.operands[0].with_type() + ", does not have one or two spatial axes",
            "windows slide over [batch, channels, width] or [batch, channels, height, width]");
  return false;
}

// A finding unless the result is [batch of the operand, channels, any windows...].
void must_hold_windows(const Call& call, std::int64_t channels) {
  const Shape& operand = call.operands[0].shape();
  const Shape& result = call.results[0].shape();
  if (result.rank() == operand.rank() && result[0] == operand[0] && result[1] == channels) return;
  call.fail(call.results[0].place,
            call.results[0].with_type() + ", does not hold the windows of " +
                call.operands[0].with_type() + ", in " + std::to_string(channels) + " channels",
            "results are [batch of the operand, channels, windows...]");
}

struct Windows {
  const Numbers& sizes;
  const Numbers& steps;
  const Numbers& dilations;
  const Numbers& before;
};

// Whether some element of the window that starts at `start` lies within [0, extent).
bool takes_an_element(std::int64_t start, std::int64_t size, std::int64_t dilation,
                      std::int64_t extent) {
  if (start >= 0) return start < extent;
  const std::int64_t index =
      (dilation - 1 - start) / dilation;  // of the first that is not before 0
  return index < size && start + index * dilation < extent;
}

// A finding unless every window takes an element of the operand. That the first and the last do is
// enough, but where the operand is shorter than the dilation and has padding before it: a window
// may then step over it, and is refused whether one does or not.
void must_take_elements(const Call& call, const Windows& windows) {
  const Shape& operand = call.operands[0].shape();
  const Shape& result = call.results[0].shape();
  if (result.rank() != operand.rank() || !result.has_elements()) return;
  for (std::size_t axis = 0; axis < windows.sizes.size(); ++axis) {
    const std::int64_t extent = operand[axis + 2], step = windows.steps[axis];
    const std::int64_t last = result[axis + 2] - 1;
    const auto takes = [&](std::int64_t window) {
      const bool fits = window <= (extent + windows.before[axis]) / step;
      return fits && takes_an_element(window * step - windows.before[axis], windows.sizes[axis],
                                      windows.dilations[axis], extent);
    };
    const bool is_short = extent < windows.dilations[axis] && windows.before[axis] > 0;
    const std::string where =
        "along spatial axis " + std::to_string(axis) + " of " + call.operands[0].with_type();
    if (!takes(0) || !takes(last)) {
      call.fail(call.statement->place, "a window " + where + ", takes nothing but padding",
                "what it would give is not defined");
      return;
    }
    if (!is_short) continue;
    call.fail(call.statement->place,
              "windows that begin in padding could step over the elements " + where +
                  ": theirs are " + std::to_string(windows.dilations[axis]) + " apart",
              "pad the operand explicitly, or dilate less");
    return;
  }
}

}  // namespace

void check_convolve(const Call& call) {
  const CallOperand& x = call.operands[0];
  const CallOperand& w = call.operands[1];
  if (!has_spatial_axes(call)) return;
  must_keep_dtype(call, w, x);
  const bool lists = is_list(call, call.list(0), 1, "steps") &&
                     is_list(call, call.list(1), 1, "dilations") &&
                     is_list(call, call.list(2), 0, "margins");
  if (!lists) return;
  const std::int64_t groups = call.integer(3);
  const bool fits = groups > 0 && w.shape().rank() == x.shape().rank() &&
                    x.shape()[1] % groups == 0 && w.shape()[1] == x.shape()[1] / groups &&
                    w.shape()[0] % groups == 0;
  if (!fits) {
    call.fail(w.place,
              w.with_type() + ", are no kernels for " + x.with_type() + ", in " +
                  std::to_string(groups) + " groups",
              "weights are [channels out, channels / groups, window...]");
    return;
  }
  const auto sizes = w.shape().extents().subspan(2);
  if (!is_list(call, {sizes.begin(), sizes.end()}, 1, "extents of the kernels")) return;
  must_hold_windows(call, w.shape()[0]);
  for (const CallOperand& extra : call.extras) must_broadcast(call, extra);
}

namespace {

void check_pool(const Call& call, const Windows& windows) {
  if (!has_spatial_axes(call)) return;
  must_keep_dtype(call, call.operands[0], call.results[0]);
  const bool lists = is_list(call, windows.sizes, 1, "sizes") &&
                     is_list(call, windows.steps, 1, "steps") &&
                     is_list(call, windows.dilations, 1, "dilations") &&
                     is_list(call, windows.before, 0, "margins");
  if (!lists) return;
  must_hold_windows(call, call.operands[0].shape()[1]);
  must_take_elements(call, windows);
}

}  // namespace

void check_max_pool(const Call& call) {
  check_pool(call, {call.list(0), call.list(1), call.list(2), call.list(3)});
}

void check_average_pool(const Call& call) {
  const Numbers together(call.list(0).size(), 1);
  check_pool(call, {call.list(0), call.list(1), together, call.list(2)});
}

}  // namespace wick::frontend::check
