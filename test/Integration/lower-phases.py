"""Optional passes of the phases of TIR in any order, or left out: the C computes the same numbers.

Ten random choices for each network, in the quick tests three, with fixed seeds. Numbers are compared with the reference interpreter, and those of
an MLPerf Tiny model with the recorded ones where the models are there.
"""
# RUN: rm -rf %t && mkdir %t
# RUN: %python -B %s %t %models %S/Inputs/compare-recorded.py %full 2>&1 | FileCheck %s
# REQUIRES: gcc

# CHECK:      convolutions: {{10|3}} choices of passes are right
# CHECK-NEXT: perceptron: {{10|3}} choices of passes are right
# CHECK-NEXT: kws_dscnn_float: {{(10|3) choices of passes are right|skipped, .* is missing}}

import os
import pathlib
import random
import subprocess
import sys

CHOICES = 10 if "--full" in sys.argv else 3
MANDATORY = ["storage-flatten", "legalize-bf16"]
OPTIONAL = [
    ["simplify", "narrow-data-type"],
    ["loop-partition", "vectorize-loop", "inject-virtual-thread", "inject-double-buffer", "storage-rewrite", "unroll-loop",
     "simplify", "promote-local"],
    ["simplify", "remove-no-op", "rewrite-unsafe-select", "hoist-if-then-else", "remove-redundant-configuration"],
]

# Padding, strides, pools with and without padding, a residual sum, channels that fill no vector.
CONVOLUTIONS = """
func.func @main(%x: tensor<1x3x13x11xf32> {uma.name = "x"}, %w: tensor<5x3x3x3xf32> {uma.name = "w"},
    %v: tensor<5x5x7x7xf32> {uma.name = "v"}, %d: tensor<5x1x3x3xf32> {uma.name = "d"})
    -> (tensor<1x5x4x3xf32> {uma.name = "y"}, tensor<1x5x7x6xf32> {uma.name = "z"}) attributes {uma.network = "convolutions"} {
  %b = uma.graph.constant dense<[1.0, -2.0, 3.0, -4.0, 5.0]> : tensor<5xf32>
  %0 = uma.graph.conv2d %x, %w strides [2, 2] padding [1, 1, 1, 1]
      : (tensor<1x3x13x11xf32>, tensor<5x3x3x3xf32>) -> tensor<1x5x7x6xf32>
  %1 = uma.graph.bias_add %0, %b : (tensor<1x5x7x6xf32>, tensor<5xf32>) -> tensor<1x5x7x6xf32>
  %2 = uma.graph.relu %1 : (tensor<1x5x7x6xf32>) -> tensor<1x5x7x6xf32>
  %3 = uma.graph.conv2d %2, %v padding [3, 3, 3, 3] : (tensor<1x5x7x6xf32>, tensor<5x5x7x7xf32>) -> tensor<1x5x7x6xf32>
  %4 = uma.graph.conv2d %3, %d padding [1, 1, 1, 1] groups 5 : (tensor<1x5x7x6xf32>, tensor<5x1x3x3xf32>) -> tensor<1x5x7x6xf32>
  %5 = uma.graph.add %4, %2 : (tensor<1x5x7x6xf32>, tensor<1x5x7x6xf32>) -> tensor<1x5x7x6xf32>
  %6 = uma.graph.max_pool2d %5 size [3, 3] strides [2, 2] padding [1, 1, 1, 1] : (tensor<1x5x7x6xf32>) -> tensor<1x5x4x3xf32>
  %7 = uma.graph.avg_pool2d %5 size [3, 3] padding [1, 1, 1, 1] : (tensor<1x5x7x6xf32>) -> tensor<1x5x7x6xf32>
  return %6, %7 : tensor<1x5x4x3xf32>, tensor<1x5x7x6xf32>
}
"""
PERCEPTRON = """
func.func @main(%x: tensor<3x10xf32> {uma.name = "x"}, %w: tensor<17x10xf32> {uma.name = "w"},
    %v: tensor<6x17xf32> {uma.name = "v"}) -> (tensor<3x6xf32> {uma.name = "y"}, tensor<6x3xf32> {uma.name = "z"})
    attributes {uma.network = "perceptron"} {
  %0 = uma.graph.dense %x, %w : (tensor<3x10xf32>, tensor<17x10xf32>) -> tensor<3x17xf32>
  %1 = uma.graph.tanh %0 : (tensor<3x17xf32>) -> tensor<3x17xf32>
  %2 = uma.graph.dense %1, %v : (tensor<3x17xf32>, tensor<6x17xf32>) -> tensor<3x6xf32>
  %3 = uma.graph.softmax %2 : (tensor<3x6xf32>) -> tensor<3x6xf32>
  %4 = uma.graph.transpose %3 [1, 0] : (tensor<3x6xf32>) -> tensor<6x3xf32>
  %5 = uma.graph.sigmoid %4 : (tensor<6x3xf32>) -> tensor<6x3xf32>
  return %3, %5 : tensor<3x6xf32>, tensor<6x3xf32>
}
"""


def choose(seed: int) -> str:
    """Options of uma-lower: some passes, in some order, some of them in a phase that is not theirs."""
    chance = random.Random(seed)
    if seed % 4 == 0:
        optional = sorted({name for phase in OPTIONAL for name in phase})
        return "disable=" + ",".join(chance.sample(optional, chance.randint(1, len(optional))))
    options = []
    for phase, names in enumerate(OPTIONAL, start=1):
        others = [name for names in OPTIONAL for name in names] if chance.random() < 0.3 else []
        chosen = chance.sample(names, chance.randint(0, len(names))) + chance.sample(others, min(2, len(others)))
        chance.shuffle(chosen)
        if phase == 1:
            # Schedules' requests are about buffers as they are then.
            chosen = MANDATORY + chosen
        # A list with nothing in it would be the phase's own passes.
        options.append(f"phase{phase}=" + ",".join(chosen or ["remove-no-op"]))
    return " ".join(options)


def run(*command: str) -> str:
    done = subprocess.run(command, capture_output=True, text=True, env=dict(os.environ, CFLAGS="-O1"))
    if done.returncode:
        sys.exit(f"{' '.join(command)}\n{done.stdout}{done.stderr}")
    return done.stdout


def main() -> None:
    folder, models, compare = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3]
    for number, (name, text) in enumerate({"convolutions": CONVOLUTIONS, "perceptron": PERCEPTRON}.items()):
        path = folder / f"{name}.mlir"
        path.write_text(text)
        for seed in range(CHOICES):
            run("uma", "run", str(path), "--compare", "--seeds=1", f"--lower={choose(100 * number + seed)}")
        print(f"{name}: {CHOICES} choices of passes are right")

    name = "kws_dscnn_float"
    model, recorded = models / "mlperf_tiny" / f"{name}.onnx", models / "mlperf_tiny" / "io" / name
    if not model.exists():
        print(f"{name}: skipped, {model} is missing")
        return
    for seed in range(CHOICES):
        out = folder / f"{name}{seed}"
        run("uma", "run", str(model), "--input", f"input_1={recorded / 'in0.bin'}", "--output-dir", str(out),
            f"--lower={choose(200 + seed)}")
        run(sys.executable, "-B", compare, str(recorded), str(out))
    print(f"{name}: {CHOICES} choices of passes are right")


main()
