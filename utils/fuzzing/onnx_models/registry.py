"""Registry of the generators, one for each operator of ONNX that the importer has a rule for."""

import functools

import onnx

# Operator sets from 18 on that changed an operator. Debian's onnx knows the older ones.
NEWER = {
    18: "BitwiseAnd BitwiseNot BitwiseOr BitwiseXor CenterCropPad Col2Im GroupNormalization LpPool Mish Pad ReduceL1 ReduceL2 ReduceLogSum "
    "ReduceLogSumExp ReduceMax ReduceMean ReduceMin ReduceProd ReduceSumSquare Resize ScatterElements ScatterND Split",
    19: "AveragePool Cast CastLike Constant DeformConv DequantizeLinear Equal Identity If Loop Pad QuantizeLinear Reshape Resize Scan Shape Size",
    20: "AffineGrid ConstantOfShape DFT Gelu GridSample IsInf IsNaN ReduceMax ReduceMin",
    21: "Cast CastLike Constant ConstantOfShape DequantizeLinear Flatten GroupNormalization Identity If Loop Pad QLinearMatMul QuantizeLinear "
    "Reshape Scan Shape Size Squeeze Transpose Unsqueeze",
    22: "Acos Acosh Asin Asinh Atan Atanh AveragePool Conv ConvTranspose Cos Cosh DeformConv Det Dropout Elu EyeLike GRU GlobalAveragePool "
    "GlobalLpPool GlobalMaxPool GridSample HardSigmoid HardSwish InstanceNormalization LSTM LpNormalization LpPool MaxPool MaxUnpool Mish "
    "NegativeLogLikelihoodLoss RNN RoiAlign Round Selu Sin Sinh Softplus Softsign Tan ThresholdedRelu",
    23: "Attention Cast CastLike Constant ConstantOfShape DequantizeLinear Flatten Identity If Loop Pad QuantizeLinear RMSNormalization Reshape "
    "RotaryEmbedding Scan Shape Size Squeeze Transpose Unsqueeze",
    24: "Attention Cast CastLike Constant ConstantOfShape DequantizeLinear Flatten Identity If Loop Pad QuantizeLinear Reshape Scan Shape Size "
    "Squeeze Swish TensorScatter TopK Transpose Unsqueeze",
    25: "Cast CastLike Constant ConstantOfShape DequantizeLinear Flatten Identity If Loop Pad QuantizeLinear Reshape Scan Shape "
    "Size Squeeze Transpose Unsqueeze",
    26: "BitCast CumProd",
}
# Last operator set of operators that ONNX removed.
REMOVED = {"Scatter": 10, "Upsample": 9}
# Newest operator set of ONNX Runtime 1.30.
NEWEST = 26

# Name of an operator, behind its domain and a dot if that is not ONNX's own: the function that adds it to a model.
GENERATORS = {}
# How often an operator is the first of a model, for those with many attributes.
SHARES = {}


def operator(*names: str, share: int = 1):
    """Registers a generator for operators. It is called with the model and, if there are several names, the operator."""

    def register(function):
        for name in names:
            GENERATORS[name] = function if len(names) == 1 else lambda model, name=name: function(model, name)
            SHARES[name] = share
        return function

    return register


@functools.cache
def find_versions(name: str) -> list[int]:
    """Returns the operator sets that changed an operator, ascending."""
    versions = {schema.since_version for schema in onnx.defs.get_all_schemas_with_history() if schema.name == name and not schema.domain}
    return sorted(versions | {version for version, names in NEWER.items() if name in names.split()})
