"""Runs an ONNX network on Vanilla by upstream's pipeline in mlir-runner, and compares with what `uma run` computes.

  run_network.py MODEL.onnx FOLDER/libvanilla.so 'TO_LLVM' 'LIBRARIES'

TO_LLVM are the passes from linalg to the LLVM dialect, LIBRARIES the options of mlir-runner.
Prints how many numbers are equal and how often the device was called; exits with 1 when numbers differ.
"""

import pathlib
import re
import subprocess
import sys

import numpy

model, library, to_llvm, libraries = sys.argv[1:]
folder = pathlib.Path(library).parent


def run(*command: str) -> str:
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder)
    if done.returncode:
        sys.exit(f"{' '.join(command)[:500]}\n{done.stderr}")
    return done.stdout


run("uma-translate", "--import-onnx", model, "-o", "graph.mlir")
run("uma-opt", "graph.mlir", "--uma-partition=vanilla", "--convert-uma-graph-to-linalg", "-o", "linalg.mlir")
name = re.search(r'func\.func @main\(%arg0: tensor<\S+> \{uma\.name = "(.*?)"\}\)', (folder / "graph.mlir").read_text())[1]
module = (folder / "linalg.mlir").read_text()
argument, result = re.search(r"func\.func @main\(%arg0: (tensor<\S+>)\) -> (tensor<\S+>)", module).groups()
data = numpy.random.default_rng(7).random([int(size) for size in re.findall(r"(\d+)x", argument)], dtype=numpy.float32)
numpy.save(folder / "input.npy", data)
program = f"""
  func.func @run() {{
    %x = arith.constant dense<"0x{data.tobytes().hex().upper()}"> : {argument}
    %y = call @main(%x) : ({argument}) -> {result}
    %any = tensor.cast %y : {result} to tensor<*xf32>
    call @printMemrefF32(%any) : (tensor<*xf32>) -> ()
    %calls = call @vanilla_calls() : () -> i64
    vector.print str "calls: "
    vector.print %calls : i64
    return
  }}
  func.func private @printMemrefF32(tensor<*xf32>)
  func.func private @vanilla_calls() -> i64
"""
head, start, body = module.partition("module {\n")
(folder / "program.mlir").write_text(head + start + program + body)
run("mlir-opt", "program.mlir", f"--pass-pipeline=builtin.module({to_llvm})", "-o", "llvm.mlir")
printed = run("mlir-runner", "llvm.mlir", "-e", "run", "--entry-point-result=void", f"--shared-libs={library}", *libraries.split())
numbers, _, calls = printed.split("data =")[1].partition("calls:")
actual = numpy.array([float(x) for x in re.findall(r"[-+.\de]+", numbers)], numpy.float32)

run("uma", "run", "graph.mlir", "-a", "vanilla", "--input", f"{name}=input.npy", "--output-dir", "out")
(output,) = (folder / "out").glob("*.npy")
expected = numpy.load(output).ravel()
# Six digits are printed.
if actual.shape != expected.shape or numpy.abs(actual - expected).max() > 1e-5 * numpy.abs(expected).max():
    sys.exit(f"{expected} expected, computed {actual}")
print(f"{expected.size} numbers equal, calls of vanilla: {calls.strip()}")
