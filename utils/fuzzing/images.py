"""Random networks of images as vector kernels compute them: blocks of channels, concatenations, and chains of elementwise operators between
convolutions. Results differ from the interpreter's by the rounding of sums only, since weights are small."""

import math

from fuzzing.graph import Graph, Value

CHANNELS = [3, 8, 12, 16, 16, 24, 32, 32, 40, 48, 64]


class Builder:
    def __init__(self, seed: int):
        self.g = Graph(seed)
        self.g.most_elements = 200_000
        self.random = self.g.random
        self.images: list[Value] = []
        # As TFLite stores images.
        self.channels_last = self.g.chance(0.3)
        self.layout = ' layout "NHWC"' if self.channels_last else ""
        self.axis = 3 if self.channels_last else 1

    def get_dims(self, value: Value) -> tuple[int, ...]:
        """Batch, channels, rows and columns."""
        return tuple(value.shape[dim] for dim in (0, 3, 1, 2)) if self.channels_last else value.shape

    def get_shape(self, batch: int, channels: int, *extents: int) -> tuple[int, ...]:
        return (batch, *extents, channels) if self.channels_last else (batch, channels, *extents)

    def add(self, template: str, operands: list[Value], shape: tuple[int, ...]) -> Value:
        value = self.g.emit(template, operands, Value(shape, "f32", -100, 100))
        if len(shape) == 4 and self.get_dims(value)[2] > 1:
            self.images.append(value)
        return value

    def pick(self, accepts=lambda value: True) -> Value | None:
        """A value, mostly a late one, so that networks get deep."""
        known = [value for value in self.images if accepts(value)]
        if not known:
            return None
        return self.random.choice(known) if self.g.chance(0.3) else known[max(0, len(known) - self.random.randint(1, 3))]

    def weights(self, shape: tuple[int, ...], taps: int) -> Value:
        # Multiples of 1/16, of which few are not zero where there are many taps.
        scale = max(1.0, 4 / math.sqrt(taps))
        values = [round(self.random.gauss(0, scale)) / 16 for _ in range(math.prod(shape))]
        return self.g.constant(shape, "f32", values=values)

    def convolution(self) -> None:
        data = self.pick()
        batch, channels, height, width = self.get_dims(data)
        size = self.random.choice([1, 1, 1, 3])
        stride = self.random.choice([1, 1, 1, 2]) if min(height, width) > 4 else 1
        if self.g.chance(0.2):
            outputs, groups = channels, channels
        else:
            outputs, groups = self.random.choice(CHANNELS), 1
        pad = size // 2
        shape = self.get_shape(batch, outputs, *((extent + 2 * pad - size) // stride + 1 for extent in (height, width)))
        text = (f" strides [{stride}, {stride}]" if stride != 1 else "") + (f" padding [{pad}, {pad}, {pad}, {pad}]" if pad else "") + (
            f" groups {groups}" if groups != 1 else "")
        weights = self.weights((outputs, channels // groups, size, size), channels // groups * size * size)
        result = self.add(f"conv2d {{0}}, {{1}}{text}{self.layout}", [data, weights], shape)
        if self.g.chance(0.4):
            result = self.add_bias(result)
        if self.g.chance(0.4):
            self.add("relu {0}", [result], shape)

    def add_bias(self, value: Value) -> Value:
        axis = " axis 3" if self.channels_last else ""
        return self.add("bias_add {0}, {1}" + axis, [value, self.weights((value.shape[self.axis],), 1)], value.shape)

    def elements(self) -> None:
        value = self.pick()
        shape = value.shape
        batch, channels = self.get_dims(value)[:2]
        for _ in range(self.random.randint(1, 3)):
            kind = self.random.choice(["scale", "bias", "relu", "sigmoid", "add", "attention", "constant"])
            if kind == "scale":
                value = self.add("multiply {0}, {1}", [value, self.weights((channels,) if self.channels_last else (channels, 1, 1), 1)], shape)
            elif kind == "bias":
                value = self.add_bias(value)
            elif kind == "add":
                other = self.pick(lambda other: other.shape == shape)
                value = self.add("add {0}, {1}", [value, other], shape)
            elif kind == "attention":
                pooled = self.g.emit("global_avg_pool2d {0}" + self.layout, [value],
                                     Value(self.get_shape(batch, channels, 1, 1), "f32", -100, 100))
                value = self.add("multiply {0}, {1}", [value, pooled], shape)
            elif kind == "constant":
                value = self.add("multiply {0}, {1}", [value, self.weights((), 1)], shape)
            else:
                value = self.add(kind + " {0}", [value], shape)

    def concatenation(self) -> None:
        first = self.pick()
        batch, _, *extents = self.get_dims(first)
        shape = self.get_shape(batch, 0, *extents)
        parts = [first] + [self.pick(lambda value: self.get_shape(value.shape[0], 0, *self.get_dims(value)[2:]) == shape)
                           for _ in range(self.random.randint(1, 3))]
        self.random.shuffle(parts)
        channels = sum(self.get_dims(part)[1] for part in parts)
        if channels <= 160:
            self.concatenate(parts, self.axis, self.get_shape(batch, channels, *extents))

    def concatenate(self, parts: list[Value], axis: int, shape: tuple[int, ...]) -> Value:
        names = ", ".join(f"{{{index}}}" for index in range(len(parts)))
        return self.add(f"concatenate {names} axis {axis}", parts, shape)

    def pool(self) -> None:
        data = self.pick()
        self.add("max_pool2d {0} size [3, 3] padding [1, 1, 1, 1]" + self.layout, [data], data.shape)

    def heads(self) -> list[Value]:
        """Rows of values from images of several sizes, as detectors have them: pixels, or anchors of pixels, of each image."""
        batch = self.images[0].shape[0]
        columns = self.random.choice([1, 2, 4, 16])
        rows = []
        for _ in range(self.random.randint(1, 4)):
            image = self.pick(lambda value: value.size // batch % columns == 0)
            if not image:
                continue
            if not self.channels_last and self.g.chance(0.7):
                shape = tuple(image.shape[dim] for dim in (0, 2, 3, 1))
                image = self.g.emit("transpose {0} [0, 2, 3, 1]", [image], Value(shape, "f32", -100, 100))
            shape = (batch, image.size // batch // columns, columns)
            rows.append(self.add(f"reshape {{0}} [{', '.join(map(str, shape))}]", [image], shape))
        return [self.concatenate(rows, 1, (batch, sum(part.shape[1] for part in rows), columns))] if len(rows) > 1 else rows

    def finish(self) -> Graph:
        read = {id(operand) for operation in self.g.operations for operand in operation.operands}
        outputs = [value for value in self.images if value.producer and (id(value) not in read or self.g.chance(0.05))]
        # Few results, so that most tensors have a place in the workspace.
        self.g.outputs = outputs[-3:] + (self.heads() if self.g.chance(0.4) else [])
        return self.g.slice(self.g.outputs)


def image_graph(seed: int) -> Graph:
    builder = Builder(seed)
    random = builder.random
    shape = builder.get_shape(random.choice([1, 1, 1, 2]), random.choice([3, 16, 32]), random.randint(4, 20), random.randint(4, 20))
    builder.images.append(builder.g.input(shape, "f32"))
    builder.convolution()
    kinds = [builder.convolution] * 4 + [builder.elements] * 3 + [builder.concatenation] * 3 + [builder.pool]
    for _ in range(random.randint(3, 14)):
        random.choice(kinds)()
    return builder.finish()
