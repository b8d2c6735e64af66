#!/usr/bin/env python3
"""Mutation-fuzzes the plans of CPU layers, number by number and word by word.

    utils/fuzz-plans.py FOLDER [--uma build/bin/uma] [--count N] [--seed S] [--jobs J]

A mutant must be refused with exit code 2 or 3 and an error, or its C, compiled for one of the vector instruction
sets, must compute the same numbers as the interpreter. On a crash, a hang, C that does not compile or other numbers,
the script keeps the mutant in FOLDER, prints the problem and exits with 1.
"""

import argparse
import concurrent.futures
import math
import os
import pathlib
import random
import re
import struct
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
TIMEOUT = 300
# Compiler flags by instruction set.
FLAGS = {"avx512f": "-march=x86-64-v4", "avx2": "-march=x86-64-v3", "sse2": "-march=x86-64"}
OPTIONS = ["slices = 2", "slices = 4", "sums = 2", "prefetch = all", "prefetch = full", "blocking = <packed>", "blocking = <stored>",
           "blocking = <broadcast>", "blocking = <packed, packs = 2>", "blocking = <stored, parts = 2>",
           "blocking = <packed, loop = 1, parts = 2>", "blocking = <packed, join_rows = true>", "blocking = <stored, join_rows = true>"]
WORDS = [["packed", "stored", "broadcast"], ["none", "full", "all"], ["direct", "planar", "strassen", "plain", "winograd, tile = 2", "winograd, tile = 4"],
         ["avx512", "avx2", "sse", "simd128", "scalar"], ["NCHW", "NHWC"]]


class Network:
    """Builder of operators as text. Weights are random, because equal ones would hide wrong indices."""

    def __init__(self, seed: int):
        self.generator = random.Random(seed)
        self.lines = []

    def weight(self, *shape: int) -> str:
        name = f"%w{len(self.lines)}"
        data = b"".join(struct.pack("<f", self.generator.uniform(-0.3, 0.3)) for _ in range(math.prod(shape)))
        self.lines.append(f'{name} = uma.graph.constant dense<"0x{data.hex().upper()}"> : tensor<{"x".join(map(str, shape))}xf32>')
        return name

    def add(self, kind: str, operands: list[tuple[str, str]], result: str, attributes: str = "") -> tuple[str, str]:
        name = f"%v{len(self.lines)}"
        names, types = zip(*operands)
        self.lines.append(f"{name} = uma.graph.{kind} {', '.join(names)} {attributes} : ({', '.join(types)}) -> {result} loc(\"{kind}{len(self.lines)}\")")
        return name, result

    def conv(self, data: tuple[str, str], outputs: int, size: int, result: str, attributes: str = "", groups: int = 1) -> tuple[str, str]:
        inputs = int(re.match(r"tensor<\d+x(\d+)", data[1]).group(1)) // groups
        weight = self.weight(outputs, inputs, size, size)
        if groups != 1:
            attributes += f" groups {groups}"
        return self.add("conv2d", [data, (weight, f"tensor<{outputs}x{inputs}x{size}x{size}xf32>")], result, attributes)


def image(channels: int, height: int, width: int) -> str:
    return f"tensor<1x{channels}x{height}x{width}xf32>"


def make_images() -> str:
    """Returns a network with each kind of convolution, tiled pairs, a pool, a concatenation and an addition."""
    net = Network(1)
    x = ("%x", image(8, 14, 12))
    a = net.conv(x, 32, 1, image(32, 14, 12))
    b = net.conv(a, 32, 3, image(32, 14, 12), "padding [1, 1, 1, 1]")
    c = net.add("add", [b, a], image(32, 14, 12))
    d = net.conv(c, 64, 1, image(64, 14, 12))
    e = net.conv(d, 64, 3, image(64, 7, 6), "strides [2, 2] padding [1, 1, 1, 1]", groups=64)
    f = net.conv(e, 64, 3, image(64, 7, 6), "padding [1, 1, 1, 1]", groups=64)
    g = net.conv(f, 16, 1, image(16, 7, 6))
    h = net.add("concatenate", [g, f], image(80, 7, 6), "axis 1")
    i = net.add("max_pool2d", [h], image(80, 3, 3), "size [2, 2] strides [2, 2]")
    k = net.conv(c, 2, 3, image(2, 14, 12), "padding [1, 1, 1, 1]")
    body = "\n".join(f"  {line}" for line in net.lines)
    return f"""func.func @main(%x: {x[1]} {{uma.name = "x"}}) -> ({i[1]} {{uma.name = "y"}}, {k[1]} {{uma.name = "z"}}) attributes {{uma.network = "images"}} {{
{body}
  return {i[0]}, {k[0]} : {i[1]}, {k[1]}
}}"""


def make_matrices() -> str:
    """Returns a network of products with constant and computed matrices, and a grouped convolution."""
    net = Network(2)
    x, y = ("%x", "tensor<26x64xf32>"), ("%y", image(24, 5, 7))
    w = net.weight(96, 64)
    a = net.add("dense", [x, (w, "tensor<96x64xf32>")], "tensor<26x96xf32>")
    b = net.add("relu", [a], "tensor<26x96xf32>")
    c = net.add("reshape", [b], "tensor<2x13x96xf32>", "[2, 13, 96]")
    d = net.add("batch_matmul", [c, c], "tensor<2x13x13xf32>", "transpose_b true")
    e = net.conv(y, 48, 3, image(48, 5, 7), "padding [1, 1, 1, 1]", groups=3)
    f = net.conv(e, 20, 3, image(20, 3, 5))
    body = "\n".join(f"  {line}" for line in net.lines)
    return f"""func.func @main(%x: {x[1]} {{uma.name = "x"}}, %y: {y[1]} {{uma.name = "y"}}) -> ({d[1]} {{uma.name = "u"}}, {f[1]} {{uma.name = "v"}}) attributes {{uma.network = "matrices"}} {{
{body}
  return {d[0]}, {f[0]} : {d[1]}, {f[1]}
}}"""


def find_attributes(text: str) -> list[tuple[int, int]]:
    """Returns the ranges of the text of attributes, without their names."""
    found = []
    for match in re.finditer(r"uma\.(layout|kernel|schedules|tile_pair) = ", text):
        depth, end = 0, match.end()
        while depth > 0 or text[end] not in ",}":
            depth += {"<": 1, "[": 1, ">": -1, "]": -1}.get(text[end], 0)
            end += 1
        found.append((match.end(), end))
    return found


def change_number(generator: random.Random, number: int) -> int:
    return generator.choice([0, 1, 2, 3, 4, 6, 8, 14, 16, 32, 64, number + 1, number - 1, number * 2, number // 2, 1 << 20, 1 << 62])


def mutate_attribute(generator: random.Random, text: str) -> str:
    kind = generator.choice(["number", "number", "number", "word", "option", "version", "tile"])
    if kind == "word":
        places = [(m, words) for words in WORDS for m in re.finditer(r"\b(" + "|".join(map(re.escape, words)) + r")\b|(?<=<)NCHW", text)]
        if places:
            match, words = generator.choice(places)
            return text[:match.start()] + generator.choice(words) + text[match.end():]
    if kind == "option":
        places = [m.end() for m in re.finditer(r"tile = \d+x\d+x\d+", text)]
        if places:
            place = generator.choice(places)
            return text[:place] + ", " + generator.choice(OPTIONS) + text[place:]
    if kind == "version":
        versions = re.findall(r"<(?:avx512|avx2|sse|simd128)[^<>]*(?:<[^<>]*>)?[^<>]*>, ", text)
        if versions:
            return text.replace(generator.choice(versions), "", 1)
    if kind == "tile":
        places = list(re.finditer(r"\d+x\d+x\d+", text))
        if places:
            match = generator.choice(places)
            tile = "x".join(str(generator.choice(sizes)) for sizes in ([1, 2, 3, 4, 6, 8, 14], [1, 2, 3, 4], [1, 4, 8, 16]))
            return text[:match.start()] + tile + text[match.end():]
    numbers = [m for m in re.finditer(r"(?<![\w.#])\d+|(?<=x)\d+|(?<=NCHW)\d+", text)]
    if not numbers:
        return text
    match = generator.choice(numbers)
    return text[:match.start()] + str(change_number(generator, int(match.group()))) + text[match.end():]


def mutate(text: str, seed: int) -> str:
    generator = random.Random(seed)
    for _ in range(generator.choice([1, 1, 1, 2, 3])):
        start, end = generator.choice(find_attributes(text))
        action = generator.random()
        if action < 0.1:
            # The compiler plans a removed attribute again.
            start = text.rindex("uma.", 0, start)
            after = end + 2 if text[end:end + 2] == ", " else end
            mutant = text[:start] + text[after:]
            text = mutant if find_attributes(mutant) else text
        else:
            text = text[:start] + mutate_attribute(generator, text[start:end]) + text[end:]
    return text


class Fuzzer:
    def __init__(self, options: argparse.Namespace):
        self.options = options
        self.opt = options.uma.with_name("uma-opt")
        features = pathlib.Path("/proc/cpuinfo").read_text() if pathlib.Path("/proc/cpuinfo").exists() else ""
        self.flags = [flags for name, flags in FLAGS.items() if re.search(rf"\b{name}\b", features)] + ["-DUMA_LANES=1"]

    def plan(self, text: str, name: str, *more: str) -> str:
        source = self.options.folder / f"{name}.mlir"
        source.write_text(text)
        command = [self.opt, source, "--uma-graph-default", f"--uma-cpu-plan={' '.join(more)}", "--mlir-print-debuginfo"]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    def check(self, plan: str, seed: int) -> tuple[str, str]:
        """Returns the outcome of a mutant and its problem, or "" if there is none."""
        file = self.options.folder / f"{seed}.mlir"
        file.write_text(mutate(plan, seed))
        if file.read_text() == plan:
            file.unlink()
            return "same", ""
        flags = self.flags[seed % len(self.flags)]
        environment = dict(os.environ, CFLAGS=f"-O1 {flags}")
        try:
            done = subprocess.run([self.options.uma, "run", file, "--compare", "--seed", "3"], capture_output=True, text=True,
                                  errors="replace", timeout=TIMEOUT, env=environment)
        except subprocess.TimeoutExpired:
            return "problem", f"{file}: hangs"
        if done.returncode == 0:
            file.unlink()
            return "right", ""
        if done.returncode in (2, 3) and "error: " in done.stderr:
            file.unlink()
            return "refused", ""
        last = (done.stderr.strip() or done.stdout.strip()).splitlines()[-1:] or [""]
        return "problem", f"{file} ({flags}): exit code {done.returncode}: {last[0][:200]}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--uma", type=pathlib.Path, default=ROOT / "build/bin/uma")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    fuzzer = Fuzzer(options)
    plans = [fuzzer.plan(make_images(), "images"), fuzzer.plan(make_images(), "winograd", "winograd"),
             fuzzer.plan(make_matrices(), "matrices"), fuzzer.plan(make_matrices(), "strassen", "winograd")]
    counts, problems = {}, 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        seeds = range(options.seed, options.seed + options.count)
        for result, problem in pool.map(lambda seed: fuzzer.check(plans[seed % len(plans)], seed), seeds):
            counts[result] = counts.get(result, 0) + 1
            if problem:
                problems += 1
                print(problem, flush=True)
    print(f"{options.count} mutants: " + ", ".join(f"{count} {name}" for name, count in sorted(counts.items())))
    if counts.get("right", 0) == 0 or counts.get("refused", 0) == 0:
        print("mutants are all right or all refused: nothing was tested", file=sys.stderr)
        return 1
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
