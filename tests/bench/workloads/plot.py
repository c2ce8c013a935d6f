"""Draws the ratios to the peers as SVG, with Debian's python3-matplotlib."""

import io
import re

import figures as arithmetic

COLORS = {"OpenBLAS": "#8c564b", "oneDNN": "#1f77b4", "Eigen": "#2ca02c", "XNNPACK": "#9467bd",
          "ONNX Runtime": "#d62728", "plain loops": "#7f7f7f"}


def draw(figures, path):
    """One line for each workload, a mark for each peer: how many times as fast wick is.

    The same figures give the same bytes: no date, identifiers from a fixed seed, text as text.
    """
    # pylint: disable=import-outside-toplevel
    import matplotlib
    matplotlib.use("svg")
    from matplotlib import pyplot
    matplotlib.rcParams.update({"svg.hashsalt": "wick", "svg.fonttype": "none",
                                "font.family": "sans-serif", "font.size": 8})
    timings = {name: of for name, of in figures.timings.items() if arithmetic.OURS in of}
    names = list(timings)[::-1]
    figure, axes = pyplot.subplots(figsize=(7.2, 0.2 * len(names) + 1.1))
    for peer, color in COLORS.items():
        points = [(arithmetic.ratio(timings[name], peer), place)
                  for place, name in enumerate(names) if peer in timings[name]]
        if points:
            axes.plot(*zip(*points), "o", markersize=4, color=color, label=peer, clip_on=True)
    axes.axvline(1, color="black", linewidth=0.8)
    axes.set_xscale("log")
    axes.set_xlim(0.5, 20)
    ticks = [0.5, 0.7, 1, 1.5, 2, 3, 5, 10, 20]
    axes.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
    axes.minorticks_off()
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(-0.7, len(names) - 0.3)
    axes.grid(axis="both", linewidth=0.3)
    axes.set_xlabel("how many times as fast wick is (those beyond 20 are not shown)")
    axes.legend(loc="lower center", bbox_to_anchor=(0.4, 1.0), ncols=6, frameon=False,
                handletextpad=0.1, columnspacing=1.0)
    text = io.StringIO()
    figure.savefig(text, format="svg", metadata={"Date": None}, bbox_inches="tight")
    pyplot.close(figure)
    # A hundredth of a point is as good as a millionth, and shorter.
    path.write_text(re.sub(r"(\d\.\d\d)\d+", r"\1", text.getvalue()))
