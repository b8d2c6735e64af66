"""Convolutions for the tests, computed with numpy from their definition and run through `uma`."""

import json
import os
import re
import subprocess

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper


class Convolution:
    """One convolution: sizes as ONNX writes them, data NCHW unless layouts say otherwise."""

    def __init__(self, name, data, weight, strides=(1, 1), padding=(0, 0, 0, 0), dilations=(1, 1), groups=1,
                 dtype="float32", layout="NCHW", kernel_layout="OIHW"):
        self.name, self.strides, self.padding, self.dilations = name, strides, padding, dilations
        self.groups, self.dtype, self.layout, self.kernel_layout = groups, dtype, layout, kernel_layout
        random = np.random.default_rng(sum(data) * 1000 + sum(weight))
        if dtype == "int8":
            self.data = random.integers(-128, 128, data, dtype="int8")
            self.weight = random.integers(-128, 128, weight, dtype="int8")
        else:
            self.data = random.uniform(-1, 1, data).astype(dtype)
            self.weight = random.uniform(-1, 1, weight).astype(dtype)

    def expected(self):
        """The definition, in float64 or int64: one product per position of the kernel."""
        wide = np.int64 if self.dtype == "int8" else np.float64
        data = self.data.astype(wide).transpose([self.layout.index(c) for c in "NCHW"])
        weight = self.weight.astype(wide).transpose([self.kernel_layout.index(c) for c in "OIHW"])
        top, left, bottom, right = self.padding
        data = np.pad(data, ((0, 0), (0, 0), (top, bottom), (left, right)))
        batch, channels, height, width = data.shape
        outs, ins, kernel_height, kernel_width = weight.shape
        assert channels == ins * self.groups
        (sh, sw), (dh, dw) = self.strides, self.dilations
        rows = (height - dh * (kernel_height - 1) - 1) // sh + 1
        columns = (width - dw * (kernel_width - 1) - 1) // sw + 1
        result = np.zeros((batch, outs, rows, columns), wide)
        per_group = outs // self.groups
        for group in range(self.groups):
            part = data[:, group * ins:(group + 1) * ins]
            to = slice(group * per_group, (group + 1) * per_group)
            for y in range(kernel_height):
                for x in range(kernel_width):
                    seen = part[:, :, y * dh:y * dh + sh * (rows - 1) + 1:sh, x * dw:x * dw + sw * (columns - 1) + 1:sw]
                    result[:, to] += np.einsum("bihw,oi->bohw", seen, weight[to, :, y, x])
        return result.transpose(["NCHW".index(c) for c in self.layout])

    def write_onnx(self, folder):
        """A model with the weights inside."""
        element = {"float32": TensorProto.FLOAT, "float16": TensorProto.FLOAT16}[self.dtype]
        node = helper.make_node("Conv", ["x", "w"], ["y"], name="conv", strides=self.strides, pads=self.padding,
                                dilations=self.dilations, group=self.groups, kernel_shape=self.weight.shape[2:])
        graph = helper.make_graph(
            [node], self.name, [helper.make_tensor_value_info("x", element, self.data.shape)],
            [helper.make_tensor_value_info("y", element, self.expected().shape)],
            [numpy_helper.from_array(self.weight, "w")])
        model = helper.make_model(graph, ir_version=8, opset_imports=[helper.make_opsetid("", 13)])
        onnx.checker.check_model(model)
        path = os.path.join(folder, self.name + ".onnx")
        onnx.save(model, path)
        return path

    def write_mlir(self, folder):
        """A module whose weights are an input."""
        element = {"float32": "f32", "float16": "f16", "int8": "i8"}[self.dtype]
        result = "i32" if self.dtype == "int8" else element
        def tensor(array, element):
            return "tensor<" + "x".join(map(str, array.shape)) + f"x{element}>"
        x, w = tensor(self.data, element), tensor(self.weight, element)
        y = tensor(self.expected(), result)
        out_dtype = " out_dtype i32" if self.dtype == "int8" else ""
        path = os.path.join(folder, self.name + ".mlir")
        with open(path, "w") as file:
            file.write(
                f'func.func @main(%x: {x} {{uma.name = "x"}}, %w: {w} {{uma.name = "w"}})'
                f' -> ({y} {{uma.name = "y"}}) attributes {{uma.network = "{self.name}"}} {{\n'
                f"  %y = uma.graph.conv2d %x, %w strides {list(self.strides)} padding {list(self.padding)}"
                f" dilations {list(self.dilations)} groups {self.groups}"
                f' layout "{self.layout}" kernel_layout "{self.kernel_layout}"{out_dtype}'
                f" : ({x}, {w}) -> {y} loc(\"conv\")\n  return %y : {y}\n}}\n")
        return path


def uma(*arguments):
    result = subprocess.run(["uma", *arguments], capture_output=True, text=True)
    if result.returncode != 0:
        raise SystemExit(f"uma {' '.join(arguments)}: status {result.returncode}\n{result.stdout}{result.stderr}")
    return result.stdout


def check(convolution, folder, mlir=False):
    """Compiles a convolution for Vanilla and runs it. Prints where it ran, why, and how the numbers compare with our
    interpreter and with numpy."""
    name = convolution.name
    model = convolution.write_mlir(folder) if mlir else convolution.write_onnx(folder)
    package = os.path.join(folder, name)
    uma("compile", model, "-a", "vanilla", "-o", package)
    files = {"x": convolution.data}
    if mlir:
        files["w"] = convolution.weight
    inputs = []
    for key, value in files.items():
        path = os.path.join(folder, f"{name}.{key}.npy")
        np.save(path, value)
        inputs += ["--input", f"{key}={path}"]
    told = uma("run", package, "--compare", *inputs, "--output-dir", package + "_outputs")
    actual = np.load(os.path.join(package + "_outputs", "y.npy"))
    expected = convolution.expected()
    assert actual.shape == expected.shape, (actual.shape, expected.shape)
    error = np.abs(actual.astype(np.float64) - expected).max() / np.abs(expected).max()
    # float16 is rounded once, at the end; float32 in every step; integers never.
    limit = {"float32": 1e-6, "float16": 2.0**-11, "int8": 0}[convolution.dtype]
    numpy = "equal" if error <= limit else f"DIFFERENT ({error:.3g})"
    with open(os.path.join(package, name + ".c")) as file:
        calls = file.read().count("= vanilla_conv2dnchw(")
    with open(os.path.join(package, "metadata.json")) as file:
        targets = [layer["target"] for layer in json.load(file)["layers"]]
    # Without the type of the result.
    row = re.sub(r"  \w+\[[\d, ]*\]", "", uma("explain", model, "-a", "vanilla").splitlines()[1])
    reason = " ".join(row.split()[2:])
    print(f"{name}: {calls} calls, targets {targets}, interpreter {'equal' if 'y: equal' in told else told},"
          f" numpy {numpy}; explain: {reason}")
