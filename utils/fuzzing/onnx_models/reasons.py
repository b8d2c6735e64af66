"""What differs from ONNX Runtime on purpose, and what is not generated, each with a reason."""

# Operators with a rule, but without a generator.
NOT_GENERATED = {}

# Attributes that rules read, but no model has.
ATTRIBUTES_NOT_GENERATED = {
    "left_window_size": "of operator set 27, which ONNX Runtime 1.30 does not know",
    "right_window_size": "of operator set 27, which ONNX Runtime 1.30 does not know",
    "round_mode": "for float8e8m0, which ONNX Runtime 1.30 does not cast",
}

# (operator, condition on the case, reason). A case has `node`, `attributes`, `opset`, `types` of the operands, `inputs`,
# `expected` and `found`.
DIFFERENCES = []
