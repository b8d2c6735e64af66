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

def DecomposeConvolutionsPass : Pass<"uma-graph-decompose-convolutions", "::mlir::ModuleOp"> {
  let summary = "rewrite three-dimensional and transposed convolutions as conv2d";
  let description = [{
    The CPU has fast kernels for `conv2d` only. The pass rewrites

    - `conv3d` as a `conv2d` over planes: the planes under a window become channels (`take`). If windows have one row and
      one column, planes become rows instead, without a copy. Groups are rewritten if windows have one plane;
    - `conv3d_transpose`, and `conv2d_transpose` with more than 16 phases or with few channels in a group, as a convolution of
      stride 1 whose channels are the elements between two elements of the data, followed by a transpose that interleaves
      them. The weights are constants and have no dilation.

    Bias and unary operators after the convolution move to the `conv2d`, so that one kernel computes them. The bodies of
    composites and functions that are layers already (`uma.primitive`) are not changed.

    Source: none in Relay. The second rewrite is the sub-pixel convolution of Shi et al. 2016, "Is the deconvolution layer the same as
    a convolutional layer?".

    ```mlir
    %0 = uma.graph.conv3d %x, %w : (tensor<1x8x4x9x9xf32>, tensor<16x8x3x3x3xf32>) -> tensor<1x16x2x7x7xf32>
    // becomes:
    %1 = uma.graph.transpose %x [0, 2, 1, 3, 4] : (tensor<1x8x4x9x9xf32>) -> tensor<1x4x8x9x9xf32>
    %2 = uma.graph.take %1, %planes axis 1 : (tensor<1x4x8x9x9xf32>, tensor<6xi64>) -> tensor<1x6x8x9x9xf32>
    %3 = uma.graph.reshape %2 [2, 24, 9, 9]
    %4 = uma.graph.conv2d %3, %reordered : (tensor<2x24x9x9xf32>, tensor<16x24x3x3xf32>) -> tensor<2x16x7x7xf32>
    // and back
    ```
  }];
  let statistics = [Statistic<"numDecomposed", "decomposed", "Convolutions rewritten">];
  let dependentDialects = ["::uma::UMADialect"];
}

def DecomposeProductsPass : Pass<"uma-graph-decompose-products", "::mlir::ModuleOp"> {
  let summary = "rewrite products of matrices as batch_matmul";
  let description = [{
    The CPU's kernel for `batch_matmul` reads the second matrix in either order and packs it at run time. In f32, the pass rewrites

    - `dense` whose weights are no constant, also with the transpose before them;
    - transposes of the last two dimensions before the second matrix, as the attribute `transpose_b`, and the attribute
      `transpose_a` as a transpose;
    - `einsum` of two operands that is a product of matrices, with transposes where the order of dimensions differs.

    The bodies of composites and functions that are layers already (`uma.primitive`) are not changed.

    Source: none in Relay.

    ```mlir
    %0 = uma.graph.transpose %b [1, 0] : (tensor<8x16xf32>) -> tensor<16x8xf32>
    %1 = uma.graph.dense %a, %0 : (tensor<4x8xf32>, tensor<16x8xf32>) -> tensor<4x16xf32>
    // becomes:
    %1 = uma.graph.batch_matmul %a, %b : (tensor<4x8xf32>, tensor<8x16xf32>) -> tensor<4x16xf32>
    ```
  }];
  let statistics = [Statistic<"numDecomposed", "decomposed", "Products rewritten">];
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
           "An operator stays when its result is larger than its operands by more bytes, unless only layers multiply by it; 1 MiB by default">
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

def SplitRowsPass : Pass<"uma-graph-split-rows", "::mlir::ModuleOp"> {
  let summary = "compute chains of operators by stripes of rows";
  let description = [{
    The result of an operator with `uma.stripe_rows = N : i64`, and all operators that only it needs, are computed N rows at a time, so that
    the tensors between them exist one stripe at a time. The chain goes back to inputs, to operators with the unit attribute `uma.keep_whole`,
    to tensors that operators outside of the chain read, to results of other chains, and to operators that cannot be computed by rows: it
    has convolutions (depthwise ones, too) and pools in NHWC, elementwise operators, and concatenations of channels, with batch size 1.

    Every operator is copied for each stripe, for the rows that the stripe needs of it: windows need rows above and below, some of which neighbouring
    stripes compute, too. Only the first and the last stripes have padding. What a chain begins with is sliced and the
    stripes' results are concatenated; `convert-uma-graph-to-uma-tir` makes views of both. Copies are named after the layer and its rows,
    and compute the same numbers.

    ```mlir
    %0 = uma.graph.conv2d %x, %v padding [1, 1, 1, 1] layout "NHWC" kernel_layout "HWIO" ...
    %1 = uma.graph.conv2d %0, %w padding [1, 1, 1, 1] layout "NHWC" kernel_layout "HWIO" {uma.stripe_rows = 4 : i64} ...
    // becomes, for 8 rows:
    %2 = uma.graph.strided_slice %x ... // rows 0 to 6
    %3 = uma.graph.conv2d %2, %v padding [1, 1, 0, 1] ... // rows 0 to 5
    %4 = uma.graph.conv2d %3, %w padding [1, 1, 0, 1] ... // rows 0 to 4
    %5 = uma.graph.strided_slice %x ... // rows 2 to 8
    %6 = uma.graph.conv2d %5, %v padding [0, 1, 1, 1] ... // rows 3 to 8
    %7 = uma.graph.conv2d %6, %w padding [0, 1, 1, 1] ... // rows 4 to 8
    %1 = uma.graph.concatenate %4, %7 axis 1 ...
    ```

    `uma-lower` chooses chains with its option `arena`. Source: partial execution, as patch-based inference of MCUNetV2 (Lin et al. 2021)
    and Pex (Liberis and Lane 2022); none in Relay.
  }];
  let options = [
    Option<"rows", "rows", "int64_t", "0",
           "Rows of the stripes of all chains with a convolution or pool, for tests; 0, the default, for marked ones only">,
    Option<"report", "report", "bool", "false",
           "Emit a remark for each chain, with its stripes and the multiply-accumulates that are computed twice; off by default">
  ];
  let statistics = [
    Statistic<"numChains", "chains", "Chains of operators split">,
    Statistic<"numStripes", "stripes", "Stripes of all chains">,
    Statistic<"numRecomputed", "recomputed-macs", "Multiply-accumulates computed more than once">
  ];
  let dependentDialects = ["::uma::UMADialect"];
}

include "uma/Graph/Transforms/QuantizationPasses.td"

#endif // UMA_GRAPH_TRANSFORMS_PASSES_TD
