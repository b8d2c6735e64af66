"""Numbers of ONNX operators where a definition is easily misread, through the emitted C: expected numbers are NumPy's, by ONNX's definitions, and
ONNX Runtime computes the same."""
# REQUIRES: gcc
# RUN: rm -rf %t && mkdir %t
# RUN: env PYTHONPATH=%source/test/Import/ONNX/Inputs %python -B %s %t %gcc | FileCheck %s
# CHECK: {{^}}[[COUNT:[0-9]+]] of [[COUNT]] results equal

import os
import subprocess
import sys

import onnx
from model import np, save
from onnx import helper, numpy_helper

folder, gcc = sys.argv[1:]
equal = count = 0


class Model:
    def __init__(self, opset: int) -> None:
        self.opset, self.nodes, self.constants, self.inputs, self.expected = opset, [], {}, {}, {}
        self.functions, self.sparse = [], []
        self.tolerance = 1e-5

    def constant(self, value) -> str:
        name = f"c{len(self.constants)}"
        self.constants[name] = numpy_helper.from_array(np.asarray(value), name)
        return name

    def node(self, kind: str, *operands: str, **attributes) -> str:
        name = f"y{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, operands, [name], **attributes))
        return name

    def expect(self, name: str, numbers) -> None:
        self.expected[name] = np.asarray(numbers)

    def check(self, *options: str) -> None:
        """Runs the model and counts the results that are right."""
        global equal, count
        infos = [[helper.make_tensor_value_info(name, onnx.mapping.NP_TYPE_TO_TENSOR_TYPE[value.dtype], value.shape) for name, value in values.items()]
                 for values in (self.inputs, self.expected)]
        graph = helper.make_graph(self.nodes, "g", *infos, list(self.constants.values()), sparse_initializer=self.sparse)
        opsets = [helper.make_opsetid("", self.opset), helper.make_opsetid("my", 1)]
        save("net", helper.make_model(graph, opset_imports=opsets, ir_version=8, functions=self.functions))
        command = ["uma", "run", f"{folder}/net.onnx", "--cc", gcc, "--output-dir", f"{folder}/out", *options]
        for name, value in self.inputs.items():
            np.save(f"{folder}/{name}.npy", value)
            command += ["--input", f"{name}={folder}/{name}.npy"]
        done = subprocess.run(command, capture_output=True, text=True, env=os.environ | {"CFLAGS": "-O1"})
        if done.returncode:
            sys.exit(f"opset {self.opset}: {done.stdout}{done.stderr}")
        for name, value in self.expected.items():
            found = np.load(f"{folder}/out/{name}.npy")
            count += 1
            is_equal = found.shape == value.shape and np.allclose(found, value, rtol=2e-3 if value.dtype == np.float16 else self.tolerance, atol=0, equal_nan=True)
            equal += is_equal
            if not is_equal:
                print(f"opset {self.opset}, {name}: {found.tolist()}, expected {value.tolist()}")


# Resize of opset 10 and Upsample take the element behind a position if the data shrinks, and the one in front of it otherwise.
for opset, kind in (10, "Resize"), (9, "Upsample"):
    model = Model(opset)
    for shape, scales in ([1, 1, 2, 4], [1, 1, 0.6, 0.6]), ([1, 2, 5, 7], [1, 1, 0.5, 1 / 3]), ([1, 1, 10, 3], [1, 1, 0.7, 2.5]), ([3, 4], [1.5, 0.3]):
        x = np.arange(1, 1 + np.prod(shape), dtype=np.float32).reshape(shape)
        model.inputs[f"x{len(model.nodes)}"] = x
        name = model.node(kind, f"x{len(model.nodes)}", model.constant(np.float32(scales)), mode="nearest")
        for axis, scale in enumerate(np.float32(scales)):
            size = int(np.float32(scale * np.float32(shape[axis])))
            places = np.arange(size, dtype=np.float32) / scale
            x = np.take(x, np.minimum((np.ceil if scale < 1 else np.floor)(places).astype(int), shape[axis] - 1), axis)
        model.expect(name, x)
    model.check()

# Layers in f16 between inputs and outputs in f32, which --compare compares as f16: the C rounds less often than the interpreter.
model = Model(13)
random = np.random.default_rng(4)
model.inputs["x"] = random.standard_normal((1, 3, 16, 16)).astype(np.float32)
half = model.node("Cast", "x", to=onnx.TensorProto.FLOAT16)
real = model.inputs["x"].astype(np.float16).astype(np.float64)
for channels in 3, 8:
    weights = (random.standard_normal((8, channels, 3, 3)) / 4).astype(np.float16)
    half = model.node("Conv", half, model.constant(weights), pads=[1] * 4)
    windows = np.lib.stride_tricks.sliding_window_view(np.pad(real, ((0, 0), (0, 0), (1, 1), (1, 1))), (3, 3), (2, 3))
    real = np.einsum("nchwyx,ocyx->nohw", windows, weights.astype(np.float64))
    if channels == 3:
        half, real = model.node("Relu", half), np.maximum(real, 0)
half = model.node("GlobalAveragePool", half)
model.expect(model.node("Cast", half, to=onnx.TensorProto.FLOAT), real.mean((2, 3), keepdims=True).astype(np.float32))
model.tolerance = 2e-3
model.check("--compare", "--seeds=1")

# Reductions over no axes still apply their functions.
model = Model(18)
FUNCTIONS = {"ReduceSumSquare": np.square, "ReduceL1": np.abs, "ReduceL2": np.abs, "ReduceLogSum": np.log, "ReduceLogSumExp": lambda x: x,
             "ReduceSum": lambda x: x, "ReduceMean": lambda x: x, "ReduceMax": lambda x: x, "ReduceMin": lambda x: x, "ReduceProd": lambda x: x}
model.inputs = {"x": np.float32([[-2, 3], [0.5, 4]]), "h": np.float16([[-2, 3], [0.5, 300]]), "i": np.int32([[-2, 3], [7, 40]]), "s": np.float32(-3)}
for kind, function in FUNCTIONS.items():
    for data, value in model.inputs.items():
        if kind == "ReduceLogSum" and data == "i":
            continue
        with np.errstate(all="ignore"):
            numbers = function(value.astype(np.float64)).astype(value.dtype)
        for operands in ([data, model.constant(np.zeros(0, np.int64))], [data]):
            model.expect(model.node(kind, *operands, keepdims=int(data == "h"), noop_with_empty_axes=1), numbers)
        model.expect(model.node(kind, data, model.constant(np.int64(range(value.ndim))), noop_with_empty_axes=1, keepdims=0),
                     {"ReduceSumSquare": lambda x: np.square(x).sum(), "ReduceL1": lambda x: np.abs(x).sum(), "ReduceL2": lambda x: np.sqrt(np.square(x).sum()),
                      "ReduceLogSum": lambda x: np.log(x.sum()), "ReduceLogSumExp": lambda x: np.log(np.exp(x - x.max()).sum()) + x.max(), "ReduceSum": np.sum,
                      "ReduceMean": np.mean, "ReduceMax": np.max, "ReduceMin": np.min, "ReduceProd": np.prod}[kind](value.astype(np.float64)).astype(value.dtype))
model.check()

# Layers between DequantizeLinear and QuantizeLinear whose sums do not fit i32: floats do not wrap. The others are computed on integers.
model = Model(13)
one, zero = model.constant(np.float32(1)), model.constant(np.int8(0))


def quantized(kind: str, x, w, bias, scale: float, **attributes) -> None:
    data, dense = f"q{len(model.nodes)}", kind == "Gemm"
    model.inputs[data] = np.int8(x)
    operands = [model.node("DequantizeLinear", data, one, zero), model.node("DequantizeLinear", model.constant(np.int8(w)), one, zero)]
    if bias is not None:
        operands.append(model.node("DequantizeLinear", model.constant(np.int32(bias)), one, model.constant(np.int32(0))))
    last = model.node("QuantizeLinear", model.node(kind, *operands, **attributes), model.constant(np.float32(scale)), zero)
    x, w = np.int64(x), np.int64(w)
    real = x @ w if dense else np.einsum("nchw,oc->nohw", x, w[:, :, 0, 0])
    if bias is not None:
        real = real + (np.int64(bias) if dense else np.int64(bias)[:, None, None])
    model.expect(last, np.clip(np.rint(np.float32(real) / np.float32(scale)), -128, 127).astype(np.int8))


quantized("Conv", [[[[100, 50]]]], [[[[100]]]], [2147483000], 2e7)
quantized("Conv", [[[[-100, 50]]]], [[[[100]]], [[[-7]]]], [-2147483648, 2147483647], 2e7)
quantized("Gemm", [[100, -100, 3]], [[1, 100], [-100, 100], [7, 9]], [2147483640, -2147483640], 3e7)
quantized("Conv", [[[[100, 50]]]], [[[[100]]]], [1000000], 1e4)
quantized("Gemm", [[100, -100, 3]], [[1, 100], [-100, 100], [7, 9]], None, 100)
model.check()

# BitCast reads the bits of floats, also of those that layers compute, and makes floats of bits.
model = Model(26)
for float_type, *integers in (np.float32, np.int32, np.uint32), (np.float64, np.int64, np.uint64), (np.float16, np.int16, np.uint16):
    x = np.concatenate([np.array([0, -0.0, np.inf, -np.inf, 1e-7, -65504]), np.linspace(-3, 3, 27)]).astype(float_type)
    model.inputs[f"x{x.itemsize}"] = x
    for integer_type in integers:
        to = [onnx.mapping.NP_TYPE_TO_TENSOR_TYPE[np.dtype(type)] for type in (integer_type, float_type)]
        model.expect(model.node("BitCast", f"x{x.itemsize}", to=to[0]), x.view(integer_type))
        bits = model.node("BitCast", model.node("Neg", f"x{x.itemsize}"), to=to[0])
        model.expect(bits, (-x).view(integer_type))
        model.expect(model.node("BitCast", bits, to=to[1]), -x)
model.check("--compare", "--seeds=1")

# Sparse tensors, with one number for each index or with one for each dimension.
model = Model(13)
values, places = np.float32([3, -1, 0.5]), np.int64([[0, 1], [1, 3], [2, 0]])
dense = np.zeros((3, 4), np.float32)
dense[tuple(places.T)] = values
model.inputs["x"] = np.arange(12, dtype=np.float32).reshape(3, 4)
for index, indices in enumerate((places, places @ [4, 1])):
    stored = helper.make_sparse_tensor(*[numpy_helper.from_array(array, f"w{index}") for array in (values, indices)], dense.shape)
    model.expect(model.node("Mul", "x", model.node("Constant", sparse_value=stored)), dense * model.inputs["x"])
    model.sparse.append(stored)
    model.expect(model.node("Add", "x", f"w{index}"), dense + model.inputs["x"])
model.check()

# A graph that a call gives to a function reads tensors of the caller, also if the function has others of their names.
model = Model(13)
model.inputs = {"c": np.bool_([False]), "x": np.float32([1, 2, 3]), "t": np.float32([5, 7, 11])}
graphs = [helper.make_graph([helper.make_node(*node)], "g", [], [helper.make_tensor_value_info(node[2][0], 1, None)])
          for node in (("Sub", ["x", "t"], ["given"]), ("Exp", ["x"], ["own"]))]
branch = helper.make_node("If", ["c"], ["r"], else_branch=graphs[1])
branch.attribute.add(name="then_branch", ref_attr_name="body", type=onnx.AttributeProto.GRAPH)
opsets = [helper.make_opsetid("", 13)]
model.functions.append(helper.make_function("my", "f", ["c", "t"], ["r"], [helper.make_node("Neg", ["t"], ["x"]), branch], opsets, ["body"]))
called = model.node("f", "c", "t", domain="my", body=graphs[0])
opposite = model.node("f", model.node("Not", "c"), "x", domain="my", body=graphs[0])
model.expect(called, np.exp(-model.inputs["t"]))
model.expect(opposite, model.inputs["x"] - model.inputs["t"])
model.check()
print(f"{equal} of {count} results equal")
