"""Sequence models: attention over patches and audio, convolutions along time.

As in models.py, weights are seeded and the docstrings name the papers. Some networks have fewer repeated layers.
"""

import numpy as np


def make_sequence(base: type) -> type:
    """Returns the builder of sequence models. `base` is the Model of models.py."""

    class Sequence(base):
        """Parts common to the networks."""

        def ints(self, *values: int) -> str:
            return self.constant(np.array(values, np.int64))

        def along(self, data: str, inputs: int, outputs: int, size: int, stride: int = 1, dilation: int = 1, causal: bool = False) -> str:
            """Adds a one-dimensional convolution."""
            reach = (size - 1) * dilation
            return self.add("Conv", data, self.weight(outputs, inputs, size, fan_in=inputs * size), self.vector(outputs, -0.1, 0.1),
                            kernel_shape=[size], strides=[stride], dilations=[dilation], pads=[reach, 0] if causal else [reach // 2] * 2)

        def dense(self, data: str, inputs: int, outputs: int) -> str:
            product = self.add("MatMul", data, self.weight(inputs, outputs, fan_in=inputs, gain=1))
            return self.add("Add", product, self.vector(outputs, -0.1, 0.1))

        def gelu(self, data: str) -> str:
            erf = self.add("Erf", self.add("Div", data, self.scalar(np.sqrt(2))))
            return self.add("Mul", self.add("Mul", data, self.add("Add", erf, self.scalar(1))), self.scalar(0.5))

        def layer_norm(self, data: str, size: int) -> str:
            centred = self.add("Sub", data, self.add("ReduceMean", data, axes=[-1]))
            variance = self.add("ReduceMean", self.add("Pow", centred, self.scalar(2)), axes=[-1])
            normed = self.add("Div", centred, self.add("Sqrt", self.add("Add", variance, self.scalar(1e-5))))
            return self.add("Add", self.add("Mul", normed, self.vector(size, 0.7, 1.3)), self.vector(size, -0.2, 0.2))

        def encode(self, data: str, tokens: int, hidden: int, heads: int) -> str:
            """Adds a pre-norm encoder layer."""
            head = hidden // heads
            normed = self.layer_norm(data, hidden)
            query, key, value = [self.add("Transpose", self.add("Reshape", self.dense(normed, hidden, hidden), self.ints(1, tokens, heads, head)),
                                          perm=perm) for perm in ([0, 2, 1, 3], [0, 2, 3, 1], [0, 2, 1, 3])]
            scores = self.add("MatMul", self.add("Mul", query, self.scalar(head ** -0.5)), key)
            context = self.add("Transpose", self.add("MatMul", self.add("Softmax", scores, axis=-1), value), perm=[0, 2, 1, 3])
            context = self.add("Reshape", context, self.ints(1, tokens, hidden))
            data = self.add("Add", data, self.dense(context, hidden, hidden))
            inner = self.gelu(self.dense(self.layer_norm(data, hidden), hidden, 4 * hidden))
            return self.add("Add", data, self.dense(inner, 4 * hidden, hidden))

    return Sequence


def extend(base: type) -> dict:
    """Returns the networks by name. `base` is the Model of models.py."""
    Sequence = make_sequence(base)

    def vit() -> Sequence:
        """Dosovitskiy et al. 2020, of the size of DeiT-Ti; 4 layers."""
        model, hidden, patches = Sequence(1, 3, 224, 224), 192, 196
        data = model.add("Conv", "x", model.weight(hidden, 3, 16, 16, fan_in=768), model.vector(hidden, -0.1, 0.1), strides=[16, 16])
        data = model.add("Transpose", model.add("Reshape", data, model.ints(1, hidden, patches)), perm=[0, 2, 1])
        data = model.add("Concat", model.weight(1, 1, hidden, fan_in=2), data, axis=1)
        data = model.add("Add", data, model.weight(1, patches + 1, hidden, fan_in=200))
        for _ in range(4):
            data = model.encode(data, patches + 1, hidden, 3)
        data = model.add("Gather", model.layer_norm(data, hidden), model.constant(np.array(0, np.int64)), axis=1)
        model.add("Gemm", data, model.weight(1000, hidden, fan_in=hidden), model.vector(1000, -0.1, 0.1), transB=1)
        return model

    def whisper() -> Sequence:
        """The encoder of Radford et al. 2022, tiny; 6 seconds, 2 layers."""
        model, hidden, frames = Sequence(1, 80, 600), 384, 600
        data = model.gelu(model.along("x", 80, hidden, 3))
        data = model.add("Transpose", model.gelu(model.along(data, hidden, hidden, 3, 2)), perm=[0, 2, 1])
        data = model.add("Add", data, model.weight(1, frames // 2, hidden, fan_in=200))
        for _ in range(2):
            data = model.encode(data, frames // 2, hidden, 6)
        model.layer_norm(data, hidden)
        return model

    def wavenet() -> Sequence:
        """Van den Oord et al. 2016, a stack of 6 layers."""
        model, width, skips = Sequence(1, 1, 2000), 32, []
        data = model.along("x", 1, width, 1)
        for layer in range(6):
            gates = [model.add(kind, model.along(data, width, width, 3, dilation=1 << layer, causal=True)) for kind in ("Tanh", "Sigmoid")]
            gated = model.add("Mul", *gates)
            skips.append(model.along(gated, width, width, 1))
            data = model.add("Add", data, model.along(gated, width, width, 1))
        total = skips[0]
        for skip in skips[1:]:
            total = model.add("Add", total, skip)
        model.along(model.add("Relu", total), width, 256, 1)
        return model

    return {"vit": vit, "whisper": whisper, "wavenet": wavenet}
