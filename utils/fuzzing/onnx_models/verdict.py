"""Whether two results are the same number, and the smallest model that shows a difference."""

import numpy as np
import onnx
from onnx import helper

from .builder import Model, all_inputs, onnx_type

# Both sides compute 16-bit floats in f32 and round each layer: two units in the last place. The rest is the order of sums, of up
# to some thousand products, and polynomials of functions; relative to the element, and to the largest one where sums cancel.
TOLERANCES = {"float16": 2.0**-9, "float32": 2e-5, "float64": 1e-9}
# How the inputs of an ill-conditioned model move, in units in the last place, and how much farther than ONNX Runtime's result the
# one of the C may move: so many times as far, and by at most this part of the largest element.
MOVES = (2, 2, 2, 2, 16, 16, 16, 16)
REACH, MOST = 4, 0.01


def largest(array: np.ndarray) -> float:
    return np.abs(array[np.isfinite(array)]).max(initial=0)


def differs(expected: np.ndarray, found: np.ndarray, slack=0.0) -> np.ndarray:
    """Returns which elements of arrays of one type differ. `slack` is a further tolerance for each element."""
    if expected.dtype.kind != "f":
        return expected != found
    with np.errstate(all="ignore"):
        a, b = found.astype(np.float64), expected.astype(np.float64)
        limit = TOLERANCES[expected.dtype.name] * (np.abs(b) + largest(b)) + slack
        return ~((a == b) | (np.isnan(a) & np.isnan(b)) | (np.abs(a - b) <= limit))


def find_difference(expected: np.ndarray, found: np.ndarray) -> str:
    """Returns a description of the first difference, or ""."""
    if expected.shape != found.shape or expected.dtype != found.dtype:
        return f"is {found.dtype.name}{list(found.shape)}, expected {expected.dtype.name}{list(expected.shape)}"
    wrong = differs(expected, found)
    if not wrong.any():
        return ""
    at = tuple(int(index) for index in np.argwhere(wrong)[0])
    return f"differs in {int(wrong.sum())} of {wrong.size} elements; {list(at)} is {found[at]}, expected {expected[at]}"


def perturbed(inputs: "dict[str, np.ndarray]", seed: int) -> "dict[str, np.ndarray]":
    """Returns the inputs with floats changed by MOVES[seed] units in the last place, float16 by one, which is a thousandth."""
    numbers = np.random.default_rng(seed)
    result = {}
    for name, array in inputs.items():
        if array.dtype.kind == "f":
            units = 1 if array.dtype == np.float16 else MOVES[seed]
            array = np.where(np.isfinite(array), array * (1 + units * numbers.choice([-1, 1], array.shape) * np.finfo(array.dtype).eps), array)
            array = array.astype(inputs[name].dtype)
        result[name] = array
    return result


def is_near(expected: np.ndarray, found: np.ndarray, moved: "list[np.ndarray]") -> bool:
    """Returns whether each element of `found` is the one of `expected` or of a result in `moved`, which ONNX Runtime has for inputs
    that move by MOVES, or moves by little more than those (see REACH)."""
    if any(expected.shape != other.shape or expected.dtype != other.dtype for other in (found, *moved)):
        return False
    wrong = differs(expected, found)
    for other in moved:
        wrong &= differs(other, found)
    if expected.dtype.kind == "f":
        with np.errstate(all="ignore"):
            distances = [np.abs(other.astype(np.float64) - expected) for units, other in zip(MOVES, moved) if units == MOVES[0]]
        slack = np.minimum(REACH * np.nan_to_num(np.max(distances, axis=0), nan=0, posinf=0), MOST * largest(expected))
        wrong &= differs(expected, found, slack)
    return not wrong.any()


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
        # Results that no rounding changes.
        self.exact = {tensor.name for tensor in model.results if tensor.exact}
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
