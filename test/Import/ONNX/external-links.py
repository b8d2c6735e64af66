"""Tensors in other files, reached through symbolic links: not out of the model's folder; but the folder of a model that is a link
itself counts, too, as in the caches of model hubs."""
# RUN: rm -rf %t && env PYTHONPATH=%S/Inputs %python -B %s %t

import os
import pathlib
import subprocess
import sys

from model import np, onnx, write

root = pathlib.Path(sys.argv[1])
DATA = np.array([1.5, 2.5], np.float32).tobytes()


def save(name: str, location: str) -> None:
    tensor = onnx.TensorProto(name="w", data_location=1, data_type=1, dims=[2])
    tensor.external_data.add(key="location", value=location)
    (root / name).parent.mkdir(parents=True, exist_ok=True)
    write(name.removesuffix(".onnx"), "(float[2] x) => (float[] y) { y = Add(x, w) }", w=tensor)


def store(name: str) -> None:
    (root / name).parent.mkdir(parents=True, exist_ok=True)
    (root / name).write_bytes(DATA)


def link(name: str, target: str) -> None:
    (root / name).parent.mkdir(parents=True, exist_ok=True)
    (root / name).symlink_to(target)


def read(model: str, folder: pathlib.Path = root) -> str:
    """The error, or nothing where the weights were read."""
    result = subprocess.run(["uma-translate", "--import-onnx", model], cwd=folder, capture_output=True, text=True)
    if result.returncode == 0 and "dense<[1.500000e+00, 2.500000e+00]>" in result.stdout:
        return ""
    return result.stderr


def expect_error(model: str, location: str, target: str) -> None:
    error = read(model)
    real = os.path.realpath(root / target)
    expected = f"error: tensor 'w' is stored in the file '{location}', a symbolic link to '{real}'; expected a file below the model's folder\n"
    if not error.endswith(expected):
        sys.exit(f"{model}: found {error!r}, expected {expected!r}")


def expect_weights(model: str, folder: pathlib.Path = root) -> None:
    if error := read(model, folder):
        sys.exit(f"{model}: {error}")


# Out of the folder: the file, a folder on the way, a link to a link, a folder whose name starts with the model's.
store("secret/data")
store("models-2/data")
for name, location in (("file", "file.bin"), ("folder", "sub/data"), ("chain", "chain.bin"), ("prefix", "prefix.bin")):
    save(f"models/{name}.onnx", location)
link("models/file.bin", "../secret/data")
link("models/sub", "../secret")
link("models/chain.bin", "file.bin")
link("models/prefix.bin", "../models-2/data")
for name, location in (("file", "file.bin"), ("folder", "sub/data"), ("chain", "chain.bin")):
    expect_error(f"models/{name}.onnx", location, "secret/data")
expect_error("models/prefix.onnx", "prefix.bin", "models-2/data")

# Links that stay below the folder, from wherever and however it is named.
save("models/inside.onnx", "inside.bin")
store("models/data/file")
link("models/inside.bin", "data/file")
expect_weights("models/inside.onnx")
expect_weights("inside.onnx", root / "models")
expect_weights(str((root / "models/inside.onnx").resolve()))
link("linked", "models")
expect_weights("linked/inside.onnx")

# A cache: model and data are links to files named after their checksums.
save("cache/blobs/0a1b.onnx", "model.onnx_data")
store("cache/blobs/2c3d")
for folder in ("cache/snapshots/main", "cache/snapshots/main/onnx"):
    up = "../" * (folder.count("/"))
    link(f"{folder}/model.onnx", up + "blobs/0a1b.onnx")
    link(f"{folder}/model.onnx_data", up + "blobs/2c3d")
    expect_weights(f"{folder}/model.onnx")
# A model that is a link, with its data beside the file behind it.
save("store/far.onnx", "far.bin")
store("store/far.bin")
link("here/model.onnx", "../store/far.onnx")
expect_weights("here/model.onnx")
# But data elsewhere are none of a link's.
link("here/far.bin", "../secret/data")
expect_error("here/model.onnx", "far.bin", "secret/data")
