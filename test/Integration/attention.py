"""What ONNX's node tests of opset 17 do not have, against NumPy: Attention, RotaryEmbedding, norms, TopK of a sort."""
# RUN: rm -rf %t && mkdir %t
# RUN: env PYTHONPATH=%S/../Import/ONNX/Inputs %python -B %s %t | FileCheck %s --match-full-lines --implicit-check-not={{.}}

import pathlib
import subprocess
import sys

from model import make, np
from onnx import numpy_helper

folder = pathlib.Path(sys.argv[1])
random = np.random.default_rng(1)


def check(name: str, graph: str, opset: int, inputs: list, outputs: list, **weights) -> None:
    """Compiles and runs a model; the numbers have to be `outputs`."""
    data = folder / name / "test_data_set_0"
    data.mkdir(parents=True)
    (folder / name / "model.onnx").write_bytes(make(graph, opset=opset, **weights).SerializeToString())
    for kind, tensors in (("input", inputs), ("output", outputs)):
        for number, tensor in enumerate(tensors):
            (data / f"{kind}_{number}.pb").write_bytes(numpy_helper.from_array(tensor).SerializeToString())
    command = ["uma", "run", str(folder / name / "model.onnx"), "--test-data", str(data)]
    done = subprocess.run(command, capture_output=True, text=True)
    print(f"{name}: {'equal' if done.returncode == 0 else done.stdout + done.stderr}")


def normal(*shape: int) -> np.ndarray:
    return random.standard_normal(shape).astype("float32")


def softmax(x: np.ndarray) -> np.ndarray:
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


# Four heads of queries share two of keys; a mask of numbers.
q, k, v, mask = normal(2, 4, 3, 8), normal(2, 2, 5, 8), normal(2, 2, 5, 6), normal(3, 5)
keys, values = k.repeat(2, axis=1), v.repeat(2, axis=1)
scores = q @ keys.swapaxes(2, 3) / np.sqrt(np.float32(8)) + mask
# CHECK: grouped: equal
check(
    "grouped",
    "(float[2,4,3,8] q, float[2,2,5,8] k, float[2,2,5,6] v, float[3,5] m) => (float[] y) { y = Attention(q, k, v, m) }",
    23,
    [q, k, v, mask],
    [softmax(scores) @ values],
)

# Three dimensions, causal behind a past of two, capped scores.
q, k, v, pk, pv = normal(1, 3, 8), normal(1, 3, 8), normal(1, 3, 8), normal(1, 2, 2, 4), normal(1, 2, 2, 4)


def split(x: np.ndarray) -> np.ndarray:
    return x.reshape(1, 3, 2, 4).swapaxes(1, 2)


keys, values = np.concatenate([pk, split(k)], 2), np.concatenate([pv, split(v)], 2)
scores = split(q) @ keys.swapaxes(2, 3) * np.float32(0.25)
scores = np.where(np.tril(np.ones((3, 5), bool), 2), scores, -np.inf)
capped = 2 * np.tanh(scores / 2)
capped = np.where(np.isinf(scores), scores, capped)
# CHECK: causal: equal
check(
    "causal",
    """(float[1,3,8] q, float[1,3,8] k, float[1,3,8] v, float[1,2,2,4] pk, float[1,2,2,4] pv)
       => (float[] y, float[] ky, float[] vy, float[] s) {
      y, ky, vy, s = Attention<is_causal=1, q_num_heads=2, kv_num_heads=2, scale=0.25, softcap=2.0,
                               qk_matmul_output_mode=3>(q, k, v, , pk, pv)
    }""",
    23,
    [q, k, v, pk, pv],
    [
        (softmax(capped) @ values).swapaxes(1, 2).reshape(1, 3, 8).astype("float32"),
        keys,
        values,
        softmax(capped).astype("float32"),
    ],
)


def rotate(x: np.ndarray, cos: np.ndarray, sin: np.ndarray, interleaved: bool) -> np.ndarray:
    """[batch, heads, length, size] by angles [batch, length, half]."""
    half = cos.shape[-1]
    cos, sin = cos[:, None], sin[:, None]
    if interleaved:
        a, b = x[..., 0 : 2 * half : 2], x[..., 1 : 2 * half : 2]
        turned = np.stack([a * cos - b * sin, a * sin + b * cos], -1).reshape(*x.shape[:3], 2 * half)
    else:
        a, b = x[..., :half], x[..., half : 2 * half]
        turned = np.concatenate([a * cos - b * sin, a * sin + b * cos], -1)
    return np.concatenate([turned, x[..., 2 * half :]], -1)


x, cache, positions = normal(2, 3, 4, 8), normal(2, 10, 3), random.integers(0, 10, (2, 4))
# CHECK: rotary: equal
check(
    "rotary",
    """(float[2,3,4,8] x, float[10,3] c, float[10,3] s, int64[2,4] p) => (float[] y) {
      y = RotaryEmbedding<rotary_embedding_dim=6>(x, c, s, p)
    }""",
    23,
    [x, cache[0], cache[1], positions],
    [rotate(x, cache[0][positions], cache[1][positions], False)],
)
angles = normal(2, 2, 4, 4)
# CHECK: interleaved: equal
check(
    "interleaved",
    """(float[2,4,24] x, float[2,4,4] c, float[2,4,4] s) => (float[] y) {
      y = RotaryEmbedding<interleaved=1, num_heads=3>(x, c, s)
    }""",
    23,
    [x.swapaxes(1, 2).reshape(2, 4, 24), angles[0], angles[1]],
    [rotate(x, angles[0], angles[1], True).swapaxes(1, 2).reshape(2, 4, 24)],
)

x, scale = normal(2, 3, 4), normal(4)
# CHECK: rms: equal
check(
    "rms",
    "(float[2,3,4] x) => (float[] y) { y = RMSNormalization(x, s) }",
    23,
    [x],
    [(x / np.sqrt((x * x).mean(-1, keepdims=True) + np.float32(1e-5)) * scale).astype("float32")],
    s=scale,
)

x, scale, bias = normal(2, 4, 3), normal(2), normal(2)
groups = x.reshape(2, 2, 6)
groups = (groups - groups.mean(-1, keepdims=True)) / np.sqrt(groups.var(-1, keepdims=True) + np.float32(1e-5))
# CHECK: groups: equal
check(
    "groups",
    "(float[2,4,3] x) => (float[] y) { y = GroupNormalization<num_groups=2>(x, s, b) }",
    18,
    [x],
    [(groups * scale[:, None] + bias[:, None]).reshape(2, 4, 3).astype("float32")],
    s=scale,
    b=bias,
)

# Half precision and bytes.
x = random.integers(0, 256, (3, 40)).astype("uint8")
# CHECK: sort: equal
check(
    "sort",
    "(uint8[3,40] x) => (uint8[] y, int64[] i) { y, i = TopK<largest=0>(x, k) }",
    13,
    [x],
    [np.sort(x, -1), np.argsort(x, -1, kind="stable")],
    k=np.array([40], "int64"),
)
x = (300 * normal(4, 5)).astype("float16")
shifted = x.astype("float64") - x.max(-1, keepdims=True)
# CHECK: half: equal
check(
    "half",
    "(float16[4,5] x) => (float16[] y, float16[] z) { y = ReduceL2<axes=[1]>(x) z = LogSoftmax(x) }",
    13,
    [x],
    [
        np.sqrt((x.astype("float32") ** 2).sum(1, keepdims=True)).astype("float16"),
        (shifted - np.log(np.exp(shifted).sum(-1, keepdims=True))).astype("float16"),
    ],
)
x = random.integers(0, 2**32, (4, 5)).astype("uint32")
# CHECK: unsigned: equal
check(
    "unsigned",
    """(uint32[4,5] x) => (uint32[] a, uint32[] b, int64[] c, uint32[] d, uint32[] e) {
      a = ReduceMax<axes=[0]>(x)
      b = ReduceMean<axes=[1]>(x)
      c = ArgMin<axis=1>(x)
      d = ReduceProd(x)
      e = CumSum(x, one)
    }""",
    13,
    [x],
    [
        x.max(0, keepdims=True),
        (x.astype("uint64").sum(1, keepdims=True) // 5).astype("uint32"),
        x.argmin(1)[:, None],
        x.prod(keepdims=True, dtype="uint32"),
        x.cumsum(1, dtype="uint32"),
    ],
    one=np.array(1, "int64"),
)
