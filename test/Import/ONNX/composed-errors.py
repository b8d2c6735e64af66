"""Operators that the importer composes, with operands and attributes that do not fit: each gives one message."""
# RUN: rm -rf %t && mkdir %t
# RUN: env PYTHONPATH=%S/Inputs %python -B %s %t | FileCheck %s

import subprocess
import sys

from model import make_model, np, save

count = 0


def refuse(graph: str, **weights) -> None:
    global count
    count += 1
    model = make_model(f'<ir_version: 8, opset_import: ["": 27, "ai.onnx.preview": 1]> g {graph}', **weights)
    save(f"{count:02}", model)
    command = ["uma-translate", "--import-onnx", f"{sys.argv[1]}/{count:02}.onnx"]
    done = subprocess.run(command, capture_output=True, text=True)
    lines = done.stderr.splitlines()
    if done.returncode != 1 or len(lines) != 1:
        sys.exit(f"{count}: status {done.returncode}: {done.stderr}")
    print(lines[0].replace(sys.argv[1] + "/", ""))


# CHECK: 01.onnx: error: node 'CumProd_0' (CumProd): axis 2 is out of range; expected -2 to 1
refuse("(float[2,3] x) => (float[] y) { y = CumProd(x, axis) }", axis=np.int64(2).reshape(()))
# CHECK-NEXT: 02.onnx: error: node 'TensorScatter_0' (TensorScatter): has an update of the shape 2x4x5 for a cache of the shape 2x3x5 along axis 1, which does not fit
refuse("(float[2,3,5] c, float[2,4,5] u) => (float[] y) { y = TensorScatter(c, u) }")
# CHECK-NEXT: 03.onnx: error: node 'TensorScatter_0' (TensorScatter): input 'write_indices' has the shape 3; expected 2
refuse("(float[2,3,5] c, float[2,1,5] u, int64[3] i) => (float[] y) { y = TensorScatter(c, u, i) }")
# CHECK-NEXT: 04.onnx: error: node 'TensorScatter_0' (TensorScatter): attribute 'mode' is 'ring'; expected 'linear' or 'circular'
refuse('(float[2,3,5] c, float[2,1,5] u) => (float[] y) { y = TensorScatter<mode="ring">(c, u) }')
# CHECK-NEXT: 05.onnx: error: node 'GridSample_0' (GridSample): attribute 'mode' is 'cubic'; expected linear or nearest for volumes
refuse('(float[1,2,3,3,3] x, float[1,2,2,2,3] g) => (float[] y) { y = GridSample<mode="cubic">(x, g) }')
# CHECK-NEXT: 06.onnx: error: node 'GridSample_0' (GridSample): input 'grid' has the shape 2x2x2x2x3; expected 1xDxHxWx3
refuse("(float[1,2,3,3,3] x, float[2,2,2,2,3] g) => (float[] y) { y = GridSample(x, g) }")
# CHECK-NEXT: 07.onnx: error: node 'AffineGrid_0' (AffineGrid): input 'theta' has the shape 1x2x3; expected 1x3x4
refuse("(float[1,2,3] t) => (float[] y) { y = AffineGrid(t, size) }", size=np.int64([1, 1, 2, 2, 2]))
# CHECK-NEXT: 08.onnx: error: node 'LinearAttention_0' (LinearAttention): has the update rule 'gated', which needs 'decay' and no 'beta'
linear = "(float[1,2,4] q, float[1,2,4] k) => (float[] y, float[] s) { y, s = LinearAttention<kv_num_heads=1, q_num_heads="
refuse(linear + '1, update_rule="gated">(q, k, k) }')
# CHECK-NEXT: 09.onnx: error: node 'LinearAttention_0' (LinearAttention): has 3 and 1 heads for queries of 4 and values of 4 elements; expected divisors of each other and of the sizes
refuse(linear + '3, update_rule="linear">(q, k, k) }')
# CHECK-NEXT: 10.onnx: error: node 'LinearAttention_0' (LinearAttention): input 'key' has the shape 1x2x4; expected 1x2x2
refuse(linear + '2, update_rule="linear">(q, k, k) }')
# CHECK-NEXT: 11.onnx: error: node 'CausalConvWithState_0' (CausalConvWithState): attribute 'activation' is 'relu'; expected none, silu or swish
convolution = "(float[1,2,4] x, float[2,1,3] w, float[1,2,3] p) => (float[] y) { y = CausalConvWithState"
refuse(convolution + '<activation="relu">(x, w) }')
# CHECK-NEXT: 12.onnx: error: node 'CausalConvWithState_0' (CausalConvWithState): input 'past_state' has the shape 1x2x3; expected 1x2x2
refuse(convolution + "(x, w, _, p) }")
# CHECK-NEXT: 13.onnx: error: node 'FlexAttention_0' (ai.onnx.preview.FlexAttention): attribute 'prob_mod' is a graph with another result; expected one of the shape 1x1x2x2 and its elements
flex = "(float[1,1,2,3] q) => (float[] y) { y = ai.onnx.preview.FlexAttention"
refuse(flex + "<prob_mod = g (float[1,1,2,2] p) => (float[1] r) { r = Shape(p) }>(q, q, q) }")
# CHECK-NEXT: 14.onnx: error: node 'FlexAttention_0' (ai.onnx.preview.FlexAttention): attribute 'softmax_precision' is float16; supported are float and double
refuse(flex + "<softmax_precision=10>(q, q, q) }")
# CHECK-NEXT: 15.onnx: error: node 'NonMaxSuppression_0' (NonMaxSuppression): input 'boxes' is 'b', an input of the model; only constants are supported, since the shape of the result depends on it: end the model before this layer (--const makes an input one)
refuse("(float[1,2,4] b, float[1,1,2] s) => (int64[] y) { y = NonMaxSuppression(b, s) }")
# CHECK-NEXT: 16.onnx: error: node 'NonMaxSuppression_0' (NonMaxSuppression): has boxes of the shape 1x2x4 and scores of the shape 1x1x3; expected BxNx4 and BxCxN floats
scored = {"b": np.zeros((1, 2, 4), np.float32), "s": np.zeros((1, 1, 3), np.float32)}
refuse("(float[1] x) => (int64[] y) { y = NonMaxSuppression(b, s) }", **scored)
# CHECK-NEXT: 17.onnx: error: node 'BitCast_0' (BitCast): casts elements of 4 bytes to ones of 2; expected the same size
refuse("(float[2] x) => (float16[] y) { y = BitCast<to=10>(x) }")
