//===- AccelDeviceOps.td - Operations that describe a device -*- tablegen -*--===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Operations that describe the whole device: its attributes, memories and code generation, and the
// operations of patterns that use these. AccelOps.td includes this file.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_ACCEL_IR_ACCELDEVICEOPS_TD
#define UMA_ACCEL_IR_ACCELDEVICEOPS_TD

//===----------------------------------------------------------------------===//
// Target attributes
//===----------------------------------------------------------------------===//

def Accel_AttributeOp : Accel_Op<"attribute", [HasParent<"AcceleratorOp">]> {
  let summary = "a typed attribute of the target";
  let description = [{
    The value is an integer (`i64`), a string or a boolean. It is the default; the command line can override it with a
    value of the same type (`-a 'npu,sram_kib=128'`). A `fixed` value is part of layouts or tiles and cannot change once the
    description is read. Expressions of the description read it by name. Source: UMA's
    `_register_target_attr`.

    ```mlir
    uma.accel.accelerator @npu {
      uma.accel.attribute "sram_kib" = 64 : i64
      uma.accel.attribute "mode" = "fast"
      uma.accel.attribute "fused" = true
    }
    ```
  }];
  let arguments = (ins StrAttr:$name, AnyAttrOf<[I64Attr, BoolAttr, StrAttr]>:$value, UnitAttr:$fixed);
  let assemblyFormat = "$name `=` $value (`fixed` $fixed^)? attr-dict";
}

/// Base class of operations that read a target attribute in an expression.
class Accel_ReadOp<string name, list<Trait> traits = []> : Accel_Op<name, !listconcat(traits, [Pure,
    ParentOneOf<["PatternOp", "InitOp", "LaunchOp", "AwaitOp", "MemoryOp", "TransferOp", "RegionOp", "EngineOp", "PathOp",
        "TokensOp", "LayersOp"]>])>;

def Accel_TargetAttributeOp : Accel_ReadOp<"target_attribute"> {
  let summary = "the value of an integer or boolean target attribute";
  let description = [{
    Returns the value of the accelerator's `uma.accel.attribute` of this name, as a number (`index`) or condition
    (`i1`).

    ```mlir
    uma.accel.accelerator @npu {
      uma.accel.attribute "max_stride" = 4 : i64
      uma.accel.pattern @pool {
        %s = uma.accel.dim "s"
        %x = uma.accel.input "x" f32
        %y = uma.accel.op "max_pool2d"(%x) as "y" {pool_size = "any", strides = [@s, @s]}
        %max = uma.accel.target_attribute "max_stride" : index
        %ok = arith.cmpi sle, %s, %max : index
        uma.accel.require %ok, "the device strides less"
        uma.accel.call "npu_pool"(%x, %y, %s) : !uma.accel.tensor, !uma.accel.tensor, index
      }
    }
    ```
  }];
  let arguments = (ins StrAttr:$name);
  let results = (outs AnyTypeOf<[Index, I1]>:$result);
  let assemblyFormat = "$name attr-dict `:` type($result)";
}

def Accel_AttributeIsOp : Accel_ReadOp<"attribute_is"> {
  let summary = "whether a string target attribute has a given value";
  let description = [{
    Compares the accelerator's `uma.accel.attribute` of this name, a string, with `value`.

    ```mlir
    uma.accel.accelerator @npu {
      uma.accel.attribute "mode" = "fast"
      uma.accel.pattern @relu {
        %x = uma.accel.input "x" f32
        %y = uma.accel.op "relu"(%x) as "y"
        %fast = uma.accel.attribute_is "mode" "fast"
        uma.accel.require %fast, "the device computes this in its fast mode"
        uma.accel.call "npu_relu"(%x, %y) : !uma.accel.tensor, !uma.accel.tensor
      }
    }
    ```
  }];
  let arguments = (ins StrAttr:$name, StrAttr:$value);
  let results = (outs I1:$result);
  let assemblyFormat = "$name $value attr-dict";
}

//===----------------------------------------------------------------------===//
// Partitioning
//===----------------------------------------------------------------------===//

def Accel_VersionOp : Accel_Op<"version", [HasParent<"AcceleratorOp">]> {
  let summary = "the language version of the description";
  let description = [{
    The default is version 1. The compiler rejects versions newer than its own.

    ```mlir
    uma.accel.accelerator @npu {
      uma.accel.version 1
    }
    ```
  }];
  let arguments = (ins I64Attr:$number);
  let assemblyFormat = "$number attr-dict";
  let hasVerifier = 1;
}

def Accel_MergeCompilerRegionsOp : Accel_Op<"merge_compiler_regions", [HasParent<"AcceleratorOp">]> {
  let summary = "whether adjacent matches become one function";
  let description = [{
    The default is `true`. With `false`, each match is a region and a function of its own. The option of `uma-partition`
    overrides this. Source: UMA's `merge_compiler_regions`.

    ```mlir
    uma.accel.accelerator @npu {
      uma.accel.merge_compiler_regions false
    }
    ```
  }];
  let arguments = (ins BoolAttr:$merge);
  let assemblyFormat = "$merge attr-dict";
}

class Accel_GlobOp<string name> : Accel_Op<name, [HasParent<"AcceleratorOp">]> {
  let arguments = (ins StrAttr:$layers);
  let assemblyFormat = "$layers attr-dict";
  let hasVerifier = 1;
}

def Accel_KeepOffOp : Accel_GlobOp<"keep_off"> {
  let summary = "layers that never run on the device";
  let description = [{
    `layers` is a glob (`*`, `?`, `[abc]`) for names of layers. The attribute `uma.keep_off` on an operation or function
    of the graph has the same effect: as a unit attribute for all accelerators, as a string for the named one, as an
    array of strings for several.

    ```mlir
    uma.accel.accelerator @npu {
      uma.accel.keep_off "embedding*"
    }
    ```
  }];
}

def Accel_PinOp : Accel_GlobOp<"pin"> {
  let summary = "layers that must run on the device";
  let description = [{
    `layers` is a glob for names of layers. No other accelerator takes them. If the device cannot take one, partitioning
    fails with an error that gives the reason. The attribute `uma.pin` on an operation of the graph, a string with the
    accelerator's name, has the same effect.

    ```mlir
    uma.accel.accelerator @npu {
      uma.accel.pin "conv_1"
    }
    ```
  }];
}

def Accel_LayoutOp : Accel_Op<"layout", [HasParent<"AcceleratorOp">]> {
  let summary = "the layout that the device needs for an operator";
  let description = [{
    Before matching, converts the graph's operators of this kind to the given layout of data and, optionally, of
    weights: runs `uma-graph-convert-layout`, then `uma-graph-fold-constant`, which converts the weights, then
    `canonicalize`. Source: Relay's `ConvertLayout`.

    ```mlir
    uma.accel.accelerator @npu {
      uma.accel.layout "conv2d" "NHWC" "OHWI"
    }
    ```
  }];
  let arguments = (ins StrAttr:$kind, StrAttr:$data, OptionalAttr<StrAttr>:$weights);
  let assemblyFormat = "$kind $data ($weights^)? attr-dict";
  let hasVerifier = 1;
}

def Accel_ScriptOp : Accel_Op<"script", [HasParent<"AcceleratorOp">, IsolatedFromAbove,
    NoRegionArguments, SingleBlock, NoTerminator]> {
  let summary = "a transform dialect script that runs in one phase";
  let description = [{
    The body is a module with a `transform.named_sequence @__transform_main`, which is applied to the module in that
    phase. If the body is empty, the loader reads it from `file`, a path relative to the description's folder.

    ```mlir
    uma.accel.accelerator @npu {
      uma.accel.script "TIR_PHASE_2" {
        builtin.module attributes {transform.with_named_sequence} {
          transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
            transform.yield
          }
        }
      }
    }
    ```
  }];
  let arguments = (ins StrAttr:$phase, OptionalAttr<StrAttr>:$file);
  let regions = (region MaxSizedRegion<1>:$body);
  let assemblyFormat = "$phase ($file^)? attr-dict-with-keyword $body";
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

//===----------------------------------------------------------------------===//
// C code around the calls
//===----------------------------------------------------------------------===//

def Accel_ReplaceOp : Accel_Op<"replace", [HasParent<"AcceleratorOp">]> {
  let summary = "a template for the C code of calls to a function";
  let description = [{
    `{0}`, `{1}`, … stand for the arguments of the call. Text that ends in `;` is a statement, which cannot fail; other
    text is an expression that evaluates to the status. Write braces of C twice. Source: UMA's `replace_call_extern`.

    ```mlir
    uma.accel.accelerator @npu {
      uma.accel.replace "npu_conv" "NPU_CALL(conv, {0}, {1}, stream)"
    }
    ```
  }];
  let arguments = (ins StrAttr:$callee, StrAttr:$text);
  let assemblyFormat = "$callee $text attr-dict";
  let hasVerifier = 1;
}

def Accel_ConstantsOp : Accel_Op<"constants", [HasParent<"AcceleratorOp">]> {
  let summary = "constants of the header";
  let description = [{
    Macros or enumerators that arguments of calls may name. Only the C compiler knows their values.

    ```mlir
    uma.accel.accelerator @npu {
      uma.accel.constants ["NPU_SAME", "NPU_RELU"]
    }
    ```
  }];
  let arguments = (ins StrArrayAttr:$names);
  let assemblyFormat = "$names attr-dict";
  let hasVerifier = 1;
}

class Accel_CodeOp<string name> : Accel_Op<name, [HasParent<"AcceleratorOp">]> {
  let arguments = (ins StrAttr:$code);
  let assemblyFormat = "$code attr-dict";
  let hasVerifier = 1;
}

def Accel_PrologueOp : Accel_CodeOp<"prologue"> {
  let summary = "C code at the start of the device's functions";
  let description = [{
    Emitted verbatim at the start of each region's function. Several prologues are emitted in source order.

    ```mlir
    uma.accel.accelerator @npu {
      uma.accel.prologue "NPU_LOCK();"
    }
    ```
  }];
}

def Accel_EpilogueOp : Accel_CodeOp<"epilogue"> {
  let summary = "C code at the end of the device's functions";
  let description = [{
    Emitted verbatim before every return of each region's function, including early returns of a non-zero status.

    ```mlir
    uma.accel.accelerator @npu {
      uma.accel.epilogue "NPU_UNLOCK();"
    }
    ```
  }];
}

class Accel_RegionCallOp<string name> : Accel_Op<name, [HasParent<"AcceleratorOp">,
    IsolatedFromAbove, NoRegionArguments, SingleBlock, NoTerminator]> {
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "attr-dict-with-keyword $body";
  let hasRegionVerifier = 1;
}

def Accel_InitOp : Accel_RegionCallOp<"init"> {
  let summary = "calls at the start of the device's functions";
  let description = [{
    The `call`s in the body run once at the start of each region's function. Their arguments are computed from target
    attributes.

    ```mlir
    uma.accel.accelerator @npu {
      uma.accel.attribute "sram_kib" = 64 : i64
      uma.accel.init {
        %kib = uma.accel.target_attribute "sram_kib" : index
        uma.accel.call "npu_init"(%kib) : index
      }
    }
    ```
  }];
}

def Accel_AwaitOp : Accel_RegionCallOp<"await"> {
  let summary = "calls at the end of the device's functions";
  let description = [{
    The `call`s in the body run once at the end of each region's function.

    ```mlir
    uma.accel.accelerator @npu {
      uma.accel.await {
        uma.accel.call "npu_wait"()
      }
    }
    ```
  }];
}

def Accel_ConfigureOp : Accel_Op<"configure", [HasParent<"PatternOp">]> {
  let summary = "a call that configures the device for a match";
  let description = [{
    Runs in source order with the pattern's `call`s. The arguments are numbers. `uma-tir-remove-redundant-configuration`
    removes it if the last call to the same function in the region had the same arguments.

    ```mlir
    uma.accel.accelerator @npu {
      uma.accel.pattern @relu {
        %n = uma.accel.dim "n"
        %x = uma.accel.input "x" f32 [%n]
        %y = uma.accel.op "relu"(%x) as "y"
        uma.accel.configure "npu_set_length"(%n) : index
        uma.accel.call "npu_relu"(%x, %y) : !uma.accel.tensor, !uma.accel.tensor
      }
    }
    ```
  }];
  let arguments = (ins StrAttr:$callee, Variadic<AnyTypeOf<[Index, AnySignlessInteger, AnyFloat]>>:$arguments);
  let assemblyFormat = "$callee `(` $arguments `)` attr-dict (`:` type($arguments)^)?";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Lowering to loops
//===----------------------------------------------------------------------===//

def Accel_LowerOp : Accel_Op<"lower", [HasParent<"PatternOp">]> {
  let summary = "lowers matches to loops in the device's function";
  let description = [{
    Replaces the calls: the strategy with the highest level, the accelerator's own (`uma.accel.strategy`) or the
    built-in one, implements each matched operator in the region's function. Passes and scripts of the accelerator can
    transform the loops. If the accelerator has no strategies, passes or scripts, `uma-accel-inline-lowered` returns the
    matches to the CPU. Source: UMA's lowering of `relay_to_tir`.

    ```mlir
    uma.accel.accelerator @npu {
      uma.accel.pattern @relu {
        %x = uma.accel.input "x" f32
        %y = uma.accel.op "relu"(%x) as "y"
        uma.accel.lower
      }
    }
    ```
  }];
  let assemblyFormat = "attr-dict";
}

def Accel_StrategyOp : Accel_Op<"strategy", [HasParent<"AcceleratorOp">, IsolatedFromAbove, SymbolTable,
    NoRegionArguments, SingleBlock, NoTerminator]> {
  let summary = "the device's implementation of an operator in lowered matches";
  let description = [{
    The body is a `uma.accel.pattern` of one operator and the calls that implement it. If several strategies match an
    operator, the one with the highest `level` is used, the first among equals. Built-in strategies have level 10; the
    language's default is 11. Source: UMA's `_register_operator_strategy`, TVM's `plevel`.

    ```mlir
    uma.accel.accelerator @npu {
      uma.accel.strategy 12 {
        uma.accel.pattern @dense {
          %x = uma.accel.input "x" f32
          %w = uma.accel.input "w" f32
          %y = uma.accel.op "dense"(%x, %w) as "y"
          uma.accel.call "npu_dense"(%x, %w, %y) : !uma.accel.tensor, !uma.accel.tensor, !uma.accel.tensor
        }
      }
    }
    ```
  }];
  let arguments = (ins I64Attr:$level);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$level attr-dict-with-keyword $body";
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    /// Returns the pattern that the strategy implements.
    PatternOp getPattern();
  }];
}

//===----------------------------------------------------------------------===//
// Memories
//===----------------------------------------------------------------------===//

def Accel_MemoryOp : Accel_Op<"memory", [HasParent<"AcceleratorOp">, IsolatedFromAbove, NoRegionArguments,
    SingleBlock]> {
  let summary = "a memory of the device";
  let description = [{
    The body computes the size in bytes from target attributes; without a body the size is unlimited. Buffers that a
    pattern places in the memory are aligned to `alignment` bytes, a power of two. `access_cost` is the number of cycles
    per byte read or written, for cost models.

    ```mlir
    uma.accel.accelerator @npu {
      uma.accel.attribute "sram_kib" = 64 : i64
      uma.accel.memory "sram" align 128 access_cost 5.000000e-01 {
        %kib = uma.accel.target_attribute "sram_kib" : index
        %c1024 = arith.constant 1024 : index
        %size = arith.muli %kib, %c1024 : index
        uma.accel.yield %size
      }
    }
    ```
  }];
  let arguments = (ins StrAttr:$name, OptionalAttr<I64Attr>:$alignment, OptionalAttr<F64Attr>:$access_cost);
  let regions = (region MaxSizedRegion<1>:$size);
  let assemblyFormat = "$name (`align` $alignment^)? (`access_cost` $access_cost^)? attr-dict-with-keyword ($size^)?";
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

def Accel_PlaceOp : Accel_Op<"place", [HasParent<"PatternOp">]> {
  let summary = "places arguments of a match in a memory of the device";
  let description = [{
    The pattern matches only if all tensors that it places in one memory fit together; each tensor counts once. Their
    buffers have the memory's alignment.

    ```mlir
    uma.accel.accelerator @npu {
      uma.accel.memory "sram" {
        %size = arith.constant 65536 : index
        uma.accel.yield %size
      }
      uma.accel.pattern @relu {
        %x = uma.accel.input "x" f32
        %y = uma.accel.op "relu"(%x) as "y"
        uma.accel.place %x, %y in "sram"
        uma.accel.call "npu_relu"(%x, %y) : !uma.accel.tensor, !uma.accel.tensor
      }
    }
    ```
  }];
  let arguments = (ins Variadic<Accel_TensorType>:$tensors, StrAttr:$memory);
  let assemblyFormat = "$tensors `in` $memory attr-dict";
  let hasVerifier = 1;
}

def Accel_ScratchOp : Accel_Op<"scratch", [HasParent<"PatternOp">, Accel_NamedResult]> {
  let summary = "temporary memory for the calls of a match";
  let description = [{
    A buffer of `size` elements in the workspace, for the calls of the pattern. Only calls and `uma.accel.place` can use
    it. Its contents are unspecified before the first call and after the last one: matches share the memory unless the
    device has a `uma.accel.await`. A buffer without elements is a null pointer. Source: the workspaces that TVM's
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

#endif // UMA_ACCEL_IR_ACCELDEVICEOPS_TD
