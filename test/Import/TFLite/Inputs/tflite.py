"""Writes TensorFlow Lite models with flatc, from the importer's schema."""

import contextlib
import json
import os
import subprocess
import sys

import numpy as np

SCHEMA = os.path.join(os.path.dirname(__file__), "../../../../lib/Import/TFLite/tflite.fbs")
TYPES = {
    "float32": "FLOAT32",
    "float16": "FLOAT16",
    "int32": "INT32",
    "uint8": "UINT8",
    "int64": "INT64",
    "bool": "BOOL",
    "int16": "INT16",
    "int8": "INT8",
}


class Model:
    """A model with one graph. Tensors are named by their indices."""

    def __init__(self) -> None:
        self.json = {
            "version": 3,
            "operator_codes": [],
            "subgraphs": [{"tensors": [], "inputs": [], "outputs": [], "operators": []}],
            "buffers": [{}],
        }
        self.graph = self.json["subgraphs"][0]

    @contextlib.contextmanager
    def body(self, outputs=()):
        """Adds a subgraph, to which tensors and operators are added inside of `with`. `outputs` may be extended there. Yields its number."""
        outer = self.graph
        self.graph = {"tensors": [], "inputs": [], "outputs": outputs, "operators": []}
        self.json["subgraphs"].append(self.graph)
        yield len(self.json["subgraphs"]) - 1
        self.graph = outer

    def tensor(self, name: str, shape, dtype: str = "float32", scale=None, zero=None, axis: int = 0, **fields) -> int:
        """Adds a tensor. `scale` and `zero` are one number or one for each index of `axis`."""
        tensor = {"name": name, "shape": [int(size) for size in shape], "type": TYPES.get(dtype, dtype)}
        if scale is not None:
            tensor["quantization"] = {
                "scale": [float(value) for value in np.atleast_1d(scale)],
                "zero_point": [int(value) for value in np.atleast_1d(0 if zero is None else zero)],
                "quantized_dimension": axis,
            }
        self.graph["tensors"].append({**tensor, **fields})
        return len(self.graph["tensors"]) - 1

    def input(self, name: str, shape, dtype: str = "float32", **fields) -> int:
        index = self.tensor(name, shape, dtype, **fields)
        self.graph["inputs"].append(index)
        return index

    def constant(self, name: str, value, dtype: str = "", **fields) -> int:
        """Adds a tensor with elements. `dtype` may be a type that NumPy does not have."""
        value = np.asarray(value)
        self.json["buffers"].append({"data": list(value.tobytes())})
        fields = {"shape": value.shape, **fields}
        return self.tensor(name, dtype=dtype or value.dtype.name, buffer=len(self.json["buffers"]) - 1, **fields)

    def add(self, operator: str, inputs, outputs, options: str = "", custom: str = "", custom_options: bytes = b"", **values) -> None:
        """Adds an operator. `options` is the name of its table of options, without `Options`."""
        code = {"builtin_code": operator, "deprecated_builtin_code": 0}
        if custom:
            code["custom_code"] = custom
        self.json["operator_codes"].append(code)
        entry = {
            "opcode_index": len(self.json["operator_codes"]) - 1,
            "inputs": list(inputs),
            "outputs": list(outputs),
        }
        if custom_options:
            entry["custom_options"] = list(custom_options)
        if options:
            entry["builtin_options_type"] = options + "Options"
            entry["builtin_options"] = values
        self.graph["operators"].append(entry)

    def write(self, name: str, outputs=(), folder: str = "") -> None:
        """Writes NAME.tflite into a folder, by default the script's first argument."""
        self.graph["outputs"].extend(outputs)
        folder = folder or sys.argv[1]
        os.makedirs(folder, exist_ok=True)
        path = os.path.join(folder, name + ".json")
        with open(path, "w") as file:
            json.dump(self.json, file)
        subprocess.run(["flatc", "-b", "-o", folder, SCHEMA, path], check=True)
        os.remove(path)

    def refuse(self, name: str, outputs=()) -> None:
        """Writes the model and prints the only message of an import that must fail."""
        self.write(name, outputs)
        path = os.path.join(sys.argv[1], name + ".tflite")
        done = subprocess.run(["uma-translate", "--import-tflite", path], capture_output=True, text=True)
        lines = done.stderr.splitlines()
        if done.returncode != 1 or len(lines) != 1:
            sys.exit(f"{name}: status {done.returncode}, {len(lines)} lines: {done.stderr}")
        print(lines[0].replace(sys.argv[1] + "/", ""))
