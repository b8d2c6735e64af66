"""Tables and sums of bytes, and copies of bytes between layouts, with all instructions of this machine that the C has code for, and
without vectors: the C's integers are the interpreter's. Rows have whole vectors and rests, and borders of zeros between them."""
# REQUIRES: gcc
# RUN: rm -rf %t && mkdir %t && %python -B %s %t %full | FileCheck %s

import itertools
import os
import pathlib
import subprocess
import sys

folder = pathlib.Path(sys.argv[1])
available = pathlib.Path("/proc/cpuinfo").read_text().split()
#: Instructions that change the C, with the flags of cpuinfo that they need.
FLAGS = {
    "-DUMA_LANES=1": [],
    "": [],
    "-mssse3": ["ssse3"],
    "-mavx2 -mfma": ["avx2", "fma"],
    "-mavx512f -mavx512bw": ["avx512bw"],
    "-mavx512f -mavx512bw -mavx512vbmi": ["avx512vbmi"],
    "-mavx512f -mavx512bw -mavx512vbmi -mavx512vl -mavx512vnni": ["avx512vbmi", "avx512vl", "avx512_vnni"],
}

numbers = itertools.count()


def get_type(shape: list[int], element: str) -> str:
    return f"tensor<{'x'.join(map(str, [*shape, element]))}>"


def get_table(element: str) -> str:
    """Every entry occurs once."""
    entries = bytes((167 * index + 91) % 256 for index in range(256)).hex()
    return f'uma.graph.constant dense<"0x{entries}"> : tensor<256x{element}>'


def make_lookup(shape: list[int], source: str, target: str) -> tuple[list[str], str, str]:
    types = get_type(shape, source), get_type(shape, target)
    return [f"%t = {get_table(target)}",
            f"%r = uma.graph.take %t, %x axis 0 : (tensor<256x{target}>, {types[0]}) -> {types[1]}"], *types


def make_sum(shape: list[int], source: str, axes: list[int]) -> tuple[list[str], str, str]:
    result = [1 if axis in axes else extent for axis, extent in enumerate(shape)]
    types = get_type(shape, source), get_type(shape, "i32"), get_type(result, "i32")
    return [f"%w = uma.graph.cast %x to i32 : ({types[0]}) -> {types[1]}",
            f"%r = uma.graph.sum %w axis {axes} keepdims true : ({types[1]}) -> {types[2]}"], types[0], types[2]


def make_network(channels: int, size: int, window: int) -> tuple[list[str], str, str]:
    """A layer, a table and a depthwise layer, with copies of bytes between layouts at both ends."""
    shape = [1, channels, size, size]
    x, data, byte = (get_type(shape, element) for element in ("ui8", "!quant.uniform<u8:f32, 0.5:128>", "f32"))
    dense, depthwise = get_type([channels, channels, 1, 1], "f32"), get_type([channels, 1, window, window], "f32")
    pad = window // 2
    quantize = lambda value, name: [f"%{name}q = uma.graph.quantize {value} : ({byte}) -> {data}",
                                    f"%{name} = uma.graph.dequantize %{name}q : ({data}) -> {byte}"]
    return [
        f"%s = uma.graph.storage_cast %x : ({x}) -> {data}",
        f"%d = uma.graph.dequantize %s : ({data}) -> {byte}",
        f"%v = uma.graph.constant dense<0.125> : {dense}",
        f"%a = uma.graph.conv2d %d, %v : ({byte}, {dense}) -> {byte}",
        *quantize("%a", "b"),
        f"%c = uma.graph.silu %b : ({byte}) -> {byte}",
        *quantize("%c", "e"),
        f"%w = uma.graph.constant dense<0.25> : {depthwise}",
        f"%f = uma.graph.conv2d %e, %w padding [{pad}, {pad}, {pad}, {pad}] groups {channels} : ({byte}, {depthwise}) -> {byte}",
        *quantize("%f", "g"),
        f"%r = uma.graph.storage_cast %gq : ({data}) -> {x}",
    ], x, x


def make_words(channels: int, size: int, window: int) -> tuple[list[str], str, str]:
    """Layers of words around a table, whose result has a border of zeros for the padding of the second one."""
    byte, sums, real = (get_type([1, channels, size, size], element) for element in ("ui8", "i32", "f32"))
    lines = [f"%t = {get_table('ui8')}", '%k = uma.graph.constant dense<0.01> : tensor<f32>']

    def add_layer(source: str, side: int, name: str) -> None:
        weights, pad = get_type([channels, channels, side, side], "i8"), side // 2
        numbers = bytes((73 * index + index // 256) % 256 for index in range(channels * channels * side * side)).hex()
        lines.extend([
            f'%{name}w = uma.graph.constant dense<"0x{numbers}"> : {weights}',
            f"%{name}s = uma.graph.conv2d {source}, %{name}w padding [{pad}, {pad}, {pad}, {pad}] out_dtype i32 : ({byte}, {weights}) -> {sums}",
            f"%{name}f = uma.graph.cast %{name}s to f32 : ({sums}) -> {real}",
            f"%{name}m = uma.graph.multiply %{name}f, %k : ({real}, tensor<f32>) -> {real}",
            f"%{name}c = uma.graph.clip %{name}m min 0.0 max 255.0 : ({real}) -> {real}",
            f"%{name}r = uma.graph.round %{name}c : ({real}) -> {real}",
            f"%{name} = uma.graph.cast %{name}r to ui8 : ({real}) -> {byte}",
        ])

    add_layer("%x", 1, "a")
    lines.append(f"%y = uma.graph.take %t, %a axis 0 : (tensor<256xui8>, {byte}) -> {byte}")
    add_layer("%y", window, "r")
    return lines, byte, byte


def make_module(functions: list[tuple[list[str], str, str]]) -> str:
    """Returns one network, since every run takes a C compiler's time."""
    body, arguments, results = [], [], []
    for lines, source, target in functions:
        number = next(numbers)
        body += [line.replace("%", f"%f{number}") for line in lines]
        arguments.append(f"%f{number}x: {source}")
        results.append((f"%f{number}r", target))
    types = ", ".join(type for _, type in results)
    return "\n".join([f'func.func @main({", ".join(arguments)}) -> ({types}) attributes {{uma.network = "net"}} {{', *body,
                      f"return {', '.join(name for name, _ in results)} : {types}", "}", ""])


NETWORKS = {
    # CHECK: tables: equal
    "tables": [make_lookup(shape, *elements) for shape in ([1], [5], [3, 21], [2, 3, 11], [130], [1, 4, 33, 33], [9000])
               for elements in (("ui8", "ui8"), ("i8", "i8"), ("i8", "ui8"), ("ui8", "i8"))],
    # CHECK: sums: equal
    "sums": [make_sum(shape, element, axes) for element in ("ui8", "i8")
             for shape, axes in [([3, 49], [1]), ([3, 784], [1]), ([2, 5, 7, 7], [2, 3]), ([2, 5, 8, 8], [2, 3]), ([1, 7, 7, 37], [1, 2]),
                                 ([2, 4, 4, 16], [1, 2]), ([6, 5], [0]), ([300, 3], [0]), ([70000], [0])]],
    # CHECK: layers: equal
    "layers": [make_network(*sizes) for sizes in [(16, 6, 3), (32, 14, 3), (48, 9, 5), (24, 5, 3), (64, 17, 1)]],
    # CHECK: words: equal
    "words": [make_words(*sizes) for sizes in [(16, 6, 3), (32, 9, 5), (8, 7, 3)]],
}

for name, functions in NETWORKS.items():
    model = folder / f"{name}.mlir"
    model.write_text(make_module(functions))
    problems = []
    kinds = [flags for flags, needed in FLAGS.items() if set(needed) <= set(available)]
    for flags in kinds if "--full" in sys.argv else kinds[-1:]:
        ran = subprocess.run(["uma", "run", str(model), "--compare", "--seeds=2", "--tolerance=0"], capture_output=True, text=True,
                             env={**os.environ, "CFLAGS": f"-O1 {flags}"})
        if ran.returncode:
            problems.append(f"{flags}: {ran.stdout.strip()} {ran.stderr.strip()}")
    print(f"{name}: {'; '.join(problems) or 'equal'}", flush=True)
