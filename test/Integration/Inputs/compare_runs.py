"""Runs the functions of an MLIR file in mlir-runner by two ways and compares what they compute.

  compare_runs.py REFERENCE 'TO_LLVM' 'LIBRARIES' FILE.mlir FOLDER [FLAG...]

REFERENCE is `tosa`: FILE holds TOSA, which upstream's tosa-to-linalg lowers; or `interpreter`: FILE holds operators of
uma.graph, which --uma-graph-fold-constant computes. The other way is --convert-uma-graph-to-linalg, after
--convert-tosa-to-uma-graph, or the FLAGs in its place, in the first case. TO_LLVM are the passes from linalg to the LLVM
dialect, LIBRARIES the options of mlir-runner. Every public function is called with numbers made from its name. Prints a line for each function
and exits with 1 when numbers differ by more than 1e-5, relative to the largest one.
"""

import pathlib
import random
import re
import subprocess
import sys

TOSA = ("func.func(tosa-optional-decompositions,tosa-infer-shapes,tosa-to-scf,tosa-to-linalg-named,tosa-to-linalg,"
        "tosa-to-arith,tosa-to-tensor),")
PRINTERS = {"f32": "F32", "f64": "F64", "i64": "I64", "i32": "I32"}
# Types that the runner prints in no way that suits, and what they are printed as.
WIDER = {"i1": ("extui", "i32"), "i8": ("extsi", "i32"), "i16": ("extsi", "i32"), "f16": ("extf", "f32"), "bf16": ("extf", "f32")}


def run(*command: str) -> str:
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(command)}\n{done.stderr}")
    return done.stdout


def elements(seed: random.Random, type_: str, count: int) -> str:
    """`count` elements of a type: small numbers, some of them equal."""
    if type_ == "i1":
        return ", ".join(seed.choice(["true", "false"]) for _ in range(count))
    if type_.startswith("i"):
        return ", ".join(str(seed.randint(0, 3)) for _ in range(count))
    return ", ".join(f"{seed.randint(-40, 40) / 16 + 0.015625:f}" for _ in range(count))


def shaped(text: str, shape: list[int]) -> str:
    """Flat elements as the nested lists of a dense attribute."""
    items = text.split(", ")
    for size in reversed(shape):
        items = [f"[{', '.join(items[i:i + size])}]" for i in range(0, len(items), size)]
    return items[0]


def make_main(module: str, constant: str) -> str:
    """A function that calls the others and prints their results."""
    body, printers = [], set()
    for name, arguments, results in re.findall(r"^func\.func @(\w+)\((.*?)\) -> \(?(tensor.*?)\)? {$", module, re.M | re.S):
        seed = random.Random(name)
        types = re.findall(r"%\w+: tensor<((?:\d+x)*)(\w+)>", arguments)
        for i, (sizes, type_) in enumerate(types):
            shape = [int(size) for size in sizes.split("x")[:-1]]
            count = 1
            for size in shape:
                count *= size
            value = f"dense<{shaped(elements(seed, type_, count), shape)}> : tensor<{sizes}{type_}>"
            body.append(f"%{name}_{i} = {constant} {value}")
        outs = re.findall(r"tensor<[\dx]*(\w+)>", results)
        operands = ", ".join(f"%{name}_{i}" for i in range(len(types)))
        signature = ", ".join(f"tensor<{sizes}{type_}>" for sizes, type_ in types)
        body.append(f"%{name}:{len(outs)} = call @{name}({operands}) : ({signature}) -> ({results})")
        for i, (type_, whole) in enumerate(zip(outs, re.findall(r"tensor<\w+>", results))):
            value = f"%{name}#{i}"
            if type_ in WIDER:
                extend, wide = WIDER[type_]
                wider = whole.replace(type_ + ">", wide + ">")
                body.append(f"%{name}_wide{i} = arith.{extend} {value} : {whole} to {wider}")
                value, type_, whole = f"%{name}_wide{i}", wide, wider
            printers.add(type_)
            body.append(f"%{name}_any{i} = tensor.cast {value} : {whole} to tensor<*x{type_}>")
            body.append(f"call @printMemref{PRINTERS[type_]}(%{name}_any{i}) : (tensor<*x{type_}>) -> ()")
    lines = "\n  ".join(body)
    declarations = "\n".join(f"func.func private @printMemref{PRINTERS[t]}(tensor<*x{t}>)" for t in sorted(printers))
    return f"{module}\n{declarations}\nfunc.func @main() {{\n  {lines}\n  return\n}}\n"


def execute(path: pathlib.Path, pipeline: str) -> list[list[float]]:
    lowered = path.with_suffix(".llvm.mlir")
    run("mlir-opt", str(path), f"--pass-pipeline=builtin.module({pipeline}func.func(convert-elementwise-to-linalg),{sys.argv[2]})", "-o", str(lowered))
    printed = run("mlir-runner", str(lowered), "-e", "main", "--entry-point-result=void",
                  *sys.argv[3].split())
    numbers = r"[-+]?(?:\d[\d.]*(?:e[-+]?\d+)?|inf|nan)"
    return [[float(x) for x in re.findall(numbers, part.split("data =")[1])] for part in printed.split("Unranked Memref")[1:]]


def agree(expected: list[float], actual: list[float]) -> bool:
    limit = max([1.0] + [abs(x) for x in expected if abs(x) < float("inf")]) * 1e-5
    return len(expected) == len(actual) and all(
        x == y or abs(x - y) <= limit or (x != x and y != y) for x, y in zip(expected, actual))


def main() -> int:
    reference, source, out = sys.argv[1], sys.argv[4], pathlib.Path(sys.argv[5])
    module = re.sub(r"^//.*\n", "", pathlib.Path(source).read_text(), flags=re.M)
    given = out / "given.mlir"
    given.write_text(make_main(module, "arith.constant" if reference == "tosa" else "uma.graph.constant"))
    ours = out / "ours.mlir"
    if reference == "tosa":
        expected = execute(given, TOSA)
        passes = sys.argv[6:] or ["--convert-tosa-to-uma-graph"]
        run("uma-opt", str(given), *passes, "--convert-uma-graph-to-linalg", "-o", str(ours))
    else:
        folded, computed = out / "folded.mlir", out / "computed.mlir"
        run("uma-opt", str(given), "--inline", "--uma-graph-fold-constant", "--symbol-privatize=exclude=main", "--symbol-dce",
            "-o", str(folded))
        left = set(re.findall(r"uma\.graph\.\w+", folded.read_text())) - {"uma.graph.constant"}
        if left:
            sys.exit(f"the interpreter left {', '.join(sorted(left))}")
        run("uma-opt", str(folded), "--convert-uma-graph-to-linalg", "-o", str(computed))
        expected = execute(computed, "")
        run("uma-opt", str(given), "--convert-uma-graph-to-linalg", "-o", str(ours))
    actual = execute(ours, "")
    names = re.findall(r"^func\.func @(\w+)\(.*?\) -> \(?(tensor.*?)\)? {$", module, re.M | re.S)
    labels = [name for name, results in names for _ in re.findall(r"tensor<", results)]
    if not labels or not len(labels) == len(expected) == len(actual):
        sys.exit(f"{len(labels)} results, of which {len(expected)} and {len(actual)} were printed")
    status = 0
    for label, left, right in zip(labels, expected, actual):
        if agree(left, right):
            print(f"{label}: {len(left)} numbers equal")
        else:
            status = 1
            print(f"{label}: {left} expected, computed {right}")
    return status


sys.exit(main())
