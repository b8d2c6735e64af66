//===- AccelPatternOps.td - Operations of a pattern -*- tablegen -*--===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_ACCEL_IR_ACCELPATTERNOPS_TD
#define UMA_ACCEL_IR_ACCELPATTERNOPS_TD

include "uma/Accel/IR/AccelBase.td"
include "uma/Accel/IR/NumberFunctionOpInterface.td"
include "uma/Accel/IR/TensorTypeOpInterface.td"

def Accel_PatternOp : Accel_Op<"pattern", [Symbol, ParentOneOf<["AcceleratorOp", "StrategyOp"]>, IsolatedFromAbove,
    NoRegionArguments, SingleBlock, NoTerminator]> {
  let summary = "a graph that the accelerator takes, and the call that it becomes";
  let description = [{
    The body is the graph to match, written forwards: `dim`s, `input`s, `op`s and `choice`s; `require`s; then the
    `call`s. Patterns are tried in the order of writing. Everything but `uma.accel.*` in the body is
    `arith` on `index`, `f64` and `i1`, evaluated for each candidate. Every `op` and `choice` but
    the last is used by a later one or returned; the last is the pattern's root. What the pattern computes is the
    root, or what its `return` names; some `call` takes each of them.

    Of an operator that a `choice` leaves out, and of what only such operators use, nothing is part of the match: a
    call gets a null pointer for such a tensor, and dims that only they bind are 0. Source: UMA's `_register_pattern`.

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
    /// Returns the result of the last `op` or `choice`, at which matching starts; null if the pattern has none.
    ::mlir::Value getRoot();
    /// Returns the tensors that the pattern computes: the operands of its `return`, otherwise the root.
    ::llvm::SmallVector<::mlir::Value> getOutputs();
    /// Returns the dim called `name`, or null if the pattern has none.
    DimOp getDim(::llvm::StringRef name);
    /// Whether matches are lowered to loops instead of calls.
    bool isLowered() { return !getBody().getOps<LowerOp>().empty(); }
  }];
}

/// Prints results under the names that the description gives them.
def Accel_NamedResult : DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>;

// Dims, inputs and ops constrain the match even if their results are unused. They are not Pure, so that no cleanup
// removes them.

def Accel_DimOp : Accel_Op<"dim", [HasParent<"PatternOp">, Accel_NamedResult]> {
  let summary = "a name for a size or for the value of an attribute";
  let description = [{
    A number that the match binds where an input's shape or an attribute first uses it; every further use must be
    equal. A size or an integer attribute is an `index`, a float attribute `f64`, a boolean one `i1`. The value takes
    part in `require`s and calls.

    ```mlir
    uma.accel.accelerator @npu {
      uma.accel.pattern @p {
        %n = uma.accel.dim "n"
        %top = uma.accel.dim "top" : f64
        %x = uma.accel.input "x" f32 [%n, %n]
        %y = uma.accel.op "clip"(%x) as "y" {a_max = @top, a_min = 0.0}
        uma.accel.call "npu"(%y, %top) : !uma.accel.tensor, f64
      }
    }
    ```
  }];
  let arguments = (ins StrAttr:$name);
  let results = (outs AnyTypeOf<[Index, F64, I1]>:$result);
  let assemblyFormat = "$name `` custom<DimType>(type($result)) attr-dict";
}

def Accel_InputOp : Accel_Op<"input", [HasParent<"PatternOp">, Accel_NamedResult, Accel_TensorTypeOpInterface]> {
  let summary = "a tensor that the pattern takes";
  let description = [{
    Its element types, where given, of which it has one, and its shape, where given: integers, dims and `?`, which is
    any size. `...` in front of the first dim makes it stand for all leading sizes: as a number it is their product,
    and all shapes that start with it have the same. Without a shape (`any_shape`) it has any rank and sizes; without
    an element type it has any. A `const` input is a constant of the graph. The device takes the tensor in the layout
    that stands after `as`, a map from the dimensions of the graph.

    `static_dims` has one entry for each dimension: `ShapedType::kDynamic` where the next of `dims` stands, `kAnySize`
    for `?`, `kPackedSizes` for the dim after `...`.

    ```mlir
    uma.accel.accelerator @npu {
      uma.accel.pattern @add {
        %n = uma.accel.dim "n"
        %m = uma.accel.dim "m"
        %x = uma.accel.input "x" f32|f16 [...%m, ?, %n]
        %b = uma.accel.input "b" const f32 [%n, 4] as affine_map<(d0, d1) -> (d1, d0)>
        %y = uma.accel.op "add"(%x, %b) as "y"
        uma.accel.call "npu_add"(%x, %b, %y, %n)
            : !uma.accel.tensor, !uma.accel.tensor, !uma.accel.tensor, index
      }
    }
    ```
  }];
  let arguments = (ins StrAttr:$name, UnitAttr:$constant, OptionalAttr<TypeArrayAttr>:$element_types,
      UnitAttr:$any_shape, Variadic<Index>:$dims, DenseI64ArrayAttr:$static_dims, OptionalAttr<AffineMapAttr>:$layout);
  let results = (outs Accel_TensorType:$result);
  let assemblyFormat = [{
    $name (`const` $constant^)? `` custom<TensorPattern>($element_types, $any_shape, $dims, $static_dims, $layout) attr-dict
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Entry of `static_dims` for a size that the pattern does not constrain.
    static constexpr int64_t kAnySize = ::uma::accel::kAnySize;
    ::mlir::Value getTensor() { return getResult(); }
  }];
}

def Accel_ResultOp : Accel_Op<"result", [HasParent<"PatternOp">, Accel_TensorTypeOpInterface]> {
  let summary = "what a pattern says of a tensor that it computes";
  let description = [{
    The types that the result of an `op` or `choice` can have, as those of a `uma.accel.input`. Its dims are those of
    the tensor. Only a tensor that the pattern returns has a layout.

    ```mlir
    uma.accel.accelerator @npu {
      uma.accel.pattern @flatten {
        %x = uma.accel.input "x" f32
        %y = uma.accel.op "batch_flatten"(%x) as "y"
        %n = uma.accel.dim "n"
        uma.accel.result %y [?, %n]
        uma.accel.call "npu_copy"(%x, %y, %n) : !uma.accel.tensor, !uma.accel.tensor, index
      }
    }
    ```
  }];
  let arguments = (ins Accel_TensorType:$tensor, OptionalAttr<TypeArrayAttr>:$element_types, UnitAttr:$any_shape,
      Variadic<Index>:$dims, DenseI64ArrayAttr:$static_dims, OptionalAttr<AffineMapAttr>:$layout);
  let assemblyFormat = "$tensor `` custom<TensorPattern>($element_types, $any_shape, $dims, $static_dims, $layout) attr-dict";
  let hasVerifier = 1;
}

def Accel_SplatOp : Accel_Op<"splat", [HasParent<"PatternOp">]> {
  let summary = "a constant all of whose elements are one number";
  let description = [{
    As an operand of an `op`: matches a constant of the graph, of any shape, whose elements all equal the number, which
    is rounded to their type first. It becomes part of the match, not one of its inputs.

    ```mlir
    uma.accel.accelerator @npu {
      uma.accel.pattern @halve {
        %x = uma.accel.input "x" f32
        %half = uma.accel.splat 0.5
        %y = uma.accel.op "multiply"(%x, %half) as "y"
        uma.accel.call "npu_halve"(%x, %y) : !uma.accel.tensor, !uma.accel.tensor
      }
    }
    ```
  }];
  let arguments = (ins F64Attr:$value);
  let results = (outs Accel_TensorType:$result);
  let assemblyFormat = "$value attr-dict";
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
    | `@d` | any integer, float or boolean there; binds the pattern's `dim` of the name `d`, which has that type, or must equal what it is bound to |
    | `@d` in an array | any integer there, in the same way |
    | `"any"` | everything |
    | `"same"`, for `padding` only | the padding of SAME_UPPER (`WindowOpInterface::isSamePadding`), whatever the numbers |
    | `"outside"`, for `padding` only | any that a `uma.graph.pad` before the operator can replace, which the match then has; the data, an input that nothing else in the pattern uses, is the padded tensor |

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
  let extraClassDeclaration = [{
    /// Returns the choice that the operator is an alternative of; null if it is none.
    ::mlir::Operation *getChoice();
  }];
}

def Accel_ChoiceOp : Accel_Op<"choice", [HasParent<"PatternOp">, AttrSizedOperandSegments, Accel_NamedResult]> {
  let summary = "one of several operators, or none of them";
  let description = [{
    Stands for the first of `alternatives`, results of `op`s that nothing else uses, that leads to a match. Where
    none does, it stands for `otherwise`, where that is given: the operator is optional.

    ```mlir
    uma.accel.accelerator @npu {
      uma.accel.pattern @add_act {
        %a = uma.accel.input "a" f32
        %b = uma.accel.input "b" f32
        %t = uma.accel.op "add"(%a, %b) as "t"
        %0 = uma.accel.op "relu"(%t)
        %1 = uma.accel.op "sigmoid"(%t)
        %y = uma.accel.choice(%0, %1) else %t as "y"
        %act = uma.accel.which %y
        uma.accel.call "npu_add"(%a, %b, %y, %act)
            : !uma.accel.tensor, !uma.accel.tensor, !uma.accel.tensor, index
      }
    }
    ```
  }];
  let arguments = (ins Variadic<Accel_TensorType>:$alternatives, Optional<Accel_TensorType>:$otherwise,
      OptionalAttr<StrAttr>:$name);
  let results = (outs Accel_TensorType:$result);
  let assemblyFormat = "`(` $alternatives `)` (`else` $otherwise^)? (`as` $name^)? attr-dict";
  let hasVerifier = 1;
}

def Accel_ReturnOp : Accel_Op<"return", [HasParent<"PatternOp">]> {
  let summary = "what a pattern with several results computes";
  let description = [{
    Names the results that may be used outside of the match. Each is an operand of another, uses a tensor that another
    is computed from, or is the root. Without it the root is the only result.

    ```mlir
    uma.accel.accelerator @npu {
      uma.accel.pattern @pair {
        %x = uma.accel.input "x" f32
        %y = uma.accel.op "sin"(%x) as "y"
        %z = uma.accel.op "cos"(%x) as "z"
        uma.accel.return %y, %z
        uma.accel.call "npu_sincos"(%x, %y, %z) : !uma.accel.tensor, !uma.accel.tensor, !uma.accel.tensor
      }
    }
    ```
  }];
  let arguments = (ins Variadic<Accel_TensorType>:$outputs);
  let assemblyFormat = "$outputs attr-dict";
}

//===----------------------------------------------------------------------===//
// Numbers of the match for conditions and arguments
//===----------------------------------------------------------------------===//

class Accel_MeasureOp<string name, string description_, string example, list<string> overridden = []>
    : Accel_Op<name, [HasParent<"PatternOp">, Pure, DeclareOpInterfaceMethods<Accel_NumberFunctionOpInterface, overridden>]> {
  let description = description_ # [{

    ```mlir
    uma.accel.accelerator @npu {
      uma.accel.pattern @p {
        %x = uma.accel.input "x" f32
        %r = uma.accel.op "relu"(%x)
        %y = uma.accel.choice(%r) else %x as "y"
        %z = uma.accel.op "sin"(%y) as "z"
        %0 = }] # example # [{
        uma.accel.call "npu"(%x, %z, %0) : !uma.accel.tensor, !uma.accel.tensor, }] #
        !if(!eq(name, "present"), "i1", "index") # [{
      }
    }
    ```
  }];
}

def Accel_BytesOp : Accel_MeasureOp<"bytes", [{
    The size of the tensor in memory; 0 where it is no part of the match.}], "uma.accel.bytes %x", ["growsWithSizes"]> {
  let summary = "the bytes of a tensor";
  let arguments = (ins Accel_TensorType:$tensor);
  let results = (outs Index:$result);
  let assemblyFormat = "$tensor attr-dict";
}

def Accel_ElementsOp : Accel_MeasureOp<"elements", [{
    The product of the tensor's sizes; 0 where it is no part of the match.}], "uma.accel.elements %x", ["growsWithSizes"]> {
  let summary = "the number of elements of a tensor";
  let arguments = (ins Accel_TensorType:$tensor);
  let results = (outs Index:$result);
  let assemblyFormat = "$tensor attr-dict";
}

def Accel_RankOp : Accel_MeasureOp<"rank", [{
    0 for a scalar, and where the tensor is no part of the match.}], "uma.accel.rank %x"> {
  let summary = "the number of dimensions of a tensor";
  let arguments = (ins Accel_TensorType:$tensor);
  let results = (outs Index:$result);
  let assemblyFormat = "$tensor attr-dict";
}

def Accel_MacsOp : Accel_MeasureOp<"macs", [{
    Of all operators of the match together, as `uma explain` counts them.}], "uma.accel.macs", ["growsWithSizes"]> {
  let summary = "the multiply-accumulate operations of a match";
  let arguments = (ins);
  let results = (outs Index:$result);
  let assemblyFormat = "attr-dict";
}

def Accel_PresentOp : Accel_MeasureOp<"present", [{
    Of the result of a `choice` with an `else`: whether one of its alternatives is there. Of another tensor: whether it
    is part of the match.}], "uma.accel.present %y", ["isCondition"]> {
  let summary = "whether an optional operator is there";
  let arguments = (ins Accel_TensorType:$tensor);
  let results = (outs I1:$result);
  let assemblyFormat = "$tensor attr-dict";
  let hasVerifier = 1;
}

def Accel_WhichOp : Accel_MeasureOp<"which", [{
    The number of the alternative, from 0; the number of alternatives where none is there.}], "uma.accel.which %y"> {
  let summary = "which alternative of a choice is there";
  let arguments = (ins Accel_TensorType:$tensor);
  let results = (outs Index:$result);
  let assemblyFormat = "$tensor attr-dict";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Conditions and calls
//===----------------------------------------------------------------------===//

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

def Accel_SplitOp : Accel_Op<"split", [HasParent<"PatternOp">]> {
  let summary = "a limit on a dim, beyond which a match is several";
  let description = [{
    Where the dim is more than `limit`, the match becomes several calls, each of a piece of `limit` or what is left of
    it. Tensors with the dim are slices, results are concatenated. Conditions and costs hold for each piece. The dim
    is a size of an input, along which each element of the result is computed by itself
    (`SliceableOpInterface`).

    ```mlir
    uma.accel.accelerator @npu {
      uma.accel.pattern @dense {
        %n = uma.accel.dim "n"
        %k = uma.accel.dim "k"
        %x = uma.accel.input "x" f32 [1, %k]
        %w = uma.accel.input "w" f32 [%n, %k]
        %y = uma.accel.op "dense"(%x, %w) as "y"
        uma.accel.split %n by 512
        uma.accel.call "npu_dense"(%x, %w, %y, %n, %k)
            : !uma.accel.tensor, !uma.accel.tensor, !uma.accel.tensor, index, index
      }
    }
    ```
  }];
  let arguments = (ins Index:$dim, ConfinedAttr<I64Attr, [IntPositive]>:$limit);
  let assemblyFormat = "$dim `by` $limit attr-dict";
  let hasVerifier = 1;
}

def Accel_ScratchOp : Accel_Op<"scratch", [HasParent<"PatternOp">, Accel_NamedResult]> {
  let summary = "memory that the calls of a match need while they run";
  let description = [{
    A buffer of `size` elements in the workspace, for the calls of the pattern; nothing else takes it but a
    `uma.accel.place`. What is in it before the first call and after the last one is unspecified: matches share it
    where the device has no `uma.accel.await`. One of no elements is a null pointer. Source: the workspaces that TVM's
    `TVMBackendAllocWorkspace` gives extern functions.

    ```mlir
    uma.accel.accelerator @npu {
      uma.accel.pattern @dense {
        %k = uma.accel.dim "k"
        %x = uma.accel.input "x" f32 [1, %k]
        %w = uma.accel.input "w" f32 [4, %k]
        %t = uma.accel.scratch "t" f32 [%k]
        %y = uma.accel.op "dense"(%x, %w) as "y"
        uma.accel.call "npu_dense"(%x, %w, %t, %y, %k)
            : !uma.accel.tensor, !uma.accel.tensor, !uma.accel.tensor, !uma.accel.tensor, index
      }
    }
    ```
  }];
  let arguments = (ins StrAttr:$name, TypeAttr:$element_type, Index:$size);
  let results = (outs Accel_TensorType:$result);
  let assemblyFormat = "$name $element_type ` ` `[` $size `]` attr-dict";
  let hasVerifier = 1;
}

def Accel_CallOp : Accel_Op<"call", [ParentOneOf<["PatternOp", "InitOp", "AwaitOp"]>]> {
  let summary = "the C function that a match becomes";
  let description = [{
    Tensors become pointers, dims, constants and what is computed from them numbers, in the order
    of the C function's parameters. A tensor that is no part of the match is a null pointer. A pattern may call
    several functions, in order.

    `c_arguments` gives the arguments in C if they are more than the operands in their order. Its elements:

    | element | is in C |
    |---|---|
    | `0`, an integer | the operand of this number |
    | `"NPU_SAME"` | a constant of the header, which a `uma.accel.constants` names |
    | `{sum = [...]}` | the sum of elements, at least one of them a constant |
    | `{pick = 0, of = [...]}` | the element that the operand selects, a `uma.accel.which` |
    | `{struct = "npu_cfg", pointer, fields = ["in_h", 0, ...]}` | a struct whose other fields are 0, or a pointer to it: pairs of designators and elements |

    ```mlir
    uma.accel.accelerator @npu {
      uma.accel.constants ["NPU_SAME"]
      uma.accel.pattern @relu {
        %n = uma.accel.dim "n"
        %x = uma.accel.input "x" f32 [%n]
        %y = uma.accel.op "relu"(%x) as "y"
        uma.accel.call "npu_run"(%n, %x, %y) as [{struct = "npu_cfg", pointer, fields = ["n", 0, "pad", "NPU_SAME"]}, 1, 2]
            : index, !uma.accel.tensor, !uma.accel.tensor
      }
    }
    ```

    `code` is C of a pattern in the place of a function: statements, with `{N}` for operand N and braces of C written
    twice. They may return a status. The callee names what they do.

    ```mlir
    uma.accel.accelerator @npu {
      uma.accel.pattern @relu {
        %n = uma.accel.dim "n"
        %x = uma.accel.input "x" f32 [%n]
        %y = uma.accel.op "relu"(%x) as "y"
        uma.accel.call "relu"(%n, %x, %y) code "for (int32_t i = 0; i < {0}; ++i) npu_max(&{1}[i], 0, &{2}[i]);"
            : index, !uma.accel.tensor, !uma.accel.tensor
      }
    }
    ```

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
      Variadic<AnyTypeOf<[Accel_TensorType, Index, AnySignlessInteger, AnyFloat]>>:$arguments,
      OptionalAttr<ArrayAttr>:$c_arguments, OptionalAttr<StrAttr>:$code);
  let builders = [OpBuilder<(ins "::llvm::StringRef":$callee, "::mlir::ValueRange":$arguments), [{
    build($_builder, $_state, callee, arguments, ::mlir::ArrayAttr(), ::mlir::StringAttr());
  }]>];
  let assemblyFormat = "$callee `(` $arguments `)` (`as` $c_arguments^)? (`code` $code^)? attr-dict (`:` type($arguments)^)?";
  let hasVerifier = 1;
}

#endif // UMA_ACCEL_IR_ACCELPATTERNOPS_TD
