"""Profile by layer for `bench/run.py --layers`, from the profile hooks of the emitted C and ONNX Runtime's profile."""

import argparse
import dataclasses
import json
import pathlib
import re
import statistics
import subprocess

import onnx

import report as reports
import sides

HEAVY = {"Conv", "ConvTranspose", "Gemm", "MatMul"}


class Topology:
    """Nodes of the ONNX file by the names of their layers."""

    def __init__(self, model: pathlib.Path):
        graph = onnx.load(str(model), load_external_data=False).graph
        self.shapes = {weight.name: list(weight.dims) for weight in graph.initializer}
        self.nodes, self.producers = {}, {}
        for number, node in enumerate(graph.node):
            name = node.name or f"{node.op_type}_{number}"  # as the importer names it
            self.nodes[name] = (number, node)
            self.producers.update(dict.fromkeys(node.output, name))

    def kind(self, name: str) -> str:
        """Returns the kind of a layer, by which times are summed."""
        if name not in self.nodes:
            return "other"
        node = self.nodes[name][1]
        if node.op_type != "Conv":
            return "products" if node.op_type in HEAVY else "other"
        group = next((attribute.i for attribute in node.attribute if attribute.name == "group"), 1)
        shape = self.shapes.get(node.input[1], [0, 0])
        return "depthwise convolutions" if group > 1 and shape[1] == 1 else "dense convolutions"

    def anchor(self, name: str, heavy: bool = True) -> str:
        """Returns the convolution or product of a fused function, which may be named after its last operator."""
        start = name
        while name in self.nodes:
            _, node = self.nodes[name]
            if node.op_type in HEAVY:
                return name
            before = [self.producers[tensor] for tensor in node.input if tensor in self.producers]
            if not heavy or not before:
                break
            # Follow the later of two branches; the other was computed before.
            name = max(before, key=lambda producer: self.nodes[producer][0])
        return start


def get_macs(uma: str, model: pathlib.Path, arguments: list[str]) -> dict[str, tuple[str, int]]:
    """Returns the operator and the multiply-accumulates of each layer."""
    command = [uma, "explain", str(model), "--json", *arguments]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise sides.Failure(f"uma explain: {(done.stderr.strip().splitlines() or ['no message'])[0]}")
    result = {}
    for layer in json.loads(done.stdout)["layers"]:
        operator, macs = result.get(layer["name"], ("", 0))
        result[layer["name"]] = (layer["operator"] if layer["macs"] or not operator else operator, macs + layer["macs"])
    return result


@dataclasses.dataclass
class Profile:
    """Milliseconds per turn: of a run, of each of its layers, and of a GFLOP at the peak of one core."""

    threads: int
    total: list[float] = dataclasses.field(default_factory=list)
    layers: dict[str, list[float]] = dataclasses.field(default_factory=dict)
    peak: list[float] = dataclasses.field(default_factory=list)

    def get_numbers(self, macs: int, times: list[float]) -> dict:
        return {"ms": statistics.median(times), "macs": macs, "of_peak": sides.get_share(macs, times, self.peak, self.threads)}


def profile_ours(options: argparse.Namespace, package: sides.Package, variant: sides.Variant, files: list[str], runs: int,
                 peaks: sides.Peaks) -> Profile:
    """Profiles `runs` runs, alternating with the peak. Functions with the same name count as one layer."""
    sides.build_package(package, options.cc, [*variant.cflags, "-DUMA_PROFILE"], "_profile")
    profile, turns = Profile(variant.threads), min(runs, options.rounds)
    process = sides.Process(variant.name, [package.get_runner("_profile"), *files], options.cores, variant.threads)
    unit = peaks.start(variant.cflags)
    try:
        process.run(max(1, runs // 4))
        count = sides.get_count(unit)
        for _ in range(turns):
            profile.peak.append(statistics.median(unit.run(count)))
            total, *entries = process.ask(f"profile {runs // turns}").split("\t")
            profile.total.append(float(total))
            for entry in entries:
                milliseconds, _, name = entry.partition(" ")
                times = profile.layers.setdefault(name, [])
                times += [0.0] * (len(profile.total) - len(times))
                times[-1] += float(milliseconds)
    finally:
        process.close()
        unit.close()
    return profile


def profile_runtime(runtime: pathlib.Path, model: pathlib.Path, inputs: list[dict], options: argparse.Namespace,
                    folder: pathlib.Path, topology: Topology) -> dict[str, float]:
    """Returns the milliseconds of ONNX Runtime's nodes by layer."""
    for old in folder.glob("onnxruntime_*.json"):
        old.unlink()
    process = sides.start_runtime(runtime, model, inputs, options.cores, options.threads, str(folder / "onnxruntime"))
    try:
        # Its buffer of events is limited.
        process.run(max(3, min(100, int(1000 / max(process.run(1)[0], 0.1)))))
        process.ask("profile")
    finally:
        process.close()
    (written,) = folder.glob("onnxruntime_*.json")
    times, products = {}, set()
    for event in json.loads(written.read_text()):
        if event.get("cat") == "Node" and event["name"].endswith("_kernel_time"):
            name = event["name"].removesuffix("_kernel_time").removeprefix("fused ")
            times.setdefault(name, []).append(event["dur"] / 1e3)
            if re.search("Conv|Gemm|MatMul", event["args"]["op_name"]):
                products.add(name)
    layers = {}
    for name, durations in times.items():
        # Its optimisers rename nodes: "fused gemm1", "clip2_nchwc", "matmul13/MatMulAddFusion".
        node = re.sub(r"(_nchwc|_token_\d+|/\w*Fusion\w*/?)+$", "", name)
        layer = topology.anchor(topology.producers.get(node, node), name in products)
        layers[layer] = layers.get(layer, 0) + statistics.median(durations)
    return layers


def join(ours: Profile, runtime: dict[str, float], macs: dict[str, tuple[str, int]], topology: Topology) -> list[dict]:
    rows = []
    for name, times in ours.layers.items():
        anchor = name if macs.get(name, ("", 0))[1] else topology.anchor(name)
        # A product with a separate function is not part of another one.
        if anchor != name and (anchor in ours.layers or not macs.get(anchor, ("", 0))[1]):
            anchor = name
        operator, count = macs.get(anchor, ("", 0))
        rows.append({"layer": name, "operator": operator, "kind": topology.kind(anchor), **ours.get_numbers(count, times),
                     "ort_ms": runtime.get(anchor), "anchor": anchor})
    return rows


def summarise(rows: list[dict], ours: Profile, runtime: dict[str, float], topology: Topology) -> dict[str, dict]:
    """Sums milliseconds and multiply-accumulates by kind of layer. ONNX Runtime's time of a kind includes all its nodes."""

    def get_entry(chosen: list[dict], theirs: list[float]) -> dict:
        times = [sum(turn) for turn in zip(*(ours.layers[row["layer"]] for row in chosen))] or [0.0] * len(ours.peak)
        return {**ours.get_numbers(sum(row["macs"] for row in chosen), times), "ort_ms": sum(theirs) if runtime else None}

    kinds = dict.fromkeys([*(row["kind"] for row in rows), *map(topology.kind, runtime)])
    sums = {kind: get_entry([row for row in rows if row["kind"] == kind],
                            [time for name, time in runtime.items() if topology.kind(name) == kind]) for kind in kinds}
    sums["all"] = {**ours.get_numbers(sum(row["macs"] for row in rows), ours.total), "ort_ms": sum(runtime.values()) if runtime else None}
    return sums


def print_rows(name: str, variant: dict, most: int) -> None:
    """Prints the slowest layers and the sums."""
    rows, sums = variant["layers"], variant["sums"]
    total = sums["all"]["ms"]

    def line(first: str, second: str, entry: dict) -> None:
        rate = 2 * entry["macs"] / entry["ms"] / 1e6 if entry["ms"] else 0
        cells = [f"{entry['ms']:.4f}", f"{100 * entry['ms'] / total:.1f} %",
                 f"{entry['macs'] / 1e6:.2f}" if entry["macs"] else "", f"{rate:.1f}" if rate else "",
                 reports.get_percent(entry["of_peak"]), f"{entry['ort_ms']:.4f}" if entry["ort_ms"] is not None else ""]
        print(f"    {first[:40]:40} {second[:24]:24}" + "".join(cell.rjust(10) for cell in cells))

    titles = ["ms", "share", "M MACs", "GFLOP/s", "peak", "ORT ms"]
    print(f"    {'layers of ' + name:40} {'operator':24}" + "".join(title.rjust(10) for title in titles))
    ordered = sorted(rows, key=lambda row: -row["ms"])
    for row in ordered[:most]:
        line(row["layer"], row["operator"], row)
    if most and len(ordered) > most:
        print(f"    ... and {len(ordered) - most} more, {sum(row['ms'] for row in ordered[most:]):.4f} ms")
    for kind, entry in sums.items():
        line(kind, "", entry)
