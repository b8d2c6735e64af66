"""Instructions with operands in memory compute quantized layers: AMX, by a model of its registers that checks the shapes of tiles, and a made-up
coprocessor of a core without vectors. The numbers are those of ONNX's QLinearConv, computed here in NumPy's integers."""
# REQUIRES: gcc
# RUN: rm -rf %t && mkdir %t
# RUN: uma test amx --cc %gcc --cflags=-march=native | FileCheck %s --check-prefix=REAL
# REAL: instruction 'dpbusd': {{equal for 300 tiles|not tested: .*}}
# RUN: uma test amx --cc %gcc --cflags="-DUMA_AMX_MODEL -fsanitize=address,undefined" | FileCheck %s --check-prefix=AMX
# AMX: instruction 'dpbusd': equal for 300 tiles
# RUN: uma test %S/Inputs/tilecore/tilecore.uma --cc %gcc --cflags=-DHAS_TILECORE | FileCheck %s --check-prefix=CORE
# CORE: instruction 'multiply': equal for 300 tiles
# RUN: not uma test %S/Inputs/tilecore/tilecore.uma --cc %gcc --cflags="-DHAS_TILECORE -DWRONG" 2>&1 | FileCheck %s --check-prefix=WRONG
# WRONG: tilecore.uma:3:15: error: instruction 'multiply': tile of {{.*}} row 0, column 0: it computes {{.*}}, the description says
# RUN: %if full %{ env PYTHONPATH=%source/test/Import/ONNX/Inputs %python -B %s %t %gcc %S/Inputs/tilecore/tilecore.uma | FileCheck %s %}
# CHECK: amx -DUMA_LANES=16 -DUMA_AMX_MODEL: 15 of 15 layers equal
# CHECK-NEXT: amx -DUMA_LANES=16: 15 of 15 layers equal
# CHECK-NEXT: amx -DUMA_LANES=8: 15 of 15 layers equal
# CHECK-NEXT: amx -DUMA_LANES=4: 15 of 15 layers equal
# CHECK-NEXT: amx -DUMA_LANES=1: 15 of 15 layers equal
# CHECK-NEXT: amx -march=native: 15 of 15 layers equal
# CHECK-NEXT: tilecore -DHAS_TILECORE: 15 of 15 layers equal
# CHECK-NEXT: tilecore -DHAS_TILECORE -DWRONG: 2 of 15 layers equal
# CHECK-NEXT: tilecore : 15 of 15 layers equal

import subprocess
import sys

from model import np, write

folder, gcc, tilecore = sys.argv[1:]
random = np.random.default_rng(3)
# Channels, results, size of the image, kernel, stride, padding; the last layers are dense. Two layers are too small for a tile.
CONVOLUTIONS = [
    (64, 32, (16, 40), 1, 1, 0), (64, 64, (9, 14), 3, 1, 1), (96, 48, (7, 28), 3, 2, 1), (128, 16, (5, 33), 1, 1, 0), (16, 32, (20, 17), 3, 1, 1),
    (80, 80, (8, 8), 5, 1, 2), (64, 64, (7, 7), 3, 1, 1), (64, 96, (14, 14), 3, 2, 1), (4, 64, (20, 20), 7, 2, 3), (64, 128, (6, 12), 3, 1, 0), (192, 64, (3, 24), (1, 3), 1, (0, 1)), (8, 7, (9, 9), 3, 1, 1),
]
DENSE = [(40, 128, 64), (33, 64, 96), (1, 64, 10)]
graphs, results, inputs, constants = [], [], {}, {}


def pair(value) -> tuple[int, int]:
    return value if isinstance(value, tuple) else (value, value)


def requantize(sums: np.ndarray, factor: np.ndarray) -> np.ndarray:
    return np.clip(np.rint(sums.astype(np.float32) * factor.reshape([-1] + [1] * (sums.ndim - 2))) + 3, 0, 255).astype(np.uint8)


def add(index: int, sums: np.ndarray, shape, x: np.ndarray, w: np.ndarray, node: str) -> None:
    scales = random.uniform(0.001, 0.1, w.shape[0]).astype(np.float32)
    y_scale = np.float32(np.abs(sums * scales.reshape([-1] + [1] * (sums.ndim - 2))).max() * 0.5 / 90)
    n = f"l{index}"
    bias = random.integers(-1000, 1000, w.shape[0]).astype(np.int32)
    sums = sums + bias.reshape([-1] + [1] * (sums.ndim - 2))
    factor = (np.float32(0.5) * scales / y_scale).astype(np.float32)
    inputs[n + "x"] = x
    results.append((n + "y", requantize(sums, factor)))
    constants.update({n + "w": w, n + "ws": scales, n + "b": bias, n + "bs": (np.float32(0.5) * scales).astype(np.float32), n + "ys": y_scale})
    constants.update({n + "xs": np.float32(0.5), n + "xz": np.uint8(0), n + "wz": np.zeros(w.shape[0], np.int8), n + "bz": np.zeros(w.shape[0], np.int32), n + "yz": np.uint8(3)})
    graphs.append(
        f"{n}xf = DequantizeLinear({n}x, {n}xs, {n}xz) {n}wf = DequantizeLinear<axis=0>({n}w, {n}ws, {n}wz) {n}bf = DequantizeLinear<axis=0>({n}b, {n}bs, {n}bz) "
        f"{n}s = {node}({n}xf, {n}wf, {n}bf) {n}y = QuantizeLinear({n}s, {n}ys, {n}yz)"
    )


def windows(x: np.ndarray, kernel, stride: int, pad) -> np.ndarray:
    """Returns [rows, columns, channels * kernel] of an image [channels, height, width]."""
    x = np.pad(x, [(0, 0), (pad[0],) * 2, (pad[1],) * 2])
    view = np.lib.stride_tricks.sliding_window_view(x, kernel, (1, 2))[:, ::stride, ::stride]
    return view.transpose(1, 2, 0, 3, 4).reshape(view.shape[1], view.shape[2], -1)


for index, (channels, out, size, kernel, stride, pad) in enumerate(CONVOLUTIONS):
    kernel, pad = pair(kernel), pair(pad)
    x = random.integers(0, 256, (1, channels, *size)).astype(np.uint8)
    w = random.integers(-128, 128, (out, channels, *kernel)).astype(np.int8)
    sums = windows(x[0].astype(np.int64), kernel, stride, pad) @ w.reshape(out, -1).T.astype(np.int64)
    add(index, sums.transpose(2, 0, 1)[None], x.shape, x, w, f"Conv<pads=[{pad[0]},{pad[1]},{pad[0]},{pad[1]}], strides=[{stride},{stride}]>")
for index, (rows, depth, out) in enumerate(DENSE):
    x = random.integers(0, 256, (rows, depth)).astype(np.uint8)
    w = random.integers(-128, 128, (out, depth)).astype(np.int8)
    add(len(CONVOLUTIONS) + index, x.astype(np.int64) @ w.T.astype(np.int64), x.shape, x, w, "Gemm<transB=1>")
signature = ", ".join(f"uint8[{','.join(map(str, x.shape))}] {name}" for name, x in inputs.items())
outputs = ", ".join(f"uint8[{','.join(map(str, y.shape))}] {name}" for name, y in results)
write("layers", f"({signature}) => ({outputs}) {{ {' '.join(graphs)} }}", **constants)
for name, x in inputs.items():
    np.save(f"{folder}/{name}.npy", x)


def run(accelerator: str, flags: str, *options: str) -> None:
    environment = {"CFLAGS": f"-O1 {flags}"}
    command = ["uma", "run", f"{folder}/layers.onnx", "-a", accelerator, *options, "--cc", gcc, "--output-dir", f"{folder}/out"]
    for name in inputs:
        command += ["--input", f"{name}={folder}/{name}.npy"]
    done = subprocess.run(["env", *(f"{key}={value}" for key, value in environment.items()), *command], capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stderr)
    actual = [np.load(f"{folder}/out/{name}.npy") for name, _ in results]
    equal = sum(np.array_equal(own, expected) for own, (_, expected) in zip(actual, results))
    if "WRONG" not in flags and equal != len(results):
        print([(name, np.argwhere(own != expected)[:3].tolist()) for own, (name, expected) in zip(actual, results) if not np.array_equal(own, expected)])
    print(f"{accelerator.split('/')[-1].split('.')[0]} {flags.replace(' -Wno-psabi', '')}: {equal} of {len(results)} layers equal")


# Vectors of 16 lanes, whatever the processor has.
run("amx", "-DUMA_LANES=16 -Wno-psabi -DUMA_AMX_MODEL")
for lanes in (16, 8, 4, 1):
    run("amx", f"-DUMA_LANES={lanes} -Wno-psabi")
# The registers themselves, where the processor has them.
run("amx", "-march=native")
for flags in ("-DHAS_TILECORE", "-DHAS_TILECORE -DWRONG", ""):
    run(tilecore, flags, "--cpu=rv64gc")
