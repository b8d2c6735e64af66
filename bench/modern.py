"""Topologies of recent years: large depthwise windows, windows of attention, grouped stages, decoders.

As in models.py, weights are seeded and the docstrings name the papers. Most networks have fewer repeated layers.
"""

import numpy as np
from onnx import helper


def extend(sequence: type) -> dict:
    """Returns the networks by name. `sequence` is the result of make_sequence in sequences.py."""

    class Modern(sequence):
        """Parts common to the networks."""

        def window_mix(self, data: str, channels: int, size: int) -> str:
            """Adds a depthwise convolution with a bias."""
            weight = self.weight(channels, 1, size, size, fan_in=size * size)
            return self.add("Conv", data, weight, self.vector(channels, -0.1, 0.1), pads=[size // 2] * 4, kernel_shape=[size] * 2, group=channels)

        def split_in(self, data: str, parts: int, axis: int) -> list[str]:
            name = f"split{len(self.nodes)}"
            names = [f"{name}_{part}" for part in range(parts)]
            self.nodes.append(helper.make_node("Split", [data], names, name, axis=axis))
            return names

        def cut(self, data: str, first: int, last: int, axis: int) -> str:
            return self.add("Slice", data, self.ints(first), self.ints(last), self.ints(axis))

        def roll(self, data: str, shift: int, size: int, axis: int) -> str:
            """Moves the first `shift` elements of an axis to its end."""
            return self.add("Concat", self.cut(data, shift, size, axis), self.cut(data, 0, shift, axis), axis=axis)

        def unit_relu(self, *arguments, **options) -> str:
            return self.add("Relu", self.unit(*arguments, **options))

    def convnext() -> Modern:
        """Liu et al. 2022, tiny; 7 blocks."""
        model, widths = Modern(1, 3, 224, 224), [96, 192, 384, 768]
        data = model.add("Conv", "x", model.weight(96, 3, 4, 4, fan_in=48), model.vector(96, -0.1, 0.1), strides=[4, 4])
        for stage, count in enumerate([2, 2, 2, 1]):
            width = widths[stage]
            if stage:
                rows = model.add("Transpose", data, perm=[0, 2, 3, 1])
                data = model.add("Transpose", model.layer_norm(rows, width // 2), perm=[0, 3, 1, 2])
                data = model.add("Conv", data, model.weight(width, width // 2, 2, 2, fan_in=2 * width), model.vector(width, -0.1, 0.1), strides=[2, 2])
            for _ in range(count):
                inner = model.add("Transpose", model.window_mix(data, width, 7), perm=[0, 2, 3, 1])
                inner = model.gelu(model.dense(model.layer_norm(inner, width), width, 4 * width))
                inner = model.add("Mul", model.dense(inner, 4 * width, width), model.vector(width, 0.1, 0.3))
                data = model.add("Add", data, model.add("Transpose", inner, perm=[0, 3, 1, 2]))
        model.classify(data, 768)
        return model

    def swin() -> Modern:
        """Liu et al. 2021, tiny; two blocks of each of the first two stages, windows of 7x7 pixels."""
        model, window = Modern(1, 3, 224, 224), 7
        data = model.add("Conv", "x", model.weight(96, 3, 4, 4, fan_in=48), model.vector(96, -0.1, 0.1), strides=[4, 4])
        data, size, width = model.add("Transpose", data, perm=[0, 2, 3, 1]), 56, 96
        for stage in range(2):
            if stage:
                parts = [model.add("Slice", data, model.ints(row, column), model.ints(size, size), model.ints(1, 2), model.ints(2, 2))
                         for column in range(2) for row in range(2)]
                data, size, width = model.add("Concat", *parts, axis=-1), size // 2, 2 * width
                data = model.add("MatMul", model.layer_norm(data, 2 * width), model.weight(2 * width, width, fan_in=2 * width, gain=1))
            for shift in (0, window // 2):
                heads, count, tokens = width // 32, size // window, window * window
                inner = model.layer_norm(data, width)
                for axis in (1, 2):
                    inner = model.roll(inner, shift, size, axis) if shift else inner
                inner = model.add("Reshape", inner, model.ints(count, window, count, window, width))
                inner = model.add("Reshape", model.add("Transpose", inner, perm=[0, 2, 1, 3, 4]), model.ints(count * count, tokens, width))
                joined = model.add("Reshape", model.dense(inner, width, 3 * width), model.ints(count * count, tokens, 3, heads, 32))
                parts = model.split_in(model.add("Transpose", joined, perm=[2, 0, 3, 1, 4]), 3, 0)
                query, key, value = [model.add("Squeeze", part, model.ints(0)) for part in parts]
                scores = model.add("MatMul", model.add("Mul", query, model.scalar(32 ** -0.5)), model.add("Transpose", key, perm=[0, 1, 3, 2]))
                scores = model.add("Add", scores, model.weight(1, heads, tokens, tokens, fan_in=200))
                inner = model.add("Transpose", model.add("MatMul", model.add("Softmax", scores, axis=-1), value), perm=[0, 2, 1, 3])
                inner = model.dense(model.add("Reshape", inner, model.ints(count * count, tokens, width)), width, width)
                inner = model.add("Reshape", inner, model.ints(count, count, window, window, width))
                inner = model.add("Reshape", model.add("Transpose", inner, perm=[0, 2, 1, 3, 4]), model.ints(1, size, size, width))
                for axis in (1, 2):
                    inner = model.roll(inner, size - shift, size, axis) if shift else inner
                data = model.add("Add", data, inner)
                inner = model.gelu(model.dense(model.layer_norm(data, width), width, 4 * width))
                data = model.add("Add", data, model.dense(inner, 4 * width, width))
        model.add("ReduceMean", model.layer_norm(data, width), axes=[1, 2])
        return model

    def gpt() -> Modern:
        """Radford et al. 2019: two layers of the decoder, 128 tokens that are embedded already, with the mask of the future."""
        model, hidden, tokens, heads = Modern(1, 128, 768), 768, 128, 12
        mask = model.constant(np.triu(np.full((tokens, tokens), -1e9, np.float32), 1))
        data = "x"
        for _ in range(2):
            parts = model.split_in(model.dense(model.layer_norm(data, hidden), hidden, 3 * hidden), 3, 2)
            query, key, value = [model.add("Transpose", model.add("Reshape", part, model.ints(1, tokens, heads, 64)), perm=perm)
                                 for part, perm in zip(parts, ([0, 2, 1, 3], [0, 2, 3, 1], [0, 2, 1, 3]))]
            scores = model.add("Add", model.add("Div", model.add("MatMul", query, key), model.scalar(8)), mask)
            inner = model.add("Transpose", model.add("MatMul", model.add("Softmax", scores, axis=-1), value), perm=[0, 2, 1, 3])
            data = model.add("Add", data, model.dense(model.add("Reshape", inner, model.ints(1, tokens, hidden)), hidden, hidden))
            inner = model.dense(model.layer_norm(data, hidden), hidden, 4 * hidden)
            cubed = model.add("Mul", model.add("Pow", inner, model.scalar(3)), model.scalar(0.044715))
            gate = model.add("Tanh", model.add("Mul", model.add("Add", inner, cubed), model.scalar(np.sqrt(2 / np.pi))))
            inner = model.add("Mul", model.add("Mul", inner, model.scalar(0.5)), model.add("Add", gate, model.scalar(1)))
            data = model.add("Add", data, model.dense(inner, 4 * hidden, hidden))
        model.layer_norm(data, hidden)
        return model

    def inception() -> Modern:
        """Szegedy et al. 2015, version 3: the stem and one module of each of the first three kinds."""
        model = Modern(1, 3, 299, 299)

        def strip(data: str, inputs: int, outputs: int, height: int, width: int) -> str:
            weight = model.weight(outputs, inputs, height, width, fan_in=inputs * height * width)
            pads = [height // 2, width // 2] * 2
            return model.add("Relu", model.norm(model.add("Conv", data, weight, pads=pads, kernel_shape=[height, width]), outputs))

        def bare(data: str, inputs: int, outputs: int, size: int, stride: int) -> str:
            weight = model.weight(outputs, inputs, size, size, fan_in=inputs * size * size)
            return model.add("Relu", model.norm(model.add("Conv", data, weight, strides=[stride] * 2, kernel_shape=[size] * 2), outputs))

        def mean(data: str) -> str:
            return model.add("AveragePool", data, kernel_shape=[3, 3], pads=[1] * 4, count_include_pad=1)

        data = model.unit_relu(bare(bare("x", 3, 32, 3, 2), 32, 32, 3, 1), 32, 64, 3)
        data = bare(bare(model.add("MaxPool", data, kernel_shape=[3, 3], strides=[2, 2]), 64, 80, 1, 1), 80, 192, 3, 1)
        data = model.add("MaxPool", data, kernel_shape=[3, 3], strides=[2, 2])
        first = strip(strip(data, 192, 48, 1, 1), 48, 64, 5, 5)
        second = strip(strip(strip(data, 192, 64, 1, 1), 64, 96, 3, 3), 96, 96, 3, 3)
        data = model.add("Concat", strip(data, 192, 64, 1, 1), first, second, strip(mean(data), 192, 32, 1, 1), axis=1)
        second = bare(strip(strip(data, 256, 64, 1, 1), 64, 96, 3, 3), 96, 96, 3, 2)
        data = model.add("Concat", bare(data, 256, 384, 3, 2), second, model.add("MaxPool", data, kernel_shape=[3, 3], strides=[2, 2]), axis=1)
        first = strip(strip(strip(data, 736, 128, 1, 1), 128, 128, 1, 7), 128, 192, 7, 1)
        second = strip(data, 736, 128, 1, 1)
        for height, width, outputs in ((7, 1, 128), (1, 7, 128), (7, 1, 128), (1, 7, 192)):
            second = strip(second, 128, outputs, height, width)
        data = model.add("Concat", strip(data, 736, 192, 1, 1), first, second, strip(mean(data), 736, 192, 1, 1), axis=1)
        model.classify(data, 768)
        return model

    def regnet() -> Modern:
        """Radosavovic et al. 2020, RegNetX-400MF: groups of 16 channels; 8 blocks."""
        model = Modern(1, 3, 224, 224)
        data, inputs = model.unit_relu("x", 3, 32, 3, 2), 32
        for width, count in ((32, 1), (64, 2), (160, 3), (400, 2)):
            for block in range(count):
                stride = 2 if block == 0 else 1
                inner = model.unit_relu(model.unit_relu(data, inputs, width, 1), width, width, 3, stride, width // 16)
                shortcut = data if block else model.unit(data, inputs, width, 1, stride)
                data, inputs = model.add("Relu", model.add("Add", model.unit(inner, width, width, 1, scale=0.5), shortcut)), width
        model.classify(data, inputs)
        return model

    def ghostnet() -> Modern:
        """Han et al. 2020: half of the channels by depthwise convolutions of the other half; 6 modules with channel attention."""
        model = Modern(1, 3, 224, 224)

        def ghost(data: str, inputs: int, outputs: int, is_active: bool) -> str:
            half = outputs // 2
            make = model.unit_relu if is_active else model.unit
            primary = make(data, inputs, half, 1)
            return model.add("Concat", primary, make(primary, half, half, 3, 1, half), axis=1)

        data, inputs = model.unit_relu("x", 3, 16, 3, 2), 16
        for outputs, hidden, stride in ((16, 16, 1), (24, 48, 2), (24, 72, 1), (40, 72, 2), (40, 120, 1), (80, 240, 2)):
            inner = ghost(data, inputs, hidden, True)
            inner = model.unit(inner, hidden, hidden, 3, stride, hidden) if stride == 2 else inner
            gate = model.add("Relu", model.conv(model.add("GlobalAveragePool", inner), hidden, hidden // 4, 1))
            inner = model.add("Mul", inner, model.add("HardSigmoid", model.conv(gate, hidden // 4, hidden, 1), alpha=1 / 6, beta=0.5))
            inner = ghost(inner, hidden, outputs, False)
            shortcut = model.unit(model.unit(data, inputs, inputs, 3, stride, inputs), inputs, outputs, 1)
            data, inputs = model.add("Add", inner, data if stride == 1 and inputs == outputs else shortcut), outputs
        model.classify(data, inputs)
        return model

    def espcn() -> Modern:
        """Shi et al. 2016: super-resolution by 3 with a pixel shuffle."""
        model = Modern(1, 1, 96, 96)
        data = model.add("Tanh", model.conv("x", 1, 64, 5))
        data = model.add("Tanh", model.conv(data, 64, 32, 3))
        model.add("DepthToSpace", model.conv(data, 32, 9, 3), blocksize=3, mode="CRD")
        return model

    def crnn() -> Modern:
        """Shi et al. 2015: text of an image of 32x100 pixels by convolutions and two layers of LSTM in both directions."""
        model = Modern(1, 1, 32, 100)
        data = model.add("MaxPool", model.add("Relu", model.conv("x", 1, 64, 3)), kernel_shape=[2, 2], strides=[2, 2])
        data = model.add("MaxPool", model.add("Relu", model.conv(data, 64, 128, 3)), kernel_shape=[2, 2], strides=[2, 2])
        data = model.add("Relu", model.conv(model.unit_relu(data, 128, 256, 3), 256, 256, 3))
        data = model.add("MaxPool", data, kernel_shape=[2, 2], strides=[2, 1], pads=[0, 1, 0, 1])
        data = model.add("MaxPool", model.unit_relu(data, 256, 512, 3), kernel_shape=[4, 2], strides=[4, 1], pads=[0, 1, 0, 1])
        data, inputs, units = model.add("Transpose", model.add("Squeeze", data, model.ints(2)), perm=[2, 0, 1]), 512, 256
        for _ in range(2):
            name = f"lstm{len(model.nodes)}"
            operands = [data, model.weight(2, 4 * units, inputs, fan_in=inputs, gain=1), model.weight(2, 4 * units, units, fan_in=units, gain=1),
                        model.weight(2, 8 * units, fan_in=units, gain=0.1)]
            model.nodes.append(helper.make_node("LSTM", operands, [name], name, direction="bidirectional", hidden_size=units))
            data = model.add("Reshape", model.add("Transpose", name, perm=[0, 2, 1, 3]), model.ints(0, 0, 2 * units))
            inputs = 2 * units
        model.dense(data, inputs, 37)
        return model

    return {"convnext": convnext, "swin": swin, "gpt": gpt, "inception": inception, "regnet": regnet, "ghostnet": ghostnet,
            "espcn": espcn, "crnn": crnn}
