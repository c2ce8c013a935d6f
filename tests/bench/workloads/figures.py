"""The arithmetic of the bench: from what the measuring program printed to ratios and verdicts.

Ratios are of speeds, wick's over the other's, so that above 1 wick is faster. Times are in
microseconds.
"""

import dataclasses
import json
import math
import pathlib
import statistics

HERE = pathlib.Path(__file__).resolve().parent
ELSEWHERE = json.loads((HERE / "elsewhere.json").read_text())["rows"]

OURS = "wick"
COMPOSITE = "composite"
RUNTIME = "ONNX Runtime"
# Those that only move the input to the output, beside chains.
COPY = "copy: "
# The generator of loops elsewhere was another one; ours stands for it.
SAME_AS = {"onnx2c": "plain loops"}

# The level that a footprint of so many bytes, inputs and outputs, is said to live in. One core has
# a share of the last cache: whether arrays of 16 MiB are in it is not ours to say.
LEVELS = (("L1", 48 << 10), ("L2", 1 << 20), ("L3", 12 << 20), ("16M", 48 << 20),
          ("DRAM", math.inf))


@dataclasses.dataclass
class Timing:
    median: float  # of the runs' medians
    least: float   # of all samples
    error: float   # in units of 2^-24 of the largest value


@dataclasses.dataclass
class Figures:
    """What several runs of the measuring program printed."""
    runs: int
    limits: dict   # the best rate of all runs, by name
    timings: dict  # workload -> contestant -> Timing
    complaints: list


def parse(outputs):
    samples, limits, complaints = {}, {}, []
    for output in outputs:
        for line in output.splitlines():
            kind, *fields = line.split("\t")
            if kind == "limit":
                limits[fields[0]] = max(limits.get(fields[0], 0), float(fields[1]))
            elif kind == "time":
                error, median, least = map(float, fields[2:5])
                samples.setdefault(fields[0], {}).setdefault(fields[1], []).append(
                    (median, least, error))
            elif kind in ("wrong", "failed"):
                complaint = f"{fields[1]}, {fields[0]}: {kind}, {fields[2]}"
                if complaint not in complaints:
                    complaints.append(complaint)
    timings = {
        workload: {name: Timing(statistics.median(s[0] for s in of), min(s[1] for s in of),
                                max(s[2] for s in of)) for name, of in contestants.items()}
        for workload, contestants in samples.items()}
    return Figures(len(outputs), limits, timings, complaints)


def geometric_mean(values):
    return math.exp(statistics.fmean(map(math.log, values)))


def peers(contestants):
    return {name: timing for name, timing in contestants.items()
            if name not in (OURS, COMPOSITE) and not name.startswith(COPY)}


def fastest_copy(contestants):
    """Its name, or None where none was measured."""
    copies = [name for name in contestants if name.startswith(COPY)]
    return min(copies, key=lambda name: contestants[name].median, default=None)


def best_peer(contestants):
    """Its name, or None if there is no peer."""
    others = peers(contestants)
    return min(others, key=lambda name: others[name].median, default=None)


def ratio(contestants, other):
    """How many times as fast as `other` wick is; None without it."""
    if other not in contestants or OURS not in contestants:
        return None
    return contestants[other].median / contestants[OURS].median


def reachable(workload, contestants, product):
    """Wick over what was reachable elsewhere, both as ratios to the same peer; None if unknown."""
    known = ELSEWHERE.get(workload, {})
    if "reachable" not in known or "which" not in known:
        return None
    here = ratio(contestants, SAME_AS.get(known["which"], known["which"]))
    if here is None:
        return None
    there = known["peer"] / known["reachable"]
    return here * there if product else here / there


def limit_of(listing, limits):
    """The name of the limit that holds the workload back, and the least time under it.

    Floating-point operations count as multiply-adds in registers; bytes are those of inputs and
    outputs, at the rate of the level that holds them all.
    """
    flops, moved = listing["flops"], listing["io_bytes"]
    sizes = [math.prod(tensor["shape"]) for tensor in listing["inputs"]]
    result = math.prod(listing["outputs"][0]["shape"])
    kind = "add" if len(sizes) > 1 else "copy"
    if 4 * result <= sizes[0] or 16 * 4 * (sum(sizes) + result) <= moved:
        kind = "read"  # a reduction, or mostly weights
    level = next(name for name, size in LEVELS if moved <= size)
    bounds = {"fma": flops / limits["fma"] * 1e-3,
              f"{kind}_{level}": moved / limits[f"{kind}_{level}"] * 1e-3}
    # Elementwise work is counted by its bytes: the fewest operations that compute exp are unknown.
    if flops <= moved:
        del bounds["fma"]
    name = max(bounds, key=bounds.get)
    return name, bounds[name]


# ---- When it is done ----------------------------------------------------------------------------


@dataclasses.dataclass
class Verdict:
    claim: str
    found: str
    good: bool | None  # None if nothing that it is about was run


def _below(values, bound):
    """Names and values under the bound, the least first."""
    return sorted(((value, name) for name, value in values.items() if value < bound))


def _listed(pairs):
    return "; ".join(f"{name} {value:.2f}" for value, name in pairs)


def _each(claim, values, bound):
    missed = _below(values, bound)
    found = f"{len(values) - len(missed)} of {len(values)}"
    if missed:
        found += f", below: {_listed(missed)}"
    return Verdict(claim, found, not missed) if values else Verdict(claim, "", None)


def _at_least(claim, bound, value):
    claim = f"{claim} at least {bound}"
    return Verdict(claim, "", None) if value is None else Verdict(claim, f"{value:.2f}",
                                                                  value >= bound)


def of_the_peak(workload, listings, figures):
    rate = listings[workload]["flops"] / figures.timings[workload][OURS].median * 1e-3
    return rate / figures.limits["fma"]


def verdicts(figures, listings, arenas):
    """The claims of speed, each held against the figures; only over workloads that were run."""
    timings = {name: of for name, of in figures.timings.items() if OURS in of}
    best = {name: ratio(of, best_peer(of)) for name, of in timings.items() if best_peer(of)}
    runtime = {name: ratio(of, RUNTIME) for name, of in timings.items() if RUNTIME in of}
    products = {name: of_the_peak(name, listings, figures) for name in timings
                if name.startswith("matmul_const")}
    chains = {name: ratio(of, fastest_copy(of)) for name, of in timings.items()
              if fastest_copy(of)}
    reached = {name: reachable(name, of, name.startswith("matmul")) for name, of in timings.items()}
    composites = {name: ratio(of, COMPOSITE) for name, of in timings.items() if COMPOSITE in of}
    above = sum(value > 1 for value in best.values())
    found = [
        _each("every workload at least 0.97 of its best peer", best, 0.97),
        Verdict("strictly above the best peer on at least 20 of 32", f"{above} of {len(best)}",
                above >= 20 if best else None),
        _at_least("geometric mean over ONNX Runtime", 1.9,
                  geometric_mean(runtime.values()) if runtime else None),
        _at_least("encoder to ONNX Runtime", 1.3, runtime.get("encoder_s128_d256")),
        _each("product with a constant, N = 256: at least 0.75 of the FMA peak",
              {name: value for name, value in products.items() if name.endswith("_256")}, 0.75),
        _each("product with a constant, N = 1024: at least 0.72 of the FMA peak",
              {name: value for name, value in products.items() if name.endswith("_1024")}, 0.72),
        _each("chains at the bandwidth of their level (0.95 of the fastest copy beside them)",
              chains, 0.95),
        _each("each within 5% of \"reachable\", as a ratio to the same peer",
              {name: value for name, value in reached.items() if value is not None}, 0.95),
        _each("primitives as fast as the composite operation (0.97)", composites, 0.97),
    ]
    memory = {name: arenas[name] for name in MOST_ALIVE if name in arenas}
    over = [f"{name} {size:,}" for name, size in memory.items() if size > MOST_ALIVE[name]]
    found.append(Verdict("intermediate memory at most what is alive at once with in-place results",
                         "; ".join(over) or f"{len(memory)} of {len(memory)}",
                         not over if memory else None))
    return found


# Bytes alive at once where each result may overwrite an operand, but nothing is fused; workloads
# that are not listed need none, or next to none.
MOST_ALIVE = {"encoder_s128_d256": 1179648, "convnet_32": 163840, "mlp_b32": 98304}
