"""Compile neural networks to C that calls your accelerator, and run them on NumPy arrays.

    import uma
    net = uma.compile("model.onnx", accelerators=["vanilla"])
    outputs = net.run({"input": array})

docs/python.md tells the rest. What the command `uma` reports as an error is an uma.Error here, with the same message.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import warnings
import weakref
from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np

# Plugins (`-a NAME.so`) take the project's symbols from the library that loads them, so these are global.
_flags = sys.getdlopenflags()
sys.setdlopenflags(_flags | os.RTLD_GLOBAL)
try:
    from . import _uma
except ImportError as error:
    if any(name.startswith("_uma.") for name in os.listdir(os.path.dirname(__file__))):
        raise
    raise ImportError(f"{os.path.dirname(__file__)} has no compiled part of the Python module 'uma'; 'make python' in uma's source folder builds "
                      "it, into build/python") from error
finally:
    sys.setdlopenflags(_flags)

from ._results import Explanation, Quantization, TestedLayer, TestResult
from . import ir  # noqa: E402  (it needs the library above)

__version__ = _uma.__version__
__all__ = ["CompilerWarning", "Diagnostic", "Error", "Explanation", "Module", "Network", "Quantization", "Tensor", "TestResult", "TestedLayer", "compile",
           "explain", "explore", "import_model", "import_onnx", "ir", "lower", "quantize", "run", "test", "tune"]


def __dir__():
    """The interface, without what it imports."""
    return [*__all__, "__doc__", "__version__"]



class Diagnostic(NamedTuple):
    """One message of the compiler."""

    severity: str  # "note", "remark", "warning" or "error"
    where: str  # FILE:LINE:COL or FILE; empty where it is about the call
    message: str

    def __str__(self) -> str:
        return f"{self.where}: {self.severity}: {self.message}" if self.where else self.message


class Error(Exception):
    """The compiler, the C compiler or a device refused something. `diagnostics` holds all messages."""

    def __init__(self, message: str, diagnostics: Iterable[Diagnostic] = ()):
        super().__init__(message)
        self.diagnostics = tuple(diagnostics)


class CompilerWarning(UserWarning):
    """A warning of the compiler, e.g. of a pattern that matched nothing."""


#: Functions that change the messages of a call: accelerators in Python say theirs in the words of Python.
message_filters = []


def _finish(result, messages):
    """Gives `result` back, or raises what the messages say where there is none."""
    diagnostics = [Diagnostic(*message) for message in messages]
    for change in message_filters:
        diagnostics = change(diagnostics)
    if result is None:
        # Notes belong to the error before them.
        told = [d for i, d in enumerate(diagnostics) if d.severity == "error" or _follows_error(diagnostics, i)]
        raise Error("\n".join(map(str, told)) or "the compiler gave no reason", diagnostics)
    for diagnostic in diagnostics:
        if diagnostic.severity == "warning":
            warnings.warn(str(diagnostic), CompilerWarning, stacklevel=3)
    return result


def _follows_error(diagnostics, index):
    while diagnostics[index].severity == "note" and index > 0:
        index -= 1
    return diagnostics[index].severity == "error"


def _names(value, parameter: str) -> list[str]:
    if isinstance(value, (str, bytes, os.PathLike)):
        raise TypeError(f"{parameter} is a list; write {parameter}=[{os.fspath(value)!r}]")
    return [os.fspath(name) for name in value]


def _accelerators(values):
    """The names of accelerators, and the objects behind those that Python defines (uma.tvm's UMABackend)."""
    if isinstance(values, (str, bytes, os.PathLike)) or hasattr(values, "target_name"):
        raise TypeError(f"accelerators is a list; write accelerators=[{values!r}]")
    names, backends = [], []
    for value in values:
        if hasattr(value, "target_name"):
            from .tvm.relay.backend.contrib.uma._bridge import get_bridge

            value = get_bridge(value)
            backends.append(value)
            value = value.name
        elif isinstance(value, str) and (backend := _registered(value)) is not None:
            backends.append(backend)
        names.append(os.fspath(value))
    return names, backends


def _registered(name):
    """The accelerator that Python code has registered under a name, or None."""
    module = sys.modules.get("uma.tvm.relay.backend.contrib.uma._bridge")
    backend = module.registered.get(name) if module else None
    return module.get_bridge(backend) if backend is not None else None


def _choose(parameter: str, value, enum):
    """The member of an enumeration that is called `value`."""
    names = list(enum.__members__)
    if value not in names:
        expected = f"{', '.join(names[:-1])} or {names[-1]}"
        raise Error(f"{parameter} is {value!r}, expected {expected}{_uma.suggest(str(value), names)}")
    return enum.__members__[value]


def _set(options, parameter: str, name: str, value) -> None:
    """Sets an option that the C API calls `name` and Python `parameter`."""
    text = str(value).lower() if isinstance(value, bool) else os.fspath(value) if isinstance(value, os.PathLike) else str(value)
    problem = options.set(name, text)
    if problem:
        raise Error(problem.replace(f"option '{name}'", f"option '{parameter}'"))


def _options(model, accelerators=(), *, accelerator_dirs=(), shapes=None, memories=None, **settings):
    """Options of the driver. `settings` are those of the C API, with '_' for '-'; None stands for the default."""
    names = {name.replace("-", "_"): name for name in _uma.options()}
    options = _uma.ModelOptions()
    _set_model(options, model)
    options.accelerators, backends = _accelerators(accelerators)
    options.set_backends(backends)
    options.accelerator_dirs = _names(accelerator_dirs, "accelerator_dirs")
    for name, shape in (shapes or {}).items():
        if isinstance(shape, (str, bytes)) or not isinstance(shape, Iterable):
            raise TypeError(f"the shape of '{name}' is a list of sizes, e.g. [1, 3, 32, 32], found {shape!r}")
        _set(options, "shapes", "shape", f"{name}={'x'.join(map(str, shape))}")
    for name, size in (memories or {}).items():
        _set(options, "memories", "memory", f"{name}={size}")
    # Lists have parameters of their own.
    for name in ("accelerators", "accelerator_dir", "shape", "memory"):
        del names[name]
    for parameter, value in settings.items():
        if parameter not in names:
            known = sorted([*names, "accelerator_dirs", "shapes", "memories"])
            raise TypeError(f"unknown option '{parameter}'{_uma.suggest(parameter, known) or '; options are ' + ', '.join(known)}")
        if value is None:
            continue
        for each in value if isinstance(value, (list, tuple)) else [value]:
            _set(options, parameter, names[parameter], each)
    return options


class Tensor(NamedTuple):
    """An input or output of a network."""

    name: str
    dtype: np.dtype  # bfloat16 is uint16, its bits
    shape: tuple[int, ...]


def _tensor(description) -> Tensor:
    name, dtype, shape = description
    special = {"i1": "bool", "bf16": "uint16", "f16": "float16", "f32": "float32", "f64": "float64"}
    return Tensor(name, np.dtype(special.get(dtype) or dtype.replace("si", "i").replace("i", "int")), tuple(shape))


class Network:
    """A compiled network, loaded into this process with the C models of its devices. Made by `compile`."""

    def __init__(self, native):
        self._native = native
        self.name: str = native.name
        self.inputs = tuple(map(_tensor, native.inputs))
        self.outputs = tuple(map(_tensor, native.outputs))
        # The built files vanish with the object, at the latest when Python ends.
        self._finalizer = weakref.finalize(self, native.close)

    def run(self, inputs: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
        """Runs the network once. `inputs` has an array for each input, of its shape and dtype."""
        names = [tensor.name for tensor in self.inputs]
        for name in inputs:
            if name not in names:
                known = "', '".join(names)
                raise Error(f"the network has no input '{name}', it has '{known}'{_uma.suggest(str(name), names)}")
        arrays = [self._check(tensor, inputs) for tensor in self.inputs]
        outputs = [np.empty(tensor.shape, tensor.dtype) for tensor in self.outputs]
        problem = self._native.run(arrays + outputs)
        if problem:
            raise Error(problem)
        return {tensor.name: output for tensor, output in zip(self.outputs, outputs)}

    @staticmethod
    def _check(tensor: Tensor, inputs: Mapping[str, np.ndarray]) -> np.ndarray:
        if tensor.name not in inputs:
            raise Error(f"input '{tensor.name}' is missing")
        array = inputs[tensor.name]
        if not isinstance(array, np.ndarray):
            raise Error(f"input '{tensor.name}' is a {type(array).__name__}, expected a NumPy array")
        if array.shape != tensor.shape:
            raise Error(f"input '{tensor.name}' has the shape {array.shape}, expected {tensor.shape}")
        if array.dtype != tensor.dtype:
            raise Error(f"input '{tensor.name}' has the dtype {array.dtype}, expected {tensor.dtype};"
                        f" array.astype('{tensor.dtype}') converts it")
        return np.ascontiguousarray(array)

    def save(self, folder) -> None:
        """Writes the package, the same as `uma compile -o FOLDER`."""
        _finish(*self._native.save(os.fspath(folder)))


class Module:
    """An MLIR module: `uma` and all dialects of upstream."""

    def __init__(self, native):
        self._native = native

    @classmethod
    def parse(cls, text: str) -> Module:
        return cls(_finish(*_uma.Module.parse(text)))

    def run_pipeline(self, pipeline: str) -> None:
        """Runs `builtin.module(PASSES)`; PASSES are any of this project's and of upstream's. The module stays as it was where one
        fails."""
        _finish(*self._native.run_pipeline(pipeline))

    def edit(self, function):
        """Calls `function` with the module's operation (`uma.ir.Operation`) and returns its result. The module stays as it was where the
        function raises an exception or leaves something that is not valid."""
        return _finish(*self._native.edit(function))[0]

    def copy(self) -> Module:
        """The same module in a context of its own."""
        return import_model(self)

    def partition(self, accelerators, *, accelerator_dirs=()) -> None:
        """Forms a function for each part of the network that an accelerator takes."""
        names, backends = _accelerators(accelerators)
        self._native.add_backends(backends)
        text = f"accelerators={','.join(names)}" if names else ""
        if accelerator_dirs:
            text += f" accelerator-dirs={','.join(_names(accelerator_dirs, 'accelerator_dirs'))}"
        self.run_pipeline(f"builtin.module(uma-partition{{{text}}})")

    def text(self, locations: bool = False) -> str:
        """The module as text; `locations` keep the names of layers."""
        return self._native.text(locations)

    def __str__(self) -> str:
        return self.text()

    def write(self, path) -> None:
        """Writes the module as bytecode, which `uma compile` and `uma-opt` read; name it .mlirbc."""
        _finish(*self._native.write(os.fspath(path)))


def _set_model(options, model) -> None:
    """Sets the model of options: a path, bytes, an onnx.ModelProto or a Module."""
    if isinstance(model, (str, os.PathLike)):
        options.model = os.fspath(model)
        return
    if isinstance(model, Module):
        options.model, data = "<module>", model._native.bytecode()
    elif hasattr(model, "SerializeToString"):
        options.model, data = "<model>", model.SerializeToString()
    elif isinstance(model, (bytes, bytearray, memoryview)):
        options.model, data = "<bytes>", bytes(model)
    elif hasattr(model, "state_dict"):
        raise TypeError("PyTorch exports a network by torch.onnx.export(model, example_inputs, 'model.onnx', dynamo=True); give the file to uma.compile")
    else:
        kind = type(model)
        raise TypeError(f"a model is a path, bytes, an onnx.ModelProto or a uma.Module, found {kind.__module__}.{kind.__qualname__}")
    options.set_contents(data)


def compile(model, accelerators=(), *, cc="", **options) -> Network:
    """Compiles a model, builds the C with `cc` and loads it.

    model: the path of an .onnx, .tflite, .mlir or .mlirbc file, the bytes of one, an onnx.ModelProto or a Module.

    accelerators: names or paths of descriptions, the first with priority. Options, as those of the command:
    accelerator_dirs: where to look for descriptions first.
    shapes: sizes of inputs that the model leaves open, {"input": [1, 3, 32, 32]}.
    merge_regions: merge adjacent matches into one function, True or False; as the descriptions say by default.
    policy: "greedy" or "cost", with cpu_cycles_per_mac and cpu_cycles_per_element; docs/placement.md.
    rounding: "float" or "tflite", how a quantized .tflite rounds; requantize: "float" or "fixed-point".
    kernels: "vector", "winograd" or "loops"; math: "f32" or "bf16", in which layers of f32 multiply; cpu: a processor of `uma list --cpus`, or a file.
    io: "outside" or "inside" the workspace, for inputs and outputs; arena: its largest size, 32768 or "32K"; memories: those that it
    is divided among, the fastest first, {"dtcm": "64K", "sram": "320K"}.
    tuning: a file of `tune`. The other options of docs/c-api.md have '_' for '-': debug_bounds=True, threads="openmp", format="mlf"."""
    return Network(_finish(*_uma.Network.compile(_options(model, accelerators, **options), os.fspath(cc))))


def explain(model, accelerators=(), **options) -> Explanation:
    """Where each operator of a model runs, and why not elsewhere. The options are those of `compile`."""
    return Explanation(json.loads(_finish(*_uma.explain(_options(model, accelerators, **options)))))


def explore(models, accelerator, sweep, **options):
    """Maps models on an accelerator with all values of its attributes, like `uma explore`; docs/explore.md is the guide. Returns the points,
    a list of dicts that prints as a table; `.front` is the Pareto front, `.failed` has reasons, `.rows()` and `.to_pandas()` are flat.

    models: a list of what `compile` takes, or a dict of these by name. shapes: sizes of inputs that models leave open, by the input's name,
    or "model:input" for one model. accelerator: a description, "strawberry" or
    "strawberry,dma_bytes=16". sweep: the values of attributes, {"input_kib": [16, 32], "weight_kib": range(16, 65, 16)}.
    constraints, objectives: lists of expressions over attributes and metrics; all objectives are minimised.
    search: "grid", "random" or "front", with points and seed.
    simulate: run each point on the device's C model. allow_cpu: let the CPU compute layers that no memory can hold.
    workers: processes on this machine; scheduler: an address or a Client of Dask.
    output: a folder for explore.json, points.csv and index.html; resume: go on with what it has.
    Options: accelerator_dirs, cpu_cycles_per_mac, lower, merge_regions, policy."""
    from ._explore import explore as call

    return call(models, accelerator, sweep, **options)


def run(model, inputs: Mapping[str, np.ndarray], accelerators=(), *, cc="", **options) -> dict[str, np.ndarray]:
    """Compiles a model and runs it once. Use `compile` for several runs."""
    return compile(model, accelerators, cc=cc, **options).run(inputs)


def lower(model, accelerators=(), *, accelerator_dirs=(), shapes=None, lower="") -> Module:
    """The network as functions of loops and calls (`uma.tir`), from which the C is printed. `lower` has options of the pass uma-lower,
    "vectorize=false"."""
    module = import_model(model, shapes=shapes)
    module.partition(accelerators, accelerator_dirs=accelerator_dirs)
    module.run_pipeline(f"builtin.module(uma-lower{{{lower}}})")
    return module


def test(accelerator, *, patterns=(), cases=40, seed=0, timeout=60, accelerator_dirs=(), cc="") -> TestResult:
    """Tests a description like `uma test`: makes layers that its patterns take and compares what its C computes with the reference.

    accelerator: a name, the path of a description, or an object of a UMABackend; or a list of one and settings of its attributes.
    cases: layers for each pattern; seed: of the layers and their data; timeout: seconds for a layer."""
    import xml.etree.ElementTree as xml

    options = _uma.TestOptions()
    options.description, backends = _accelerators(accelerator if isinstance(accelerator, (list, tuple)) else [accelerator])
    options.set_backends(backends)
    options.patterns = _names(patterns, "patterns")
    options.cases, options.seed, options.timeout = cases, seed, timeout
    options.accelerator_dirs = _names(accelerator_dirs, "accelerator_dirs")
    options.compiler = os.fspath(cc)
    for backend in backends:
        backend.is_testing = True
    try:
        text = _finish(*_uma.test(options))
    finally:
        for backend in backends:
            backend.is_testing = False
    layers = TestResult()
    for case in xml.fromstring(text).iter("testcase"):
        problem = next((child for child in case if child.tag in ("failure", "error")), None)
        status = "failed" if problem is not None else "not run" if case.find("skipped") is not None else "equal"
        message = problem.get("message", problem.text or "") if problem is not None else ""
        layers.append(TestedLayer(case.get("classname", "").rpartition(".")[2], case.get("name", ""), status, message))
    return layers


def tune(model, output, accelerators=(), *, candidates=6, rounds=10, cc="", cflags="", run_with=(), scheduler="", timeout=60,
         **options) -> str:
    """Measures schedules of the CPU's layers on this machine and writes the fastest ones to `output`, which `compile` takes as `tuning`.
    Returns the table of the layers.

    cc, cflags: the C compiler and its flags, those of your final build.
    run_with: commands that run programs on boards of one kind, each on another board, e.g. ["ssh board1", "ssh board2"].
    scheduler: address of a Dask scheduler: its workers with the resource "cpu=NAME" of cpu=NAME measure.
    timeout: seconds after which a program on a board hangs."""
    tuning = _uma.TuneOptions()
    tuning.model = _options(model, accelerators, **options)
    tuning.output = os.fspath(output)
    tuning.candidates, tuning.rounds, tuning.compiler = candidates, rounds, os.fspath(cc)
    tuning.flags, tuning.run_with, tuning.scheduler, tuning.timeout = cflags, _names(run_with, "run_with"), scheduler, timeout
    return _finish(*_uma.tune(tuning))


def import_model(model, *, shapes=None) -> Module:
    """A model as a module of uma.graph: a path, bytes of an .onnx or .tflite file, or an onnx.ModelProto."""
    return Module(_finish(*_uma.Module.import_model(_options(model, shapes=shapes))))


import_onnx = import_model


def quantize(model, samples, *, method="minmax", percentile=99.99, equalize=False, keep_float=(), error_budget=None, html=None,
             shapes=None) -> Quantization:
    """Quantizes a float network to 8 bits from the ranges of its tensors on samples, like `uma quantize`.

    samples: an iterable of samples: an array for a network with one input, or a dict with an array for each input.
    method: "minmax", "percentile" (with `percentile`) or "mse".
    equalize: moves factors of channels between layers first.
    keep_float: names of layers that stay in f32.
    error_budget: keeps more layers in f32 until the relative error of the outputs is at most this.
    html: a file for the report as a page."""
    chosen = _choose("method", method, _uma.CalibrationMethod)
    with tempfile.TemporaryDirectory() as folder:
        options = _uma.QuantizeOptions()
        options.model = _options(model, shapes=shapes)
        options.calibration = os.path.join(folder, "samples")
        options.output = os.path.join(folder, "quantized.mlirbc")
        options.method = chosen
        options.percentile = percentile
        options.equalize = equalize
        options.keep_float = _names(keep_float, "keep_float")
        options.error_budget = error_budget
        options.html = os.fspath(html or "")
        os.mkdir(options.calibration)
        for number, sample in enumerate(samples):
            _write_sample(os.path.join(options.calibration, f"{number:08}"), sample)
        text, messages = _uma.quantize(options)
        # The caller knows samples by their number, not by the folder.
        messages = [(severity, where, message.replace(options.calibration + os.sep, "").replace(f"--calibration={options.calibration}",
                                                                                                "samples"))
                    for severity, where, message in messages]
        text = _finish(text, messages)
        return Quantization(Module(_finish(*_uma.Module.import_model(_options(options.output)))), json.loads(text))


def _write_sample(path, sample) -> None:
    if not isinstance(sample, Mapping):
        np.save(path + ".npy", np.asarray(sample), allow_pickle=False)
        return
    os.mkdir(path)
    for file, array in zip(_uma.file_names(list(sample), ".npy"), sample.values()):
        np.save(os.path.join(path, file), np.asarray(array), allow_pickle=False)
