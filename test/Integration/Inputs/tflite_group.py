"""Groups of operators of TensorFlow Lite in one model, whose results are compared with given numbers. sys.argv[1] is the folder."""

import dataclasses
import os
import subprocess
import sys

import numpy as np
from tflite import Model


@dataclasses.dataclass
class Variable:
    """The state of an operator: its value before the run, None for the one it starts with, and the one expected after it; fields of its tensor."""

    value: np.ndarray | None
    next: np.ndarray
    fields: dict = dataclasses.field(default_factory=dict)


class Group:
    """A model whose outputs are the results of all operators that a test checks."""

    def __init__(self, name: str) -> None:
        self.name, self.model = name, Model()
        self.inputs: dict[str, np.ndarray] = {}
        self.expected: dict[str, np.ndarray] = {}
        self.outputs: list[int] = []

    def operand(self, value) -> int:
        """An array is an input of the model; a tuple holds a constant, and fields of its tensor; None is an omitted operand."""
        name = f"t{len(self.model.graph['tensors'])}"
        if value is None:
            return -1
        if isinstance(value, tuple):
            return self.model.constant(name, np.asarray(value[0]), **(value[1] if len(value) > 1 else {}))
        if isinstance(value, Variable):
            if value.value is not None:
                self.inputs[name] = value.value
            self.expected[name + "_next"] = value.next
            return self.model.tensor(name, value.next.shape, value.next.dtype.name, is_variable=True, **value.fields)
        self.inputs[name] = value
        return self.model.input(name, value.shape, value.dtype.name)

    def check(self, operator: str, operands, expected, options: str = "", **values) -> None:
        """`expected` is the result, or a list of results."""
        indices = [self.operand(value) for value in operands]
        results = []
        for result in expected if isinstance(expected, list) else [expected]:
            result = np.asarray(result)
            name = f"{operator.lower()}_{len(self.model.graph['tensors'])}"
            results.append(self.model.tensor(name, result.shape, result.dtype.name))
            self.expected[name] = result
        self.model.add(operator, indices, results, options, **values)
        self.outputs += results

    def run(self) -> None:
        self.model.write(self.name, self.outputs)
        command = ["uma", "run", f"{sys.argv[1]}/{self.name}.tflite", "--output-dir", f"{sys.argv[1]}/{self.name}"]
        for name, value in self.inputs.items():
            np.save(f"{sys.argv[1]}/{name}.npy", value)
            command += ["--input", f"{name}={sys.argv[1]}/{name}.npy"]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"{self.name}: {done.stderr}")
        wrong = 0
        for name, expected in self.expected.items():
            actual = np.load(os.path.join(sys.argv[1], self.name, name + ".npy"))
            close = actual.shape == expected.shape and actual.dtype == expected.dtype
            tolerance = 1e-5 if expected.dtype.kind == "f" else 0
            if not close or not np.allclose(actual, expected, rtol=tolerance, atol=tolerance):
                print(f"{name}: {expected} {expected.dtype} expected, computed {actual} {actual.dtype}")
                wrong += 1
        print(f"{self.name}: " + (f"{wrong} wrong" if wrong else f"all {len(self.expected)} results equal"))
