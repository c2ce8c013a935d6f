"""Writes the bench's figures as Markdown."""

import figures as arithmetic
from peers.peers import PEERS

BEGIN = "<!-- figures: written by bench.py, do not edit -->"
END = "<!-- end of figures -->"


def number(value):
    """Three digits."""
    if value is None:
        return ""
    if value >= 1000:
        return f"{value:,.0f}"
    return f"{value:#.3g}".rstrip(".")


def table(heads, rows):
    """The first column is text, the others are numbers."""
    lines = ["| " + " | ".join(heads) + " |", "|---|" + "--:|" * (len(heads) - 1)]
    lines += ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def quotient(value):
    return "" if value is None else f"{value:.2f}"


def speed_row(name, contestants, listing, limits):
    ours = contestants[arithmetic.OURS]
    best = arithmetic.best_peer(contestants)
    limit, least = arithmetic.limit_of(listing, limits)
    return [name, number(ours.median), number(ours.least),
            number(contestants[best].median) if best else "", best or "",
            quotient(arithmetic.ratio(contestants, best)),
            quotient(arithmetic.ratio(contestants, arithmetic.RUNTIME)),
            f"{100 * least / ours.median:.0f} {limit.replace('_', ' ')}",
            quotient(arithmetic.reachable(name, contestants, name.startswith("matmul"))),
            f"{ours.error:.3g}"]


def speed(figures, listings):
    heads = ["workload", "wick, µs", "least", "best peer, µs", "which", "wick to it",
             "to ONNX Runtime", "% of limit", "to reachable", "error, 2^-24"]
    return table(heads, [speed_row(name, of, listings[name], figures.limits)
                         for name, of in figures.timings.items() if arithmetic.OURS in of])


def all_peers(figures):
    met = {name for of in figures.timings.values() for name in of}
    order = [arithmetic.OURS, arithmetic.COMPOSITE, *(peer.name for peer in PEERS)]
    names = [name for name in order if name in met]
    rows = []
    for workload, of in figures.timings.items():
        rows.append([workload] + [number(of[name].median) if name in of else "" for name in names])
        copy = arithmetic.fastest_copy(of)
        rows[-1].append(f"{number(of[copy].median)} {copy.removeprefix(arithmetic.COPY)}"
                        if copy else "")
    return table(["workload, µs", *names, "fastest copy"], rows)


def limits(figures):
    rows = []
    for level, _ in arithmetic.LEVELS:
        rates = [figures.limits.get(f"{kind}_{level}") for kind in ("read", "copy", "add")]
        rows.append([level, *map(number, rates)])
    text = (f"Multiply-adds in registers: {figures.limits['fma']:.0f} GFLOP/s. Bandwidth, by the "
            "arrays' size: 16 KiB, 128 KiB,\n1 MiB, 16 MiB (which a share of the last cache may "
            "or may not hold), 64 MiB.\n\n")
    return text + table(["GB/s", "read", "copy", "add"], rows)


def verdicts(found):
    lines = []
    for verdict in found:
        word = {True: "reached", False: "**missed**", None: "not run"}[verdict.good]
        lines.append(f"- {word}: {verdict.claim}" +
                     (f" ({verdict.found})" if verdict.found else ""))
    return "\n".join(lines) + "\n"


def costs(measured):
    """Of compiling: rows of {"workload":, KIND: {"text":, "seconds":, "peak":}}."""
    kinds = list(dict.fromkeys(kind for row in measured for kind in row if kind != "workload"))
    heads = ["workload"]
    for unit in ("bytes of code", "seconds", "MiB"):
        heads += [f"{unit}: {kinds[0]}", *kinds[1:]]
    rows = []
    for row in measured:
        def each(key, show, row=row):
            return [show(row[kind][key]) if kind in row else "" for kind in kinds]
        rows.append([row["workload"], *each("text", lambda x: f"{x:,}"),
                     *each("seconds", lambda x: f"{x:.2f}"),
                     *each("peak", lambda x: f"{x / 2**20:.0f}")])
    return table(heads, rows)


def document(figures, listings, arenas, measured_costs, missing, intro):
    """Everything between the two marks."""
    parts = [BEGIN, intro, "### What was to be reached\n",
             verdicts(arithmetic.verdicts(figures, listings, arenas)),
             "### Beside the best of the others\n", speed(figures, listings),
             "### Everybody\n", all_peers(figures), "### Limits of the core\n", limits(figures)]
    absent = missing + figures.complaints
    parts.append("Not measured: " + ("; ".join(absent) if absent else "nothing") + ".\n")
    if measured_costs:
        parts += ["### Compiling\n", costs(measured_costs)]
    return "\n".join(parts) + END


def put(text, document_text):
    """The document with what stands between the marks replaced."""
    before, _, rest = document_text.partition(BEGIN)
    _, found, after = rest.partition(END)
    if not found:
        raise ValueError("the document has no place for the figures")
    return before + text + after
