#!/usr/bin/python3
"""Trains a small convolutional network on 8x8 handwritten digits and exports it to ONNX.

Everything is plain numpy in float32 with a fixed seed; scikit-learn only supplies the images.
Writes digits.onnx, test_images.bin, test_labels.bin and digits_preview.png (see README.md).
"""
from __future__ import annotations

import argparse
import os
import struct
import zlib
from pathlib import Path

# A threaded BLAS may sum in another order from run to run; one thread keeps the weights repeatable.
for _variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[_variable] = "1"

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from sklearn.datasets import load_digits

from layers import Array, BatchNorm, Conv, Dense, Flatten, GlobalAveragePool, Layer, MaxPool, Relu

# The data set is a row of filled-in forms, each one the same printed sequence of about 130 digits
# that opens with 0..9 three times. The last three forms, whole, are the test set (see README.md).
TEST_START = 1415
CLASSES = 10
PIXEL_MAX = 16  # pixels count ink in a 4x4 block
SEED = 1998
EPOCHS = 40
BATCH = 32
PEAK_RATE = 3e-3
WEIGHT_DECAY = 1e-2


def build(rng: np.random.Generator) -> list[Layer]:
    """Ends in the logits; softmax belongs to the loss here and becomes a node of the export."""
    return [
        Conv("conv1", rng, 1, 12), BatchNorm("bn1", 12), Relu("relu1"),
        Conv("conv2", rng, 12, 24), BatchNorm("bn2", 24), Relu("relu2"), MaxPool("pool1"),
        Conv("conv3", rng, 24, 32), BatchNorm("bn3", 32), Relu("relu3"),
        Conv("conv4", rng, 32, 48, stride=2, bias=True), Relu("relu4"),
        GlobalAveragePool("pool2"), Flatten("flatten"), Dense("dense", rng, 48, CLASSES),
    ]


def forward(layers: list[Layer], x: Array, training: bool = False) -> Array:
    for layer in layers:
        x = layer.forward(x, training)
    return x


def softmax(logits: Array) -> Array:
    exponentials = np.exp(logits - logits.max(axis=1, keepdims=True))
    return exponentials / exponentials.sum(axis=1, keepdims=True)


def accuracy(layers: list[Layer], images: Array, labels: Array) -> tuple[float, int]:
    correct = int((forward(layers, images).argmax(axis=1) == labels).sum())
    return 100.0 * correct / len(labels), correct


def jitter(rng: np.random.Generator, images: Array) -> Array:
    """Another hand each time: turns, slants, stretches and shifts every image a little (bilinear)."""
    n, _, height, width = images.shape
    turn, slant = rng.uniform(-0.1, 0.1, n), rng.uniform(-0.1, 0.1, n)
    scale = rng.uniform(0.92, 1.08, (n, 2))
    shift = rng.uniform(-0.6, 0.6, (n, 2))
    y, x = np.meshgrid(np.arange(height) - 3.5, np.arange(width) - 3.5, indexing="ij")
    cosine, sine = np.cos(turn)[:, None, None], np.sin(turn)[:, None, None]
    source_x = (cosine * x - sine * y + slant[:, None, None] * y) * scale[:, :1, None] + shift[:, :1, None]
    source_y = (sine * x + cosine * y) * scale[:, 1:, None] + shift[:, 1:, None]
    # A margin of blank paper makes every clipped read fall on zero.
    padded = np.pad(images[:, 0], ((0, 0), (2, 2), (2, 2)))
    source_x, source_y = np.clip(source_x + 5.5, 0, width + 2.99), np.clip(source_y + 5.5, 0, height + 2.99)
    left, top = source_x.astype(int), source_y.astype(int)
    right_share, low_share = source_x - left, source_y - top
    image = np.arange(n)[:, None, None]
    upper = padded[image, top, left] * (1 - right_share) + padded[image, top, left + 1] * right_share
    lower = padded[image, top + 1, left] * (1 - right_share) + padded[image, top + 1, left + 1] * right_share
    return (upper * (1 - low_share) + lower * low_share)[:, None].astype(np.float32)


def train(images: Array, labels: Array, seed: int = SEED, epochs: int = EPOCHS,
          verbose: bool = True) -> list[Layer]:
    """AdamW (Loshchilov and Hutter, 2019) with a short warm-up and a cosine decay to zero."""
    rng = np.random.default_rng(seed)
    layers = build(rng)
    moments = {(layer.name, key): (np.zeros_like(p), np.zeros_like(p))
               for layer in layers for key, p in layer.params.items()}
    batches = len(labels) // BATCH
    step = 0
    for epoch in range(epochs):
        order, total = rng.permutation(len(labels)), 0.0
        shown = jitter(rng, images)
        for batch in np.array_split(order, batches):
            step += 1
            progress = step / (epochs * batches)
            rate = PEAK_RATE * min(1.0, progress * 20) * 0.5 * (1 + np.cos(np.pi * progress))
            probabilities = softmax(forward(layers, shown[batch], training=True))
            truth = np.eye(CLASSES, dtype=np.float32)[labels[batch]]
            total -= float(np.log((probabilities * truth).sum(axis=1)).sum())
            grad = (probabilities - truth) / np.float32(len(batch))
            for layer in reversed(layers):
                grad = layer.backward(grad)
            for layer in layers:
                for key, parameter in layer.params.items():
                    g = layer.grads[key]
                    mean, square = moments[layer.name, key]
                    mean += 0.1 * (g - mean)
                    square += 0.01 * (g * g - square)
                    update = (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.99**step)) + 1e-8)
                    if key == "weight":  # scales and shifts need no pull towards zero
                        update = update + WEIGHT_DECAY * parameter
                    parameter -= (rate * update).astype(np.float32)
        if verbose and (epoch + 1) % 10 == 0:
            print(f"epoch {epoch + 1:3d}  loss {total / len(labels):.4f}", flush=True)
    return layers


def export(layers: list[Layer], path: Path) -> None:
    """Writes the inference graph. Batch norms stay nodes of their own: folding is a compiler's work."""
    nodes, constants, value = [], [], "image"
    for layer in layers:
        names = []
        for key, array in layer.initializers().items():
            names.append(f"{layer.name}.{key}")
            constants.append(numpy_helper.from_array(np.ascontiguousarray(array, np.float32), names[-1]))
        result = f"{layer.name}_out"
        nodes.append(helper.make_node(layer.op, [value, *names], [result], name=layer.name,
                                      **layer.attributes))
        value = result
    nodes.append(helper.make_node("Softmax", [value], ["probabilities"], name="softmax", axis=1))
    graph = helper.make_graph(
        nodes, "digits",
        [helper.make_tensor_value_info("image", TensorProto.FLOAT, [1, 1, 8, 8])],
        [helper.make_tensor_value_info("probabilities", TensorProto.FLOAT, [1, CLASSES])], constants)
    model = helper.make_model(graph, producer_name="uma examples/digits/train.py",
                              opset_imports=[helper.make_opsetid("", 13)])
    model.ir_version = 8
    onnx.checker.check_model(model, full_check=True)
    onnx.shape_inference.infer_shapes(model, check_type=True, strict_mode=True)
    path.write_bytes(model.SerializeToString())


def write_preview(images: Array, labels: Array, path: Path) -> None:
    """A PNG of 40 test images: column d shows four of digit d from all over the set, dark on white."""
    zoom, margin, rows = 6, 6, 4
    cell = 8 * zoom + margin
    sheet = np.full((rows * cell + margin, CLASSES * cell + margin), 255, np.uint8)
    for digit in range(CLASSES):
        found = np.flatnonzero(labels == digit)
        for row, index in enumerate(found[np.linspace(0, len(found) - 1, rows).astype(int)]):
            top, left = margin + row * cell, margin + digit * cell
            ink = np.kron(images[index], np.ones((zoom, zoom), np.uint8)).astype(int)
            sheet[top:top + 8 * zoom, left:left + 8 * zoom] = 240 - ink * 240 // PIXEL_MAX
    height, width = sheet.shape
    lines = b"".join(b"\0" + line.tobytes() for line in sheet)  # 0: unfiltered line

    def chunk(tag: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + tag + data + struct.pack(">I", zlib.crc32(tag + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)  # 8-bit greyscale
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header)
                     + chunk(b"IDAT", zlib.compress(lines, 9)) + chunk(b"IEND", b""))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("-o", "--output", type=Path, default=Path(__file__).resolve().parent,
                        help="folder to write to (default: the folder of this script)")
    output = parser.parse_args().output
    output.mkdir(parents=True, exist_ok=True)

    data = load_digits()
    pixels, labels = data.images.astype(np.uint8), data.target.astype(np.uint8)
    assert (labels[TEST_START:TEST_START + 30] == np.arange(30) % 10).all(), "a form must start here"
    images = (pixels[:, None] / PIXEL_MAX).astype(np.float32)
    train_set, test_set = slice(0, TEST_START), slice(TEST_START, None)

    layers = train(images[train_set], labels[train_set])
    for title, part in (("train", train_set), ("test", test_set)):
        percent, correct = accuracy(layers, images[part], labels[part])
        print(f"{title} accuracy {percent:.2f} % ({correct} of {len(labels[part])})")

    export(layers, output / "digits.onnx")
    (output / "test_images.bin").write_bytes(pixels[test_set].tobytes())
    (output / "test_labels.bin").write_bytes(labels[test_set].tobytes())
    write_preview(pixels[test_set], labels[test_set], output / "digits_preview.png")


if __name__ == "__main__":
    main()
