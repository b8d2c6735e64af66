"""Smaller common topologies: parallel branches, concatenation, splits, resizing, channel attention.

As in models.py, weights are seeded and the docstrings name the papers. Some networks have fewer repeated layers.
"""

import numpy as np
from onnx import helper


def extend(base: type) -> dict:
    """Returns the networks by name. `base` is the Model of models.py."""

    class Network(base):
        """Parts common to the networks."""

        def ints(self, *values: int) -> str:
            return self.constant(np.array(values, np.int64))

        def relu(self, *arguments, **options) -> str:
            return self.add("Relu", self.unit(*arguments, **options))

        def silu(self, data: str) -> str:
            return self.add("Mul", data, self.add("Sigmoid", data))

        def silu_unit(self, *arguments, **options) -> str:
            return self.silu(self.unit(*arguments, **options))

        def pool(self, data: str, size: int = 3, stride: int = 2, pad: int = 1) -> str:
            return self.add("MaxPool", data, kernel_shape=[size] * 2, strides=[stride] * 2, pads=[pad] * 4)

        def join(self, *parts: str) -> str:
            return self.add("Concat", *parts, axis=1)

        def split(self, data: str, half: int) -> list[str]:
            """Splits the channels into two halves."""
            name = f"split{len(self.nodes)}"
            names = [f"{name}_low", f"{name}_high"]
            self.nodes.append(helper.make_node("Split", [data, self.ints(half, half)], names, name, axis=1))
            return names

        def double(self, data: str, **attributes) -> str:
            """Doubles the rows and columns."""
            return self.add("Resize", data, "", self.constant(np.array([1, 1, 2, 2], np.float32)), **attributes)

    def squeezenet() -> Network:
        """Iandola et al. 2016, version 1.1."""
        model = Network(1, 3, 224, 224)
        data, inputs = model.pool(model.add("Relu", model.conv("x", 3, 64, 3, 2))), 64
        for fire, (squeezed, expanded) in enumerate([(16, 64)] * 2 + [(32, 128)] * 2 + [(48, 192)] * 2 + [(64, 256)] * 2):
            narrow = model.add("Relu", model.conv(data, inputs, squeezed, 1))
            data = model.join(*[model.add("Relu", model.conv(narrow, squeezed, expanded, size)) for size in (1, 3)])
            data, inputs = model.pool(data) if fire in (1, 3) else data, 2 * expanded
        model.add("Flatten", model.add("GlobalAveragePool", model.add("Relu", model.conv(data, inputs, 1000, 1))))
        return model

    def densenet() -> Network:
        """Huang et al. 2016: three blocks, growth 32."""
        model = Network(1, 3, 112, 112)
        data, inputs = model.pool(model.relu("x", 3, 64, 7, 2)), 64
        for block, count in enumerate([6, 12, 8]):
            for _ in range(count):
                inner = model.relu(model.add("Relu", model.norm(data, inputs)), inputs, 128, 1)
                data, inputs = model.join(data, model.conv(inner, 128, 32, 3)), inputs + 32
            if block < 2:
                inner = model.conv(model.add("Relu", model.norm(data, inputs)), inputs, inputs // 2, 1)
                data, inputs = model.add("AveragePool", inner, kernel_shape=[2, 2], strides=[2, 2]), inputs // 2
        model.classify(data, inputs)
        return model

    def u_net(is_resized: bool) -> Network:
        """Ronneberger et al. 2015, with fewer channels; upsamples by transposed convolutions or bilinear interpolation."""
        model, widths, skipped = Network(1, 3, 128, 128), [16, 32, 64, 128], []
        data, inputs = "x", 3
        for width in widths:
            data, inputs = model.relu(model.relu(data, inputs, width, 3), width, width, 3), width
            skipped.append(data)
            data = model.pool(data, 2, 2, 0)
        data, inputs = model.relu(data, inputs, 256, 3), 256
        for width, skip in zip(widths[::-1], skipped[::-1]):
            if is_resized:
                data = model.double(data, mode="linear", coordinate_transformation_mode="half_pixel")
            else:
                weight = model.weight(inputs, width, 2, 2, fan_in=inputs)
                data, inputs = model.add("ConvTranspose", data, weight, strides=[2, 2], kernel_shape=[2, 2]), width
            data, inputs = model.relu(model.join(data, skip), inputs + width, width, 3), width
            data = model.relu(data, width, width, 3)
        model.add("Sigmoid", model.conv(data, inputs, 1, 1))
        return model

    def shufflenet() -> Network:
        """Ma et al. 2018, version 2, 1.0x."""
        model = Network(1, 3, 224, 224)

        def shuffle(data: str, channels: int, size: int) -> str:
            data = model.add("Reshape", data, model.ints(1, 2, channels // 2, size, size))
            return model.add("Reshape", model.add("Transpose", data, perm=[0, 2, 1, 3, 4]), model.ints(1, channels, size, size))

        def branch(data: str, inputs: int, half: int, stride: int) -> str:
            inner = model.relu(data, inputs, half, 1)
            return model.relu(model.unit(inner, half, half, 3, stride, group=half), half, half, 1)
        data, inputs, size = model.pool(model.relu("x", 3, 24, 3, 2)), 24, 56
        for channels, count in [(116, 3), (232, 7), (464, 3)]:
            half, size = channels // 2, size // 2
            left = model.relu(model.unit(data, inputs, inputs, 3, 2, group=inputs), inputs, half, 1)
            data, inputs = shuffle(model.join(left, branch(data, inputs, half, 2)), channels, size), channels
            for _ in range(count):
                low, high = model.split(data, half)
                data = shuffle(model.join(low, branch(high, half, half, 1)), channels, size)
        model.classify(model.relu(data, inputs, 1024, 1), 1024)
        return model

    def shufflenet_v1(groups: int) -> Network:
        """Zhang et al. 2017, 1x, table 1; stages 3 and 4 have fewer units."""
        model = Network(1, 3, 224, 224)

        def unit(data: str, inputs: int, outputs: int, size: int, stride: int, first: int) -> str:
            width = outputs // 4
            results = outputs - inputs if stride == 2 else outputs
            inner = model.relu(data, inputs, width, 1, group=first)
            if first > 1:
                inner = model.add("Reshape", inner, model.ints(1, groups, width // groups, size, size))
                inner = model.add("Transpose", inner, perm=[0, 2, 1, 3, 4])
                inner = model.add("Reshape", inner, model.ints(1, width, size, size))
            inner = model.unit(inner, width, width, 3, stride, group=width)
            inner = model.unit(inner, width, results, 1, group=groups, scale=0.5)
            if stride == 1:
                return model.add("Relu", model.add("Add", data, inner))
            pooled = model.add("AveragePool", data, kernel_shape=[3, 3], strides=[2, 2], pads=[1] * 4)
            return model.add("Relu", model.join(pooled, inner))
        data, inputs, size = model.pool(model.relu("x", 3, 24, 3, 2)), 24, 56
        channels = {3: 240, 4: 272, 8: 384}[groups]
        for stage, count in enumerate([3, 5, 3]):
            outputs = channels << stage
            data = unit(data, inputs, outputs, size, 2, groups if stage else 1)
            inputs, size = outputs, size // 2
            for _ in range(count):
                data = unit(data, inputs, outputs, size, 1, groups)
        model.classify(data, inputs)
        return model

    def efficientnet() -> Network:
        """Tan and Le 2019, B0, with squeeze-and-excitation in each block."""
        model = Network(1, 3, 224, 224)
        data, inputs = model.silu_unit("x", 3, 32, 3, 2), 32
        for expansion, outputs, count, first, size in [(1, 16, 1, 1, 3), (6, 24, 2, 2, 3), (6, 40, 2, 2, 5), (6, 80, 3, 2, 3),
                                                       (6, 112, 3, 1, 5), (6, 192, 4, 2, 5), (6, 320, 1, 1, 3)]:
            for block in range(count):
                width, few = expansion * inputs, max(1, inputs // 4)
                inner = model.silu_unit(data, inputs, width, 1) if expansion != 1 else data
                inner = model.silu_unit(inner, width, width, size, 1 if block else first, group=width)
                weights = model.silu(model.conv(model.add("GlobalAveragePool", inner), width, few, 1))
                inner = model.add("Mul", inner, model.add("Sigmoid", model.conv(weights, few, width, 1)))
                inner = model.unit(inner, width, outputs, 1, scale=0.5 if block else 1)
                data, inputs = model.add("Add", inner, data) if block else inner, outputs
        model.classify(model.silu_unit(data, inputs, 1280, 1), 1280)
        return model

    def yolo() -> Network:
        """A detector like Jocher et al.'s YOLOv8 (2023): its backbone, two levels of its neck and one output."""
        model = Network(1, 3, 160, 160)

        def stage(data: str, inputs: int, outputs: int, count: int) -> str:
            half = outputs // 2
            parts = model.split(model.silu_unit(data, inputs, outputs, 1), half)
            for _ in range(count):
                inner = model.silu_unit(model.silu_unit(parts[-1], half, half, 3), half, half, 3, scale=0.5)
                parts.append(model.add("Add", parts[-1], inner))
            return model.silu_unit(model.join(*parts), half * len(parts), outputs, 1)

        def larger(data: str) -> str:
            return model.double(data, mode="nearest", coordinate_transformation_mode="asymmetric", nearest_mode="floor")
        data, levels = model.silu_unit("x", 3, 16, 3, 2), []
        for width, count in [(32, 1), (64, 2), (128, 2), (256, 1)]:
            data = stage(model.silu_unit(data, width // 2, width, 3, 2), width, width, count)
            levels.append(data)
        pools = [model.silu_unit(data, 256, 128, 1)]
        for _ in range(3):
            pools.append(model.pool(pools[-1], 5, 1, 2))
        data = model.silu_unit(model.join(*pools), 512, 256, 1)
        data = stage(model.join(larger(data), levels[2]), 384, 128, 1)
        data = stage(model.join(larger(data), levels[1]), 192, 64, 1)
        model.add("Reshape", model.conv(data, 64, 84, 1), model.ints(1, 84, -1))
        return model

    def mobilenet_v3() -> Network:
        """Howard et al. 2019, large."""
        model = Network(1, 3, 224, 224)

        def sigmoid(data: str) -> str:
            return model.add("HardSigmoid", data, alpha=1 / 6, beta=0.5)

        def swish(data: str) -> str:
            return model.add("Mul", data, sigmoid(data))

        def relu(data: str) -> str:
            return model.add("Relu", data)
        data, inputs = swish(model.unit("x", 3, 16, 3, 2)), 16
        for size, width, outputs, is_weighted, activate, stride in [
                (3, 16, 16, False, relu, 1), (3, 64, 24, False, relu, 2), (3, 72, 24, False, relu, 1), (5, 72, 40, True, relu, 2),
                *[(5, 120, 40, True, relu, 1)] * 2, (3, 240, 80, False, swish, 2), (3, 200, 80, False, swish, 1),
                *[(3, 184, 80, False, swish, 1)] * 2, (3, 480, 112, True, swish, 1), (3, 672, 112, True, swish, 1),
                (5, 672, 160, True, swish, 2), *[(5, 960, 160, True, swish, 1)] * 2]:
            inner = activate(model.unit(data, inputs, width, 1)) if width != inputs else data
            inner = activate(model.unit(inner, width, width, size, stride, group=width))
            if is_weighted:
                few = relu(model.conv(model.add("GlobalAveragePool", inner), width, width // 4, 1))
                inner = model.add("Mul", inner, sigmoid(model.conv(few, width // 4, width, 1)))
            same = stride == 1 and inputs == outputs
            inner = model.unit(inner, width, outputs, 1, scale=0.5 if same else 1)
            data, inputs = model.add("Add", inner, data) if same else inner, outputs
        model.classify(swish(model.unit(data, inputs, 960, 1)), 960)
        return model

    def deeplab(size: int) -> Network:
        """Chen et al. 2017, version 3, on a small backbone: parallel convolutions with dilations up to 18. With 513 pixels a side, also the
        classes of the pixels."""
        model, small = Network(1, 3, size, size), (size + 7) // 8

        def dilated(data: str, inputs: int, outputs: int, rate: int, stride: int = 1, group: int = 1) -> str:
            weight = model.weight(outputs, inputs // group, 3, 3, fan_in=9 * inputs // group)
            data = model.add("Conv", data, weight, strides=[stride] * 2, pads=[rate] * 4, dilations=[rate] * 2, group=group)
            return model.add("Relu", model.norm(data, outputs))
        data, inputs = model.relu("x", 3, 32, 3, 2), 32
        for outputs, stride, rate in [(64, 2, 1), (128, 2, 1), (128, 1, 2), (256, 1, 2), (256, 1, 4)]:
            data, inputs = model.relu(dilated(data, inputs, inputs, rate, stride, inputs), inputs, outputs, 1), outputs
        parts = [model.relu(data, inputs, 64, 1), *[dilated(data, inputs, 64, rate) for rate in (6, 12, 18)]]
        mean = model.relu(model.add("GlobalAveragePool", data), inputs, 64, 1)
        parts.append(model.add("Resize", mean, "", "", model.ints(1, 64, small, small), mode="linear"))
        data = model.conv(model.relu(model.join(*parts), 320, 64, 1), 64, 21, 1)
        data = model.add("Resize", data, "", "", model.ints(1, 21, size, size), mode="linear",
                coordinate_transformation_mode="align_corners")
        if size == 513:
            model.add("ArgMax", data, axis=1, keepdims=0)
        return model

    def style_transfer() -> Network:
        """Johnson et al. 2016, with the instance normalisations of Ulyanov et al. 2016 and 3 residual blocks."""
        model = Network(1, 3, 128, 128)

        def reflected(data: str, inputs: int, outputs: int, size: int, stride: int = 1) -> str:
            pad = size // 2
            data = model.add("Pad", data, model.ints(0, 0, pad, pad, 0, 0, pad, pad), mode="reflect")
            weight = model.weight(outputs, inputs, size, size, fan_in=inputs * size * size)
            return model.add("Conv", data, weight, model.vector(outputs, -0.1, 0.1), strides=[stride] * 2)

        def normed(data: str, inputs: int, outputs: int, *window: int) -> str:
            data = reflected(data, inputs, outputs, *window)
            return model.add("InstanceNormalization", data, model.vector(outputs, 0.7, 1.3), model.vector(outputs, -0.2, 0.2))
        data = "x"
        for inputs, outputs, size, stride in [(3, 32, 9, 1), (32, 64, 3, 2), (64, 128, 3, 2)]:
            data = model.add("Relu", normed(data, inputs, outputs, size, stride))
        for _ in range(3):
            data = model.add("Add", data, normed(model.add("Relu", normed(data, 128, 128, 3)), 128, 128, 3))
        for inputs, outputs in [(128, 64), (64, 32)]:
            data = model.double(data, mode="nearest", coordinate_transformation_mode="asymmetric", nearest_mode="floor")
            data = model.add("Relu", normed(data, inputs, outputs, 3))
        reflected(data, 32, 3, 9)
        return model

    return {"squeezenet": squeezenet, "densenet": densenet, "u-net": lambda: u_net(False), "u-net-resized": lambda: u_net(True),
            "shufflenet-v2": shufflenet, "shufflenet-v1": lambda: shufflenet_v1(3), "shufflenet-v1-g4": lambda: shufflenet_v1(4),
            "shufflenet-v1-g8": lambda: shufflenet_v1(8), "efficientnet-b0": efficientnet, "yolo": yolo, "mobilenet-v3": mobilenet_v3,
                    "deeplab": lambda: deeplab(129), "deeplab-513": lambda: deeplab(513),
            "style-transfer": style_transfer}
