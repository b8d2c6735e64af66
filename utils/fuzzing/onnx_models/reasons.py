"""What differs from ONNX Runtime on purpose, and what is not generated, each with a reason."""

import numpy as np
from onnx import TensorProto

from .verdict import find_difference

# Operators with a rule, but without a generator.
NOT_GENERATED = {
    "CausalConvWithState": "of operator set 27, which ONNX Runtime 1.30 does not know",
    "LinearAttention": "of operator set 27, which ONNX Runtime 1.30 does not know",
    "NonMaxSuppression": "takes constants only, since the shape of its result depends on them; onnx-node-tests compare it",
    "ai.onnx.preview.FlexAttention": "of a domain that ONNX Runtime 1.30 does not know",
}

# Attributes that rules read, but no model has.
ATTRIBUTES_NOT_GENERATED = {
    "activation": "of CausalConvWithState",
    "center_point_box": "of NonMaxSuppression",
    "chunk_size": "of LinearAttention",
    "left_window_size": "of operator set 27, which ONNX Runtime 1.30 does not know",
    "right_window_size": "of operator set 27, which ONNX Runtime 1.30 does not know",
    "round_mode": "for float8e8m0, which ONNX Runtime 1.30 does not cast",
    "update_rule": "of LinearAttention",
}



def are_close(case, tolerance: float) -> bool:
    """Returns whether all results differ by at most `tolerance`, relative to the largest element."""
    return all(case.expected[name].shape == case.found[name].shape
               and np.allclose(case.found[name], case.expected[name], rtol=0, atol=tolerance * np.abs(case.expected[name]).max(initial=0), equal_nan=True)
               for name in case.found)


def only_nan(case) -> bool:
    """Returns whether results only differ where the operand is NaN."""
    known = ~np.isnan(case.data)
    return all(np.array_equal(case.expected[name][known], case.found[name][known]) for name in case.found)


def only_masked(case) -> bool:
    """Returns whether results only differ where a mask excludes a key."""
    for name, expected in case.expected.items():
        found = case.found[name]
        masked = np.isneginf(found) & (expected <= np.finfo(expected.dtype).min / 2)
        if find_difference(expected[~masked], found[~masked]):
            return False
    return True


def pads_same(case) -> bool:
    return case.attributes.get("auto_pad", b"") in (b"SAME_UPPER", b"SAME_LOWER")


def resized_axes(case):
    """Returns (size, size of the result, scale or None, begin and end of the region) of each axis of Resize."""
    rank = case.data.ndim
    axes = list(case.attributes.get("axes", range(rank)))
    lists = [case.operand(index) for index in (1, 2)]
    roi, scales = (None if values is None or not values.size else values.astype(float) for values in lists)
    result = next(iter(case.found.values())).shape
    is_crop = case.attributes.get("coordinate_transformation_mode") == b"tf_crop_and_resize"
    for at, axis in enumerate(axes):
        region = (roi[at], roi[at + len(axes)]) if is_crop else (0, 1)
        yield case.data.shape[axis], result[axis], None if scales is None else scales[at], *region


def is_fraction(size: int, scale) -> bool:
    return scale is not None and abs(scale * size - round(scale * size)) > 1e-6


def is_log_of_double(case) -> bool:
    """Returns whether the result is that of ONNX's function ReduceLogSumExp on integers."""
    if case.data.dtype.kind not in "iu":
        return False
    axes = case.attributes.get("axes") if case.opset < 18 else case.operand(1)
    axes = () if axes is None else tuple(int(axis) for axis in axes)
    sums = np.exp(case.data.astype(np.float64)).sum(axis=axes or None, keepdims=bool(case.attributes.get("keepdims", 1)))
    return all(np.array_equal(np.trunc(np.log(sums)), array) for array in case.found.values())


def row_size(case) -> int:
    """Returns the number of elements that a softmax sums."""
    shape = case.data.shape
    axis = case.attributes.get("axis", -1)
    return shape[axis] if case.attributes["opset"] >= 13 else int(np.prod(shape[axis:]))


# (operator, condition on the case, reason). A case is one node; it has `node`, `attributes`, `opset`, `data` (the first operand), `operand(index)`,
# `expected` and `found`.
DIFFERENCES = [
    *[(name, lambda case: case.attributes.get("output_datatype") == TensorProto.DOUBLE and are_close(case, 1e-6),
       "ONNX Runtime computes windows of float64 in f32") for name in ("BlackmanWindow", "HammingWindow", "HannWindow")],
    ("AffineGrid", lambda case: case.attributes.get("align_corners") and min(case.operand(1)[2:]) == 1,
     "the standard divides by 0 if the only element of a dimension is at both corners"),
    ("Attention", lambda case: case.attributes.get("is_causal") and case.operand(4) is not None and case.data.shape[-2] != case.operand(1).shape[-2],
     "behind past keys, the standard's first query is at the first new key; ONNX Runtime's last query is at the last key"),
    ("Attention", only_masked, "where the mask excludes a key, the standard's product is -infinity, ONNX Runtime's the lowest float"),
    *[(name, lambda case: case.data.dtype == "float64" and are_close(case, 1e-6), "ONNX Runtime's angles are f32, also for float64")
      for name in ("DFT", "STFT")],
    ("Col2Im", lambda case: case.operand(1).size == 1 and not any(expected[expected != case.found[name]].any() for name, expected in case.expected.items()),
     "ONNX Runtime computes only the first channel of images of one dimension; the others are 0"),
    ("DynamicQuantizeLinear", lambda case: not case.data.any() and all(
        np.array_equal(case.expected[name], found) for name, found in case.found.items() if name != case.node.output[1]),
     "the standard's scale of zeros is 0, ONNX Runtime's is 1"),
    ("Dropout", lambda case: case.opset < 12 and all(
        np.array_equal(case.found[name], case.expected[name]) for name in case.found if name == case.node.output[0]),
     "before operator set 12, the standard has no mask for inference"),
    ("Sign", only_nan, "the standard has no sign of NaN; ONNX Runtime's is 0"),
    ("Shrink", lambda case: case.data.dtype == "float64" and are_close(case, 1e-6) and all(
        np.array_equal(array, array.astype(np.float32), equal_nan=True) for array in case.expected.values()),
     "ONNX Runtime computes float64 in f32"),
    ("GroupNormalization", lambda case: case.data.dtype == "float64" and case.attributes.get("stash_type", 1) == 1 and are_close(case, 1e-6),
     "the default of 'stash_type' allows f32 for means and variances of float64"),
    ("ReduceLogSumExp", is_log_of_double, "ONNX Runtime adds exponentials of integers as integers; ONNX's function casts them to double"),
    ("Gelu", lambda case: case.data.dtype == "float64" and case.attributes.get("approximate") == b"tanh" and are_close(case, 1e-7),
     "ONNX Runtime's two factors in front of the polynomial are float32, also for float64"),
    ("Shrink", lambda case: case.data.dtype.kind in "iu" and np.abs(case.data.astype(float)).max() > 2**24 and are_close(case, 2**-22),
     "ONNX Runtime computes with integers in f32"),
    ("HardSwish", lambda case: case.data.dtype == "float64" and are_close(case, 1e-7), "ONNX Runtime's factor 1/6 is a float32, also for float64"),
    *[(name, lambda case: pads_same(case) and max(case.attributes.get("dilations", [1])) > 1,
       "ONNX Runtime's pools with 'auto_pad' ignore dilations; by the standard, the result has ceil(size / stride) elements")
      for name in ("AveragePool", "LpPool", "MaxPool")],
    ("ConvTranspose", lambda case: pads_same(case) and any(case.expected[name].shape != case.found[name].shape for name in case.found),
     "ONNX Runtime's result is smaller with 'auto_pad' if the kernel is smaller than the stride; by the standard, it has size * stride elements"),
    ("Resize", lambda case: case.attributes.get("coordinate_transformation_mode") in (b"align_corners", b"half_pixel_symmetric")
     and any(is_fraction(size, scale) for size, _, scale, _, _ in resized_axes(case)),
     "ONNX Runtime rounds the length of the result down before it computes positions; ONNX's tests do not"),
    ("Resize", lambda case: case.data.shape == next(iter(case.found.values())).shape and any(is_fraction(axis[0], axis[2]) for axis in resized_axes(case)),
     "ONNX Runtime copies the data if the result has their shape, whatever the scales"),
    ("Resize", lambda case: case.attributes.get("antialias") and any(size == to and is_fraction(size, scale) for size, to, scale, _, _ in resized_axes(case)),
     "with 'antialias', ONNX Runtime copies dimensions that keep their size, whatever the scale"),
    ("Resize", lambda case: any(size == to and (begin, end) != (0, 1) for size, to, _, begin, end in resized_axes(case)),
     "ONNX Runtime does not crop dimensions that keep their size"),
    ("com.microsoft.QLinearSoftmax", lambda case: 1 / case.operand(3) > 148 * row_size(case),
     "ONNX Runtime's products exceed f32 if there are more than 148 steps of the result for each element of a row"),
]
