"""Normalisations of training, and wrong ones."""
# RUN: env PYTHONPATH=%S/Inputs %python -B %s %t
# RUN: not uma-translate --import-onnx %t/outputs.onnx 2>&1 | FileCheck %s --check-prefix=OUTPUTS
# RUN: not uma-translate --import-onnx %t/spatial.onnx 2>&1 | FileCheck %s --check-prefix=SPATIAL
# RUN: not uma-translate --import-onnx %t/scale.onnx 2>&1 | FileCheck %s --check-prefix=SCALE
# RUN: not uma-translate --import-onnx %t/axis.onnx 2>&1 | FileCheck %s --check-prefix=AXIS
# RUN: not uma-translate --import-onnx %t/old-axis.onnx 2>&1 | FileCheck %s --check-prefix=OLDAXIS
# RUN: not uma-translate --import-onnx %t/scalar.onnx 2>&1 | FileCheck %s --check-prefix=SCALAR
# RUN: not uma-translate --import-onnx %t/reference.onnx 2>&1 | FileCheck %s --check-prefix=REFERENCE
# RUN: not uma-translate --import-onnx %t/dropout.onnx 2>&1 | FileCheck %s --check-prefix=DROPOUT
# RUN: not uma-translate --import-onnx %t/norm.onnx 2>&1 | FileCheck %s --check-prefix=NORM
# RUN: not uma-translate --import-onnx %t/layer.onnx 2>&1 | FileCheck %s --check-prefix=LAYER
# RUN: not uma-translate --import-onnx %t/stash.onnx 2>&1 | FileCheck %s --check-prefix=STASH
# RUN: not uma-translate --import-onnx %t/instance.onnx 2>&1 | FileCheck %s --check-prefix=INSTANCE
# RUN: not uma-translate --import-onnx %t/size.onnx 2>&1 | FileCheck %s --check-prefix=SIZE

from model import make, np, save, write, zeros


def norm(name: str, attributes: str, opset: int, outputs: str = "y", size: int = 2) -> None:
    write(
        name,
        f"(float[1,2,3,4] x) => (float[] y) {{ {outputs} = BatchNormalization{attributes}(x, s, s, s, s) }}",
        opset=opset,
        s=zeros(size),
    )


# OUTPUTS: error: node 'BatchNormalization_0' (BatchNormalization): training is not supported
norm("outputs", "", 9, outputs="y, m, v, sm, sv")
# SPATIAL: error: node 'BatchNormalization_0' (BatchNormalization): attribute 'spatial' is not 1
norm("spatial", "<spatial=0>", 7)
# SCALE: error: node 'BatchNormalization_0' (BatchNormalization): gamma has shape 3, expected 2
norm("scale", "", 13, size=3)
# AXIS: error: node 'Softmax_0' (Softmax): axis is 4, expected -2 to 1
write("axis", "(float[2,3] x) => (float[] y) { y = Softmax<axis=4>(x) }")
# OLDAXIS: error: node 'Softmax_0' (Softmax): axis -3 is out of range; expected -2 to 1
write("old-axis", "(float[2,3] x) => (float[] y) { y = Softmax<axis=-3>(x) }", opset=11)
# SCALAR: error: node 'Softmax_0' (Softmax): the data are a scalar, which has no axis 1
write("scalar", "(float x) => (float y) { y = Softmax(x) }", opset=11)
# REFERENCE: error: node 'Softmax_0' (Softmax): attribute 'axis' refers to the attribute 'a' of a function, but the node is in none
reference = make("(float[2,3] x) => (float[] y) { y = Softmax<axis=1>(x) }")
reference.graph.node[0].attribute[0].ref_attr_name = "a"
save("reference", reference)
# DROPOUT: error: node 'Dropout_0' (Dropout): training is not supported
write(
    "dropout",
    "(float[2,3] x) => (float[] y) { y = Dropout(x, , t) }",
    t=np.bool_(True).reshape(()),
)
# NORM: error: node 'LpNormalization_0' (LpNormalization): attribute 'p' is 3; expected 1 or 2
write("norm", "(float[2,3] x) => (float[] y) { y = LpNormalization<p=3>(x) }")
# LAYER: error: node 'LayerNormalization_0' (LayerNormalization): {{.*}}which do not broadcast
write("layer", "(float[2,3] x) => (float[] y) { y = LayerNormalization(x, s) }", opset=17, s=zeros(2))
# STASH: error: node 'LayerNormalization_0' (LayerNormalization): attribute 'stash_type' is 10; only 1 (float) is supported
write("stash", "(float[2,3] x) => (float[] y) { y = LayerNormalization<stash_type=10>(x, s) }", opset=17, s=zeros(3))
# INSTANCE: error: node 'InstanceNormalization_0' (InstanceNormalization): gamma has shape 2, expected 3
write("instance", "(float[2,3,4] x) => (float[] y) { y = InstanceNormalization(x, s, s) }", s=zeros(2))
# SIZE: error: node 'LRN_0' (LRN): needs the attribute 'size'
write("size", "(float[2,3,4] x) => (float[] y) { y = LRN(x) }")
