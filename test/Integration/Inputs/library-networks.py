"""Writes networks for the tests of libraries.

  library-networks.py layers FILE     one layer of each form, each with an input and an output of its own
  library-networks.py residual FILE   convolution, batch norm and relu twice, with a residual sum, and a classifier
"""

import sys

import numpy as np

# data, weight, strides, padding, dilations, groups
CONVOLUTIONS = [
    ((1, 3, 9, 8), (4, 3, 3, 3), (1, 1), (1, 1, 1, 1), (1, 1), 1),
    ((2, 3, 9, 8), (4, 3, 3, 2), (2, 1), (0, 1, 2, 0), (1, 1), 1),
    ((1, 5, 7, 7), (6, 5, 1, 1), (1, 1), (0, 0, 0, 0), (1, 1), 1),
    ((1, 5, 7, 7), (6, 5, 1, 1), (3, 2), (0, 0, 0, 0), (1, 1), 1),
    ((1, 5, 6, 7), (6, 5, 1, 1), (1, 1), (0, 1, 1, 0), (1, 1), 1),
    ((1, 4, 12, 11), (6, 4, 3, 5), (1, 2), (2, 4, 2, 4), (2, 2), 1),
    ((1, 6, 8, 8), (4, 3, 3, 3), (1, 1), (1, 1, 1, 1), (1, 1), 2),
    ((2, 8, 8, 8), (8, 1, 3, 3), (2, 2), (0, 0, 1, 1), (1, 1), 8),
    ((1, 4, 8, 8), (8, 1, 5, 3), (1, 1), (2, 1, 2, 1), (1, 1), 4),
    # More rows and columns than a tile of im2col has.
    ((1, 40, 20, 20), (24, 40, 3, 3), (1, 1), (1, 1, 1, 1), (1, 1), 1),
    ((1, 2, 5, 5), (3, 2, 5, 5), (1, 1), (0, 0, 0, 0), (1, 1), 1),
]
DENSES = [(1, 8, 5), (3, 64, 10), (2, 300, 1)]  # rows, inputs, units
TAILS = ["", "bias", "relu"]  # relu follows a bias


def tensor(shape):
    return "tensor<" + "x".join(map(str, shape)) + "xf32>"


class Network:
    def __init__(self, name):
        self.name, self.arguments, self.lines, self.results = name, [], [], []
        self.random = np.random.default_rng(len(name))

    def argument(self, name, shape):
        self.arguments.append(f'%{name}: {tensor(shape)} {{uma.name = "{name}"}}')
        return f"%{name}", shape

    def constant(self, name, shape, low=-1.0, high=1.0):
        data = self.random.uniform(low, high, shape).astype("<f4").tobytes().hex().upper()
        self.lines.append(f'%{name} = uma.graph.constant dense<"0x{data}"> : {tensor(shape)} loc("{name}")')
        return f"%{name}", shape

    def operator(self, name, kind, operands, shape, attributes=""):
        values = ", ".join(value for value, _ in operands)
        types = ", ".join(tensor(operand) for _, operand in operands)
        self.lines.append(f'%{name} = uma.graph.{kind} {values} {attributes} : ({types}) -> {tensor(shape)} loc("{name}")')
        return f"%{name}", shape

    def convolution(self, name, data, weight, strides=(1, 1), padding=(0, 0, 0, 0), dilations=(1, 1), groups=1):
        (_, (n, _, height, width)), (_, (outs, _, kernel_height, kernel_width)) = data, weight
        rows = (height + padding[0] + padding[2] - dilations[0] * (kernel_height - 1) - 1) // strides[0] + 1
        columns = (width + padding[1] + padding[3] - dilations[1] * (kernel_width - 1) - 1) // strides[1] + 1
        attributes = f"strides {list(strides)} padding {list(padding)} dilations {list(dilations)} groups {groups}"
        return self.operator(name, "conv2d", [data, weight], (n, outs, rows, columns), attributes)

    def tail(self, name, value, bias, tail):
        """A bias, which is an argument, and relu."""
        if tail:
            value = self.operator(f"{name}b", "bias_add", [value, bias], value[1])
        if tail == "relu":
            value = self.operator(f"{name}r", "relu", [value], value[1])
        self.results.append(value)

    def write(self, path):
        results = ", ".join(f'{tensor(shape)} {{uma.name = "{value[1:]}"}}' for value, shape in self.results)
        types = ", ".join(tensor(shape) for _, shape in self.results)
        with open(path, "w") as file:
            file.write(f'func.func @main({", ".join(self.arguments)}) -> ({results})'
                       f' attributes {{uma.network = "{self.name}"}} {{\n  ' + "\n  ".join(self.lines)
                       + f'\n  return {", ".join(value for value, _ in self.results)} : {types}\n}}\n')


def layers():
    network = Network("layers")
    for i, (data, weight, strides, padding, dilations, groups) in enumerate(CONVOLUTIONS):
        for tail in TAILS:
            name = f"c{i}{tail}"
            value = network.convolution(name, network.argument(f"{name}x", data), network.argument(f"{name}w", weight),
                                        strides, padding, dilations, groups)
            network.tail(name, value, tail and network.argument(f"{name}v", weight[:1]), tail)
    for i, (rows, inputs, units) in enumerate(DENSES):
        for tail in TAILS:
            name = f"d{i}{tail}"
            operands = [network.argument(f"{name}x", (rows, inputs)), network.argument(f"{name}w", (units, inputs))]
            value = network.operator(name, "dense", operands, (rows, units))
            network.tail(name, value, tail and network.argument(f"{name}v", (units,)), tail)
    return network


def residual():
    network = Network("residual")
    x = network.argument("x", (1, 3, 16, 16))

    def norm(name, value, channels):
        statistics = [network.constant(f"{name}_{part}", (channels,), low, 2.0)
                      for part, low in [("gamma", 0.5), ("beta", -1.0), ("mean", -1.0), ("variance", 0.5)]]
        return network.operator(name, "batch_norm", [value, *statistics], value[1])

    y = network.convolution("conv1", x, network.constant("w1", (8, 3, 3, 3)), padding=(1, 1, 1, 1))
    y = first = network.operator("relu1", "relu", [norm("bn1", y, 8)], y[1])
    y = network.convolution("conv2", y, network.constant("w2", (8, 8, 3, 3)), padding=(1, 1, 1, 1))
    y = network.operator("sum", "add", [norm("bn2", y, 8), first], y[1])
    y = network.operator("relu2", "relu", [y], y[1])
    y = network.convolution("conv3", y, network.constant("w3", (16, 8, 3, 3)), strides=(2, 2), padding=(0, 0, 1, 1))
    y = network.operator("relu3", "relu", [norm("bn3", y, 16)], y[1])
    y = network.operator("pool", "global_avg_pool2d", [y], (1, 16, 1, 1))
    y = network.operator("flat", "batch_flatten", [y], (1, 16))
    y = network.operator("dense", "dense", [y, network.constant("w4", (10, 16))], (1, 10))
    network.results.append(network.operator("y", "bias_add", [y, network.constant("b4", (10,))], (1, 10)))
    return network


{"layers": layers, "residual": residual}[sys.argv[1]]().write(sys.argv[2])
