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
  let summary = "a graph that the accelerator takes, and the calls that replace it";
  let description = [{
    The body is the graph to match in topological order: `dim`s, `input`s, `op`s and `choice`s; `require`s; then the
    `call`s. Patterns are tried in source order. All other operations in the body are `arith` on `index`, `f64` and
    `i1`, evaluated for each candidate. The last `op` or `choice` is the pattern's root; every other one is used by a
    later one or returned. The pattern's outputs are the operands of its `return`, otherwise the root. Each output is an
    argument of a `call`.

    If a `choice` omits an operator, the operator and everything that only omitted operators use are not part of the
    match: calls get a null pointer for such a tensor, and dims that only they bind are 0. Source: UMA's
    `_register_pattern`.

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
    /// Returns the result of the last `op` or `choice`, at which matching starts, or null if the pattern has none.
    ::mlir::Value getRoot();
    /// Returns the tensors that the pattern computes: the operands of its `return`, otherwise the root.
    ::llvm::SmallVector<::mlir::Value> getOutputs();
    /// Returns the dim called `name`, or null if the pattern has none.
    DimOp getDim(::llvm::StringRef name);
    /// Returns whether matches are lowered to loops instead of calls.
    bool isLowered() { return !getBody().getOps<LowerOp>().empty(); }
    /// Returns whether matches are computed tile by tile.
    bool isTiled() { return !getBody().getOps<TileOp>().empty(); }
  }];
}

/// Prints results under the names that the description gives them.
def Accel_NamedResult : DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>;

// Dims, inputs and ops constrain the match even if their results are unused. They are not Pure, so that no cleanup
// removes them.

def Accel_DimOp : Accel_Op<"dim", [HasParent<"PatternOp">, Accel_NamedResult]> {
  let summary = "a name for a size or the value of an attribute";
  let description = [{
    A number that is bound by its first use in an input's shape or an attribute; every further use must be equal. It is
    an `index` for a size or integer attribute, `f64` for a float attribute, `i1` for a boolean attribute. `require`s
    and calls can use the value.

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
  let summary = "an input tensor of the pattern";
  let description = [{
    If element types are given, the tensor has one of them. If a shape is given, it consists of integers, dims and `?`,
    which matches any size. A first dim after `...` stands for all leading sizes: its number is their product, and all
    shapes that start with it have the same leading sizes. Without a shape (`any_shape`), the tensor has any rank and
    sizes. A `const` input is a constant of the graph. The map after `as` is the tensor's layout on the device, a map
    from the dimensions of the graph.

    `static_dims` has one entry for each dimension: `ShapedType::kDynamic` for the next of `dims`, `kAnySize` for `?`,
    `kPackedSizes` for the dim after `...`.

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
  let summary = "constrains the type of a tensor that the pattern computes";
  let description = [{
    Constrains the result of an `op` or `choice` like a `uma.accel.input` constrains an input, and binds dims to its
    sizes. Only outputs of the pattern can have a layout.

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
  let summary = "a constant whose elements all equal one number";
  let description = [{
    As an operand of an `op`, matches a constant of the graph of any shape if all its elements equal the number, rounded
    to the element type. The constant is part of the match, not one of its inputs.

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

def Accel_OperatorOp : Accel_Op<"op", [HasParent<"PatternOp">, Accel_NamedResult]> {
  let summary = "an operator of uma.graph to match";
  let description = [{
    `kind` is the operator's name without `uma.graph.`. `matched_attributes` constrains the operator's attributes. An
    attribute that is not listed must have its default (or be absent if it is optional), so that a pattern never matches
    more than it specifies. An attribute without a default (`pool_size`) must be listed, at least as "any". The values
    of `matched_attributes`:

    | value | matches |
    |---|---|
    | integer (`i64`), float (`f64`), boolean, string, type | an equal attribute |
    | array of integers (`[1, 1]`) | an equal `DenseI64ArrayAttr` |
    | `@d` | any integer, float or boolean of the type of the pattern's `dim` called `d`; binds the dim, or must equal its value if it is bound |
    | `@d` in an array | any integer, in the same way |
    | `"any"` | any value |
    | `"same"`, for `padding` only | SAME_UPPER padding (`WindowOpInterface::isSamePadding`) of any size |
    | `"outside"`, for `padding` only | any padding that a `uma.graph.pad` before the operator can replace; the match gets this `pad`. The data must be an input with no other use in the pattern; it is then the padded tensor |

    Dims are referenced by name instead of as operands because they may be nested in an attribute.

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
    /// Returns the choice that the operator is an alternative of, or null if it is not an alternative.
    ::mlir::Operation *getChoice();
  }];
}

def Accel_ChoiceOp : Accel_Op<"choice", [HasParent<"PatternOp">, AttrSizedOperandSegments, Accel_NamedResult]> {
  let summary = "one of several operators, or none of them";
  let description = [{
    Stands for the first of `alternatives` that leads to a match. Alternatives are results of `op`s with no other use.
    If none matches, stands for `otherwise` if it is given: the operator is then optional.

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
  let summary = "the outputs of a pattern with several results";
  let description = [{
    Lists the results that may be used outside of the match. Each is an operand of another, uses a tensor that another
    is computed from, or is the root. Without a `return`, the root is the only result.

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
        !if(!or(!eq(name, "present"), !eq(name, "first")), "i1", "index") # [{
      }
    }
    ```
  }];
}

def Accel_BytesOp : Accel_MeasureOp<"bytes", [{
    The size of the tensor in memory, in bytes; 0 if it is not part of the match.}], "uma.accel.bytes %x", ["growsWithSizes"]> {
  let summary = "the size of a tensor in bytes";
  let arguments = (ins Accel_TensorType:$tensor);
  let results = (outs Index:$result);
  let assemblyFormat = "$tensor attr-dict";
}

def Accel_ElementsOp : Accel_MeasureOp<"elements", [{
    The product of the tensor's sizes; 0 if it is not part of the match.}], "uma.accel.elements %x", ["growsWithSizes"]> {
  let summary = "the number of elements of a tensor";
  let arguments = (ins Accel_TensorType:$tensor);
  let results = (outs Index:$result);
  let assemblyFormat = "$tensor attr-dict";
}

def Accel_RankOp : Accel_MeasureOp<"rank", [{
    0 for a scalar, or if the tensor is not part of the match.}], "uma.accel.rank %x"> {
  let summary = "the number of dimensions of a tensor";
  let arguments = (ins Accel_TensorType:$tensor);
  let results = (outs Index:$result);
  let assemblyFormat = "$tensor attr-dict";
}

def Accel_MacsOp : Accel_MeasureOp<"macs", [{
    The sum over all operators of the match, as counted by `uma explain`.}], "uma.accel.macs", ["growsWithSizes"]> {
  let summary = "the number of multiply-accumulate operations of a match";
  let arguments = (ins);
  let results = (outs Index:$result);
  let assemblyFormat = "attr-dict";
}

def Accel_PresentOp : Accel_MeasureOp<"present", [{
    For the result of a `choice` with an `else`, whether one of its alternatives is present. For any other tensor, whether it
    is part of the match.}], "uma.accel.present %y", ["isCondition"]> {
  let summary = "whether an optional operator is present";
  let arguments = (ins Accel_TensorType:$tensor);
  let results = (outs I1:$result);
  let assemblyFormat = "$tensor attr-dict";
  let hasVerifier = 1;
}

def Accel_WhichOp : Accel_MeasureOp<"which", [{
    The index of the alternative, or the number of alternatives if none is present.}], "uma.accel.which %y"> {
  let summary = "the alternative that a choice takes";
  let arguments = (ins Accel_TensorType:$tensor);
  let results = (outs Index:$result);
  let assemblyFormat = "$tensor attr-dict";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Conditions and calls
//===----------------------------------------------------------------------===//

def Accel_RequireOp : Accel_Op<"require", [HasParent<"PatternOp">]> {
  let summary = "a condition for a match, with the reason to report if it fails";
  let description = [{
    `condition` is computed from dims with 64-bit `arith`. If an operation has no value (division by zero, overflow),
    the condition fails. `source` is the condition as the user wrote it; `uma explain` prints it and the reason.

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
  let summary = "a limit on a dim, above which a match is split";
  let description = [{
    If the dim exceeds `limit`, the match becomes several calls, each for a piece of at most `limit`. Tensors with the
    dim are sliced, results are concatenated. Conditions and costs apply to each piece. The dim must be a size of an
    input along which the elements of the result are independent (`SliceableOpInterface`).

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

def Accel_CallOp : Accel_Op<"call", [ParentOneOf<["PatternOp", "InitOp", "LaunchOp", "AwaitOp", "EngineOp",
    "PathOp", "TokensOp", "LayersOp"]>, AttrSizedOperandSegments]> {
  let summary = "a call to a C function that computes a match";
  let description = [{
    Operands are in the order of the C function's parameters. Tensors become pointers; dims, constants and values
    computed from them become numbers. A tensor that is not part of the match becomes a null pointer. A pattern may call
    several functions, in order.

    `c_arguments` specifies the arguments in C if they differ from the list of operands. Its elements:

    | element | C argument |
    |---|---|
    | `0`, an integer | the operand of this number |
    | `"NPU_SAME"` | a constant of the header, named in a `uma.accel.constants` |
    | `{sum = [...]}` | the sum of elements, at least one of them a constant |
    | `{pick = 0, of = [...]}` | the element selected by the operand, a `uma.accel.which` |
    | `{struct = "npu_cfg", pointer, fields = ["in_h", 0, ...]}` | a struct, or a pointer to it; `fields` holds pairs of designators and elements, all other fields are 0 |

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

    `code` is C code that replaces the call: statements, with `{N}` for operand N and braces of C written twice. They
    may return a status. The callee is then only a descriptive name.

    With an `engine`, the call is a command of that engine, which takes `cycles` cycles (`uma.accel.engine`).

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
      OptionalAttr<ArrayAttr>:$c_arguments, OptionalAttr<StrAttr>:$code, OptionalAttr<StrAttr>:$engine,
      Optional<Index>:$cycles);
  let builders = [OpBuilder<(ins "::llvm::StringRef":$callee, "::mlir::ValueRange":$arguments), [{
    build($_builder, $_state, callee, arguments, ::mlir::ArrayAttr(), ::mlir::StringAttr(), ::mlir::StringAttr(),
          ::mlir::Value());
  }]>];
  let assemblyFormat = [{
    $callee `(` $arguments `)` (`as` $c_arguments^)? (`code` $code^)? (`on` $engine^)? (`cycles` $cycles^)? attr-dict
    (`:` type($arguments)^)?
  }];
  let hasVerifier = 1;
}

#endif // UMA_ACCEL_IR_ACCELPATTERNOPS_TD
