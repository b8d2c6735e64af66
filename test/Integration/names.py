"""Whatever a model calls its parts, its package builds as C and C++, computes the right numbers and holds no code of
the model's.

`names.py FOLDER` is the sample that `make test` runs; with `--all`, ctest's label `long`, every network's name is built
and run, and the macros of more compilers are tried.
"""
# REQUIRES: full, gcc, gxx, clang
# RUN: rm -rf %t && mkdir %t
# RUN: env PYTHONPATH=%S/Inputs %python -B %s %t --clang %clang | FileCheck %s --match-full-lines --implicit-check-not={{.}}

# CHECK: names of tensors and layers: equal, built by gcc, clang and g++
# CHECK: names of tensors and layers of ONNX: equal
# CHECK: names of a device's header: equal, built by gcc, clang and g++
# CHECK: names of networks: equal, built by gcc, clang and g++
# CHECK: names of accelerators and patterns: equal, built by gcc, clang and g++
# CHECK: outputs in files: one each

import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import unicodedata

from odd_names import HEADERS, KEYWORDS, USED, encode, get_macros, get_odd

parser = argparse.ArgumentParser()
parser.add_argument("folder", type=pathlib.Path)
parser.add_argument("--clang", default=shutil.which("clang-22") or "clang")
parser.add_argument("--uma", default="uma")
parser.add_argument("--all", action="store_true")
options = parser.parse_args()
options.folder.mkdir(parents=True, exist_ok=True)
environment = dict(os.environ, CFLAGS="-O0")

STRICT = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"]


def run(*command: str | pathlib.Path | bytes, **arguments) -> str:
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment, **arguments)
    text = done.stdout.decode(errors="surrogateescape")
    if done.returncode:
        sys.exit(f"{command!r:.500}\nexit code {done.returncode}\n{ascii(text[:5000])}")
    return text


def quote(name: bytes) -> str:
    """A string of MLIR."""
    return '"' + "".join(chr(byte) if chr(byte).isalnum() and byte < 128 else f"\\{byte:02X}" for byte in name) + '"'


def make_network(network: bytes, names: list[bytes], operator: str = "dense") -> str:
    """For each name, two layers with a weight each, between an input, a tensor and an output, all of this name."""
    arguments, results, body, values = [], [], [], []
    for i, name in enumerate(map(quote, names)):
        first, second = [[f"{(7 * i + 3 * j + 5 * k) % 23 - 11}.25" for j in range(4)] for k in range(2)]
        arguments.append(f"%x{i}: tensor<1x2xf32> {{uma.name = {name}}}")
        results.append(f"tensor<1x2xf32> {{uma.name = {name}}}")
        for k, (values_of, source) in enumerate(((first, f"%x{i}"), (second, f"%y{i}_0"))):
            a, b, c, d = values_of
            body.append(f"%w{i}_{k} = uma.graph.constant dense<[[{a}, {b}], [{c}, {d}]]> : tensor<2x2xf32> loc({name})")
            body.append(
                f"%y{i}_{k} = uma.graph.dense {source}, %w{i}_{k} : (tensor<1x2xf32>, tensor<2x2xf32>) -> tensor<1x2xf32> loc({name})"
            )
        values.append(f"%y{i}_1")
    types = ", ".join(["tensor<1x2xf32>"] * len(names))
    return (
        f"func.func @main({', '.join(arguments)}) -> ({', '.join(results)}) attributes {{uma.network = {quote(network)}}} {{\n  "
        + "\n  ".join(body)
        + f"\n  return {', '.join(values)} : {types}\n}}\n"
    )


def check_text(package: pathlib.Path) -> None:
    """No file holds a name as code, or characters that a reader cannot see."""
    for file in filter(pathlib.Path.is_file, package.rglob("*")):
        if file.suffix in (".mlirbc", ".bin", ".json"):
            continue
        text = file.read_bytes().decode("utf-8")
        for character in set(text):
            if unicodedata.category(character) in ("Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp") and character not in "\n\t":
                sys.exit(f"{file}: holds {ascii(character)}")
        if file.suffix in (".c", ".h"):
            # As a compiler sees it: trigraphs, lines, comments, literals.
            text = text.replace("??/", "\\").replace("\\\n", "")
            text = re.sub(r'/\*.*?\*/|//[^\n]*|"(\\.|[^"\\\n])*"', " ", text, flags=re.DOTALL)
        else:
            text = re.sub(r"^#.*", "", text, flags=re.MULTILINE)
        if "CODE OF IT" in text:
            sys.exit(f"{file}: holds a name as code")


def check_package(package: pathlib.Path) -> None:
    """All compilers take the C, and clang and g++ as C++, too."""
    check_text(package)
    metadata = json.loads((package / "metadata.json").read_text())
    folders = ["-I."] + [f"-I{folder}" for folder in sorted({str(pathlib.Path(f).parent) for f in metadata["files"] if f.startswith("devices/")})]
    sources, flags = metadata["sources"], ["-fsyntax-only", "-O0", *folders, *STRICT]
    run("gcc", "-std=c99", "-DUMA_HOOKS", *flags, *sources, "main.c", cwd=package)
    run(options.clang, "-std=c99", *flags, *sources, "main.c", cwd=package)
    run("g++", "-x", "c++", *flags, *sources, cwd=package)


def compare(model: pathlib.Path, count: int, *flags: str) -> None:
    printed = run(options.uma, "run", model, "--compare", "--kernels=loops", "--cc=gcc", *flags)
    # Behind the outputs there is a line for each device.
    lines = [line for line in printed.splitlines() if " calls in each run, " not in line]
    if len(lines) != count or not all(": equal to the reference interpreter" in line for line in lines):
        sys.exit(f"{model}: not {count} lines of equal outputs:\n{ascii(printed[:5000])}")


def check_model(name: str, text: str, count: int, *flags: str) -> pathlib.Path:
    model = options.folder / f"{name}.mlir"
    model.write_text(text)
    package = options.folder / name
    run(options.uma, "compile", model, "--kernels=loops", "-o", package, *flags)
    check_package(package)
    compare(package, count)
    return model


def check_tensors() -> pathlib.Path:
    names = [encode(name) for name in [*KEYWORDS, *USED]] + get_odd()
    compilers = [["gcc", "-x", "c", "-std=c99"]]
    if options.all:
        compilers += [["gcc", "-x", "c"], ["g++", "-x", "c++"], [options.clang, "-x", "c"]]
    for compiler in compilers:
        names += map(encode, get_macros(*compiler))
    names = list(dict.fromkeys(names))
    model = check_model("tensors", make_network(b"net", names), len(names))
    # Behind a network in capitals, as macros are, with layers in several files.
    some = names[:: 1 if options.all else 10]
    check_model("capitals", make_network(b"NET", some), len(some), "--source-size=64")
    print("names of tensors and layers: equal, built by gcc, clang and g++")
    return model


def check_onnx() -> None:
    """Names that protobuf can hold, through the importer."""
    import numpy
    import onnx
    from onnx import TensorProto, helper, numpy_helper

    names = []
    for name in get_odd():
        try:
            names.append(name.decode())
        except UnicodeDecodeError:
            continue
    names = [name for name in names if name]  # an empty name means that there is no tensor
    nodes, inputs, outputs, weights = [], [], [], []
    for i, name in enumerate(names):
        weights.append(numpy_helper.from_array(numpy.float32([[i % 7, 1], [2, i % 5]]), name + " w"))
        nodes.append(helper.make_node("MatMul", [name, name + " w"], [name + " y"], name=name))
        inputs.append(helper.make_tensor_value_info(name, TensorProto.FLOAT, [1, 2]))
        outputs.append(helper.make_tensor_value_info(name + " y", TensorProto.FLOAT, [1, 2]))
    graph = helper.make_graph(nodes, "g", inputs, outputs, weights)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    file = options.folder / "odd.onnx"
    file.write_bytes(model.SerializeToString())
    compare(file, len(names))
    print("names of tensors and layers of ONNX: equal")


DEVICE = """
accelerator {accelerator} {{
  include "{header}.h"
  model "device.c"
  pattern {pattern}(x: f32[1, n], w: f32[m, n]) {{
    y = dense(x, w)
    call {function}(x, w, y, n, m)
  }}
}}
"""

HEADER = """
#ifndef {guard}
#define {guard}
#include <limits.h>
#define x0 7
#define data (1 +
#define weights
#define conv1(x) conv2
#define Identity 0
#ifdef __cplusplus
extern "C" {{
#endif
enum state {{ busy = 2, idle /* = 3 */ }};
static const int bias = 3;
int {function}(const float *x, const float *w, float *y, int n, int m);
#ifdef __cplusplus
}}
#endif
#endif
"""

SOURCE = """
#include "{header}.h"
int net_run;
int {function}(const float *x, const float *w, float *y, int n, int m) {{
  for (int i = 0; i < m; ++i) {{
    y[i] = 0;
    for (int j = 0; j < n; ++j)
      y[i] += x[j] * w[i * n + j];
  }}
  return 0;
}}
"""


def make_device(folder: pathlib.Path, **names: str) -> pathlib.Path:
    names = {"accelerator": "npu", "header": "npu", "guard": "NPU_H", "pattern": "dense", "function": "npu_dense"} | names
    folder.mkdir(exist_ok=True)
    for file, text in ("device.uma", DEVICE), (names["header"] + ".h", HEADER), ("device.c", SOURCE):
        (folder / file).write_text(text.format(**names))
    return folder / "device.uma"


def check_device_header() -> None:
    names = [b"x0", b"data", b"weights", b"conv1", b"Identity", b"busy", b"idle", b"bias", b"npu_dense", b"dense", b"NPU_H"]
    device = make_device(options.folder / "header")
    # Like the header; like the start of its names; like a name of the device's C.
    for network in b"npu", b"NPU", b"net", b"device", b"npu_dense":
        check_model(f"device_{network.decode()}", make_network(network, names), len(names), "-a", str(device))
    print("names of a device's header: equal, built by gcc, clang and g++")


def get_file_names() -> list[str]:
    """Headers that a network's would hide, and what packages, make, CMake and the C of uma itself have."""
    reserved = ["main", "Makefile", "CMakeLists", "makefile", "metadata", "devices", "build", "run", "clean", "uma", "UMA",
                "uma_hooks", "uma_profile", "uma_tensor_info", "features", "test", "m", "immintrin"]
    return [header[:-2] for header in HEADERS] + reserved


def check_networks() -> None:
    names = get_file_names()
    built = names if options.all else ["main", "string", "Makefile", "uma", "stdint", "test"]
    odd = get_odd() if options.all else get_odd()[:8] + [b"\xff", b"x" * 5000, b"*/", b"..", b"a/b"]
    names = list(dict.fromkeys([encode(name) for name in [*names, *(KEYWORDS if options.all else ["int"])]] + odd))
    # A network without a name is refused; test/Driver/damaged-models.py.
    names = [name for name in names if name]
    for i, name in enumerate(names):
        model = options.folder / f"network{i}.mlir"
        model.write_text(make_network(name, [b"x", b"run", b"h"]))
        package = options.folder / f"network{i}"
        run(options.uma, "compile", model, "--kernels=loops", "-o", package)
        if options.all or i < 3:
            check_package(package)
        else:
            check_text(package)
            run("gcc", "-std=c99", "-fsyntax-only", "-I.", "-DUMA_HOOKS", *STRICT, *map(os.path.basename, package.glob("*.c")), cwd=package)
        if name.decode(errors="replace") in built:
            compare(package, 3)
    # A project with tests has targets of its own.
    project = options.folder / "project"
    project.mkdir(exist_ok=True)
    lists = ["cmake_minimum_required(VERSION 3.10)", "project(app C)", "enable_testing()"]
    lists += [f"add_subdirectory(../network{names.index(name)} network{names.index(name)})" for name in (b"test", b"m", b"Makefile")]
    (project / "CMakeLists.txt").write_text("\n".join(lists) + "\n")
    run("cmake", "-S", project, "-B", project / "build")
    print("names of networks: equal, built by gcc, clang and g++")


def check_accelerators() -> None:
    # 'main' is the symbol of the graph's function, which is a clear error.
    names = ["linux", "string"] + (["int", "uma", "net", "devices", "_npu", "NPU", "EOF"] if options.all else [])
    for name in names:
        device = make_device(options.folder / f"accelerator_{name}", accelerator=name, header="npu_" + name, pattern=name)
        check_model(f"on_{name}", make_network(name.encode(), [b"a", b"b"]), 2, "-a", str(device))
    print("names of accelerators and patterns: equal, built by gcc, clang and g++")


def check_outputs(model: pathlib.Path) -> None:
    folder = options.folder / "outputs"
    shutil.rmtree(folder, ignore_errors=True)
    printed = run(options.uma, "run", model, "--kernels=loops", "--cc=gcc", "--output-dir", folder)
    files = list(folder.iterdir())
    if len(files) != len(printed.splitlines()) or not all(file.suffix == ".npy" for file in files):
        sys.exit(f"{len(files)} files for {len(printed.splitlines())} outputs")
    if len({file.name.lower() for file in files}) != len(files):
        sys.exit("files that differ in their case only")
    if any(unicodedata.category(character) in ("Cc", "Cf", "Cs") for file in files for character in file.name):
        sys.exit("files with names that a terminal does not show")
    print("outputs in files: one each")


model = check_tensors()
check_onnx()
check_device_header()
check_networks()
check_accelerators()
check_outputs(model)
