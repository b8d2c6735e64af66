//===- GraphRecurrentOps.td - Recurrent layers -*- tablegen -*-===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_GRAPH_IR_GRAPHRECURRENTOPS_TD
#define UMA_GRAPH_IR_GRAPHRECURRENTOPS_TD

include "uma/Graph/IR/GraphBase.td"

/// Recurrent layer: one operator that loops over time. Its results are the states of all steps and the last states.
class Graph_RecurrentOp<string name, string formulas, string example, dag extraArguments, dag extraResults>
    : Graph_Op<name, [Pure, AttrSizedOperandSegments,
        DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
  let description = formulas # [{
    `data` is `[T, B, I]`: steps, batch, inputs. H is the number of units. D, the number of directions, is 2 for
    `bidirectional` and 1 for `forward` and `reverse`. `sequence_lens`, `[B]` integers clamped to 0 to T, ends
    sequences of the batch early: later steps give 0 and keep the state. `reverse` starts at the end of each sequence.
    `initial_h` is 0 by default. `clip` limits the argument of each activation to `[-clip, clip]`. The results are
    `output`, the states of all steps, `[T, D, B, H]`, and the last states, `[D, B, H]`.

    `activations` lists the functions of the first direction, then those of the second: `affine` (`alpha * x + beta`),
    `elu`, `hard_sigmoid`, `leaky_relu`, `relu`, `scaled_tanh` (`alpha * tanh(beta * x)`), `sigmoid`, `softplus`,
    `softsign`, `tanh` and `thresholded_relu`; `alphas` and `betas` have one entry per function.
}] # "\n    Source: ONNX `" # !toupper(name) # "`; Relay unrolls it at import.\n\n    ```mlir\n" # example #
      "\n    ```\n";
  let arguments = !con((ins Graph_Tensor:$data, Graph_Tensor:$weight,
      Graph_Tensor:$recurrence, Optional<Graph_Tensor>:$bias,
      Optional<Graph_Tensor>:$sequence_lens, Optional<Graph_Tensor>:$initial_h), extraArguments,
      (ins Graph_DefaultStr<"forward">:$direction,
           OptionalAttr<StrArrayAttr>:$activations,
           OptionalAttr<DenseF64ArrayAttr>:$alphas, OptionalAttr<DenseF64ArrayAttr>:$betas,
           OptionalAttr<F64Attr>:$clip));
  let results = !con((outs Graph_Tensor:$output, Graph_Tensor:$output_h), extraResults);
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Infers the types of the results. Errors name the operand.
    static ::llvm::LogicalResult inferTypes(::uma::graph::EmitErrorFn emitError,
        Adaptor adaptor, ::llvm::SmallVectorImpl<::mlir::Type> &types);
    /// Returns the sizes of the layer.
    ::uma::graph::RecurrentDims getDims();
    /// Returns the functions of direction `direction` in ONNX's order.
    ::llvm::SmallVector<::uma::graph::RecurrentActivation> getActivationsOf(int64_t direction);
  }];
  let extraClassDefinition = [{
    ::llvm::LogicalResult $cppClass::verify() {
      return ::uma::graph::detail::verifyInferredTypes<$cppClass>(*this);
    }
    ::llvm::LogicalResult $cppClass::inferReturnTypes(
        ::mlir::MLIRContext *context, ::std::optional<::mlir::Location> location,
        ::mlir::ValueRange operands, ::mlir::DictionaryAttr attributes,
        ::mlir::OpaqueProperties properties, ::mlir::RegionRange regions,
        ::llvm::SmallVectorImpl<::mlir::Type> &inferredReturnTypes) {
      Adaptor adaptor(operands, attributes, properties, regions);
      return ::uma::graph::detail::inferWithErrors(
          context, location, getOperationName(),
          [&](::uma::graph::EmitErrorFn emitError) {
            return inferTypes(emitError, adaptor, inferredReturnTypes);
          });
    }
  }];
}

def Graph_LSTMOp : Graph_RecurrentOp<"lstm", [{
    With the functions f, g, h (by default `sigmoid`, `tanh`, `tanh`) and the gates in the order i, o, f, c
    in `weight` `[D, 4H, I]`, `recurrence` `[D, 4H, H]` and `bias` `[D, 8H]` (input biases, then recurrence biases):

        i = f(x Wi + h Ri + bi + pi * c)
        f = f(x Wf + h Rf + bf + pf * c), or 1 - i with input_forget
        c' = f * c + i * g(x Wc + h Rc + bc)
        o = f(x Wo + h Ro + bo + po * c')
        h' = o * h(c')

    `peephole`, `[D, 3H]`, holds the weights pi, po, pf. `cell_clip` limits c' to `[-cell_clip, cell_clip]`, as
    TensorFlow Lite does. The third result is the last cell state c.

  }], [{    %y, %h, %c = uma.graph.lstm %x, %w, %r
        : (tensor<5x1x2xf32>, tensor<1x12x2xf32>, tensor<1x12x3xf32>)
        -> (tensor<5x1x1x3xf32>, tensor<1x1x3xf32>, tensor<1x1x3xf32>)}],
    (ins Optional<Graph_Tensor>:$initial_c, Optional<Graph_Tensor>:$peephole,
         Graph_Default<BoolAttr, "false">:$input_forget, OptionalAttr<F64Attr>:$cell_clip),
    (outs Graph_Tensor:$output_c)> {
  let summary = "long short-term memory";
  let assemblyFormat = [{
    $data `,` $weight `,` $recurrence (`bias` $bias^)? (`sequence_lens` $sequence_lens^)?
    (`initial_h` $initial_h^)? (`initial_c` $initial_c^)? (`peephole` $peephole^)?
    (`input_forget` $input_forget^)? (`cell_clip` $cell_clip^)? (`direction` $direction^)? (`activations` $activations^)?
    (`alphas` $alphas^)? (`betas` $betas^)? (`clip` $clip^)?
    attr-dict `:` functional-type(operands, results)
  }];
}

def Graph_GRUOp : Graph_RecurrentOp<"gru", [{
    With the functions f, g (by default `sigmoid`, `tanh`) and the gates in the order z, r, h
    in `weight` `[D, 3H, I]`, `recurrence` `[D, 3H, H]` and `bias` `[D, 6H]`, whose first half is Wb and whose second
    half is Rb:

        z = f(x Wz + h Rz + Wbz + Rbz)
        r = f(x Wr + h Rr + Wbr + Rbr)
        n = g(x Wh + (r * h) Rh + Rbh + Wbh), or, with linear_before_reset,
        n = g(x Wh + r * (h Rh + Rbh) + Wbh)
        h' = (1 - z) * n + z * h

  }], [{    %y, %h = uma.graph.gru %x, %w, %r
        : (tensor<5x1x2xf32>, tensor<1x9x2xf32>, tensor<1x9x3xf32>)
        -> (tensor<5x1x1x3xf32>, tensor<1x1x3xf32>)}],
    (ins Graph_Default<BoolAttr, "false">:$linear_before_reset), (outs)> {
  let summary = "gated recurrent unit";
  let assemblyFormat = [{
    $data `,` $weight `,` $recurrence (`bias` $bias^)? (`sequence_lens` $sequence_lens^)?
    (`initial_h` $initial_h^)? (`linear_before_reset` $linear_before_reset^)?
    (`direction` $direction^)? (`activations` $activations^)?
    (`alphas` $alphas^)? (`betas` $betas^)? (`clip` $clip^)?
    attr-dict `:` functional-type(operands, results)
  }];
}

def Graph_RNNOp : Graph_RecurrentOp<"rnn", [{
    With the function f (by default `tanh`), `weight` `[D, H, I]`, `recurrence` `[D, H, H]` and `bias` `[D, 2H]`:

        h' = f(x W + h R + Wb + Rb)

  }], [{    %y, %h = uma.graph.rnn %x, %w, %r
        : (tensor<5x1x2xf32>, tensor<1x3x2xf32>, tensor<1x3x3xf32>)
        -> (tensor<5x1x1x3xf32>, tensor<1x1x3xf32>)}], (ins), (outs)> {
  let summary = "simple recurrent layer";
  let assemblyFormat = [{
    $data `,` $weight `,` $recurrence (`bias` $bias^)? (`sequence_lens` $sequence_lens^)?
    (`initial_h` $initial_h^)? (`direction` $direction^)? (`activations` $activations^)?
    (`alphas` $alphas^)? (`betas` $betas^)? (`clip` $clip^)?
    attr-dict `:` functional-type(operands, results)
  }];
}

#endif // UMA_GRAPH_IR_GRAPHRECURRENTOPS_TD
