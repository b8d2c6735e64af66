#!/usr/bin/python3
"""Runs uma on damaged files: it must exit with a documented exit code for any input.

    utils/mutate-files.py [--uma build/bin/uma] [--seed 1] [--count 150] [--jobs 2] [--only KIND] [--keep DIR]

Seed N gives the same damaged file on every machine. It starts from a random graph (utils/fuzzing) of a few
operators and has one of these kinds:

    text       the graph as .mlir: tokens removed, repeated, swapped or replaced, or bytes changed
    bytecode   the graph as .mlirbc: bytes changed, inserted, removed, or the file cut
    metadata   a package whose metadata.json has changed bytes, or a field removed or of another type or size
    graph      a package whose .mlirbc has changed bytes, is cut, missing or a folder
    files      a package with another file cut, missing or a folder; only these build C
    processor  a file for --cpu, mutated like metadata.json
    script     the script of a layer (--lower=scripts=FILE), mutated like text

The first two are compiled and explained, and packages are run. For the last two, a network of one layer runs and is
compared with the reference interpreter. The script reports signals, runs of more than --timeout seconds, undocumented
exit codes, and errors without a message. Exits with 1 if there are any.
"""

import argparse
import collections
import concurrent.futures
import functools
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from fuzzing.operators import random_graph  # noqa: E402

# Relative frequency of each kind; bytecode and text exercise the most code.
KINDS = ["text"] * 20 + ["bytecode"] * 20 + ["metadata"] * 15 + ["graph"] * 4 + ["files"] + ["processor"] * 8 + ["script"] * 12
PROCESSOR = pathlib.Path(__file__).resolve().parent.parent / "processors/x86-64-v3.json"
NETWORK = """func.func @main(%x: tensor<8x16xf32>) -> tensor<8x32xf32> attributes {uma.network = "net"} {
  %w = uma.graph.constant dense<0.5> : tensor<32x16xf32>
  %0 = uma.graph.dense %x, %w : (tensor<8x16xf32>, tensor<32x16xf32>) -> tensor<8x32xf32> loc("a")
  %1 = uma.graph.relu %0 : (tensor<8x32xf32>) -> tensor<8x32xf32>
  return %1 : tensor<8x32xf32>
}
"""
SCRIPT = """module attributes {transform.with_named_sequence} {
  transform.named_sequence @tile(%layer: !transform.any_op {transform.readonly}) attributes {uma.layers = ["a"]} {
    %copy = transform.uma.get_block "dense_result" in %layer
    transform.uma.reverse_compute_inline %copy
    transform.uma.multiversion %layer [16, 8]
    %sum = transform.uma.get_block "dense" in %layer lanes(8)
    %relu = transform.uma.get_block "relu" in %layer lanes(8)
    %i, %j, %k = transform.uma.get_loops %sum
    %i0, %i1 = transform.uma.split %i [?, 4]
    %j0, %j1 = transform.uma.split %j [?, 8]
    transform.uma.reorder %i0, %j0, %k, %i1, %j1
    transform.uma.set_scope %sum[0] local
    transform.uma.reverse_compute_at %relu, %j0
    %init = transform.uma.decompose_reduction %sum, %k
    transform.uma.unroll %i1
    transform.uma.vectorize %j1
    transform.yield
  }
}
"""
# Replacements for numbers in text and values in JSON.
NUMBERS = ["0", "1", "-1", "2", "7", "255", "65536", "2147483647", "4294967296", "9223372036854775807",
           "-9223372036854775808", "18446744073709551616", "1e400", "?", "*"]
TYPES = ["f32", "f16", "f64", "bf16", "i1", "i8", "ui8", "si8", "i3", "i64", "i128", "index", "f8E5M2", "f80", "tf32", "none",
         "complex<f32>", "!quant.uniform<i8:f32, 0.5>", "vector<4xf32>", "tensor<*xf32>", "tensor<?xf32>", "memref<4xf32>"]
VALUES = [None, True, "", "x", "/etc/passwd", "../..", "\u0000", 0, -1, 1.5, 1e300, 2**31, 2**62, 2**63 - 1, [], {}, [[]], [None]]


def mutate_bytes(rng: random.Random, data: bytes) -> bytes:
    result = bytearray(data)
    for _ in range(rng.choice([1, 1, 1, 2, 4, 16])):
        at = rng.randrange(len(result) + 1)
        length = rng.choice([1, 1, 2, 8, 64])
        match rng.randrange(8):
            case 0 | 1 | 2 if at < len(result):
                result[at] ^= 1 << rng.randrange(8)
            case 3 if at < len(result):
                result[at] = rng.choice([0, 1, 0x7F, 0x80, 0xFE, 0xFF, rng.randrange(256)])
            case 4:
                result[at:at] = rng.randbytes(length)
            case 5:
                del result[at:at + length]
            case 6:
                other = rng.randrange(len(result) + 1)
                result[at:at + length] = result[other:other + length]
            case 7:
                del result[at if rng.random() < 0.3 else len(result):]
        if not result:
            break
    return bytes(result)


def mutate_text(rng: random.Random, text: str) -> bytes:
    if rng.random() < 0.15:
        return mutate_bytes(rng, text.encode())
    tokens = re.findall(r"\d+|[A-Za-z_]\w*|\s+|.", text)
    visible = [i for i, token in enumerate(tokens) if not token.isspace()]
    numbers = [i for i in visible if tokens[i].isdigit()]
    names = [i for i in visible if tokens[i][0].isalpha()]
    for _ in range(rng.choice([1, 1, 2, 4])):
        i, j = rng.choice(visible), rng.choice(visible)
        match rng.randrange(9):
            case 0:
                tokens[i] = ""
            case 1:
                tokens[i] = tokens[i] * rng.choice([2, 3, 50])
            case 2:
                tokens[i], tokens[j] = tokens[j], tokens[i]
            case 3 | 4 | 5 if numbers:
                tokens[rng.choice(numbers)] = rng.choice(NUMBERS)
            case 6 if names:
                tokens[rng.choice(names)] = tokens[rng.choice(names)]
            case 7:
                # All occurrences of a type, so that the graph may verify.
                old = rng.choice(["f32", "f64", "f16", "bf16", "i8", "i32", "i64", "i1"])
                new = rng.choice(TYPES)
                tokens = [re.sub(rf"(\b|(?<=x)){old}$", new, token) for token in tokens]
            case 8:
                tokens[i] = rng.choice(["(", "[", "<", "{"]) * rng.choice([1, 1000, 200000])
    return "".join(tokens).encode(errors="surrogateescape")


def mutate_json(rng: random.Random, text: str) -> bytes:
    if rng.random() < 0.3:
        return mutate_bytes(rng, text.encode())
    if rng.random() < 0.1:
        return (rng.choice(["[", '{"a":', "[{}, ", '"']) * rng.choice([1, 50, 100000])).encode()
    data = json.loads(text)
    places = []

    def collect(value):
        for key in value if isinstance(value, dict) else range(len(value)):
            places.append((value, key))
            if isinstance(value[key], (dict, list)):
                collect(value[key])

    collect(data)
    # Half of them in fields of the first level, because `uma run` reads most of these.
    top = [place for place in places if place[0] is data]
    for _ in range(rng.choice([1, 1, 2, 5])):
        holder, key = rng.choice(top if rng.random() < 0.5 else places)
        try:
            if rng.random() < 0.3:
                del holder[key]
            else:
                holder[key] = rng.choice(VALUES)
        except (KeyError, IndexError):
            pass  # Another mutation has removed it.
    return json.dumps(data).encode()


@functools.cache
def small_graph(seed: int) -> str:
    """Returns a graph of at most five operators, reduced from a random one."""
    graph = random_graph(seed)
    while len(graph.operations) > 5:
        # Operators are dropped by choosing an earlier value as output.
        keep = graph.operations[:len(graph.operations) // 2]
        graph = graph.slice([keep[-1].results[-1]])
        if len(keep) == 1:
            break
    return graph.print()


class Damage:
    def __init__(self, options, folder: pathlib.Path):
        self.options, self.folder = options, folder
        self.environment = dict(os.environ, CFLAGS="-O0 -march=native", UMA_ACCELERATOR_PATH=str(
            pathlib.Path(__file__).resolve().parent.parent / "dialects"))

    def call(self, *arguments):
        return subprocess.run([self.options.uma, *map(str, arguments)], capture_output=True, timeout=self.options.timeout,
                              env=self.environment)

    @functools.cache
    def package(self, seed: int) -> pathlib.Path:
        """Returns the package of a base, or None if it cannot be compiled, for example because of empty tensors."""
        model = self.folder / f"base{seed}.mlir"
        model.write_text(small_graph(seed))
        package = self.folder / f"base{seed}"
        return package if self.call("compile", model, "-o", package).returncode == 0 else None

    def judge(self, kind: str, done) -> str:
        said = done.stderr.decode(errors="replace")
        if done.returncode < 0:
            return f"SIGNAL {-done.returncode}"
        if done.returncode not in (0, 1, 2, 3, 4):
            return f"CODE {done.returncode}"
        if done.returncode in (1, 4) and kind != "files":
            return f"CODE {done.returncode}"
        if done.returncode in (2, 3) and "error: " not in said:
            return "SILENT"
        return ""

    def run(self, seed: int) -> tuple[str, str, str]:
        rng = random.Random(seed)
        kind = self.options.only or rng.choice(KINDS)
        base = rng.randrange(1, self.options.bases + 1)
        while kind not in ("text", "processor", "script") and self.package(base) is None:
            base = base % self.options.bases + 1
        commands, path = [], self.folder / f"seed{seed}"
        if kind == "text":
            path = path.with_suffix(".mlir")
            path.write_bytes(mutate_text(rng, small_graph(base)))
        elif kind in ("processor", "script"):
            path.mkdir()
            (path / "net.mlir").write_text(NETWORK)
            (path / "cpu.json").write_bytes(mutate_json(rng, PROCESSOR.read_text()))
            (path / "script.mlir").write_bytes(mutate_text(rng, SCRIPT))
            option = f"--cpu={path}/cpu.json" if kind == "processor" else f"--lower=scripts={path}/script.mlir"
            commands = [("run", path / "net.mlir", option, "--compare", "--seeds=1")]
        elif kind == "bytecode":
            path = path.with_suffix(".mlirbc")
            graph, = self.package(base).glob("*.mlirbc")
            path.write_bytes(mutate_bytes(rng, graph.read_bytes()))
        else:
            shutil.copytree(self.package(base), path)
            files = sorted(file for file in path.rglob("*") if file.is_file())
            graph, = path.glob("*.mlirbc")
            metadata = path / "metadata.json"
            if kind == "metadata":
                metadata.write_bytes(mutate_json(rng, metadata.read_text()))
            else:
                file = graph if kind == "graph" else rng.choice([f for f in files if f not in (graph, metadata)])
                match rng.randrange(4):
                    case 0 if kind == "graph":
                        file.write_bytes(mutate_bytes(rng, file.read_bytes()))
                    case 0 | 1:
                        data = file.read_bytes()
                        file.write_bytes(data[:rng.randrange(len(data) + 1)])
                    case 2:
                        file.unlink()
                    case 3:
                        file.unlink()
                        file.mkdir()
        if kind in ("text", "bytecode"):
            commands = [("compile", path, "-o", path.with_suffix(".out")), ("explain", path, "-a", "vanilla")]
        elif not commands:
            # Only reading metadata.json is tested; the invalid compiler ends the run.
            commands = [("run", path, "--cc", "cc" if kind == "files" else "false")]
        problem, said = "", ""
        for command in commands:
            try:
                done = self.call(*command)
            except subprocess.TimeoutExpired:
                problem, said = "HANG", " ".join(map(str, command))
                break
            code = done.returncode
            if kind not in ("text", "bytecode", "files") and code == 4 and b"does not build" in done.stderr:
                code = 0
            problem = self.judge(kind, subprocess.CompletedProcess(done.args, code, done.stdout, done.stderr))
            if problem:
                said = " ".join(map(str, command)) + "\n" + done.stderr.decode(errors="replace")[-2000:]
                break
            said = f"{command[0]} {done.returncode}"
        if not problem and not self.options.keep:
            for left in (path, path.with_suffix(".out")):
                shutil.rmtree(left, ignore_errors=True) if left.is_dir() else left.unlink(missing_ok=True)
        return problem, kind, said


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--uma", default="build/bin/uma", help="the compiler (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="the first file (default: %(default)s)")
    parser.add_argument("--count", type=int, default=150, help="how many files (default: %(default)s)")
    parser.add_argument("--bases", type=int, default=8, help="how many graphs they start from (default: %(default)s)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="files at the same time")
    parser.add_argument("--timeout", type=float, default=300, help="seconds for one command (default: %(default)s)")
    parser.add_argument("--only", choices=sorted(set(KINDS)), help="damage only these")
    parser.add_argument("--keep", type=pathlib.Path, help="write the files into this folder and leave them there")
    options = parser.parse_args()
    options.uma = os.path.abspath(options.uma)

    counts, codes, problems = collections.Counter(), collections.Counter(), 0
    with tempfile.TemporaryDirectory() as scratch, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        folder = options.keep or pathlib.Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        damage = Damage(options, folder)
        # Compile the bases before several threads use them.
        for base in range(1, options.bases + 1):
            damage.package(base)
        seeds = range(options.seed, options.seed + options.count)
        for seed, (problem, kind, said) in zip(seeds, pool.map(damage.run, seeds)):
            counts[kind] += 1
            codes[said if not problem else problem] += 1
            if problem:
                problems += 1
                print(f"{problem} at seed {seed} ({kind}); repeat with\n  utils/mutate-files.py --uma {options.uma} "
                      f"--seed {seed} --count 1 --bases {options.bases} --keep DIR\n{said}\n", flush=True)
    print(f"seeds {options.seed} to {options.seed + options.count - 1}: " +
          ", ".join(f"{count} {kind}" for kind, count in sorted(counts.items())) + f"; {problems} problems")
    print(", ".join(f"{code}: {count}" for code, count in sorted(codes.items())))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
