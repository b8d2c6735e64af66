"""Operators of ONNX that the importer composes, through the emitted C: the numbers are NumPy's, by ONNX's definitions."""
# REQUIRES: gcc
# RUN: rm -rf %t && mkdir %t
# RUN: env PYTHONPATH=%source/test/Import/ONNX/Inputs CFLAGS=-O1 %python -B %s %t | FileCheck %s
# CHECK: composed: 20 of 20 results equal

import subprocess
import sys

from model import np, save
from onnx import TensorProto, helper, numpy_helper

folder = sys.argv[1]
random = np.random.default_rng(7)
nodes, inputs, constants, expected = [], {}, [], {}


def pick(*shape: int) -> np.ndarray:
    return random.standard_normal(shape).astype(np.float32)


def add(operator: str, operands: list, results: list, fixed: tuple = (), domain: str = "", **attributes) -> None:
    """Adds a node. Operands are arrays, constants at the positions in `fixed`, or None; results are what is expected."""
    names = []
    for position, value in enumerate(operands):
        name = "" if value is None else f"i{len(nodes)}_{position}"
        names.append(name)
        if value is None:
            continue
        if position in fixed:
            constants.append(numpy_helper.from_array(value, name))
        else:
            inputs[name] = value
    produced = [f"o{len(nodes)}_{position}" for position in range(len(results))]
    expected.update(zip(produced, results))
    nodes.append(helper.make_node(operator, names, produced, domain=domain, **attributes))


# Running products, in both directions.
x = pick(2, 7)
product = np.cumprod(x, 1)
shifted = np.concatenate([np.ones((2, 1), np.float32), product[:, :-1]], 1)
add("CumProd", [x, np.int64(1)], [product], fixed=(1,))
add("CumProd", [x[:, ::-1].copy(), np.int64(-1)], [shifted[:, ::-1]], fixed=(1,), reverse=1, exclusive=1)

# A run of slices in a cache, which may go around its end.
cache, update, begins = pick(2, 3, 5, 2), pick(2, 3, 2, 2), np.int64([1, 4])
for mode in "linear", "circular":
    begins = begins if mode == "circular" else np.minimum(begins, 3)
    written = cache.copy()
    for batch, begin in enumerate(begins):
        for step in range(2):
            written[batch, :, (begin + step) % 5] = update[batch, :, step]
    add("TensorScatter", [cache, update, begins], [written], mode=mode)

# Real signals from half of their spectrum, of even and of odd length.
spectrum = pick(2, 5, 3, 2)
number = spectrum[..., 0] + 1j * spectrum[..., 1]
add("DFT", [spectrum, None, np.int64(1)], [np.fft.irfft(number, axis=1)[..., None]], fixed=(2,), inverse=1, onesided=1)
add(
    "DFT",
    [spectrum, np.int64(7), np.int64(1)],
    [np.fft.irfft(number, n=7, axis=1)[..., None]],
    fixed=(1, 2),
    inverse=1,
    onesided=1,
)

# Volumes at positions inside and outside of them.
volume, grid = pick(2, 3, 3, 4, 5), random.uniform(-1.4, 1.4, (2, 2, 3, 4, 3)).astype(np.float32)


def reflect(index: np.ndarray, size: int, aligns: int) -> np.ndarray:
    """Mirrors integers at the centres or at the borders of the outermost elements."""
    period = 2 * (size - 1) if aligns else 2 * size
    index = index % period
    return np.where(index < size, index, period - index - (0 if aligns else 1))


def sample(mode: str, padding: str, aligns: int) -> np.ndarray:
    sizes = volume.shape[2:]
    result = np.zeros((2, 3, *grid.shape[1:4]))
    place = [
        (grid[..., 2 - axis].astype(np.float64) + 1) / 2 * (size - 1) if aligns else ((grid[..., 2 - axis] + 1.0) * size - 1) / 2
        for axis, size in enumerate(sizes)
    ]
    for corner in range(8 if mode == "linear" else 1):
        weight, index, inside = 1.0, [], True
        for axis, size in enumerate(sizes):
            low = np.floor(place[axis]) if mode == "linear" else np.round(place[axis])
            if mode == "linear":
                part = place[axis] - low
                low, part = (low + 1, part) if corner >> axis & 1 else (low, 1 - part)
                weight = weight * part
            inside = inside & (low >= 0) & (low < size)
            low = low.astype(np.int64)
            index.append(reflect(low, size, aligns) if padding == "reflection" else np.clip(low, 0, size - 1))
        if padding == "zeros":
            weight = weight * inside
        for batch in range(2):
            taken = volume[batch][:, index[0][batch], index[1][batch], index[2][batch]]
            result[batch] += taken * (weight if np.isscalar(weight) else weight[batch])
    return result


for mode, padding, aligns in ("linear", "zeros", 0), ("linear", "border", 1), ("linear", "reflection", 0), ("nearest", "zeros", 1):
    sampled = sample(mode, padding, aligns)
    add("GridSample", [volume, grid], [sampled], mode=mode, padding_mode=padding, align_corners=aligns)
theta = pick(2, 3, 4)
z, y, x = np.meshgrid(*(np.linspace(-1, 1, size) for size in (2, 3, 4)), indexing="ij")
points = np.stack([x, y, z, np.ones_like(x)], -1)
affine = np.einsum("nij,dhwj->ndhwi", theta, points)
add("AffineGrid", [theta, np.int64([2, 1, 2, 3, 4])], [affine], fixed=(1,), align_corners=1)

# A state that each step of a sequence changes; two heads of queries share one.
query, key, value = pick(2, 3, 4 * 5), pick(2, 3, 2 * 5) / 3, pick(2, 3, 2 * 6)
state, decay, rate = pick(2, 2, 5, 6), -np.abs(pick(2, 3, 2)), random.uniform(0, 1, (2, 3, 2)).astype(np.float32)
memory, steps = state.astype(np.float64), []
for step in range(3):
    k, v = key[:, step].reshape(2, 2, 5), value[:, step].reshape(2, 2, 6)
    memory = memory * np.exp(decay[:, step])[..., None, None]
    v = (v - np.einsum("bhk,bhkv->bhv", k, memory)) * rate[:, step][..., None]
    memory = memory + k[..., None] * v[:, :, None]
    q = query[:, step].reshape(2, 2, 2, 5)
    steps.append(np.einsum("bhgk,bhkv->bhgv", q, memory).reshape(2, -1) / np.sqrt(5))
attended = [np.stack(steps, 1), memory]
add("LinearAttention", [query, key, value, state, decay, rate], attended, q_num_heads=4, kv_num_heads=2)
signal, taps, bias, past = pick(2, 3, 4), pick(3, 1, 3), pick(3), pick(2, 3, 2)
longer = np.concatenate([past, signal], 2)
summed = sum(longer[:, :, tap : tap + 4] * taps[:, 0, tap, None] for tap in range(3)) + bias[:, None]
filtered = [summed / (1 + np.exp(-summed)), longer[:, :, -2:]]
add("CausalConvWithState", [signal, taps, bias, past], filtered, fixed=(1, 2), activation="silu")

# Scores that a graph of the model changes, and keys of which a query sees the last two that are valid.
q, k, v = pick(2, 4, 3, 5), pick(2, 2, 6, 5), pick(2, 2, 6, 4)
scores = np.einsum("bhgqd,bhkd->bhgqk", q.reshape(2, 2, 2, 3, 5), k) / np.sqrt(5)


def weigh(scores: np.ndarray) -> np.ndarray:
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    weights /= weights.sum(-1, keepdims=True)
    return np.einsum("bhgqk,bhkd->bhgqd", weights, v).reshape(2, 4, 3, 4)


halved = helper.make_graph(
    [helper.make_node("Mul", ["s", "half"], ["t"])],
    "halved",
    [helper.make_tensor_value_info("s", 1, None)],
    [helper.make_tensor_value_info("t", 1, None)],
    [helper.make_tensor("half", 1, [], [0.5])],
)
add("FlexAttention", [q, k, v], [weigh(scores / 2)], domain="ai.onnx.preview", score_mod=halved)
lengths = np.int64([5, 6])
distance = (np.arange(3) + lengths[:, None] - 3)[:, :, None] - np.arange(6)
seen = (distance >= 0) & (distance <= 1) & (np.arange(6) < lengths[:, None, None])
near = weigh(np.where(seen[:, None, None], scores, -np.inf))
add("Attention", [q, k, v, None, None, None, lengths], [near], is_causal=1, left_window_size=1)

# Weights of 4 bits whose zero points are floats.
x, packed = pick(2, 32), random.integers(0, 256, (3, 2, 8)).astype(np.uint8)
scales, zeros = pick(3, 2), random.uniform(0, 15, (3, 2)).astype(np.float32)
weights = np.stack([packed & 15, packed >> 4], -1).reshape(3, 2, 16)
weights = ((weights - zeros[..., None]) * scales[..., None]).reshape(3, 32)
blocks = {"K": 32, "N": 3, "bits": 4, "block_size": 16}
add("MatMulNBits", [x, packed, scales, zeros], [x @ weights.T], fixed=(1, 2, 3), domain="com.microsoft", **blocks)

# The best boxes of each class, which have to be constants, and bits of constants.
boxes = np.float32([[[0, 0, 1, 1], [1.1, 1, 0.1, 0], [0, 10, 1, 11], [0, 10.1, 1, 11.1]]])
best = np.float32([[[0.9, 0.75, 0.6, 0.95], [0.1, 0.8, 0.3, 0.2]]])
chosen = np.int64([[0, 0, 3], [0, 0, 0], [0, 1, 1], [0, 1, 2]])
limits = [np.int64(2), np.float32(0.5), np.float32(0.15)]
add("NonMaxSuppression", [boxes, best, *limits], [chosen], fixed=(0, 1, 2, 3, 4))
add("BitCast", [best], [best.view(np.int32)], fixed=(0,), to=TensorProto.INT32)

infos = [helper.make_tensor_value_info(name, {"f": 1, "i": 7}[value.dtype.kind], value.shape) for name, value in inputs.items()]
results = [helper.make_tensor_value_info(name, 0, None) for name in expected]
versions = [helper.make_opsetid("", 27), helper.make_opsetid("com.microsoft", 1), helper.make_opsetid("ai.onnx.preview", 1)]
graph = helper.make_graph(nodes, "g", infos, results, constants)
save("composed", helper.make_model(graph, opset_imports=versions, ir_version=8))
command = ["uma", "run", f"{folder}/composed.onnx", "--output-dir", folder]
for name, value in inputs.items():
    np.save(f"{folder}/{name}.npy", value)
    command += ["--input", f"{name}={folder}/{name}.npy"]
done = subprocess.run(command, capture_output=True, text=True)
if done.returncode:
    sys.exit(done.stderr)
equal = 0
for name, value in expected.items():
    found = np.load(f"{folder}/{name}.npy")
    is_equal = found.shape == value.shape and np.allclose(found, value, rtol=1e-4, atol=1e-5)
    equal += is_equal
    if not is_equal:
        print(f"{name}: {found} computed, {value} expected")
print(f"composed: {equal} of {len(expected)} results equal")
