#!/usr/bin/python3
"""Counts the instructions of int8 networks beside TensorFlow Lite Micro's reference kernels.

  bench/reference-kernels.py --tflite-micro DIR --gemmlowp DIR [--uma build/bin/uma] [--models DIR] [--boards ...] [--layers]

DIR are checkouts of github.com/tensorflow/tflite-micro and github.com/google/gemmlowp. The kernels are called layer by layer,
without TensorFlow Lite Micro's interpreter, in a package whose C is replaced: the same board, compiler, flags and counter.
Their outputs are compared with the interpreter of `uma`, with TensorFlow Lite's rounding. Needs flatc and g++ for the boards.
"""
import argparse
import json
import math
import pathlib
import re
import shlex
import struct
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
MODELS = ["ad01_int8", "kws_ref_model", "str_ww_ref_model", "vww_96_int8", "pretrainedResnet_quant"]
# Debian has no C++ library for bare-metal RISC-V. The kernels need only templates from its headers, which are the same everywhere.
CXX_HEADERS = "/usr/lib/arm-none-eabi/include/c++"
WRAPPER = """#!/bin/sh
# The kernels are C++; everything else is C.
case " $* " in
*"/reference/"*) exec {cxx} -x c++ -std=c++17 -fno-exceptions -fno-rtti -fno-threadsafe-statics -DNDEBUG -DTF_LITE_STATIC_MEMORY \\
  {includes} "$@" ;;
*) exec {cc} "$@" ;;
esac
"""
Model = dict


def read_model(path: pathlib.Path, folder: pathlib.Path) -> Model:
    """Reads a .tflite file. Scales are exact: flatc prints few digits of floats, so they are read as the integers that have their bits."""
    schema = folder / "bits.fbs"
    schema.write_text(re.sub(r"\[float\]", "[uint]", (HERE.parent / "lib/Import/TFLite/tflite.fbs").read_text()))
    subprocess.run(["flatc", "-t", "--strict-json", "--defaults-json", "--raw-binary", "-o", folder, schema, "--", path], check=True)
    model = json.loads((folder / f"{path.stem}.json").read_text())
    graph = model["subgraphs"][0]
    for tensor in graph["tensors"]:
        quantization = tensor.get("quantization", {})
        tensor["scales"] = [struct.unpack("<f", struct.pack("<I", bits))[0] for bits in quantization.get("scale", [])]
        tensor["zero"] = (quantization.get("zero_point") or [0])[0]
        tensor["data"] = bytes(model["buffers"][tensor["buffer"]].get("data", []))
    return model


def to_fixed_point(value: float) -> tuple[int, int]:
    """Returns a multiplier with 31 bits and an exponent."""
    fraction, exponent = math.frexp(value)
    multiplier = math.floor(fraction * (1 << 31) + 0.5)
    if multiplier == 1 << 31:
        multiplier, exponent = multiplier // 2, exponent + 1
    return (multiplier, exponent) if exponent >= -31 else (0, 0)


def to_float(value: float) -> float:
    return struct.unpack("<f", struct.pack("<f", value))[0]


def pad(size: int, result: int, kernel: int, stride: int, dilation: int) -> int:
    """Returns the padding before the first element, for `SAME`; 0 for `VALID`."""
    return max((result - 1) * stride + (kernel - 1) * dilation + 1 - size, 0) // 2


class Emitter:
    """Writes the tables that reference_kernels.h reads."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.graph = model["subgraphs"][0]
        self.lines = ['#include "reference_kernels.h"']
        self.layers: list[tuple[str, int]] = []

    def get_storage(self, index: int) -> int:
        """Returns the tensor that holds the data: a reshape has no copy."""
        for operator in self.graph["operators"]:
            if self.get_kind(operator) == "RESHAPE" and operator["outputs"] == [index]:
                return self.get_storage(operator["inputs"][0])
        return index

    def get_kind(self, operator: dict) -> str:
        code = self.model["operator_codes"][operator["opcode_index"]]
        names = {0: "ADD", 1: "AVERAGE_POOL_2D", 3: "CONV_2D", 4: "DEPTHWISE_CONV_2D", 9: "FULLY_CONNECTED", 22: "RESHAPE", 25: "SOFTMAX"}
        number = code["deprecated_builtin_code"]
        if number not in names:
            sys.exit(f"operator {code['builtin_code']} ({number}) has no reference kernel here")
        return names[number]

    def emit_tensors(self) -> None:
        used = {index for operator in self.graph["operators"] for index in operator["inputs"][:3] + operator["outputs"] if index >= 0}
        for index in sorted(used):
            tensor = self.graph["tensors"][index]
            width = {"INT8": 1, "INT32": 4}[tensor["type"]]
            shape, data = tensor["shape"], tensor["data"]
            if data:
                values = struct.unpack(f"<{len(data) // width}{'bi'[width == 4]}", data)
                text = "".join(f"{value},{chr(10) if i % 32 == 31 else ''}" for i, value in enumerate(values))
                self.lines.append(f"static const int{8 * width}_t data{index}[] = {{{text}}};")
            elif self.get_storage(index) == index:
                self.lines.append(f"static int{8 * width}_t data{index}[{math.prod(shape)}];")
            pointer = f"(void *)data{self.get_storage(index)}"
            self.lines.append(f"static Tensor tensor{index} = {{{pointer}, {len(shape)}, {{{', '.join(map(str, shape))}}}}};")

    def get_range(self, activation: str, tensor: dict) -> tuple[int, int]:
        def quantize(value: float) -> int:
            return tensor["zero"] + math.floor(to_float(value / tensor["scales"][0]) + 0.5)

        low, high = {"NONE": (-128, 127), "RELU": (quantize(0), 127), "RELU6": (quantize(0), quantize(6))}[activation]
        return max(low, -128), min(high, 127)

    def emit_operator(self, operator: dict) -> None:
        kind = self.get_kind(operator)
        if kind == "RESHAPE":
            return
        tensors = [self.graph["tensors"][index] if index >= 0 else None for index in operator["inputs"]]
        source, result = tensors[0], self.graph["tensors"][operator["outputs"][0]]
        options = operator["builtin_options"]
        second = operator["inputs"][1] if kind not in ("AVERAGE_POOL_2D", "SOFTMAX") else -1
        bias = operator["inputs"][2] if len(operator["inputs"]) > 2 else -1
        low, high = self.get_range(options.get("fused_activation_function", "NONE"), result)
        fields = {"inputZero": source["zero"], "filterZero": tensors[1]["zero"] if second >= 0 else 0, "outputZero": result["zero"],
                  "minimum": low, "maximum": high}
        scales: list[float] = []
        macs = 0
        if kind in ("CONV_2D", "DEPTHWISE_CONV_2D"):
            scales = [source["scales"][0] * scale / result["scales"][0] for scale in tensors[1]["scales"]]
            channels = result["shape"][3]
            scales *= channels if len(scales) == 1 else 1
            _, kernel_h, kernel_w, depth = tensors[1]["shape"]
            macs = math.prod(result["shape"]) * kernel_h * kernel_w * (depth if kind == "CONV_2D" else 1)
        elif kind == "FULLY_CONNECTED":
            if len(tensors[1]["scales"]) != 1:
                sys.exit("a fully connected layer with a scale per channel has no reference kernel here")
            scales = [to_float(source["scales"][0] * tensors[1]["scales"][0]) / result["scales"][0]]
            macs = math.prod(tensors[1]["shape"])
        elif kind == "ADD":
            twice = 2 * max(source["scales"][0], tensors[1]["scales"][0])
            scales = [source["scales"][0] / twice, tensors[1]["scales"][0] / twice, twice / ((1 << 20) * result["scales"][0])]
        elif kind == "AVERAGE_POOL_2D":
            kernel_h, kernel_w = options["filter_height"], options["filter_width"]
            fields |= {"filterW": kernel_w, "filterH": kernel_h}
        elif kind == "SOFTMAX":
            scales = [min(options["beta"] * source["scales"][0] * (1 << 26), (1 << 31) - 1.0)]
        fixed = [to_fixed_point(scale) for scale in scales]
        if kind == "SOFTMAX":
            fields["minimumDifference"] = -math.floor(31 * (1 << 26) / (1 << fixed[0][1]))
        if "stride_w" in options:
            for axis, kernel, size, length in (("w", kernel_w, 2, "W"), ("h", kernel_h, 1, "H")):
                stride, dilation = options[f"stride_{axis}"], options.get(f"dilation_{axis}_factor", 1)
                fields |= {f"stride{length}": stride, f"dilation{length}": dilation,
                           f"pad{length}": pad(source["shape"][size], result["shape"][size], kernel, stride, dilation)
                           if options["padding"] == "SAME" else 0}
        fields["depthMultiplier"] = options.get("depth_multiplier", 0)
        number = len(self.layers)
        for name, which in (("multipliers", 0), ("shifts", 1)):
            self.lines.append(f"static const int32_t {name}{number}[] = {{{', '.join(str(pair[which]) for pair in fixed) or '0'}}};")
        names = {"input": operator["inputs"][0], "filter": second, "bias": bias, "output": operator["outputs"][0]}
        members = [f".{name} = {f'&tensor{index}' if index >= 0 else 'nullptr'}" for name, index in names.items()]
        members += [f".multipliers = multipliers{number}", f".shifts = shifts{number}"]
        # Designated initializers have to be in the order of the members.
        for name in re.findall(r"\b\w+(?=[,;])", re.search(r"int32_t inputZero.*?(?=\n};)", (HERE / "reference_kernels.h").read_text(), re.S)[0]):
            if name in fields:
                members.append(f".{name} = {fields[name]}")
        self.lines.append(f"static const Layer layer{number} = {{{', '.join(members)}}};")
        camel = {"ADD": "Add", "AVERAGE_POOL_2D": "AveragePool2D", "CONV_2D": "Conv2D", "DEPTHWISE_CONV_2D": "DepthwiseConv2D",
                 "FULLY_CONNECTED": "FullyConnected", "SOFTMAX": "Softmax"}[kind]
        self.lines.append(f'extern "C" void reference_layer{number}(void) {{ run{camel}(layer{number}); }}')
        self.layers.append((kind.lower(), macs))

    def emit(self) -> str:
        self.emit_tensors()
        for operator in self.graph["operators"]:
            self.emit_operator(operator)
        bound = "".join(f"  tensor{index}.data = {'(void *)' if name == 'input' else ''}{name};\n"
                        for name in ("input", "output") for index in range(len(self.graph["tensors"]))
                        if f"static Tensor tensor{index} =" in "\n".join(self.lines)
                        and self.get_storage(index) == self.graph[f"{name}s"][0])
        self.lines.append(f'extern "C" void reference_bind(const void *input, void *output) {{\n{bound}}}')
        return "\n".join(self.lines) + "\n"


def emit_network(name: str, layers: list[tuple[str, int]]) -> str:
    """Returns the C that takes the place of the package's."""
    calls = "".join(f'  UMA_PROFILE_BEGIN({i}, "{layer}");\n  reference_layer{i}();\n  UMA_PROFILE_END({i}, "{layer}");\n'
                    for i, (layer, _) in enumerate(layers))
    declarations = "".join(f"extern void reference_layer{i}(void);\n" for i in range(len(layers)))
    return (f'#include "{name}.h"\n#ifdef UMA_PROFILE\n#include "uma_profile.h"\n#else\n'
            "#define UMA_PROFILE_BEGIN(index, layer) ((void)0)\n#define UMA_PROFILE_END(index, layer) ((void)0)\n#endif\n"
            f"extern void reference_bind(const void *, void *);\n{declarations}"
            f"int32_t {name}_run(const int8_t *UMA_RESTRICT input, int8_t *UMA_RESTRICT output, void *UMA_RESTRICT workspace) {{\n"
            f"  (void)workspace;\n  reference_bind(input, output);\n{calls}  return 0;\n}}\n")


def count(command: list, report: pathlib.Path) -> tuple[dict, str]:
    result = subprocess.run([*command, "--compare", "--seeds=1", "--timeout=600", f"--json={report}"], capture_output=True, text=True)
    if not report.exists():
        sys.exit(f"{' '.join(map(str, command))}:\n{result.stderr}")
    error = max(map(float, re.findall(r"max error ([\d.e+-]+)", result.stdout)))
    return json.loads(report.read_text()), f"{'equal' if result.returncode == 0 else 'DIFFERENT'}, {error:g}"


def get_compiler(board: dict, arguments: argparse.Namespace, folder: pathlib.Path) -> pathlib.Path:
    """Writes a compiler that compiles the kernels as C++."""
    compiler = board["compiler"][0]
    includes = [HERE, arguments.tflite_micro.resolve(), arguments.gemmlowp.resolve()]
    text = " ".join(f"-I'{path}'" for path in includes)
    versions = sorted(pathlib.Path(CXX_HEADERS).glob("*"))
    if not versions:
        sys.exit(f"{CXX_HEADERS}: no headers of the C++ library; apt-get install libstdc++-arm-none-eabi-newlib")
    if compiler.startswith("riscv"):
        text += f" -isystem {versions[-1]} -isystem {versions[-1]}/arm-none-eabi"
    path = folder / f"{board['name']}-cc"
    path.write_text(WRAPPER.format(cc=compiler, cxx=compiler.replace("gcc", "g++"), includes=text))
    path.chmod(0o755)
    return path


def build_package(uma: str, model: pathlib.Path, processor: str, folder: pathlib.Path) -> pathlib.Path:
    """Compiles a model and replaces the C of the package."""
    package = folder / f"{model.stem}-{processor}"
    subprocess.run([uma, "compile", model, "--rounding=tflite", f"--cpu={processor}", "-o", package], check=True, stdout=subprocess.DEVNULL)
    metadata = json.loads((package / "metadata.json").read_text())
    emitter = Emitter(read_model(model, folder))
    # The C library's abort() needs an operating system.
    common = '#include "tensorflow/lite/kernels/internal/common.cc"\nextern "C" void abort(void) { __builtin_trap(); }\n'
    sources = {"kernels.c": emitter.emit(), "common.c": common}
    (package / "devices/reference").mkdir(parents=True)
    for name, text in sources.items():
        (package / "devices/reference" / name).write_text(text)
    name = metadata["name"]
    (package / f"{name}.c").write_text(emit_network(name, emitter.layers))
    paths = [f"devices/reference/{source}" for source in sources]
    metadata |= {"sources": [f"{name}.c"], "files": metadata["files"] + paths,
                 "accelerators": [{"name": "reference", "sources": paths, "objects": [], "libraries": []}],
                 "calls": [{"function": layer, "macs": macs} for layer, macs in emitter.layers]}
    (package / "metadata.json").write_text(json.dumps(metadata))
    return package


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--uma", default="build/bin/uma")
    parser.add_argument("--models", type=pathlib.Path, default=pathlib.Path("../shared/models/mlperf_tiny"))
    parser.add_argument("--tflite-micro", type=pathlib.Path, required=True, metavar="DIR")
    parser.add_argument("--gemmlowp", type=pathlib.Path, required=True, metavar="DIR")
    parser.add_argument("--boards", default="mps2-an385-m0plus,riscv32-virt")
    parser.add_argument("--only", default="", help="part of the name of the models")
    parser.add_argument("--cflags", default="-O2", help="for both (default -O2)")
    parser.add_argument("--options", default="", help="options of uma run for our side, such as --requantize=fixed-point")
    parser.add_argument("--layers", action="store_true", help="also print the layers of both")
    parser.add_argument("--check", type=float, metavar="RATIO", help="fail if the kernels take less than RATIO times our instructions")
    arguments = parser.parse_args()
    for folder in (arguments.models, arguments.tflite_micro / "tensorflow/lite", arguments.gemmlowp / "fixedpoint"):
        if not folder.is_dir():
            print(f"{folder}: no such folder", file=sys.stderr)
            return 2
    failed = False
    print("| model | board | uma | per MAC | reference kernels | per MAC | ratio | outputs, max error of both |\n|---|---|---|---|---|---|---|---|")
    for stem in MODELS:
        if arguments.only not in stem:
            continue
        for name in arguments.boards.split(","):
            board = json.loads((HERE.parent / f"boards/{name}.json").read_text())
            model = arguments.models / f"{stem}.tflite"
            flags = [f"--board={name}", f"--cflags={arguments.cflags}"]
            with tempfile.TemporaryDirectory() as temporary:
                folder = pathlib.Path(temporary)
                ours, equal = count([arguments.uma, "run", model, *flags, *shlex.split(arguments.options)], folder / "ours.json")
                package = build_package(arguments.uma, model, board["processor"], folder)
                theirs, their_equal = count([arguments.uma, "run", package, *flags, f"--cc={get_compiler(board, arguments, folder)}"],
                                            folder / "theirs.json")
            macs = max(ours["macs"], 1)
            ratio = theirs["instructions"] / ours["instructions"]
            failed |= arguments.check is not None and ratio < arguments.check
            failed |= "DIFFERENT" in equal + their_equal
            print(f"| {stem} | {name} | {ours['instructions']:,} | {ours['instructions'] / macs:.2f} | {theirs['instructions']:,} | "
                  f"{theirs['instructions'] / macs:.2f} | {ratio:.2f} | {equal}; {their_equal} |", flush=True)
            for title, report in (("uma", ours), ("reference", theirs)):
                for layer in report["layers"] if arguments.layers else []:
                    print(f"  {title:9} {layer['name']:60} {layer['instructions']:12,} {layer['macs']:10,}")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
