"""Whether two results are the same number, and the smallest model that shows a difference."""

import numpy as np
import onnx
from onnx import helper

from .builder import Model, all_inputs, onnx_type

# Both sides compute 16-bit floats in f32 and round each layer: two units in the last place. The rest is the order of sums, of up
# to some thousand products, and polynomials of functions; relative to the element, and to the largest one where sums cancel.
TOLERANCES = {"float16": 2.0**-9, "float32": 2e-5, "float64": 1e-9}


def find_difference(expected: np.ndarray, found: np.ndarray, slack=0.0) -> str:
    """Returns a description of the largest difference, or "". `slack` is a further tolerance for each element."""
    if expected.shape != found.shape or expected.dtype != found.dtype:
        return f"is {found.dtype.name}{list(found.shape)}, expected {expected.dtype.name}{list(expected.shape)}"
    if not expected.size:
        return ""
    if expected.dtype.kind != "f":
        wrong = expected != found
    else:
        tolerance = TOLERANCES[expected.dtype.name]
        with np.errstate(all="ignore"):
            a, b = found.astype(np.float64), expected.astype(np.float64)
            finite = np.abs(b[np.isfinite(b)])
            limit = tolerance * (np.abs(b) + (finite.max() if finite.size else 0)) + np.nan_to_num(slack, nan=np.inf)
            same = (a == b) | (np.isnan(a) & np.isnan(b)) | (np.abs(a - b) <= limit) | np.isinf(slack)
        wrong = ~same
    if not wrong.any():
        return ""
    at = tuple(int(index) for index in np.argwhere(wrong)[0])
    return f"differs in {int(wrong.sum())} of {wrong.size} elements; {list(at)} is {found[at]}, expected {expected[at]}"


def perturbed(inputs: "dict[str, np.ndarray]", seed: int) -> "dict[str, np.ndarray]":
    """Returns the inputs with floats changed by a unit in the last place or two."""
    numbers = np.random.default_rng(seed)
    result = {}
    for name, array in inputs.items():
        if array.dtype.kind == "f":
            array = np.where(np.isfinite(array), array * (1 + numbers.choice([-2, 2], array.shape) * np.finfo(array.dtype).eps), array)
            array = array.astype(inputs[name].dtype)
        result[name] = array
    return result


def slack_of(exact: np.ndarray, other: np.ndarray):
    """Returns the tolerance for an output that moves from `exact` to `other` if its inputs move by a unit in the last place."""
    if exact.dtype.kind != "f" or exact.shape != other.shape:
        return 0.0
    with np.errstate(all="ignore"):
        moved = np.where(exact == other, 0, np.abs(exact.astype(np.float64) - other.astype(np.float64)))
        # Elements of one sum share the error.
        return 8 * np.maximum(moved, np.nanmax(moved, initial=0) * 0.25)


class Part:
    """A part of a model that computes the given results, with the values of its inputs."""

    def __init__(self, nodes, results, values: "dict[str, np.ndarray]", model: Model):
        read = [name for node in nodes for name in all_inputs(node)]
        made = {name for node in nodes for name in node.output}
        constants = [tensor for tensor in model.constants if tensor.name in read]
        known = {tensor.name for tensor in constants} | made
        names = dict.fromkeys(name for name in read if name in values and name not in known)
        self.inputs = {name: values[name] for name in names}
        self.nodes = nodes
        types = {tensor.name: tensor.type for tensor in model.results}
        graph = helper.make_graph(
            nodes, "fuzz",
            [helper.make_tensor_value_info(name, onnx_type(array.dtype.name), array.shape) for name, array in self.inputs.items()],
            [helper.make_tensor_value_info(name, onnx_type(types[name]), None) for name in results], constants)
        opsets = [helper.make_opsetid("", model.opset)] + [helper.make_opsetid(domain, 1) for domain in sorted(model.domains)]
        self.proto: onnx.ModelProto = helper.make_model(graph, opset_imports=opsets, ir_version=10, producer_name="fuzz-onnx")


def nodes_before(model: Model, results) -> list:
    """Returns the nodes that results depend on, in order."""
    wanted, nodes = set(results), []
    for node in reversed(model.nodes):
        if wanted & set(node.output):
            nodes.append(node)
            wanted.update(all_inputs(node))
    return nodes[::-1]
