//===- Passes.td - Passes on the graph family -*- tablegen -*-===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// All of them run on the module: constants get names that are unique in it, in
// the order of the text, whatever the number of threads. None looks into
// `uma.graph.composite`: what an accelerator's pattern matched stays as it is.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_GRAPH_TRANSFORMS_PASSES_TD
#define UMA_GRAPH_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def CanonicalizeCastPass : Pass<"uma-graph-canonicalize-cast", "::mlir::ModuleOp"> {
  let summary = "remove casts that change nothing and move the others to their users";
  let description = [{
    - A `cast` of a `cast` that keeps every value (to a wider type) becomes one `cast` of the original data,
      or the data themselves. It stays where the value would depend on the way: a float in between saturates
      where integers wrap.
    - With `push-down`, a `cast` to a wider type that several elementwise operators use is copied in front of
      each of them. Fused with its user, it then needs no memory of its own, and what is stored in between
      has the narrower type. Without fusion behind it, this only repeats the work; so does `cse` undo it.

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
  let summary = "write additions of per-channel constants as one bias_add";
  let description = [{
    Exporters write the bias of a layer in several ways; patterns of accelerators
    and `uma-graph-fold-scale-axis` expect one. Below a convolution or a dense
    layer, also behind pools, activations and arithmetic with constants:

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
  let summary = "give convolutions and pools another layout";
  let description = [{
    Gives convolutions and pools the layouts that the options say; the interface of the network keeps its own. Operators
    to which the order of dimensions is nothing go along: elementwise ones, `bias_add`, `batch_norm`, `concatenate`,
    `pad`, `strided_slice`, `broadcast_to`, `softmax`, reductions, `topk`, `cumsum`, `interpolate` and `take` of a vector. So
    transposes stand only where the data enter or leave the converted part: at the borders of
    the network and around operators that have one layout only, such as `reshape`, `conv2d_transpose`, `lrn`
    and `group_norm`. A transpose of the graph vanishes where the layouts on its two sides meet.

    Weights and other constants get a `transpose`, which `uma-graph-fold-constant` evaluates; `canonicalize` makes
    transposes of dimensions of size 1 reshapes. For three spatial dimensions the layouts have a D before the H.
    Blocked layouts, TVM's `NCHW8c`, are not offered: operators take data of one rank.

    Source: Relay `ConvertLayout`, whose `desired_layouts` are the options here, and `AlterOpLayout`: a description that hooks
    this pass into PRE_PARTITIONING says which layouts its device wants.

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
  let summary = "write attention as products of matrices";
  let description = [{
    Replaces `attention` by `batch_matmul`, `multiply`, `add`, `softmax` and `batch_matmul`, for what has rules for these
    only: the CPU's strategies and linalg. The bodies of composites stay. The inverse of what `uma-graph-raise-ops` does.

    Source: none in Relay; ONNX gives the operator as a function of these.

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

/// What both passes have in common, beside the parent that names them.
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
    The weights become one by `concatenate`, which `uma-graph-fold-constant` computes afterwards, and each branch
    a `strided_slice` of the result. Where all branches go on with the same operator and
    attributes (a `bias_add`, an activation, arithmetic with constants), that operator is combined, too. Weights that are computed
    after the first layer stay where they are, and so does their group.

    Every number stays what it is, but an accelerator sees another, larger layer, and slices move memory; so no
    default pipeline below level 4 runs it.

    ```mlir
}] # example # "    ```\n";
}

def CombineParallelConv2dPass : Pass<"uma-graph-combine-parallel-conv2d", "::mlir::ModuleOp">, CombineParallel<[{
    %0 = uma.graph.conv2d %x, %w0 // %w0, %w1, %w2: 8x3x1x1
    %1 = uma.graph.conv2d %x, %w1
    %2 = uma.graph.conv2d %x, %w2
    // becomes: uma.graph.conv2d %x, %w with %w: 24x3x1x1, and three slices
}]> {
  let summary = "make one conv2d of several with the same data";
  let description = [{
    `conv2d`s of one group with the same data, attributes, layouts and kernel size become one with the channels of all.

    Source: Relay `CombineParallelConv2D`.

  }] # common;
}

def CombineParallelDensePass : Pass<"uma-graph-combine-parallel-dense", "::mlir::ModuleOp">, CombineParallel<[{
    %q = uma.graph.dense %x, %wq // %wq, %wk, %wv: 64x64
    %k = uma.graph.dense %x, %wk
    %v = uma.graph.dense %x, %wv
    // becomes: uma.graph.dense %x, %w with %w: 192x64, and three slices
}]> {
  let summary = "make one dense of several with the same data";
  let description = [{
    `dense` layers with the same data and attributes become one with the units of all; their numbers of units may differ.

    Source: Relay `CombineParallelDense` with `to_batch = False`.

  }] # common;
}

def FoldConstantPass : Pass<"uma-graph-fold-constant", "::mlir::ModuleOp"> {
  let summary = "evaluate operators of constants";
  let description = [{
    Every pure operator whose operands are all constants is evaluated by the
    reference interpreter and becomes a constant, named after the layer. What
    cannot be evaluated (an integer division by zero, an element type
    without storage) stays. Constants that nothing uses any more are erased.

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
    A `multiply` by a constant with one value per output channel (or one for
    all) goes into the weights of the `conv2d` or `dense` before it and into the
    constants of `bias_add` between the two. Nothing else may use the values in between. Where that
    cannot be, a factor with one value per input channel goes into the weights of the `conv2d`s and `dense`s behind it, when they
    are all that use the product. Weights and data must have the same float type. Weights are
    multiplied in double and rounded once. The factor stays where a weight would
    overflow. The memory of weights that no operation of the module has any more is given back where
    their resource is mutable.

    Source: Relay `BackwardFoldScaleAxis` and `ForwardFoldScaleAxis`. The latter also moves factors through
    operators, such as pools, which is not done here: batch normalisation comes after the convolution in the
    networks that exporters write, and behind the concatenations of those where it comes first there is an activation.

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
  let summary = "give every value the type that follows from the operands";
  let description = [{
    After a pass or a hand has changed types, or where results were left open (`tensor<?x8xf32>`, `tensor<*xf32>`), writes
    the types that follow, by the inference that verifiers and importers use:

    - Arguments of functions are given: they must be tensors of static shape. So are constants.
    - Results of `uma.graph` operators follow from operands and attributes, in the order of the text; what was written
      is replaced. So are the arguments, operators and results of composites.
    - A function's results are those of its `func.return`, a `func.call`'s those of its function. The operands of a call must be what the
      function takes, and functions without a body are what they say.

    Operators whose operands do not fit are an error at the layer, as in a verifier. With `strict`, so is a
    written type that contradicts the inferred one: another element type, rank or static size.

    Types that contradict each other do not pass MLIR's verifier. To read such a file, `uma-opt` needs
    `--mlir-very-unsafe-disable-verifier-on-parsing`; behind a pass that leaves such types, `--verify-each=0`.

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
  let summary = "make whole operators of what exporters decomposed";
  let description = [{
    Accelerators match on whole operators, and one loop nest is faster than nine. Raised are

    - `layer_norm` and `rms_norm`: data, less their mean or not, divided by the root of the mean of squares and an
      epsilon; scale and shift where they follow. Division by the root or multiplication by its inverse, squares as `power` or
      product, the scale before or after, and TensorFlow's form with the mean subtracted last.
    - `gelu` by `erf` and by `tanh`, `hard_swish`, `silu`: every order of products and sums, since what is compared are
      polynomials. `sigmoid` of `exp`.
    - `softmax`, where the largest element is subtracted first.
    - `attention`: a softmax over the last dimension between two `batch_matmul`s; the scale as a factor of queries, keys or scores,
      or as a divisor, and a mask that is added.

    Constants may differ from the right ones by a few units in the last place of the element type. Nothing else may use the values in between. Results
    are equal but for rounding, which happens less often. Constants must be constants by then: run
    `uma-graph-fold-constant` before, and `cse`, since exporters write one mean or difference twice.

    Source: none in Relay, whose importers write whole operators; ONNX Runtime's fusions for transformers raise the same.

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
  let summary = "replace operators that inference does not need";
  let description = [{
    - `batch_norm` with constant parameters becomes `multiply` by
      `gamma / sqrt(variance + epsilon)` and `bias_add` of `beta - mean * that`, both computed
      in double and rounded once. With other parameters it stays.
    - Operators that give their operand back are removed: `multiply` and `divide` by ones,
      `add` and `subtract` of zeros (which for floats takes `-0.0` for `0.0`), pools of size
      1 and stride 1, `clip` without finite bounds, `relu` of `relu`.

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
    A convolution of one dimension is one of two between reshapes. What stands
    between two of them would see another shape than they do, and so could
    neither be fused with one nor keep its order of channels. Behind a window,
    a reshape that drops dimensions of size 1 goes past elementwise operators all
    other operands of which are such reshapes or constants; it meets the one that
    the next window begins with, and both are gone.

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
  let summary = "check that the graph stage has done its work";
  let description = [{
    Fails unless the module holds only functions and descriptions of
    accelerators (`uma.accel`), the functions hold only `uma.graph` operators, `func.call` and
    `func.return`, and every value in them is a tensor of static shape. What the later stages
    take is exactly this, so that they need not check it again. Functions without a body are not looked at, nor
    functions without operators beside some that have them: those belong to the program around the network.

    ```mlir
    %0 = arith.addf %x, %y : tensor<4xf32> // error: the graph stage ends with 'arith.addf', ...
    ```
  }];
}

def GatherWindowsPass : Pass<"uma-graph-gather-windows", "::mlir::ModuleOp"> {
  let summary = "convolutions as products: gather the windows first (im2col)";
  let description = [{
    Rewrites each `conv2d` with one group, layout NCHW and weights OIHW that is more than a pointwise one: the data is
    padded, the elements of each window at one place of the kernel are a strided slice, and all slices together, the
    channels of the result, are the data of a pointwise convolution. That one is a product of matrices, which a device
    without convolutions can take. For the PRE_PARTITIONING phase of such a device: the gathered data is larger than
    the data, and the CPU computes convolutions faster than their products.

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
