"""`NET_run_layers` runs the layers of a range: all splits of a network give the bytes of a whole run, its names and numbers are
those of the profile hooks, and without UMA_RUN_LAYERS there is nothing of it. Pairs of layers tile by tile, devices, several
files, an image of weights."""
# REQUIRES: gcc, clang
# RUN: rm -rf %t && mkdir %t && %python -B %s %source/examples/digits/digits.onnx %S %t %gcc %clang | FileCheck %s

import json
import os
import pathlib
import subprocess
import sys

digits, inputs, root = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve(), pathlib.Path(sys.argv[3]).resolve()
gcc, clang = sys.argv[4:6]
os.chdir(root)

# A pair of layers that is computed tile by tile, and a constant that is an output.
pathlib.Path("pair.mlir").write_text('''
func.func @main(%x: tensor<1x3x56x56xf32> {uma.name = "x"}) -> (tensor<1x96x28x28xf32> {uma.name = "y"})
    attributes {uma.network = "pair"} {
  %w = uma.graph.constant dense<0.5> : tensor<96x3x1x1xf32>
  %b = uma.graph.constant dense<0.25> : tensor<96xf32>
  %d = uma.graph.constant dense<0.25> : tensor<96x1x3x3xf32>
  %0 = uma.graph.conv2d %x, %w : (tensor<1x3x56x56xf32>, tensor<96x3x1x1xf32>) -> tensor<1x96x56x56xf32> loc("between")
  %1 = uma.graph.bias_add %0, %b : (tensor<1x96x56x56xf32>, tensor<96xf32>) -> tensor<1x96x56x56xf32> loc("between")
  %2 = uma.graph.conv2d %1, %d strides [2, 2] padding [1, 1, 1, 1] groups 96
    : (tensor<1x96x56x56xf32>, tensor<96x1x3x3xf32>) -> tensor<1x96x28x28xf32> loc("read")
  %3 = uma.graph.relu %2 : (tensor<1x96x28x28xf32>) -> tensor<1x96x28x28xf32> loc("last")
  return %3 : tensor<1x96x28x28xf32>
}
''')
# Layers on a device that works in the background, and one of the CPU.
pathlib.Path("device.mlir").write_text('''!d = !quant.uniform<i8:f32, 0.5:3>
!w = !quant.uniform<i8:f32, 0.02>
!s = !quant.uniform<i32:f32, 0.01>
func.func @main(%stored: tensor<1x16x8x8xi8> {uma.name = "x"}) -> (tensor<1x16x8x8xi8> {uma.name = "y"})
    attributes {uma.network = "device"} {
  %x = uma.graph.storage_cast %stored : (tensor<1x16x8x8xi8>) -> tensor<1x16x8x8x!d>
  %k = uma.graph.constant dense<7> : tensor<16x16x3x3xi8>
  %w = uma.graph.storage_cast %k : (tensor<16x16x3x3xi8>) -> tensor<16x16x3x3x!w>
  %0 = uma.graph.conv2d %x, %w padding [1, 1, 1, 1]
    : (tensor<1x16x8x8x!d>, tensor<16x16x3x3x!w>) -> tensor<1x16x8x8x!s> loc("first")
  %1 = uma.graph.requantize %0 : (tensor<1x16x8x8x!s>) -> tensor<1x16x8x8x!d>
  %2 = uma.graph.max_pool2d %1 size [3, 3] padding [1, 1, 1, 1] : (tensor<1x16x8x8x!d>) -> tensor<1x16x8x8x!d> loc("pool")
  %3 = uma.graph.conv2d %2, %w padding [1, 1, 1, 1]
    : (tensor<1x16x8x8x!d>, tensor<16x16x3x3x!w>) -> tensor<1x16x8x8x!s> loc("second")
  %4 = uma.graph.requantize %3 : (tensor<1x16x8x8x!s>) -> tensor<1x16x8x8x!d>
  %y = uma.graph.storage_cast %4 : (tensor<1x16x8x8x!d>) -> tensor<1x16x8x8xi8>
  return %y : tensor<1x16x8x8xi8>
}
''')
pathlib.Path("uma_profile.h").write_text('''
extern int begins[];
extern const char *names[];
#define UMA_PROFILE_BEGIN(index, layer) (++begins[index], names[index] = (layer))
''')
STRICT = ["-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror"]


def check(name: str, compiler: list[str], model: str, *options: str) -> str:
    """Returns the emitted C around the layers."""
    subprocess.run(["uma", "compile", model, *options, "-o", name], check=True, stdout=subprocess.DEVNULL)
    package = root / name
    metadata = json.loads((package / "metadata.json").read_text())
    net, (tensor,), (result,) = metadata["name"], metadata["inputs"], metadata["outputs"]
    models = [package / source for accelerator in metadata["accelerators"] for source in accelerator["sources"]]
    folders = [f"-I{package}", *(f"-isystem{source.parent}" for source in models)]
    image = [f'-DWEIGHTS_HEADER="{net}_weights.h"', "-DIMAGE"] if "--weights=image" in options else []
    defines = [f"-DNET={net}", f"-DUPPER={net.upper()}", f'-DHEADER="{net}.h"', f"-DINPUT_BYTES={tensor['bytes']}"]
    defines += [f"-DOUTPUT_BYTES={result['bytes']}", "-DUMA_RUN_LAYERS", "-DUMA_PROFILE", *image]
    defines += ["-DFLOATS"] if tensor["dtype"] == "f32" else []
    sources = [package / source for source in metadata["sources"]]
    objects = []
    for number, source in enumerate([*sources, inputs / "Inputs/run_layers.c"]):
        objects.append(root / f"{name}{number}.o")
        chosen = compiler if source in sources else [gcc, *STRICT]
        subprocess.run([*chosen, "-O1", *defines, *folders, "-I.", "-c", source, "-o", objects[-1]], check=True)
    subprocess.run([gcc, "-O1", *folders, *models, *objects, "-lm", "-lstdc++", "-o", name + ".run"], check=True)
    print(name, subprocess.run([root / (name + ".run")], capture_output=True, text=True).stdout.strip(), flush=True)
    # Nothing is left of it if it is not wanted.
    subprocess.run([gcc, "-O1", *folders, "-c", package / f"{net}.c", "-o", "plain.o"], check=True)
    symbols = subprocess.run(["nm", "plain.o"], check=True, capture_output=True, text=True).stdout
    if "run_layers" in symbols or f"{net}_layers\n" in symbols:
        sys.exit(f"{name}: {symbols}")
    return (package / f"{net}.c").read_text()


# CHECK: digits 12 layers, 0 errors
check("digits", [gcc, *STRICT], digits, "-a", "vanilla")
# CHECK: files {{[0-9]+}} layers, 0 errors
check("files", [clang, *STRICT], digits, "--source-size=16")
# CHECK: image 12 layers, 0 errors
check("image", [clang, "-x", "c++", "-std=c++17", "-Wall", "-Wextra", "-Wpedantic", "-Werror"], digits, "-a", "vanilla", "--weights=image")
# CHECK: pair {{[0-9]+}} layers, 0 errors
text = check("pair", [gcc, *STRICT], "pair.mlir")
if "for (" not in text[text.index("pair_run_layers(") :]:
    sys.exit("pair: no layers tile by tile")
# CHECK: loops {{[0-9]+}} layers, 0 errors
check("loops", [gcc, *STRICT], digits, "--kernels=loops", "--debug-bounds", "--weights=image")
# CHECK: device {{[0-9]+}} layers, 0 errors
check("device", [gcc, "-std=c99"], "device.mlir", "-a", "strawberry")
