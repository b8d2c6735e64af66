// RUN: not uma-opt %s --uma-graph-convert-layout=data-layout=NCHW8c 2>&1 | FileCheck %s --check-prefix=DATA
// RUN: not uma-opt %s --uma-graph-convert-layout=kernel-layout=OIWH 2>&1 | FileCheck %s --check-prefix=KERNEL
// RUN: not uma-opt %s --uma-graph-convert-layout="data-layout=NHWC ops=max_pool,conv2d" 2>&1 | FileCheck %s --check-prefix=OPS
// RUN: not uma-opt %s --uma-graph-convert-layout="data-layout=NHWC ops=relu" 2>&1 | FileCheck %s --check-prefix=AGNOSTIC
// RUN: not uma-opt %s --uma-graph-convert-layout 2>&1 | FileCheck %s --check-prefix=NOTHING

// DATA: error: uma-graph-convert-layout: data-layout has 'NCHW8c', expected one of NCHW, NHWC
// KERNEL: error: uma-graph-convert-layout: kernel-layout has 'OIWH', expected one of OIHW, OHWI, HWIO
// OPS: error: uma-graph-convert-layout: ops has 'max_pool', expected one of avg_pool2d, avg_pool3d, conv2d, {{.*}}; did you mean 'max_pool2d'?
// AGNOSTIC: error: uma-graph-convert-layout: ops has 'relu', expected one of avg_pool2d
// NOTHING: error: uma-graph-convert-layout: there is nothing to convert to; give data-layout, kernel-layout or both
func.func @main(%x: tensor<1x2x5x3xf32>) -> tensor<1x2x5x3xf32> {
  return %x : tensor<1x2x5x3xf32>
}
