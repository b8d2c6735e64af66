"""Pools that are wrong or not supported."""
# RUN: env PYTHONPATH=%S/Inputs %python -B %s %t
# RUN: not uma-translate --import-onnx %t/kernel.onnx 2>&1 | FileCheck %s --check-prefix=KERNEL
# RUN: not uma-translate --import-onnx %t/dilations.onnx 2>&1 | FileCheck %s --check-prefix=DILATIONS
# RUN: not uma-translate --import-onnx %t/flat.onnx 2>&1 | FileCheck %s --check-prefix=FLAT
# RUN: not uma-translate --import-onnx %t/norm.onnx 2>&1 | FileCheck %s --check-prefix=NORM
# RUN: not uma-translate --import-onnx %t/unpool.onnx 2>&1 | FileCheck %s --check-prefix=UNPOOL
# RUN: not uma-translate --import-onnx %t/large.onnx 2>&1 | FileCheck %s --check-prefix=LARGE

from model import np, write


def pool(name: str, op: str, x: str = "1,2,7,7", outputs: str = "y") -> None:
    write(name, f"(float[{x}] x) => (float[] y) {{ {outputs} = {op}(x) }}")


# KERNEL: error: node 'AveragePool_0' (AveragePool): needs the attribute 'kernel_shape' with 2 sizes of 1 or more
pool("kernel", "AveragePool")
# DILATIONS: error: node 'AveragePool_0' (AveragePool): has the attribute 'dilations', which this operator does not have in opset 13
pool("dilations", "AveragePool<kernel_shape=[2,2], dilations=[2,2]>")
# LARGE: error: node 'MaxPool_0' (MaxPool): {{.+}}
pool("large", "MaxPool<kernel_shape=[9,9]>")
# FLAT: error: node 'GlobalMaxPool_0' (GlobalMaxPool): the data have the shape 2x7; expected [N, C, H, W]
pool("flat", "GlobalMaxPool", x="2,7")
# NORM: error: node 'LpPool_0' (LpPool): attribute 'p' is 0; expected 1 or more
pool("norm", "LpPool<kernel_shape=[2,2], p=0>")
# UNPOOL: error: node 'MaxUnpool_0' (MaxUnpool): the result would have the shape 1x1x3x4; only shapes from 1x1x4x4 on are supported
write(
    "unpool",
    """(float[1,1,2,2] x, int64[1,1,2,2] i) => (float[] y) {
      y = MaxUnpool<kernel_shape=[2,2], strides=[2,2]>(x, i, shape)
    }""",
    shape=np.array([1, 1, 3, 4]),
)
