"""Pools that are wrong or not supported."""
# RUN: env PYTHONPATH=%S/Inputs %python -B %s %t
# RUN: not uma-translate --import-onnx %t/1d.onnx 2>&1 | FileCheck %s --check-prefix=ONE
# RUN: not uma-translate --import-onnx %t/global.onnx 2>&1 | FileCheck %s --check-prefix=GLOBAL
# RUN: not uma-translate --import-onnx %t/kernel.onnx 2>&1 | FileCheck %s --check-prefix=KERNEL
# RUN: not uma-translate --import-onnx %t/indices.onnx 2>&1 | FileCheck %s --check-prefix=INDICES
# RUN: not uma-translate --import-onnx %t/order.onnx 2>&1 | FileCheck %s --check-prefix=ORDER
# RUN: not uma-translate --import-onnx %t/dilations.onnx 2>&1 | FileCheck %s --check-prefix=DILATIONS
# RUN: not uma-translate --import-onnx %t/large.onnx 2>&1 | FileCheck %s --check-prefix=LARGE

from model import write


def pool(name: str, op: str, x: str = "1,2,7,7", outputs: str = "y") -> None:
    write(name, f"(float[{x}] x) => (float[] y) {{ {outputs} = {op}(x) }}")


# ONE: 1d.onnx: error: node 'MaxPool_0' (MaxPool): the data have the shape 1x2x7, which is 1-D;
pool("1d", "MaxPool<kernel_shape=[2]>", x="1,2,7")
# GLOBAL: error: node 'GlobalAveragePool_0' (GlobalAveragePool): the data have the shape 1x2x7x7x7, which is 3-D;
pool("global", "GlobalAveragePool", x="1,2,7,7,7")
# KERNEL: error: node 'AveragePool_0' (AveragePool): needs the attribute 'kernel_shape' with 2 sizes of 1 or more
pool("kernel", "AveragePool")
# INDICES: error: node 'MaxPool_0' (MaxPool): the output 'Indices' is not supported
pool("indices", "MaxPool<kernel_shape=[2,2]>", outputs="y, i")
# ORDER: error: node 'MaxPool_0' (MaxPool): attribute 'storage_order' is 1; only the row-major order 0 is supported
pool("order", "MaxPool<kernel_shape=[2,2], storage_order=1>")
# DILATIONS: error: node 'AveragePool_0' (AveragePool): has the attribute 'dilations', which this operator does not have in opset 13
pool("dilations", "AveragePool<kernel_shape=[2,2], dilations=[2,2]>")
# LARGE: error: node 'MaxPool_0' (MaxPool): {{.+}}
pool("large", "MaxPool<kernel_shape=[9,9]>")
