//===- GraphSignalOps.td - Signal processing -*- tablegen -*-===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_GRAPH_IR_GRAPHSIGNALOPS_TD
#define UMA_GRAPH_IR_GRAPHSIGNALOPS_TD

include "uma/Graph/IR/GraphBase.td"

def Graph_DFTOp : Graph_InferredOp<"dft"> {
  let summary = "discrete Fourier transform along one axis";
  let description = [{
    `result[k] = sum_n data[n] * twiddle[(k * n) mod N]`, with complex products, for `0 <= k < N`, or up to `N / 2`
    with `onesided`. The last dimension of `data` has size 1 for real numbers or 2 for real and imaginary parts; the
    last dimension of the result has size 2. N is the length of `twiddle`, `[N, 2]`; elements of `data` behind N are
    not read, missing ones are 0. Twiddle factors `exp(-2 pi i j / N)` compute the transform, their conjugates divided
    by N the inverse. They are a table because computing them is expensive on a small device. `axis` is not the last
    one; a negative axis counts from the end.

    Source: ONNX `DFT`.

    ```mlir
    %0 = uma.graph.dft %x, %twiddle axis 1
        : (tensor<1x10x1xf32>, tensor<10x2xf32>) -> tensor<1x10x2xf32>
    ```
  }];
  let arguments = (ins Graph_Tensor:$data, Graph_Tensor:$twiddle, I64Attr:$axis,
      Graph_Default<BoolAttr, "false">:$onesided);
  let assemblyFormat = [{
    $data `,` $twiddle `axis` $axis (`onesided` $onesided^)? attr-dict
    `:` functional-type(operands, results)
  }];
}

#endif // UMA_GRAPH_IR_GRAPHSIGNALOPS_TD
