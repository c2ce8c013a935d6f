#pragma once

// The shapes of a convolution, and how its work is cut: all of it constants.
//
//   patch   the results that one register tile holds of each channel: so many rows of so many
//           neighbours, both powers of two. Narrow images take several rows, so that vectors are
//           full. The last patch of a row or column begins early rather than being cut; a patch
//           may be wider than the image, its last lanes are then never stored.
//   halo    the elements of the operand under the windows of some patches, copied into a local
//           buffer of 16 KiB with the padding as zeros. Windows overlap, so that a halo is far
//           smaller than the windows one by one.
//   block   the part of the window that a halo covers: all of it if it fits for one patch, else
//           some channels, else some rows of a channel, else some columns of a row
//   band    the patches that one halo serves: as many as fit. Where there are several blocks, it is
//           one patch if patches overlap (sums between blocks are the result's), else as many as
//           leave a block long enough
//
// A halo keeps its elements such that neighbouring results find what they multiply in neighbouring
// places, whatever the step: along each axis it is a list of runs, either one per phase of the step
// (element e is in run e mod step) or, if that is smaller, one per place of the window.
//
//   step 2, size 3, results 0 1 2      phases   0 2 4 6 | 1 3 5     (7 elements)
//   step 2, size 1, results 0 1 2      places   0 2 4

#include "wick/matmul_tile.h"
#include "wick/window.h"

namespace wick::internal {

// Results of one tile, per channel.
struct Patch {
  Index down = 1;
  Index across = 1;
  constexpr Index lanes() const noexcept { return down * across; }
};

// Vectors that the sums of a tile may fill.
inline constexpr Index kSumVectors = !WICK_FAST_FMA       ? 2
                                     : !kHasVectors       ? 8
                                     : kNativeBytes == 64 ? 16
                                                          : 12;

template <class E>
constexpr Index vectors_of(Index lanes) noexcept {
  return quotient_up(lanes, native_lanes<E>);
}

// Channels of a tile for patches of so many lanes: as many as fit beside a patch of the operand and
// a weight, spread evenly.
template <class E>
constexpr Index tile_channels(Index channels, Index lanes) noexcept {
  constexpr Index registers = kNativeBytes == 64 ? 32 : 16;
  const Index vectors = vectors_of<E>(lanes);
  const Index fit = most(1, smaller(kSumVectors / vectors, (registers - 1) / vectors - 1));
  return channels == 0 ? 1 : quotient_up(channels, quotient_up(channels, fit));
}

// What one step of all tiles costs, in issues of a processor that starts as many multiply-adds as
// loads per cycle, and needs so many sums to be busy; putting a vector together from parts costs as
// much as a multiply-add.
template <class E>
constexpr Index patch_cost(Index channels, Index down, Index across, Patch patch) noexcept {
  const Index rows = tile_channels<E>(channels, patch.lanes());
  const Index vectors = vectors_of<E>(patch.lanes());
  const Index parts = patch.down * vectors_of<E>(patch.across);
  const Index tiles = quotient_up(channels, rows) * quotient_up(down, patch.down) *
                      quotient_up(across, patch.across);
  constexpr Index busy = WICK_FAST_FMA ? 10 : 1;
  return tiles * (most(busy, most(rows * vectors, rows + parts)) + parts - vectors);
}

template <class E>
constexpr Patch choose_patch(Index channels, Index down, Index across) noexcept {
  Patch best;
  Index least_cost = -1;
  for (Index lanes = floor_power(smaller(64, kSumVectors * native_lanes<E>)); lanes >= 1;
       lanes /= 2) {
    for (Index width = lanes; width >= 1; width /= 2) {
      const Patch patch{lanes / width, width};
      if (patch.down > most(1, down) || patch.across > ceil_power(across)) continue;
      const Index cost = patch_cost<E>(channels, down, across, patch);
      if (least_cost >= 0 && cost >= least_cost) continue;
      least_cost = cost;
      best = patch;
    }
  }
  return best;
}

// One axis of a halo for `results` neighbouring windows and `places` neighbouring places of them.
struct HaloAxis {
  bool by_place = false;
  Index runs = 1;
  Index length = 1;
  Index run_step = 1;  // in elements of the operand, from one run to the next
  Index step = 1;      // in a run

  constexpr Index size() const noexcept { return runs * length; }
  // From the first place of a window to place k.
  constexpr Index to_place(Index k, Index dilation) const noexcept {
    return by_place ? k * length : k * dilation % step * length + k * dilation / step;
  }
};

constexpr HaloAxis halo_axis(const WindowAxis& axis, Index results, Index places) noexcept {
  HaloAxis phases;
  phases.step = axis.step;
  phases.runs = axis.step;
  phases.length = results + (places - 1) * axis.dilation / axis.step;
  HaloAxis by_place;
  by_place.by_place = true;
  by_place.step = axis.step;
  by_place.run_step = axis.dilation;
  by_place.runs = places;
  by_place.length = results;
  return by_place.size() < phases.size() ? by_place : phases;
}

// How many of `count` equal things, `fit` of which fit, are done at a time: as even as possible.
constexpr Index evenly(Index count, Index fit) noexcept {
  return count == 0 ? 1 : quotient_up(count, quotient_up(count, most(1, fit)));
}

// Blocks and bands, as above.
struct Cut {
  Index channels = 1;
  Pair places;
  // Patches of a band.
  Pair patches;
};

// Elements of a halo of one channel.
constexpr Index halo_size(const WindowAxis& down, const WindowAxis& across, Pair results,
                          Pair places) noexcept {
  return halo_axis(down, results.down, places.down).size() *
         halo_axis(across, results.across, places.across).size();
}

constexpr Pair results_of(const WindowAxis& down, const WindowAxis& across, Patch patch,
                          Pair patches) noexcept {
  return {smaller(down.out, patches.down * patch.down),
          smaller(most(across.out, patch.across), patches.across * patch.across)};
}

constexpr bool patches_overlap(const WindowAxis& down, const WindowAxis& across,
                               Patch patch) noexcept {
  return down.out % patch.down != 0 ||
         (across.out > patch.across && across.out % patch.across != 0);
}

// The largest of 1 ... `limit` that fits, 1 if none does. Whatever is smaller than one that fits
// must fit too: bisected, for compilers limit the steps of a constant.
template <class F>
constexpr Index largest_fit(Index limit, const F& fits) noexcept {
  Index fitting = 1;
  Index end = limit + 1;
  while (end - fitting > 1) {
    const Index middle = fitting + (end - fitting) / 2;
    (fits(middle) ? fitting : end) = middle;
  }
  return fitting;
}

// The largest band whose halo of one channel has at most `plane` elements: first along the rows.
constexpr Pair largest_band(const WindowAxis& down, const WindowAxis& across, Patch patch,
                            Index plane) noexcept {
  const Pair all = {quotient_up(down.out, patch.down), quotient_up(across.out, patch.across)};
  const auto fits = [&](Pair patches) {
    return halo_size(down, across, results_of(down, across, patch, patches),
                     {down.size, across.size}) <= plane;
  };
  Pair patches;
  patches.across =
      evenly(all.across, largest_fit(all.across, [&](Index n) { return fits({1, n}); }));
  if (patches.across < all.across) return patches;
  patches.down =
      evenly(all.down, largest_fit(all.down, [&](Index n) { return fits({n, all.across}); }));
  return patches;
}

// `room`: elements that a halo may have, at least those of one place of each window of a patch.
constexpr Cut cut_windows(const WindowAxis& down, const WindowAxis& across, Index channels,
                          Patch patch, Index room) noexcept {
  // Multiply-adds of an element in a block, so that keeping its sum between blocks costs little.
  constexpr Index enough = 384;
  Cut cut;
  cut.places = {down.size, across.size};
  const Pair one = {patch.down, patch.across};
  const Index fit = room / halo_size(down, across, one, cut.places);
  if (fit == 0) {
    const auto fits = [&](Pair places) { return halo_size(down, across, one, places) <= room; };
    cut.places.down = largest_fit(down.size, [&](Index n) { return fits({n, across.size}); });
    cut.places.across =
        largest_fit(across.size, [&](Index n) { return fits({cut.places.down, n}); });
    return cut;
  }
  cut.channels = evenly(channels, fit);
  if (cut.channels >= channels) {
    cut.patches = largest_band(down, across, patch, room / most(1, channels));
  } else if (!patches_overlap(down, across, patch)) {
    const Index short_block = quotient_up(enough, down.size * across.size);
    cut.patches = largest_band(down, across, patch, room / smaller(short_block, cut.channels));
    const Pair results = results_of(down, across, patch, cut.patches);
    cut.channels = evenly(channels, room / halo_size(down, across, results, cut.places));
  }
  return cut;
}

template <class T, class X, class W, class S, class D, class P, Index Groups>
struct Convolution {
  static_assert(T::kLayout.rank == 3 || T::kLayout.rank == 4, "one or two spatial axes");
  static_assert(X::kLayout.rank == T::kLayout.rank && W::kLayout.rank == T::kLayout.rank,
                "operand, weights and result have as many axes");
  using Element = typename X::Element;
  static_assert(std::is_same_v<Element, typename W::Element>, "factors have one dtype");

  static constexpr Layout kT = with_rows(T::kLayout);
  static constexpr Layout kX = with_rows(X::kLayout);
  static constexpr Layout kW = with_rows(W::kLayout);
  static_assert(kT.extents[0] == kX.extents[0], "the result has the operand's batch");
  static_assert(kT.extents[1] == kW.extents[0], "one channel of the result per weight");
  static_assert(kW.extents[1] * Groups == kX.extents[1], "weights have a group's channels");
  static_assert(Groups >= 1 && kT.extents[1] % Groups == 0, "groups have as many channels");

  static constexpr Index kGroups = Groups;
  static constexpr Index kBatch = kT.extents[0];
  static constexpr Index kChannelsOut = kT.extents[1] / Groups;
  static constexpr Index kChannelsIn = kW.extents[1];
  static constexpr Pair kSteps = pair_of(S{}, 1);
  static constexpr Pair kDilations = pair_of(D{}, 1);
  static constexpr Pair kBefore = pair_of(P{}, 0);
  static constexpr WindowAxis kDown = {kX.extents[2], kT.extents[2],   kW.extents[2],
                                       kSteps.down,   kDilations.down, kBefore.down};
  static constexpr WindowAxis kAcross = {kX.extents[3], kT.extents[3],     kW.extents[3],
                                         kSteps.across, kDilations.across, kBefore.across};
  static_assert(kDown.sound() && kAcross.sound(), "sizes and steps are at least 1");

  static constexpr Index kHaloBytes = 16384;
  static constexpr Patch kPatch = choose_patch<Element>(kChannelsOut, kDown.out, kAcross.out);
  static constexpr Index kTileChannels = tile_channels<Element>(kChannelsOut, kPatch.lanes());
  static constexpr Cut kCut = cut_windows(kDown, kAcross, kChannelsIn, kPatch,
                                          kHaloBytes / static_cast<Index>(sizeof(Element)));
  // Without channels, nothing is added up, in one block.
  static constexpr bool kOneBlock =
      kChannelsIn == 0 || (kCut.channels >= kChannelsIn && kCut.places.down == kDown.size &&
                           kCut.places.across == kAcross.size);
  static constexpr Pair kResults = results_of(kDown, kAcross, kPatch, kCut.patches);
  static constexpr HaloAxis kHaloDown = halo_axis(kDown, kResults.down, kCut.places.down);
  static constexpr HaloAxis kHaloAcross = halo_axis(kAcross, kResults.across, kCut.places.across);
  static constexpr Index kHaloPlane = kHaloDown.size() * kHaloAcross.size();
  static constexpr bool kOverlaps = patches_overlap(kDown, kAcross, kPatch);
};

}  // namespace wick::internal
