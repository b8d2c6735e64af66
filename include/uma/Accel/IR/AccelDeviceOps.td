//===- AccelDeviceOps.td - Operations that describe a device -*- tablegen -*--===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Operations that describe the device rather than one pattern: its attributes,
// memories and codegen, and the operations of patterns that use these.
// AccelOps.td includes this file.
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
    Its value is an integer (`i64`), a string or a boolean: the default, or what the command line says
    (`-a 'npu,sram_kib=128'`), which keeps the type. Expressions of the description read it by name. Source: UMA's
    `_register_target_attr`.

    ```mlir
    uma.accel.accelerator @npu {
      uma.accel.attribute "sram_kib" = 64 : i64
      uma.accel.attribute "mode" = "fast"
      uma.accel.attribute "fused" = true
    }
    ```
  }];
  let arguments = (ins StrAttr:$name, AnyAttrOf<[I64Attr, BoolAttr, StrAttr]>:$value);
  let assemblyFormat = "$name `=` $value attr-dict";
}

/// Base class of operations that read a target attribute in an expression.
class Accel_ReadOp<string name, list<Trait> traits = []> : Accel_Op<name, !listconcat(traits, [Pure,
    ParentOneOf<["PatternOp", "InitOp", "AwaitOp", "MemoryOp", "TransferOp", "RegionOp"]>])>;

def Accel_TargetAttributeOp : Accel_ReadOp<"target_attribute"> {
  let summary = "the value of an integer or boolean target attribute";
  let description = [{
    The number (`index`) or condition (`i1`) that the accelerator's `uma.accel.attribute` of this name holds.

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
  let summary = "whether a string target attribute has a value";
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
  let summary = "the version of the language that the description is written in";
  let description = [{
    A description without one has version 1. One that is newer than the compiler is refused.

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
    They do where nothing is said. With `false` each match is a region and a function of its own. The option of
    `uma-partition` decides over this. Source: UMA's `merge_compiler_regions`.

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
  let summary = "layers that are never given to the device";
  let description = [{
    `layers` is a glob (`*`, `?`, `[abc]`) over names of layers. The attribute `uma.keep_off` on an operation or function of
    the graph says the same: alone for every accelerator, with a string for the one of that name.

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
    `layers` is a glob over names of layers. No other accelerator takes them; where the device cannot,
    partitioning ends with an error that says why. The attribute `uma.pin`, a string with the name of an accelerator, on an
    operation of the graph says the same.

    ```mlir
    uma.accel.accelerator @npu {
      uma.accel.pin "conv_1"
    }
    ```
  }];
}

def Accel_LayoutOp : Accel_Op<"layout", [HasParent<"AcceleratorOp">]> {
  let summary = "the layout in which the device wants an operator";
  let description = [{
    Before matching, the graph's operators of this kind get the layout of data and, where it is said, of weights:
    `uma-graph-convert-layout`, then `uma-graph-fold-constant`, which converts the weights, and `canonicalize`. Source: Relay's
    `ConvertLayout`.

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
  let summary = "a script of the transform dialect that runs in one phase";
  let description = [{
    The body is one module that holds `transform.named_sequence @__transform_main`, which is applied to the module in that
    phase. Where `file` is given and the body is empty, the loader reads the file, whose path is
    relative to the description's folder.

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
  let summary = "how calls of a function are written in C";
  let description = [{
    `{0}`, `{1}`, … stand for the arguments of the call. A text that ends in `;` is a statement, which cannot fail; any other
    is an expression whose value is the status. A brace is written twice. Source: UMA's `replace_call_extern`.

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
    Macros or enumerators that arguments of calls may name. Their values are the C compiler's business.

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
  let summary = "C at the start of the device's functions";
  let description = [{
    Stands, as it is written, in front of everything else in the function of each region. Several stand in the order of
    writing.

    ```mlir
    uma.accel.accelerator @npu {
      uma.accel.prologue "NPU_LOCK();"
    }
    ```
  }];
}

def Accel_EpilogueOp : Accel_CodeOp<"epilogue"> {
  let summary = "C at the end of the device's functions";
  let description = [{
    Stands, as it is written, in front of every return of the function of each region, also where a status ends it early.

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
    The `call`s in its body run once at the start of the function of each region. Their arguments are computed from target
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
    The `call`s in its body run once at the end of the function of each region.

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
    Runs where it stands among the `call`s of the pattern. `uma-tir-remove-redundant-configuration` leaves it out where the last call of the
    same function in the region had the same arguments. Its arguments are numbers.

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
  let summary = "a match becomes loops of the device's function";
  let description = [{
    Instead of calls: each matched operator is implemented by the strategy of the highest level, the accelerator's own
    (`uma.accel.strategy`) or the built-in one, in the function of the region, where passes and scripts of the accelerator can
    work on its loops. `uma-accel-inline-lowered` returns matches of accelerators that have none of these to the CPU.
    Source: UMA's lowering of `relay_to_tir`.

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
  let summary = "how the device implements an operator of a lowered match";
  let description = [{
    Its body is one `uma.accel.pattern` of one operator and the calls that implement it. Where several strategies of
    an operator match, the highest `level` is taken, of equal levels the first. Built-in strategies have level 10; the
    default here is 11. Source: UMA's `_register_operator_strategy`, TVM's `plevel`.

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
    The body computes its size in bytes from target attributes; without one there is no limit. Buffers that a pattern places there start at a multiple of
    `alignment` bytes, a power of two. `access_cost` is the number of cycles per byte read or written, for cost models.

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
  let summary = "arguments of a match that live in a memory of the device";
  let description = [{
    Everything that a pattern places in one memory must fit its size together, else the pattern does not match; each tensor
    counts once. The memory's alignment holds for its buffers.

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

#endif // UMA_ACCEL_IR_ACCELDEVICEOPS_TD
