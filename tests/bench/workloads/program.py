"""Makes the measuring program: translates the workloads, has wick emit them, compiles and links."""

import concurrent.futures
import dataclasses
import json
import pathlib
import subprocess
import sys

import numpy

import evaluate
import plain
import translate

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
LISTINGS = HERE / "listings"

# The same values from one composite operation, to be timed beside the primitives: another workload,
# or an operation of the graph language on the input.
COMPOSITES = {
    "meanvar_chain_1024": {"workload": "softmax_1024"},
    "layernorm_decomp_1024x768": {"workload": "layernorm_1024x768"},
    "gelu_erf_256k": {"op": "gelu"},
    "gelu_tanh_256k": {"op": "gelu_tanh"},
}

# What plain loops are compiled with; they depend on it, as wick's output does not.
PLAIN_FLAGS = ["-O3", "-march=native", "-ffast-math"]
# Other libraries' headers, as their users compile them.
PEER_FLAGS = ["-O3", "-march=native"]


@dataclasses.dataclass
class Row:
    """One workload of the program."""
    listing: dict
    arena: int
    composite_arena: int | None

    @property
    def name(self):
        return self.listing["name"]

    @property
    def inputs(self):
        return [tensor["name"] for tensor in self.listing["inputs"]]


def run(*command):
    result = subprocess.run([str(word) for word in command], capture_output=True, text=True,
                            check=False)
    if result.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\n{result.stdout}{result.stderr}")
    return result.stdout


def write_if_other(path, text):
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


def outdated(target, sources):
    return not target.exists() or any(
        source.exists() and source.stat().st_mtime > target.stat().st_mtime for source in sources)


# ---- Graphs and values --------------------------------------------------------------------------


def composite_graph(name):
    """The graph of the composite operation that computes the same, or None."""
    composite = COMPOSITES.get(name)
    if composite is None:
        return None
    listing = translate.read_listing(LISTINGS, composite.get("workload", name))
    graph, _ = translate.translated(listing)
    graph["name"] = f"{name}_composite"
    if "op" in composite:
        (tensor,) = listing["inputs"]
        graph["nodes"] = [{"name": "y", "op": composite["op"], "inputs": [tensor["name"]]}]
    return graph


def make_graph(folder, name):
    """The graph, its constants, and the values that the measuring program reads."""
    done = folder / "done"
    sources = [HERE / "translate.py", HERE / "evaluate.py", HERE / "program.py",
               LISTINGS / f"{name}.json"]
    if not outdated(done, sources):
        return
    folder.mkdir(parents=True, exist_ok=True)
    listing = translate.read_listing(LISTINGS, name)
    graph, _ = translate.translated(listing)
    (folder / "graph.json").write_text(translate.graph_text(graph))
    if composite := composite_graph(name):
        (folder / "composite.json").write_text(translate.graph_text(composite))
    for constant in listing.get("constants", []):
        if constant["dtype"] == "f32" and constant["shape"]:
            data = translate.constant_data(constant)
            numpy.save(folder / f"{constant['name']}.npy", data)
            data.tofile(folder / f"{constant['name']}.f32")
    inputs = {tensor["name"]: evaluate.input_data(name, tensor) for tensor in listing["inputs"]}
    for tensor, data in inputs.items():
        data.tofile(folder / f"{tensor}.f32")
    (output,) = evaluate.evaluate(listing, inputs).values()
    numpy.ascontiguousarray(output).tofile(folder / "expected.f64")
    done.touch()


def prepared(options, names, peers):
    """The rows of the program, with all files that it reads."""
    rows = []
    for name in names:
        folder = options.build / "graphs" / name
        make_graph(folder, name)
        if any(peer.source == "onnx_runtime" for peer in peers):
            make_model(folder, name)
        rows.append(describe(options, name))
    return rows


def make_model(folder, name):
    """model.onnx, in a process of its own: only peers need the package that writes it."""
    if outdated(folder / "model.onnx", [HERE / "onnx_models.py", LISTINGS / f"{name}.json"]):
        run("/usr/bin/python3", "-B", HERE / "onnx_models.py", LISTINGS, folder.parent, name)


# ---- Emitted code -------------------------------------------------------------------------------


def call_source(name, inputs, arena):
    parameters = [f"inputs[{i}]" for i in range(len(inputs))] + ["output"] + ["arena"] * (arena > 0)
    return f"""#include "{name}.h"

void call_{name}(
    const float* const* inputs, float* output, [[maybe_unused]] std::byte* arena) {{
  {name}::run({", ".join(parameters)});
}}
"""


def emit(options, graph, inputs):
    """Has wick compile a graph; the bytes of its arena."""
    emitted = options.build / "emitted"
    report = json.loads(run(options.wick, "compile", graph, "-o", emitted, "--quiet",
                            "--report=json"))
    name = json.loads(graph.read_text())["name"]
    write_if_other(emitted / f"{name}.call.cpp", call_source(name, inputs, report["arena"]))
    return report["arena"]


def describe(options, name):
    folder = options.build / "graphs" / name
    listing = translate.read_listing(LISTINGS, name)
    inputs = [tensor["name"] for tensor in listing["inputs"]]
    arena = emit(options, folder / "graph.json", inputs)
    composite = folder / "composite.json"
    return Row(listing, arena, emit(options, composite, inputs) if composite.exists() else None)


def table_source(rows, peers):
    text = '#include "tests/bench/workloads/bench.h"\n\n'
    entries = ""
    for row in rows:
        function = f"{{call_{row.name}, {row.arena}}}"
        text += f"void call_{row.name}(const float* const*, float*, std::byte*);\n"
        composite = "{nullptr, 0}"
        if row.composite_arena is not None:
            composite = f"{{call_{row.name}_composite, {row.composite_arena}}}"
            text += f"void call_{row.name}_composite(const float* const*, float*, std::byte*);\n"
        inputs = ", ".join(f'"{name}"' for name in row.inputs)
        entries += f'      {{"{row.name}", {function}, {composite}, {{{inputs}}}}},\n'
    text += ("\nnamespace wick::workloads {\n\nconst std::vector<Workload>& workloads() {\n"
             f"  static const std::vector<Workload> table = {{\n{entries}  }};\n"
             "  return table;\n}\n\nconst std::vector<Peer>& peers() {\n"
             "  static const std::vector<Peer> table = {\n")
    text += "".join(f'      {{"{peer.name}", prepare_{peer.source}}},\n' for peer in peers)
    return text + "  };\n  return table;\n}\n\n}  // namespace wick::workloads\n"


def plain_table_source(rows):
    """Defines prepare_plain over the functions that plain.py wrote."""
    declared, entries = "", ""
    for row in rows:
        declared += f"void plain_{row.name}(const float* const*, float*);\n"
        operands = ", ".join(f'"{name}"' for name in plain.tensor_operands(row.listing))
        entries += f'      {{"{row.name}", {{plain_{row.name}, {{{operands}}}}}}},\n'
    return f"""#include <map>
#include <utility>

#include "tests/bench/workloads/peers/peer.h"

{declared}
namespace wick::workloads {{

Call prepare_plain(const Task& task) {{
  using Function = void (*)(const float* const*, float*);
  static const std::map<std::string, std::pair<Function, std::vector<std::string>>> known = {{
{entries}  }};
  const auto& [function, names] = known.at(task.name);
  std::vector<const float*> tensors;
  for (const std::string& name : names) tensors.push_back(task.tensors[name]);
  return [function = function, tensors, y = task.output] {{ function(tensors.data(), y); }};
}}

}}  // namespace wick::workloads
"""


def write_plain(folder, row):
    path = folder / f"plain_{row.name}.cpp"
    write_if_other(path, plain.source(row.listing))
    return path


# ---- Compiling ----------------------------------------------------------------------------------


def newest_header():
    return max((ROOT / "runtime/wick").glob("*.h"), key=lambda path: path.stat().st_mtime)


def compile_source(options, source, standard, flags):
    """Compiles unless the object is newer than the source and all headers of ours."""
    target = options.build / "objects" / (source.name + ".o")
    headers = [source.with_suffix("").with_suffix(".h"), newest_header(), *HERE.glob("*.h"),
               *HERE.glob("peers/*.h")]
    if outdated(target, [source, *headers]):
        run(options.cxx, f"-std={standard}", *flags, "-fno-lto", "-c", source, "-I",
            ROOT / "runtime", "-I", ROOT, "-I", options.build / "emitted", "-o", target)
    return target


def build(options, rows, peers):
    """The program, linked from everything."""
    emitted = options.build / "emitted"
    flags = options.flags.split()
    (options.build / "objects").mkdir(exist_ok=True)
    write_if_other(emitted / "table.cpp", table_source(rows, peers))
    work = [(HERE / f"{name}.cpp", "c++20", flags)
            for name in ("bench", "contest", "limits", "tensors")]
    work += [(HERE / "peers/peer.cpp", "c++20", flags), (emitted / "table.cpp", "c++20", flags)]
    for row in rows:
        for stem in (row.name, f"{row.name}_composite"):
            work += [(path, "c++17", flags)
                     for path in (emitted / f"{stem}.cpp", emitted / f"{stem}.call.cpp",
                                  emitted / f"{stem}.weights.cpp") if path.exists()]
    for peer in peers:
        if peer.source == "plain":
            write_if_other(emitted / "plain.cpp", plain_table_source(rows))
            work.append((emitted / "plain.cpp", "c++20", flags))
            work += [(write_plain(emitted, row), "c++17", PLAIN_FLAGS) for row in rows]
        else:
            work.append((HERE / f"peers/{peer.source}.cpp", "c++20",
                         [*PEER_FLAGS, *peer.flags]))
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        objects = list(pool.map(lambda item: compile_source(options, *item), work))
    program = options.build / "bench"
    run(options.cxx, *objects, *(word for peer in peers for word in peer.libraries), "-ldl",
        "-o", program)
    return program
