"""ONNX Runtime in a process of node that runs many models, one after the other."""

import json
import pathlib
import select
import subprocess

import numpy as np

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "run-onnxruntime.js"


class Refused(Exception):
    """Raised if ONNX Runtime refuses a model, or ends on it."""


class Runtime:
    def __init__(self, package: pathlib.Path, timeout: float = 60):
        self.package = package.resolve()
        self.timeout = timeout
        self.process = None

    def start(self) -> None:
        self.process = subprocess.Popen(["node", str(SCRIPT)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)

    def close(self) -> None:
        if self.process:
            self.process.kill()
            self.process.communicate()
            self.process = None

    def run(self, model: pathlib.Path, inputs: "dict[str, np.ndarray]", optimize: str = "all") -> "dict[str, np.ndarray]":
        """Returns the outputs of a model, whose folder gets files for the inputs and outputs."""
        if not self.process:
            self.start()
        folder = model.parent
        feeds = []
        for name, array in inputs.items():
            file = folder / f"{name}.bin"
            file.write_bytes(np.ascontiguousarray(array).tobytes())
            feeds.append({"name": name, "type": array.dtype.name, "shape": array.shape, "file": str(file)})
        request = {"runtime": str(self.package), "model": str(model), "inputs": feeds, "outputs": str(folder), "optimize": optimize}
        try:
            self.process.stdin.write(json.dumps(request).encode() + b"\n")
            self.process.stdin.flush()
            if not select.select([self.process.stdout], [], [], self.timeout)[0]:
                raise Refused(f"takes longer than {self.timeout:g} s")
            line = self.process.stdout.readline()
        except (BrokenPipeError, Refused) as error:
            self.close()
            raise Refused(str(error)) from error
        if not line:
            self.close()
            raise Refused("ends the process")
        answer = json.loads(line)
        if isinstance(answer, dict):
            raise Refused(answer["error"])
        return {output["name"]: np.fromfile(output["file"], output["type"]).reshape(output["shape"]) for output in answer}
