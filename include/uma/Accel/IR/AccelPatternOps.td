//===- AccelPatternOps.td - What a pattern is made of -*- tablegen -*-===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_ACCEL_IR_ACCELPATTERNOPS_TD
#define UMA_ACCEL_IR_ACCELPATTERNOPS_TD

include "uma/Accel/IR/AccelBase.td"

def Accel_PatternOp : Accel_Op<"pattern", [Symbol, HasParent<"AcceleratorOp">, IsolatedFromAbove,
    NoRegionArguments, SingleBlock, NoTerminator]> {
  let summary = "a graph that the accelerator takes, and the call that it becomes";
  let description = [{
    The body is the graph to match, written forwards: `dim`s, `input`s and `op`s; `require`s; then the
    `call`s. Patterns are tried in the order of writing. Everything but `uma.accel.*` in the body is
    `arith` on `index` and `i1` (and float constants for calls), evaluated for each candidate. Every `op` but
    the last is an operand of a later one; the last is the pattern's root, and some `call` takes its result.
    Source: UMA's `_register_pattern`.

    ```mlir
    uma.accel.accelerator @npu {
      uma.accel.pattern @relu {
        %n = uma.accel.dim "n"
        %x = uma.accel.input "x" f32 [%n]
        %y = uma.accel.op "relu"(%x) as "y"
        uma.accel.call "npu_relu"(%x, %y, %n) : !uma.accel.tensor, !uma.accel.tensor, index
      }
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$sym_name attr-dict-with-keyword $body";
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    /// The operation whose result is the pattern's result: the last `op`.
    OpOp getRoot();
    /// The dim called `name`; null when the pattern has none.
    DimOp getDim(::llvm::StringRef name);
  }];
}

/// Results print under the name that the description gives them.
def Accel_NamedResult : DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>;

// Dims, inputs and ops constrain the match even where nothing uses their results:
// they are not Pure, so that no cleanup removes them.

def Accel_DimOp : Accel_Op<"dim", [HasParent<"PatternOp">, Accel_NamedResult]> {
  let summary = "a name for a size";
  let description = [{
    A size that the match binds where an input's shape or an attribute first uses it; every further use must be
    equal. The value takes part in `require`s and calls.

    ```mlir
    uma.accel.accelerator @npu {
      uma.accel.pattern @p {
        %n = uma.accel.dim "n"
        %x = uma.accel.input "x" f32 [%n, %n]
        %y = uma.accel.op "relu"(%x) as "y"
        uma.accel.call "npu"(%y) : !uma.accel.tensor
      }
    }
    ```
  }];
  let arguments = (ins StrAttr:$name);
  let results = (outs Index:$result);
  let assemblyFormat = "$name attr-dict";
}

def Accel_InputOp : Accel_Op<"input", [HasParent<"PatternOp">, Accel_NamedResult]> {
  let summary = "a tensor that the pattern takes";
  let description = [{
    Its element type, where given, and its shape, where given: integers and dims. Without a shape (`any_shape`) it
    has any rank and sizes; without an element type it has any.

    `static_dims` has one entry for each dimension, `ShapedType::kDynamic` where the next of `dims` stands.

    ```mlir
    uma.accel.accelerator @npu {
      uma.accel.pattern @add {
        %n = uma.accel.dim "n"
        %x = uma.accel.input "x" f32 [1, %n]
        %b = uma.accel.input "b"
        %y = uma.accel.op "add"(%x, %b) as "y"
        uma.accel.call "npu_add"(%x, %b, %y, %n)
            : !uma.accel.tensor, !uma.accel.tensor, !uma.accel.tensor, index
      }
    }
    ```
  }];
  let arguments = (ins StrAttr:$name, OptionalAttr<TypeAttr>:$element_type,
      UnitAttr:$any_shape, Variadic<Index>:$dims, DenseI64ArrayAttr:$static_dims);
  let results = (outs Accel_TensorType:$result);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def Accel_OpOp : Accel_Op<"op", [HasParent<"PatternOp">, Accel_NamedResult]> {
  let summary = "an operator of uma.graph to match";
  let description = [{
    `kind` is the operator's name without `uma.graph.`. `matched_attributes` says what the operator's attributes
    must be. An attribute that is not written must have its default (or be absent, where it is optional), so that a
    description never takes more than it says. One without a default
    (`pool_size`) has to be written, if only as "any". The
    values of `matched_attributes`:

    | value | matches |
    |---|---|
    | integer (`i64`), float (`f64`), boolean, string, type | an attribute that is equal |
    | array of integers (`[1, 1]`) | a `DenseI64ArrayAttr` that is equal, element by element |
    | `@d`, alone or in an array | any integer there; binds the pattern's `dim` of the name `d`, or must equal what it is bound to |
    | `"any"` | everything |
    | `"same"`, for `padding` only | the padding of SAME_UPPER (`WindowOpInterface::isSamePadding`), whatever the numbers |

    Dims are named rather than used as operands because they stand at any depth of the attribute.

    ```mlir
    uma.accel.accelerator @npu {
      uma.accel.pattern @conv {
        %s = uma.accel.dim "s"
        %x = uma.accel.input "x" f32
        %w = uma.accel.input "w" f32
        %y = uma.accel.op "conv2d"(%x, %w) as "y" {padding = "same", strides = [@s, @s]}
        uma.accel.call "npu_conv"(%x, %w, %y, %s)
            : !uma.accel.tensor, !uma.accel.tensor, !uma.accel.tensor, index
      }
    }
    ```
  }];
  let arguments = (ins StrAttr:$kind, Variadic<Accel_TensorType>:$operands_, OptionalAttr<StrAttr>:$name,
      OptionalAttr<DictionaryAttr>:$matched_attributes);
  let results = (outs Accel_TensorType:$result);
  let assemblyFormat = "$kind `(` $operands_ `)` (`as` $name^)? ($matched_attributes^)? attr-dict";
  let hasVerifier = 1;
}

def Accel_RequireOp : Accel_Op<"require", [HasParent<"PatternOp">]> {
  let summary = "a condition of a match, with the reason to give when it does not hold";
  let description = [{
    `condition` is computed from dims with `arith`, on 64 bits. Where an operation has no value (a division by zero,
    an overflow) the condition does not hold. `source` is the condition as the user wrote it; `uma explain`
    prints it and the reason.

    ```mlir
    uma.accel.accelerator @npu {
      uma.accel.pattern @p {
        %n = uma.accel.dim "n"
        %x = uma.accel.input "x" f32 [%n]
        %y = uma.accel.op "relu"(%x) as "y"
        %c64 = arith.constant 64 : index
        %ok = arith.cmpi ule, %n, %c64 : index
        uma.accel.require %ok, "at most 64 elements fit the device" source "n <= 64"
        uma.accel.call "npu"(%y) : !uma.accel.tensor
      }
    }
    ```
  }];
  let arguments = (ins I1:$condition, StrAttr:$reason, OptionalAttr<StrAttr>:$source);
  let assemblyFormat = "$condition `,` $reason (`source` $source^)? attr-dict";
}

def Accel_CallOp : Accel_Op<"call", [HasParent<"PatternOp">]> {
  let summary = "the C function that a match becomes";
  let description = [{
    Tensors become pointers, dims and constants become integers, in the order
    of the C function's parameters (a computed `index` is an integer, too). A pattern may call several
    functions, in order.

    ```mlir
    uma.accel.accelerator @npu {
      uma.accel.pattern @relu {
        %n = uma.accel.dim "n"
        %x = uma.accel.input "x" f32 [%n]
        %y = uma.accel.op "relu"(%x) as "y"
        %mode = arith.constant 2 : i32
        uma.accel.call "npu_set_mode"(%mode) : i32
        uma.accel.call "npu_relu"(%x, %y, %n) : !uma.accel.tensor, !uma.accel.tensor, index
      }
    }
    ```
  }];
  let arguments = (ins StrAttr:$callee,
      Variadic<AnyTypeOf<[Accel_TensorType, Index, AnySignlessInteger, AnyFloat]>>:$arguments);
  let assemblyFormat = "$callee `(` $arguments `)` attr-dict (`:` type($arguments)^)?";
  let hasVerifier = 1;
}

#endif // UMA_ACCEL_IR_ACCELPATTERNOPS_TD
