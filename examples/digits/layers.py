"""The layers of the network: forward, backward, and what each becomes in ONNX.

Arrays are float32 and NCHW throughout. A layer keeps from its last forward pass what its backward
pass needs.
"""
from __future__ import annotations

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

Array = np.ndarray

BN_EPSILON = 1e-5
BN_MOMENTUM = 0.9


class Layer:
    """One node of the chain. `params` are trained; `grads` holds their gradients after backward."""

    op = ""
    attributes: dict[str, object] = {}

    def __init__(self, name: str) -> None:
        self.name = name
        self.params: dict[str, Array] = {}
        self.grads: dict[str, Array] = {}

    def forward(self, x: Array, training: bool) -> Array:
        raise NotImplementedError

    def backward(self, grad: Array) -> Array:
        raise NotImplementedError

    def initializers(self) -> dict[str, Array]:
        """The constant inputs of the ONNX node, in the order the operator wants them."""
        return self.params


def he_normal(rng: np.random.Generator, shape: tuple[int, ...]) -> Array:
    """Keeps the variance of activations through layers followed by ReLU (He et al., 2015)."""
    return (rng.standard_normal(shape) * np.sqrt(2.0 / np.prod(shape[1:]))).astype(np.float32)


class Conv(Layer):
    """3x3 convolution, padding 1. No bias where a batch norm follows: its shift would cancel it."""

    op = "Conv"

    def __init__(self, name: str, rng: np.random.Generator, inputs: int, outputs: int,
                 stride: int = 1, bias: bool = False) -> None:
        super().__init__(name)
        self.stride = stride
        self.params["weight"] = he_normal(rng, (outputs, inputs, 3, 3))
        if bias:
            self.params["bias"] = np.zeros(outputs, np.float32)
        self.attributes = {"kernel_shape": [3, 3], "strides": [stride, stride],
                           "pads": [1, 1, 1, 1], "dilations": [1, 1], "group": 1}

    def forward(self, x: Array, training: bool) -> Array:
        padded = np.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1)))
        windows = sliding_window_view(padded, (3, 3), axis=(2, 3))
        windows = windows[:, :, ::self.stride, ::self.stride]  # n c h w 3 3
        n, c, h, w = windows.shape[:4]
        # im2col: one row per output pixel, so that the convolution is one matrix product.
        self.columns = windows.transpose(0, 2, 3, 1, 4, 5).reshape(n * h * w, c * 9)
        self.padded_shape = padded.shape
        weight = self.params["weight"]
        y = self.columns @ weight.reshape(len(weight), -1).T + self.params.get("bias", np.float32(0))
        return y.reshape(n, h, w, -1).transpose(0, 3, 1, 2)

    def backward(self, grad: Array) -> Array:
        n, outputs, h, w = grad.shape
        rows = grad.transpose(0, 2, 3, 1).reshape(-1, outputs)
        weight = self.params["weight"]
        self.grads["weight"] = (rows.T @ self.columns).reshape(weight.shape)
        if "bias" in self.params:
            self.grads["bias"] = rows.sum(axis=0)
        columns = (rows @ weight.reshape(outputs, -1)).reshape(n, h, w, -1, 3, 3)
        padded = np.zeros(self.padded_shape, np.float32)
        s = self.stride
        for i in range(3):  # col2im: every tap adds its share to the pixel that it read
            for j in range(3):
                padded[:, :, i:i + s * h:s, j:j + s * w:s] += columns[..., i, j].transpose(0, 3, 1, 2)
        return padded[:, :, 1:-1, 1:-1]


class BatchNorm(Layer):
    op = "BatchNormalization"
    attributes = {"epsilon": BN_EPSILON}

    def __init__(self, name: str, channels: int) -> None:
        super().__init__(name)
        self.params = {"scale": np.ones(channels, np.float32), "bias": np.zeros(channels, np.float32)}
        self.mean = np.zeros(channels, np.float32)
        self.variance = np.ones(channels, np.float32)

    def forward(self, x: Array, training: bool) -> Array:
        mean, variance = self.mean, self.variance
        if training:
            mean, variance = x.mean(axis=(0, 2, 3)), x.var(axis=(0, 2, 3))
            self.mean = BN_MOMENTUM * self.mean + (1 - BN_MOMENTUM) * mean
            self.variance = BN_MOMENTUM * self.variance + (1 - BN_MOMENTUM) * variance
        self.deviation = np.sqrt(variance + np.float32(BN_EPSILON))[:, None, None]
        self.normalized = (x - mean[:, None, None]) / self.deviation
        return self.normalized * self.params["scale"][:, None, None] + self.params["bias"][:, None, None]

    def backward(self, grad: Array) -> Array:
        axes = (0, 2, 3)
        self.grads = {"scale": (grad * self.normalized).sum(axis=axes), "bias": grad.sum(axis=axes)}
        # The batch's own mean and variance depend on x, hence the two terms taken away.
        count = np.float32(grad.size // grad.shape[1])
        shared = (self.grads["bias"][:, None, None]
                  + self.normalized * self.grads["scale"][:, None, None]) / count
        return self.params["scale"][:, None, None] / self.deviation * (grad - shared)

    def initializers(self) -> dict[str, Array]:
        return {**self.params, "mean": self.mean, "variance": self.variance}


class Relu(Layer):
    op = "Relu"

    def forward(self, x: Array, training: bool) -> Array:
        self.positive = x > 0
        return x * self.positive

    def backward(self, grad: Array) -> Array:
        return grad * self.positive


class MaxPool(Layer):
    op = "MaxPool"
    attributes = {"kernel_shape": [2, 2], "strides": [2, 2]}

    def forward(self, x: Array, training: bool) -> Array:
        n, c, h, w = x.shape
        tiles = x.reshape(n, c, h // 2, 2, w // 2, 2).swapaxes(3, 4).reshape(n, c, h // 2, w // 2, 4)
        self.winner = tiles.argmax(axis=-1)[..., None]  # one winner each, also where ReLU left ties
        return np.take_along_axis(tiles, self.winner, axis=-1)[..., 0]

    def backward(self, grad: Array) -> Array:
        n, c, h, w = grad.shape
        tiles = np.zeros((n, c, h, w, 4), np.float32)
        np.put_along_axis(tiles, self.winner, grad[..., None], axis=-1)
        return tiles.reshape(n, c, h, w, 2, 2).swapaxes(3, 4).reshape(n, c, 2 * h, 2 * w)


class GlobalAveragePool(Layer):
    op = "GlobalAveragePool"

    def forward(self, x: Array, training: bool) -> Array:
        self.shape = x.shape
        return x.mean(axis=(2, 3), keepdims=True)

    def backward(self, grad: Array) -> Array:
        return np.broadcast_to(grad / np.float32(self.shape[2] * self.shape[3]), self.shape)


class Flatten(Layer):
    op = "Flatten"
    attributes = {"axis": 1}

    def forward(self, x: Array, training: bool) -> Array:
        self.shape = x.shape
        return x.reshape(len(x), -1)

    def backward(self, grad: Array) -> Array:
        return grad.reshape(self.shape)


class Dense(Layer):
    op = "Gemm"
    attributes = {"transB": 1}

    def __init__(self, name: str, rng: np.random.Generator, inputs: int, outputs: int) -> None:
        super().__init__(name)
        self.params = {"weight": he_normal(rng, (outputs, inputs)), "bias": np.zeros(outputs, np.float32)}

    def forward(self, x: Array, training: bool) -> Array:
        self.x = x
        return x @ self.params["weight"].T + self.params["bias"]

    def backward(self, grad: Array) -> Array:
        self.grads = {"weight": grad.T @ self.x, "bias": grad.sum(axis=0)}
        return grad @ self.params["weight"]
