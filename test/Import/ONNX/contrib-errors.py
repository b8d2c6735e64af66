"""Forms of ONNX Runtime's operators that are refused, each with one message."""
# RUN: env PYTHONPATH=%S/Inputs %python -B %s %t
# RUN: not uma-translate --import-onnx %t/scale.onnx 2>&1 | FileCheck %s --check-prefix=SCALE --implicit-check-not=error:
# RUN: not uma-translate --import-onnx %t/nan.onnx 2>&1 | FileCheck %s --check-prefix=SCALE --implicit-check-not=error:
# RUN: not uma-translate --import-onnx %t/zero.onnx 2>&1 | FileCheck %s --check-prefix=SCALE --implicit-check-not=error:
# RUN: not uma-translate --import-onnx %t/dynamic.onnx 2>&1 | FileCheck %s --check-prefix=SCALE --implicit-check-not=error:
# RUN: not uma-translate --import-onnx %t/vector.onnx 2>&1 | FileCheck %s --check-prefix=SCALE --implicit-check-not=error:
# RUN: not uma-translate --import-onnx %t/float.onnx 2>&1 | FileCheck %s --check-prefix=FLOAT --implicit-check-not=error:
# RUN: not uma-translate --import-onnx %t/shapes.onnx 2>&1 | FileCheck %s --check-prefix=SHAPES --implicit-check-not=error:
# RUN: not uma-translate --import-onnx %t/gemm.onnx 2>&1 | FileCheck %s --check-prefix=GEMM --implicit-check-not=error:
# RUN: not uma-translate --import-onnx %t/b.onnx 2>&1 | FileCheck %s --check-prefix=B --implicit-check-not=error:
# RUN: not uma-translate --import-onnx %t/bias.onnx 2>&1 | FileCheck %s --check-prefix=BIAS --implicit-check-not=error:
# RUN: not uma-translate --import-onnx %t/concat.onnx 2>&1 | FileCheck %s --check-prefix=CONCAT --implicit-check-not=error:
# RUN: not uma-translate --import-onnx %t/axis.onnx 2>&1 | FileCheck %s --check-prefix=AXIS --implicit-check-not=error:
# RUN: not uma-translate --import-onnx %t/pool.onnx 2>&1 | FileCheck %s --check-prefix=POOL --implicit-check-not=error:
# RUN: not uma-translate --import-onnx %t/where.onnx 2>&1 | FileCheck %s --check-prefix=WHERE --implicit-check-not=error:
# RUN: not uma-translate --import-onnx %t/last.onnx 2>&1 | FileCheck %s --check-prefix=LAST --implicit-check-not=error:
# RUN: not uma-translate --import-onnx %t/softmax.onnx 2>&1 | FileCheck %s --check-prefix=SOFTMAX --implicit-check-not=error:
# RUN: not uma-translate --import-onnx %t/matmul.onnx 2>&1 | FileCheck %s --check-prefix=MATMUL --implicit-check-not=error:
# RUN: not uma-translate --import-onnx %t/nbits.onnx 2>&1 | FileCheck %s --check-prefix=NBITS --implicit-check-not=error:
# RUN: not uma-translate --import-onnx %t/blocks.onnx 2>&1 | FileCheck %s --check-prefix=BLOCKS --implicit-check-not=error:
# RUN: not uma-translate --import-onnx %t/operator.onnx 2>&1 | FileCheck %s --check-prefix=OPERATOR --implicit-check-not=error:
# RUN: not uma-translate --import-onnx %t/attribute.onnx 2>&1 | FileCheck %s --check-prefix=ATTRIBUTE --implicit-check-not=error:

from model import np, write, zeros

SCALARS = {"s": np.float32(0.5).reshape(()), "z": np.uint8(3).reshape(())}


def model(name: str, graph: str, **weights) -> None:
    write(name, graph, domains=("com.microsoft",), **{**SCALARS, **weights})


SIGMOID = "(uint8[2] x) => (uint8[] y) { y = com.microsoft.QLinearSigmoid(x, s, z, q, z) }"
# SCALE: error: node 'QLinearSigmoid_0' (com.microsoft.QLinearSigmoid): has a scale that is not one positive constant of type float, or a zero point that is not one constant of the integers' type
for name, scale in ("scale", 0), ("nan", np.nan), ("zero", -1):
    model(name, SIGMOID, q=np.float32(scale).reshape(()))
model("dynamic", SIGMOID.replace("x) =>", "x, float q) =>"))
model("vector", SIGMOID, q=np.float32([0.5, 0.25]))
# FLOAT: error: node 'QLinearAdd_0' (com.microsoft.QLinearAdd): input 1 does not hold 8-bit integers
model("float", "(float[2] x) => (float[] y) { y = com.microsoft.QLinearAdd(x, s, z, x, s, z, s, z) }")
# SHAPES: error: node 'QLinearAdd_0' (com.microsoft.QLinearAdd): the shapes 2 and 3 do not broadcast
model("shapes", "(uint8[2] x, uint8[3] u) => (uint8[] y) { y = com.microsoft.QLinearAdd(x, s, z, u, s, z, s, z) }")
# GEMM: error: node 'QGemm_0' (com.microsoft.QGemm): input 'C' does not hold int32
model("gemm", "(uint8[2,2] x, float[2] c) => (float[] y) { y = com.microsoft.QGemm(x, s, z, w, s, z, c) }", w=zeros(2, 2, dtype="uint8"))
# B: error: node 'QGemm_0' (com.microsoft.QGemm): input 'B' has the shape 1x2x2; expected 2 dimensions
model("b", "(uint8[2,2] x, uint8[1,2,2] b) => (float[] y) { y = com.microsoft.QGemm(x, s, z, b, s, z) }")
# BIAS: error: node 'QGemm_0' (com.microsoft.QGemm): input 'C' has the shape 3; expected 2
model("bias", "(uint8[2,2] x) => (float[] y) { y = com.microsoft.QGemm(x, s, z, w, s, z, b) }", w=zeros(2, 2, dtype="uint8"),
      b=zeros(3, dtype="int32"))
# CONCAT: error: node 'QLinearConcat_0' (com.microsoft.QLinearConcat): has 4 inputs; expected a scale and a zero point, and three inputs for each tensor
model("concat", "(uint8[2] x) => (uint8[] y) { y = com.microsoft.QLinearConcat<axis=0>(s, z, x, s) }")
# AXIS: error: node 'QLinearConcat_0' (com.microsoft.QLinearConcat): {{.*}}axis
model("axis", "(uint8[2] x) => (uint8[] y) { y = com.microsoft.QLinearConcat<axis=4>(s, z, x, s, z) }")
# POOL: error: node 'QLinearGlobalAveragePool_0' (com.microsoft.QLinearGlobalAveragePool): input 'X' has 2 dimensions; expected 3 or more
model("pool", "(uint8[2,2] x) => (uint8[] y) { y = com.microsoft.QLinearGlobalAveragePool(x, s, z, s, z) }")
# WHERE: error: node 'QLinearWhere_0' (com.microsoft.QLinearWhere): input 2 does not hold 8-bit integers
model("where", "(bool[2] c, float[2] x) => (float[] y) { y = com.microsoft.QLinearWhere(c, x, s, z, x, s, z, s, z) }")
# LAST: error: node 'QLinearAveragePool_0' (com.microsoft.QLinearAveragePool): has the channels last, which is not supported
model("last", "(uint8[1,3,3,1] x) => (uint8[] y) { y = com.microsoft.QLinearAveragePool<kernel_shape=[2,2], channels_last=1>(x, s, z, s, z) }")
# SOFTMAX: error: node 'QLinearSoftmax_0' (com.microsoft.QLinearSoftmax): {{.*}}opset
model("softmax", "(uint8[2] x) => (uint8[] y) { y = com.microsoft.QLinearSoftmax<axis=0>(x, s, z, s, z) }")
# MATMUL: error: node 'DynamicQuantizeMatMul_0' (com.microsoft.DynamicQuantizeMatMul): input 'A' has other elements than floats of 32 bits
model("matmul", "(uint8[2,2] x) => (float[] y) { y = com.microsoft.DynamicQuantizeMatMul(x, w, s) }", w=zeros(2, 2, dtype="int8"))
# NBITS: error: node 'MatMulNBits_0' (com.microsoft.MatMulNBits): has 3 bits, blocks of 16 and a matrix of 2x16; supported are 2, 4 and 8 bits and blocks of multiples of 8
NBITS = "(float[1,16] x) => (float[] y) { y = com.microsoft.MatMulNBits<K=16, N=2, bits=3, block_size=16>(x, b, c) }"
model("nbits", NBITS, b=zeros(2, 1, 8, dtype="uint8"), c=zeros(2))
# BLOCKS: error: node 'MatMulNBits_0' (com.microsoft.MatMulNBits): has data, integers, scales or zero points whose type or size does not fit 2x16 numbers in blocks of 16
model("blocks", NBITS.replace("bits=3", "bits=4"), b=zeros(2, 1, 9, dtype="uint8"), c=zeros(2))
# OPERATOR: error: {{.*}}1 operator is not supported: 'QLinearAdd' of the domain 'com.example' (node 'QLinearAdd_0')
write("operator", "(uint8[2] x) => (uint8[] y) { y = com.example.QLinearAdd(x, s, z, x, s, z, s, z) }", domains=("com.example",), **SCALARS)
# ATTRIBUTE: error: node 'QLinearSigmoid_0' (com.microsoft.QLinearSigmoid): has the attribute 'alpha', which this operator does not have
model("attribute", SIGMOID.replace("Sigmoid(", "Sigmoid<alpha=1.0>("), q=np.float32(0.5).reshape(()))
