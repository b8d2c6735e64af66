"""Slices, repetitions and rearrangements."""
# RUN: env PYTHONPATH=%S/Inputs %python -B %s %t
# RUN: uma-translate --import-onnx %t/slice.onnx | FileCheck %s --check-prefix=SLICE
# RUN: uma-translate --import-onnx %t/slice1.onnx | FileCheck %s --check-prefix=SLICE1
# RUN: uma-translate --import-onnx %t/split.onnx | FileCheck %s --check-prefix=SPLIT
# RUN: uma-translate --import-onnx %t/expand.onnx | FileCheck %s --check-prefix=EXPAND
# RUN: uma-translate --import-onnx %t/tile.onnx | FileCheck %s --check-prefix=TILE
# RUN: uma-translate --import-onnx %t/depth.onnx | FileCheck %s --check-prefix=DEPTH
# RUN: uma-translate --import-onnx %t/crop.onnx | FileCheck %s --check-prefix=CROP
# RUN: uma-translate --import-onnx %t/pad.onnx | FileCheck %s --check-prefix=PAD
# RUN: uma-translate --import-onnx %t/triangle.onnx | FileCheck %s --check-prefix=TRIANGLE
# RUN: not uma-translate --import-onnx %t/step.onnx 2>&1 | FileCheck %s --check-prefix=STEP
# RUN: not uma-translate --import-onnx %t/twice.onnx 2>&1 | FileCheck %s --check-prefix=TWICE
# RUN: not uma-translate --import-onnx %t/equal.onnx 2>&1 | FileCheck %s --check-prefix=EQUAL
# RUN: not uma-translate --import-onnx %t/sizes.onnx 2>&1 | FileCheck %s --check-prefix=SIZES
# RUN: not uma-translate --import-onnx %t/broadcast.onnx 2>&1 | FileCheck %s --check-prefix=BROADCAST
# RUN: not uma-translate --import-onnx %t/repeats.onnx 2>&1 | FileCheck %s --check-prefix=REPEATS
# RUN: not uma-translate --import-onnx %t/block.onnx 2>&1 | FileCheck %s --check-prefix=BLOCK
# RUN: not uma-translate --import-onnx %t/mode.onnx 2>&1 | FileCheck %s --check-prefix=MODE

import numpy as np
from model import write


def ints(*values: int) -> np.ndarray:
    return np.array(values)


big = 2**63 - 1
# Positions count from the end and are clamped; a step may go backwards.
# SLICE: strided_slice %{{.*}} [1, 7] size [2, 4] strides [1, -2] : (tensor<3x8xf32>) -> tensor<2x4xf32>
write(
    "slice",
    "(float[3,8] x) => (float[] y) { y = Slice(x, s, e, a, t) }",
    s=ints(-2, big),
    e=ints(big, -big),
    a=ints(0, -1),
    t=ints(1, -2),
)
# SLICE1: strided_slice %{{.*}} [0, 2] size [3, 5] strides [1, 1] :
write("slice1", "(float[3,8] x) => (float[] y) { y = Slice<starts=[2], ends=[-1], axes=[1]>(x) }", opset=9)
# An output without a name is not computed.
# SPLIT-NOT: [0, 0] size
# SPLIT: strided_slice %{{.*}} [0, 2] size [3, 5] strides [1, 1] :
# SPLIT-NEXT: strided_slice %{{.*}} [0, 7] size [3, 1] strides [1, 1] :
write("split", '(float[3,8] x) => (float[] b, float[] c) { a, b, c = Split<axis=1>(x, s) }', s=ints(2, 5, 1))
# EXPAND: broadcast_to %{{.*}} [2, 3, 8] : (tensor<3x1xf32>) -> tensor<2x3x8xf32>
write("expand", "(float[3,1] x) => (float[] y) { y = Expand(x, s) }", s=ints(2, 1, 8))
# TILE: %[[A:.*]] = uma.graph.reshape %{{.*}} [3, 1, 2] :
# TILE-NEXT: %[[B:.*]] = uma.graph.broadcast_to %[[A]] [3, 4, 2] :
# TILE-NEXT: uma.graph.reshape %[[B]] [3, 8] :
write("tile", "(float[3,2] x) => (float[] y) { y = Tile(x, r) }", r=ints(1, 4))
# DEPTH: reshape %{{.*}} [1, 2, 2, 2, 4, 6] :
# DEPTH-NEXT: transpose %{{.*}} [0, 3, 4, 1, 5, 2] :
# DEPTH-NEXT: reshape %{{.*}} [1, 2, 8, 12] :
# DEPTH-NEXT: reshape %{{.*}} [1, 2, 4, 2, 6, 2] :
# DEPTH-NEXT: transpose %{{.*}} [0, 3, 5, 1, 2, 4] :
# DEPTH-NEXT: reshape %{{.*}} [1, 8, 4, 6] :
write(
    "depth",
    """(float[1,8,4,6] x) => (float[] z) {
      y = DepthToSpace<blocksize=2>(x) z = SpaceToDepth<blocksize=2>(y) }""",
)
# CROP: strided_slice %{{.*}} [0, 2] size [3, 3] strides [1, 1] :
# CROP-NEXT: pad %{{.*}} before [1, 0] after [1, 0] :
write("crop", "(float[3,8] x) => (float[] y) { y = CenterCropPad(x, s) }", opset=18, s=ints(5, 3))
# PAD: strided_slice %{{.*}} [1, 0] size [2, 8] strides [1, 1] :
# PAD-NEXT: pad %{{.*}} before [0, 2] after [0, 0] mode "reflect" :
write("pad", '(float[3,8] x) => (float[] y) { y = Pad<mode="reflect">(x, p) }', p=ints(-1, 2, 0, 0))
# TRIANGLE: trilu %{{.*}} k -1 upper false :
# TRIANGLE-NEXT: reverse_sequence %{{.*}}, %{{.*}} seq_axis 1 batch_axis 0 :
write(
    "triangle",
    """(float[3,8] x, int64[3] n) => (float[] z) {
      y = Trilu<upper=0>(x, k) z = ReverseSequence<time_axis=1, batch_axis=0>(y, n) }""",
    opset=14,
    k=np.array(-1),
)

# STEP: error: node 'Slice_0' (Slice): has a step of 0
write("step", "(float[3] x) => (float[] y) { y = Slice(x, s, e, s, s) }", s=ints(0), e=ints(1))
# TWICE: error: node 'Slice_0' (Slice): axis -2 is given twice
write("twice", "(float[3,2] x) => (float[] y) { y = Slice(x, s, s, a) }", s=ints(0, 0), a=ints(0, -2))
# EQUAL: error: node 'Split_0' (Split): splits a dimension of size 3 into 2 parts, which cannot be equal
write("equal", "(float[3] x) => (float[] y, float[] z) { y, z = Split(x) }")
# SIZES: error: node 'Split_0' (Split): splits a dimension of size 3 into 2 outputs of the sizes 1x1, which do not fit
write("sizes", "(float[3] x) => (float[] y, float[] z) { y, z = Split(x, s) }", s=ints(1, 1))
# BROADCAST: error: node 'Expand_0' (Expand): data has shape 3, which does not broadcast to 4
write("broadcast", "(float[3] x) => (float[] y) { y = Expand(x, s) }", s=ints(4))
# REPEATS: error: node 'Tile_0' (Tile): has 2 repeats; expected 1, one for each dimension of the data
write("repeats", "(float[3] x) => (float[] y) { y = Tile(x, s) }", s=ints(4, 4))
# BLOCK: error: node 'DepthToSpace_0' (DepthToSpace): the data have 6 channels, no multiple of the square of the block size 2
write("block", "(float[1,6,2,2] x) => (float[] y) { y = DepthToSpace<blocksize=2>(x) }")
# MODE: error: node 'Pad_0' (Pad): attribute 'mode' is 'mirror'; expected 'constant', 'edge', 'reflect' or 'wrap'
write("mode", '(float[3] x) => (float[] y) { y = Pad<mode="mirror">(x, p) }', p=ints(1, 1))
