//===- Passes.td - Passes on the graph family -*- tablegen -*-===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// All passes run on the module, so that new constants get unique names in
// program order, independently of the number of threads. No pass changes the
// body of a `uma.graph.composite`, which a pattern of an accelerator matched.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_GRAPH_TRANSFORMS_PASSES_TD
#define UMA_GRAPH_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def CanonicalizeCastPass : Pass<"uma-graph-canonicalize-cast", "::mlir::ModuleOp"> {
  let summary = "remove redundant casts and move the others to their users";
  let description = [{
    - A `cast` of a `cast` that keeps every value (to a wider type) becomes one `cast` of the original data, or is
      removed. It stays if the intermediate type affects the result: casts from floats saturate, casts from integers
      wrap.
    - With `push-down`, a `cast` to a wider type that several elementwise operators use is copied in front of each of
      them. A cast that is fused with its user needs no buffer, and the tensor that is stored has the narrower type.
      Without fusion, this only repeats work. `cse` undoes it.

    Source: Relay `CanonicalizeCast` (the second step) and the cast rules of `SimplifyExpr` (the first).

    ```mlir
    %0 = uma.graph.cast %x to f32 : (tensor<8xf16>) -> tensor<8xf32>
    %1 = uma.graph.exp %0
    %2 = uma.graph.log %0 // becomes: log of a second cast of %x
    ```
  }];
  let options = [
    Option<"pushDown", "push-down", "bool", "true", "Copy widening casts to each of their elementwise users, the default">
  ];
  let statistics = [
    Statistic<"numRemoved", "removed", "Casts removed or taken around">,
    Statistic<"numCopied", "copied", "Copies made for users">
  ];
  let dependentDialects = ["::uma::UMADialect"];
}

def CanonicalizeOpsPass : Pass<"uma-graph-canonicalize-ops", "::mlir::ModuleOp"> {
  let summary = "rewrite additions of per-channel constants as one bias_add";
  let description = [{
    Exporters write the bias of a layer in several ways; patterns of accelerators and `uma-graph-fold-scale-axis`
    expect one form. Behind a convolution or a dense layer, also with pools, activations and arithmetic with constants
    in between:

    - `add` of a constant with one value per channel becomes `bias_add`
    - `bias_add` of a `bias_add`, both of constants, becomes one

    Source: Relay `CanonicalizeOps`, which rewrites `bias_add` to `add`; `bias_add`
    is the common form here because it names its axis.

    ```mlir
    // %c : tensor<8x1x1xf32>, %b : tensor<8xf32>
    %1 = uma.graph.add %0, %c   // becomes: uma.graph.bias_add %0, %b
    ```
  }];
  let statistics = [
    Statistic<"numBiasAdds", "bias-adds", "Additions rewritten to bias_add">,
    Statistic<"numMerged", "merged", "bias_adds merged into another">
  ];
  let dependentDialects = ["::uma::UMADialect"];
}

def ConvertLayoutPass : Pass<"uma-graph-convert-layout", "::mlir::ModuleOp"> {
  let summary = "convert convolutions and pools to another layout";
  let description = [{
    Converts convolutions and pools to the layouts given by the options; the interface of the network keeps its
    layout. Layout-agnostic operators are converted along with them: elementwise operators, `bias_add`, `batch_norm`,
    `concatenate`, `pad`, `strided_slice`, `broadcast_to`, `softmax`, reductions, `topk`, `cumsum`, `interpolate` and
    `take` with a vector of indices. Transposes are inserted only where the data enter or leave the converted part: at
    the borders of the network and around operators with a fixed layout, such as `reshape`, `conv2d_transpose`, `lrn`
    and `group_norm`. A transpose of the graph is removed if the layouts on its two sides agree.

    Weights and other constants get a `transpose`, which `uma-graph-fold-constant` evaluates. `canonicalize` rewrites
    transposes of dimensions of size 1 to reshapes. For three spatial dimensions, the layouts have a D before the H.
    Blocked layouts such as TVM's `NCHW8c` are not supported because operators take data of one rank.

    Source: Relay `ConvertLayout`, whose `desired_layouts` are the options here, and `AlterOpLayout`: a description
    selects the layouts of its device by adding this pass to PRE_PARTITIONING.

    ```mlir
    // data-layout=NHWC
    %0 = uma.graph.conv2d %x, %w : (tensor<1x3x8x8xf32>, tensor<4x3x1x1xf32>) -> tensor<1x4x8x8xf32>
    // becomes:
    %1 = uma.graph.transpose %x [0, 2, 3, 1] : (tensor<1x3x8x8xf32>) -> tensor<1x8x8x3xf32>
    %2 = uma.graph.conv2d %1, %w layout "NHWC" : (tensor<1x8x8x3xf32>, tensor<4x3x1x1xf32>) -> tensor<1x8x8x4xf32>
    %0 = uma.graph.transpose %2 [0, 3, 1, 2] : (tensor<1x8x8x4xf32>) -> tensor<1x4x8x8xf32>
    ```
  }];
  let options = [
    Option<"dataLayout", "data-layout", "std::string", "",
           "Layout of the data: NCHW or NHWC; as it is when left out">,
    Option<"kernelLayout", "kernel-layout", "std::string", "",
           "Layout of the weights: OIHW, OHWI or HWIO; as it is when left out">,
    ListOption<"ops", "ops", "std::string",
               "Operators to convert, such as conv2d; all that have a layout when left out">
  ];
  let statistics = [
    Statistic<"numConverted", "converted", "Convolutions and pools given another layout">,
    Statistic<"numAlong", "along", "Other operators that went along">,
    Statistic<"numInserted", "inserted", "Transposes inserted, without those of constants">,
    Statistic<"numRemoved", "removed", "Transposes of the graph that vanished">
  ];
  let dependentDialects = ["::uma::UMADialect"];
}

def DecomposeAttentionPass : Pass<"uma-graph-decompose-attention", "::mlir::ModuleOp"> {
  let summary = "rewrite attention as matrix products";
  let description = [{
    Replaces `attention` by `batch_matmul`, `multiply`, `add`, `softmax` and `batch_matmul`, because the CPU's
    strategies and the lowering to linalg support only these. The bodies of composites are not changed. It reverses
    the rewrite of attention in `uma-graph-raise-ops`.

    Source: none in Relay; ONNX defines the operator as a function of these.

    ```mlir
    %0 = uma.graph.attention %q, %k, %v scale 0.5
    // becomes:
    %1 = uma.graph.batch_matmul %q, %k transpose_b true
    %2 = uma.graph.multiply %1, %half
    %3 = uma.graph.softmax %2
    %0 = uma.graph.batch_matmul %3, %v
    ```
  }];
  let statistics = [Statistic<"numAttentions", "attentions", "Attentions decomposed">];
  let dependentDialects = ["::uma::UMADialect"];
}

/// Options, statistics and description shared by both passes.
class CombineParallel<string example> {
  list<string> dependentDialects = ["::uma::UMADialect"];
  list<Option> options = [
    Option<"minBranches", "min-branches", "int64_t", "3",
           "How many layers with the same data are worth combining; 3 by default">
  ];
  list<Statistic> statistics = [
    Statistic<"numCombined", "combined", "Layers that became part of another">,
    Statistic<"numFollowers", "followers", "Operators behind them that did">
  ];
  string common = [{
    The weights are joined by `concatenate`, which `uma-graph-fold-constant` evaluates afterwards, and each branch
    becomes a `strided_slice` of the result. If all branches continue with the same operator and attributes (a
    `bias_add`, an activation, arithmetic with constants), that operator is combined, too. A group is not combined if
    some of its weights are computed after the first layer.

    The numbers do not change, but accelerators see a different, larger layer, and slices copy memory. Therefore only
    the default pipeline of level 4 runs it.

    ```mlir
}] # example # "    ```\n";
}

def CombineParallelConv2dPass : Pass<"uma-graph-combine-parallel-conv2d", "::mlir::ModuleOp">, CombineParallel<[{
    %0 = uma.graph.conv2d %x, %w0 // %w0, %w1, %w2: 8x3x1x1
    %1 = uma.graph.conv2d %x, %w1
    %2 = uma.graph.conv2d %x, %w2
    // becomes: uma.graph.conv2d %x, %w with %w: 24x3x1x1, and three slices
}]> {
  let summary = "combine conv2ds with the same data into one";
  let description = [{
    Combines `conv2d`s with `groups = 1` and the same data, attributes, layouts and kernel size into one with the
    channels of all.

    Source: Relay `CombineParallelConv2D`.

  }] # common;
}

def CombineParallelDensePass : Pass<"uma-graph-combine-parallel-dense", "::mlir::ModuleOp">, CombineParallel<[{
    %q = uma.graph.dense %x, %wq // %wq, %wk, %wv: 64x64
    %k = uma.graph.dense %x, %wk
    %v = uma.graph.dense %x, %wv
    // becomes: uma.graph.dense %x, %w with %w: 192x64, and three slices
}]> {
  let summary = "combine dense layers with the same data into one";
  let description = [{
    Combines `dense` layers with the same data and attributes into one with the units of all. Their numbers of units
    may differ.

    Source: Relay `CombineParallelDense` with `to_batch = False`.

  }] # common;
}

def FoldConstantPass : Pass<"uma-graph-fold-constant", "::mlir::ModuleOp"> {
  let summary = "evaluate operators of constants";
  let description = [{
    Evaluates every pure operator whose operands are all constants in the reference interpreter and replaces it by a
    constant, named after the layer. Operators that cannot be evaluated (an integer division by zero, an element type
    without storage) stay. Unused constants are erased.

    Source: Relay `FoldConstant`.

    ```mlir
    %c = uma.graph.constant dense<[[1.0, 2.0]]> : tensor<1x2xf32>
    %0 = uma.graph.transpose %c [1, 0] : (tensor<1x2xf32>) -> tensor<2x1xf32>
    // becomes: uma.graph.constant dense<[[1.0], [2.0]]> : tensor<2x1xf32>
    ```
  }];
  let options = [
    Option<"maxBytes", "max-bytes", "int64_t", "1048576",
           "An operator stays when its result is larger than its operands by more bytes; 1 MiB by default">
  ];
  let statistics = [
    Statistic<"numFolded", "folded", "Operators that became constants">,
    Statistic<"numTooLarge", "too-large", "Operators kept because of max-bytes">
  ];
  let dependentDialects = ["::uma::UMADialect"];
}

def FoldScaleAxisPass : Pass<"uma-graph-fold-scale-axis", "::mlir::ModuleOp"> {
  let summary = "move per-channel factors into weights";
  let description = [{
    Folds a `multiply` by a constant with one value per output channel (or one for all) into the weights of the
    `conv2d` or `dense` before it and into the constants of any `bias_add` between the two. The values in between must
    have no other uses. If that is not possible, a factor with one value per input channel is folded into the weights
    of the `conv2d`s and `dense`s behind it, if the product has no other users. Weights and data must have the same
    float type. Weights are multiplied in double and rounded once. A factor stays if a weight would overflow. The
    memory of weights that no operation of the module uses any more is freed if their resource is mutable.

    Source: Relay `BackwardFoldScaleAxis` and `ForwardFoldScaleAxis`. The latter also moves factors through operators
    such as pools. This pass does not: most exported networks have batch normalisation after the convolution, and in
    the others it is followed by an activation.

    ```mlir
    %0 = uma.graph.conv2d %x, %w        // %w: 8x3x1x1
    %1 = uma.graph.multiply %0, %scale  // %scale: 8x1x1
    // becomes: uma.graph.conv2d %x, %w' with w'[o, ...] = w[o, ...] * scale[o]
    ```
  }];
  let statistics = [
    Statistic<"numFolded", "folded", "Factors moved into the weights before them">,
    Statistic<"numForward", "forward", "Factors moved into the weights behind them">
  ];
  let dependentDialects = ["::uma::UMADialect"];
}

def InferTypePass : Pass<"uma-graph-infer-type", "::mlir::ModuleOp"> {
  let summary = "infer the type of every value from the operands";
  let description = [{
    Recomputes the types of all values after a pass or an edit by hand has changed some, or if results have dynamic
    shapes (`tensor<?x8xf32>`, `tensor<*xf32>`). It uses the same inference as verifiers and importers:

    - Types of function arguments and constants are given. They must be tensors of static shape.
    - Result types of `uma.graph` operators are inferred from operands and attributes, in program order, and replace
      the existing types. The same holds for the arguments, operators and results of composites.
    - A function's result types are the types of its `func.return` operands; a `func.call` has the result types of its
      function. The operands of a call must have the types of the function's arguments. Functions without a body keep
      their types.

    Invalid operands are an error at the layer, as in a verifier. With `strict`, so is an existing type that
    contradicts the inferred one: another element type, rank or static size.

    MLIR's verifier rejects contradicting types. To read such a file, pass
    `--mlir-very-unsafe-disable-verifier-on-parsing` to `uma-opt`; to run behind a pass that leaves such types, pass
    `--verify-each=0`.

    Source: Relay `InferType`.

    ```mlir
    %0 = uma.graph.relu %x : (tensor<1x8xf32>) -> tensor<*xf32>
    // becomes: uma.graph.relu %x : (tensor<1x8xf32>) -> tensor<1x8xf32>
    ```
  }];
  let options = [
    Option<"strict", "strict", "bool", "false", "An error where a written type contradicts the inferred one">
  ];
  let statistics = [
    Statistic<"numChanged", "changed", "Results and arguments that got another type">
  ];
  let dependentDialects = ["::uma::UMADialect"];
}

def RaiseOpsPass : Pass<"uma-graph-raise-ops", "::mlir::ModuleOp"> {
  let summary = "recognise operators that exporters decomposed";
  let description = [{
    Rewrites decomposed operators to single ones: accelerators match whole operators, and one loop nest is faster than
    nine. It recognises

    - `layer_norm` and `rms_norm`: data, with or without their mean subtracted, divided by the root of the mean of
      squares plus epsilon, then an optional scale and shift. Variants are division by the root or multiplication by
      its inverse, squares as `power` or product, the scale before or after, and TensorFlow's form, which subtracts
      the mean last.
    - `gelu` by `erf` and by `tanh`, `hard_swish`, `silu`, in every order of products and sums, because the pass
      compares polynomials; `sigmoid` by `exp`.
    - `softmax`, if the largest element is subtracted first.
    - `attention`: a softmax over the last dimension between two `batch_matmul`s, with an optional scale as a factor
      of queries, keys or scores, or as a divisor, and an optional mask that is added.

    Constants may differ from the exact ones by a few units in the last place of the element type. The values in
    between must have no other uses. Results are equal except for rounding, which happens less often. Run
    `uma-graph-fold-constant` before, so that constants are visible, and `cse`, because some exporters write a mean or
    difference twice.

    Source: none in Relay, whose importers create whole operators; ONNX Runtime's fusions for transformers do the
    same.

    ```mlir
    %0 = uma.graph.sigmoid %x
    %1 = uma.graph.multiply %x, %0 // becomes: uma.graph.silu %x
    ```
  }];
  let statistics = [
    Statistic<"numActivations", "activations", "Activations raised">,
    Statistic<"numNormalizations", "normalizations", "Layer and RMS normalisations raised">,
    Statistic<"numSoftmaxes", "softmaxes", "Softmaxes raised">,
    Statistic<"numAttentions", "attentions", "Attentions raised">
  ];
  let dependentDialects = ["::uma::UMADialect"];
}

def LegalizeQuantizationPass : Pass<"uma-graph-legalize-quantization", "::mlir::ModuleOp"> {
  let summary = "write quantized tensors as plain numbers";
  let description = [{
    Replaces every quantized tensor by its steps: the stored integers without their zero point. The steps are

    - with `arithmetic=integer`, i16 for up to 8 bits of storage, and i32 for sums;
    - with `arithmetic=float`, f32. Integers up to 2^24 are exact there. A layer with sums whose weights and bias prove that no
      sum exceeds this is computed in f32, where the CPU's kernels are; it is marked with `uma.exact_sums`, and no algorithm that
      rounds (Winograd, Strassen) may compute it. Any other layer is computed in i32;
    - with `arithmetic=dot`, as with `float`, except that layers with several channels and constant weights are dot products
      with sums in i32. Their steps are ui8, with weights of i8, if no step is negative because the zero point is the least
      integer; otherwise i16;
    - with `arithmetic=pairs`, as with `dot`, with steps of i16 only: for processors that split words of bytes.

    All give the same bits. Quantized tensors at the border of functions are an error: these hold the stored integers.

    Source: Relay `qnn.Legalize` and `qnn.CanonicalizeOps`.

    ```mlir
    %0 = uma.graph.requantize %sums
        : (tensor<1x8x!quant.uniform<i32:f32, 0.5>>) -> tensor<1x8x!quant.uniform<i8:f32, 2.0>>
    // becomes, with arithmetic=float (%factor is 0.25):
    %1 = uma.graph.multiply %steps, %factor : (tensor<1x8xf32>, tensor<f32>) -> tensor<1x8xf32>
    %2 = uma.graph.round %1 : (tensor<1x8xf32>) -> tensor<1x8xf32>
    %0 = uma.graph.clip %2 min -128.0 max 127.0 : (tensor<1x8xf32>) -> tensor<1x8xf32>
    ```
  }];
  let options = [
    Option<"arithmetic", "arithmetic", "std::string", "\"integer\"", "Type of the steps: integer, float, dot or pairs">
  ];
  let statistics = [
    Statistic<"numConverted", "converted", "Operators on quantized tensors rewritten">,
    Statistic<"numDots", "dots", "Layers with dot products, by arithmetic=dot or pairs">,
    Statistic<"numInIntegers", "in-integers", "Layers with sums that f32 does not hold, by arithmetic=float">
  ];
  let dependentDialects = ["::uma::UMADialect"];
}

def SimplifyInferencePass : Pass<"uma-graph-simplify-inference", "::mlir::ModuleOp"> {
  let summary = "simplify operators for inference";
  let description = [{
    - `batch_norm` with constant parameters becomes `multiply` by
      `gamma / sqrt(variance + epsilon)` and `bias_add` of `beta - mean * that`, both computed
      in double and rounded once. With other parameters it stays.
    - Identities are removed: `multiply` and `divide` by ones, `add` and `subtract` of zeros (for floats, this treats
      `-0.0` as `0.0`), pools of size 1 and stride 1, `clip` without finite bounds, `relu` of `relu`.

    Source: Relay `SimplifyInference`.

    ```mlir
    %0 = uma.graph.batch_norm %x, %gamma, %beta, %mean, %variance
    // becomes:
    %1 = uma.graph.multiply %x, %scale  // %scale: 8x1x1
    %0 = uma.graph.bias_add %1, %shift  // %shift: 8
    ```
  }];
  let statistics = [
    Statistic<"numBatchNorms", "batch-norms", "batch_norms replaced">,
    Statistic<"numIdentities", "identities", "Operators removed because they give their operand back">
  ];
  let dependentDialects = ["::uma::UMADialect"];
}

def SinkReshapesPass : Pass<"uma-graph-sink-reshapes", "::mlir::ModuleOp"> {
  let summary = "move reshapes that drop dimensions of size 1 behind elementwise operators";
  let description = [{
    A one-dimensional convolution is imported as a two-dimensional one between reshapes. Operators between two such
    convolutions have another shape than these and can neither be fused with them nor keep their order of channels.
    Behind a window operator, this pass moves a reshape that drops dimensions of size 1 behind elementwise operators
    if their other operands are such reshapes or constants. There it cancels with the reshape in front of the next
    window operator.

    Source: none in Relay, whose `SimplifyExpr` merges reshapes that follow each
    other.

    ```mlir
    // %0 : tensor<1x8x1x50xf32>
    %1 = uma.graph.reshape %0 [1, 8, 50]
    %2 = uma.graph.tanh %1
    %3 = uma.graph.reshape %2 [1, 8, 1, 50]   // becomes: uma.graph.tanh %0
    ```
  }];
  let statistics = [Statistic<"numSunk", "sunk", "Operators with a reshape behind them now">];
  let dependentDialects = ["::uma::UMADialect"];
}

def VerifyPass : Pass<"uma-graph-verify", "::mlir::ModuleOp"> {
  let summary = "check that the graph stage is complete";
  let description = [{
    Fails unless the module holds only functions and descriptions of accelerators (`uma.accel`), the functions hold
    only `uma.graph` operators, `func.call` and `func.return`, and every value in them is a tensor of static shape.
    Later stages rely on this. Functions without a body are not checked. If some functions contain operators, the
    functions without operators are not checked either: they belong to the program around the network.

    ```mlir
    %0 = arith.addf %x, %y : tensor<4xf32> // error: the graph stage ends with 'arith.addf', ...
    ```
  }];
}

def FoldQuantizationPass : Pass<"uma-graph-fold-quantization", "::mlir::ModuleOp"> {
  let summary = "compute layers between dequantize and quantize on integers";
  let description = [{
    - `conv2d` or `dense` of dequantized data and weights of 8 bits, an optional `bias_add` of an i32 constant with the scales of the
      sums, `relu` and `clip`, then `quantize`: the layer is computed on the integers, and `requantize` rounds its sums once. Activations
      become its `clamp`.
    - `multiply` of dequantized tensors of 8 bits, then `quantize` to the same storage: one factor of f32 scales the product of the
      integers minus their zero points, and the sum with the zero point of the result is rounded.
    - `reshape`, `batch_flatten`, `transpose`, `concatenate`, `strided_slice` and `max_pool2d` between a dequantize and a quantize of
      the same type move the integers.

    What is folded is what ONNX Runtime's optimizer gives to its integer kernels. A layer with sums that stays in floats is a remark
    with the reason.

    Source: ONNX Runtime's `QDQSelectorActionTransformer`, Relay `FakeQuantizationToInteger`.

    ```mlir
    %0 = uma.graph.dequantize %x
    %1 = uma.graph.conv2d %0, %w // %w is a dequantized constant
    %2 = uma.graph.quantize %1
    // becomes:
    %1 = uma.graph.conv2d %x, %v // sums of !quant.uniform<i32>
    %2 = uma.graph.requantize %1
    ```
  }];
  let statistics = [
    Statistic<"numLayers", "layers", "Layers with sums computed on integers">,
    Statistic<"numMoves", "moves", "Operators that move or select the integers">,
    Statistic<"numIslands", "islands", "Layers with sums that stay in floats">
  ];
  let dependentDialects = ["::uma::UMADialect"];
}

def RequantizeFixedPointPass : Pass<"uma-graph-requantize-fixed-point", "::mlir::ModuleOp"> {
  let summary = "requantize in integers";
  let description = [{
    Sets `rounding "tflite"` on `requantize` and `quantized_add`: an integer multiplication and two shifts per element replace the
    f32 multiplication of ONNX Runtime's formula. Results may differ by one where the formulas round to different sides. `quantize`
    and `dequantize` at the borders of islands stay in f32. `uma compile --requantize=fixed-point` runs it behind
    `uma-graph-fold-quantization`.

    Source: TensorFlow Lite's reference kernels, TVM's `Requantize` with `rounding="TONEAREST"` and `compute_dtype="int64"`.

    ```mlir
    %0 = uma.graph.requantize %sums
    // becomes:
    %0 = uma.graph.requantize %sums rounding "tflite"
    ```
  }];
  let statistics = [
    Statistic<"numConverted", "converted", "Operators that round in integers now">
  ];
}

def PadChannelsPass : Pass<"uma-graph-pad-channels", "::mlir::ModuleOp"> {
  let summary = "add channels to data of convolutions that fills no words";
  let description = [{
    A `conv2d` on 8-bit data with an odd number of channels above 1 gets channels up to a multiple of 4, with weights of 0. The
    `pad` that adds them also does the padding of the window. It is in front of the `quantize` of the data, or on its stored
    integers. Sums do not change. With `floats`, it does the same to convolutions of f32, which multiply words of bf16.

    Source: the padding of channels in libraries of VNNI and SDOT, such as oneDNN.

    ```mlir
    %0 = uma.graph.conv2d %x, %w padding [1, 1, 1, 1] // data [1, 3, 8, 8], weights [16, 3, 3, 3]
    // becomes:
    %1 = uma.graph.pad %x ... // [1, 4, 10, 10]
    %0 = uma.graph.conv2d %1, %v // weights [16, 4, 3, 3]
    ```
  }];
  let options = [
    Option<"floats", "floats", "bool", "false", "Convolutions of f32 instead of quantized ones; false by default">
  ];
  let statistics = [
    Statistic<"numPadded", "padded", "Convolutions with more channels now">
  ];
}

def FoldQuantizedPoolsPass : Pass<"uma-graph-fold-quantized-pools", "::mlir::ModuleOp"> {
  let summary = "compute global average pools of quantized bytes on integers";
  let description = [{
    A `global_avg_pool2d` between the `dequantize` of a tensor of 8 bits and a `quantize` to 8 bits becomes the sum of the
    integers and a `requantize`, whose factor is the scale of the data divided by that of the result times the number of
    elements, in f32.

    Source: ONNX Runtime's `QLinearGlobalAveragePool`.

    ```mlir
    %0 = uma.graph.dequantize %x : (tensor<1x8x4x4x!quant.uniform<u8:f32, 0.5>>) -> tensor<1x8x4x4xf32>
    %1 = uma.graph.global_avg_pool2d %0 : (tensor<1x8x4x4xf32>) -> tensor<1x8x1x1xf32>
    %2 = uma.graph.quantize %1 : (tensor<1x8x1x1xf32>) -> tensor<1x8x1x1x!quant.uniform<u8:f32, 0.25>>
    // becomes:
    %3 = uma.graph.sum %integers axis [2, 3] keepdims true : (tensor<1x8x4x4xi32>) -> tensor<1x8x1x1xi32>
    %4 = uma.graph.storage_cast %3 : (tensor<1x8x1x1xi32>) -> tensor<1x8x1x1x!quant.uniform<i32:f32, 0.03125>>
    %2 = uma.graph.requantize %4
    ```
  }];
  let statistics = [
    Statistic<"numFolded", "folded", "Pools on integers">
  ];
}

def FoldQuantizedFunctionsPass : Pass<"uma-graph-fold-quantized-functions", "::mlir::ModuleOp"> {
  let summary = "compute average pools and softmax of quantized bytes as ONNX Runtime";
  let description = [{
    For `avg_pool2d`, `avg_pool3d` and `softmax` between the `dequantize` of a tensor of 8 bits and a `quantize` to the same storage:

    - Average pools keep their means in f32. These are divided by the scale, the zero point is added, and the sum is
      rounded: halves go to another side than with `quantize`, which adds the zero point last.
    - `softmax` takes exponentials from a table of 256 numbers of f32, if the inverse of the scale of its result is a whole number.
      ONNX Runtime rounds others down, so that its results differ from those of the definition.

    Source: ONNX Runtime's `QLinearAveragePool` and `QLinearSoftmax`.

    ```mlir
    %0 = uma.graph.dequantize %x : (tensor<1x8x!quant.uniform<u8:f32, 0.1:128>>) -> tensor<1x8xf32>
    %1 = uma.graph.softmax %0 : (tensor<1x8xf32>) -> tensor<1x8xf32>
    %2 = uma.graph.quantize %1 : (tensor<1x8xf32>) -> tensor<1x8x!quant.uniform<u8:f32, 0.00390625>>
    // becomes:
    %3 = uma.graph.take %exponentials, %index axis 0 : (tensor<256xf32>, tensor<1x8xi32>) -> tensor<1x8xf32>
    %4 = uma.graph.sum %3 axis [1] keepdims true : (tensor<1x8xf32>) -> tensor<1x1xf32>
    %5 = uma.graph.divide ... // round, cast to ui8, storage_cast
    ```
  }];
  let statistics = [
    Statistic<"numFolded", "folded", "Average pools and softmax with ONNX Runtime's rounding">
  ];
  let dependentDialects = ["::uma::UMADialect"];
}

def TabulateFunctionsPass : Pass<"uma-graph-tabulate-functions", "::mlir::ModuleOp"> {
  let summary = "look up what elementwise operators compute from quantized bytes";
  let description = [{
    Elementwise operators between the `dequantize` of a tensor of 8 bits and a `quantize` to 8 bits, whose other operands are
    constants of one element, become a `take` of a table of 256 integers, which the interpreter computes. What they quantize and
    dequantize on the way is part of the table, as in `x * sigmoid(x)`; so are products on the stored integers, which
    `uma-graph-fold-quantization` makes. `uma-lower` runs this for processors without vectors; vectors
    compute in floats faster than they look up.

    Source: the tables of TensorFlow Lite's and ONNX Runtime's kernels for sigmoid, tanh and others.

    ```mlir
    %0 = uma.graph.dequantize %x : (tensor<1x8x!quant.uniform<i8:f32, 0.1>>) -> tensor<1x8xf32>
    %1 = uma.graph.sigmoid %0 : (tensor<1x8xf32>) -> tensor<1x8xf32>
    %2 = uma.graph.quantize %1 : (tensor<1x8xf32>) -> tensor<1x8x!quant.uniform<i8:f32, 0.004>>
    // becomes:
    %3 = uma.graph.storage_cast %x : ...
    %4 = uma.graph.cast %3 to i32
    %5 = uma.graph.subtract %4, %c // -128
    %6 = uma.graph.take %table, %5 axis 0 : (tensor<256xi8>, tensor<1x8xi32>) -> tensor<1x8xi8>
    %2 = uma.graph.storage_cast %6 : ...
    ```
  }];
  let statistics = [
    Statistic<"numTabulated", "tabulated", "Functions that are tables now">
  ];
}

def ShiftZeroPointsPass : Pass<"uma-graph-shift-zero-points", "::mlir::ModuleOp"> {
  let summary = "give data of quantized layers the least zero point";
  let description = [{
    A convolution or a dense layer reads the same stored integers with the least integer of their type as zero
    point; a convolution with padding reads them padded with their own zero point. No step is negative then, so that `uma-graph-legalize-quantization` computes the layer with words of four bytes. The
    bias of each channel gets the distance of the zero points times the sum of the weights, so that no sum changes. Layers
    that cannot have such words, or whose sums may exceed i32 on the way, stay.

    Source: zero points in TensorFlow Lite's and XNNPACK's kernels, which fold them into biases.

    ```mlir
    %0 = uma.graph.dense %x, %w : (tensor<1x8x!quant.uniform<u8:f32, 0.5:7>>, ...) -> ...
    // becomes:
    %1 = uma.graph.storage_cast %x : (tensor<1x8x!quant.uniform<u8:f32, 0.5:7>>) -> tensor<1x8xui8>
    %2 = uma.graph.storage_cast %1 : (tensor<1x8xui8>) -> tensor<1x8x!quant.uniform<u8:f32, 0.5>>
    %0 = uma.graph.dense %2, %w : (tensor<1x8x!quant.uniform<u8:f32, 0.5>>, ...) -> ...
    %3 = uma.graph.bias_add %0, %b
    ```
  }];
  let statistics = [
    Statistic<"numShifted", "shifted", "Layers whose data got another zero point">
  ];
}

def SignDataPass : Pass<"uma-graph-sign-data", "::mlir::ModuleOp"> {
  let summary = "store quantized data in i8 instead of u8";
  let description = [{
    Changes quantized tensors inside of functions from u8 to i8. The scale stays, stored integers and zero point become lower by
    128: the tensors hold the same real numbers, and no result of the network changes. A device that takes int8 requests the
    pass in PRE_PARTITIONING, since ONNX Runtime's quantizer writes uint8 activations by default. The pass changes the data for
    all accelerators of the network.

    - Operators that compute on distances to the zero point, or that move elements, get operands and results of i8: `conv2d`, `conv3d`,
      `dense`, `quantize`, `dequantize`, `requantize`, max pools, `reshape` and others. The `clamp` of `requantize` is shifted.
    - Constants get i8, also those with a scale for each channel.
    - Arguments and results of functions, `storage_cast`, calls and composites keep u8. A `requantize` of equal scales, which
      is exact, converts in front of them or behind them. `uma-graph-legalize-quantization` removes it again.
    - `quantized_add` gets i8 only if no pair of operands has another result, with and without fused operations: its
      formula adds zero points in f32. With `rounding "tflite"`, none ever has.
    - Average pools that `uma-graph-fold-quantized-functions` rounds as ONNX Runtime keep u8, because their rounding depends on
      the zero point. So do average pools and softmax between u8 and i8, which stay in f32.
    - Tensors with several scales that are no constants keep u8.

    Run it behind `uma-graph-fold-quantization`, which folds layers only if their tensors have the same storage.

    Source: ONNX Runtime's `QDQS8ToU8Transformer` does the opposite; Relay `qnn.Legalize` shifts the data for Intel's and ARM's
    instructions.

    ```mlir
    %0 = uma.graph.requantize %sums clamp [3, 255]
        : (tensor<1x8x!quant.uniform<i32:f32, 0.01>>) -> tensor<1x8x!quant.uniform<u8:f32, 0.5:3>>
    %1 = uma.graph.storage_cast %0 : (tensor<1x8x!quant.uniform<u8:f32, 0.5:3>>) -> tensor<1x8xui8>
    // becomes:
    %0 = uma.graph.requantize %sums clamp [-125, 127]
        : (tensor<1x8x!quant.uniform<i32:f32, 0.01>>) -> tensor<1x8x!quant.uniform<i8:f32, 0.5:-125>>
    %2 = uma.graph.requantize %0
        : (tensor<1x8x!quant.uniform<i8:f32, 0.5:-125>>) -> tensor<1x8x!quant.uniform<u8:f32, 0.5:3>>
    %1 = uma.graph.storage_cast %2 : (tensor<1x8x!quant.uniform<u8:f32, 0.5:3>>) -> tensor<1x8xui8>
    ```
  }];
  let statistics = [
    Statistic<"numTensors", "tensors", "Results of operators that are i8 now">,
    Statistic<"numConversions", "conversions", "Conversions between u8 and i8">
  ];
  let dependentDialects = ["::uma::UMADialect"];
}

def EqualizePass : Pass<"uma-graph-equalize", "::mlir::ModuleOp"> {
  let summary = "move factors of channels to the next layer's weights";
  let description = [{
    For each `conv2d` or `dense` of f32 whose result, behind an optional `bias_add` and an optional `relu`, only another layer of
    the same kind reads: divides the weights and the bias of channel `c` by a factor and multiplies the next layer's weights for
    `c` by it. The factor is the power of two nearest to 1 for which the largest weights differ least:
    `2^trunc(log2(largest / largest of the next layer) / 2)`. The results are the same bits unless a number underflows. Depthwise and grouped convolutions are
    included. Repeats until nothing changes, at most 20 times, since factors move along chains.

    Use it before ranges are measured for `uma-graph-quantize`: the channels of the tensor between both layers become more alike.

    Source: Nagel et al. 2019, cross-layer equalization.

    ```mlir
    %0 = uma.graph.dense %x, %v // weights [[16.0], [1.0]]
    %1 = uma.graph.relu %0
    %2 = uma.graph.dense %1, %w // weights [[1.0, 1.0]]
    // becomes: weights [[4.0], [1.0]] and [[4.0, 1.0]]
    ```
  }];
  let statistics = [Statistic<"numEqualized", "equalized", "Layers whose weights gave a factor away">];
}

def QuantizePass : Pass<"uma-graph-quantize", "::mlir::ModuleOp"> {
  let summary = "quantize a float network from the ranges of its tensors";
  let description = [{
    Inserts `quantize` and `dequantize` around the layers that `uma-graph-fold-quantization` computes on integers. The range of a
    tensor is the attribute `uma.range` on its operation or function argument: a lower and an upper bound for each result. The pass
    widens it to contain 0.

    - `conv2d` and `dense` of f32 with constant weights, with `bias_add`, `relu` and `clip` behind them: data and result become i8 with one
      scale and zero point; weights i8 with zero point 0 and a scale for each output channel, `max |w| / 127`; a constant bias
      i32 with the product of the scales of data and weights. The scale of a channel grows if its bias would exceed 2^30 otherwise.
    - `add` of two tensors of one shape: operands and result become i8.
    - `reshape`, `batch_flatten`, `transpose`, `strided_slice`, `max_pool2d` and `concatenate` beside a quantized tensor: operands and
      result share one type, for the union of their ranges.

    All other operators stay in f32 between `dequantize` and `quantize`. Layers with the attribute `uma.keep_float` stay, too. A layer
    that stays in f32 is a remark with the reason. Both attributes are removed.

    Source: Relay `quantize`, ONNX Runtime's `quantize_static`; scales as in Jacob et al. 2018.

    ```mlir
    %0 = uma.graph.dense %x, %w {uma.range = array<f64: -2.0, 3.1>} // the range of %x is -1.0 to 1.55
    // becomes (%v is a dequantized constant):
    %1 = uma.graph.quantize %x : (tensor<1x4xf32>) -> tensor<1x4x!quant.uniform<i8:f32, 0.01:-28>>
    %2 = uma.graph.dequantize %1
    %3 = uma.graph.dense %2, %v
    %4 = uma.graph.quantize %3
    %0 = uma.graph.dequantize %4
    ```
  }];
  let statistics = [
    Statistic<"numLayers", "layers", "Layers quantized">,
    Statistic<"numFloat", "float", "Convolutions and dense layers that stay in f32">
  ];
  let dependentDialects = ["::uma::UMADialect", "::mlir::quant::QuantDialect"];
}

def GatherWindowsPass : Pass<"uma-graph-gather-windows", "::mlir::ModuleOp"> {
  let summary = "rewrite convolutions as matrix products (im2col)";
  let description = [{
    Rewrites each `conv2d` with one group, layout NCHW and weights OIHW that is not pointwise: it pads the data, takes
    one strided slice per kernel position, and concatenates the slices as the channels of a pointwise convolution. A
    pointwise convolution is a matrix product, which a device without convolutions can compute. Use it in the
    PRE_PARTITIONING phase of such a device only: the gathered data is larger than the original data, and the CPU
    computes convolutions faster than their products.

    Source: im2col, Chellapilla et al. 2006; none in Relay.

    ```mlir
    // becomes nine strided_slices of a pad, their concatenate, and a conv2d with weights [32, 72, 1, 1]
    %0 = uma.graph.conv2d %x, %w padding [1, 1, 1, 1]
        : (tensor<1x8x14x14xf32>, tensor<32x8x3x3xf32>) -> tensor<1x32x14x14xf32>
    ```
  }];
  let statistics = [Statistic<"numRewritten", "rewritten", "Convolutions rewritten">];
  let dependentDialects = ["::uma::UMADialect"];
}

#endif // UMA_GRAPH_TRANSFORMS_PASSES_TD
