//===- AccelMappingOps.td - Devices with memories and queues -*- tablegen -*--===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Engines, the paths between memories, and the operations of patterns whose matches are computed tile by tile
// (`docs/mapping.md`).
//
//===----------------------------------------------------------------------===//

#ifndef UMA_ACCEL_IR_ACCELMAPPINGOPS_TD
#define UMA_ACCEL_IR_ACCELMAPPINGOPS_TD

// AccelOps.td includes this file after its base classes.

def Accel_EngineOp : Accel_Op<"engine", [HasParent<"AcceleratorOp">, IsolatedFromAbove, SingleBlock]> {
  let summary = "a part of the device that runs commands from a queue";
  let description = [{
    Calls that name the engine are commands: the host queues them, the engine runs them in order, and different engines
    run at the same time. The body calls the function that waits until the engine has completed a number of commands
    since the start of the region, its argument. Without this call, engines wait for each other by `uma.accel.tokens`, or
    the engine is synchronous: its functions return when they are done. The body yields the multiply-accumulate
    operations per cycle at best, 0 for engines that only move data.

    ```mlir
    uma.accel.accelerator @npu {
      uma.accel.engine "array" {
      ^bb0(%commands: index):
        uma.accel.call "npu_wait"(%commands) : index
        %macs = arith.constant 256 : index
        uma.accel.yield %macs
      }
    }
    ```
  }];
  let arguments = (ins StrAttr:$name);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$name attr-dict-with-keyword $body";
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    /// Returns the names of the body's arguments in the description.
    static ::llvm::ArrayRef<::llvm::StringLiteral> getArgumentNames();
    /// Returns the call that waits, or null.
    CallOp getWait();
  }];
}

def Accel_TokensOp : Accel_Op<"tokens", [HasParent<"AcceleratorOp">, IsolatedFromAbove, SingleBlock,
    NoTerminator]> {
  let summary = "instructions by which engines wait for each other";
  let description = [{
    Without it, the host waits between commands that depend on each other. With it, the host only queues commands: the
    first call in the body pushes a token from an engine, after the commands before it, to another engine; the second
    call makes the other engine wait for the token before the commands after it. Engines are numbered in the order of
    the description. The region's `uma.accel.await` waits for all engines. Source: the dependency tokens of TVM's VTA.

    ```mlir
    uma.accel.accelerator @npu {
      uma.accel.tokens {
      ^bb0(%from: index, %to: index):
        uma.accel.call "npu_push"(%from, %to) : index, index
        uma.accel.call "npu_pop"(%from, %to) : index, index
      }
      uma.accel.await {
        uma.accel.call "npu_finish"()
      }
    }
    ```
  }];
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "attr-dict-with-keyword $body";
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    /// Returns the names of the body's arguments in the description.
    static ::llvm::ArrayRef<::llvm::StringLiteral> getArgumentNames();
    CallOp getPush();
    CallOp getPop();
  }];
}

def Accel_LaunchOp : Accel_RegionCallOp<"launch"> {
  let summary = "calls that start the commands of a region";
  let description = [{
    The `call`s in the body run once in each region's function, after its commands are queued and before the `await`. They
    return before the commands are complete.

    ```mlir
    uma.accel.accelerator @npu {
      uma.accel.launch {
        uma.accel.call "npu_start"()
      }
      uma.accel.await {
        uma.accel.call "npu_wait"()
      }
    }
    ```
  }];
}

def Accel_LayersOp : Accel_Op<"layers", [HasParent<"AcceleratorOp">, IsolatedFromAbove, SingleBlock,
    NoTerminator]> {
  let summary = "calls that tell the device and the host which layer commands belong to";
  let description = [{
    Commands of several layers may be in the queues at the same time, so that an error of `uma.accel.await` could be that of
    any layer. The first call in the body runs before the commands of another layer than that of the commands before.
    Its argument is the number of the layer in the region's function, from 0. The second call returns, after an error of
    `uma.accel.await`, the number of the layer whose command failed; the C reports the error with the name of this layer.

    ```mlir
    uma.accel.accelerator @npu {
      uma.accel.layers {
      ^bb0(%number: index):
        uma.accel.call "npu_layer"(%number) : index
        uma.accel.call "npu_failed_layer"()
      }
      uma.accel.await {
        uma.accel.call "npu_finish"()
      }
    }
    ```
  }];
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "attr-dict-with-keyword $body";
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    /// Returns the names of the body's arguments in the description.
    static ::llvm::ArrayRef<::llvm::StringLiteral> getArgumentNames();
    CallOp getBegin();
    CallOp getFailed();
  }];
}

def Accel_PathOp : Accel_Op<"path", [HasParent<"AcceleratorOp">, IsolatedFromAbove, SingleBlock]> {
  let summary = "a way to move data between two memories";
  let description = [{
    The call in the body is a command of `engine` that copies `rows` rows of `row_bytes` bytes. In main memory, which is
    called `main`, the rows are `stride` bytes apart; in a memory of the device they follow each other. Addresses in
    memories of the device are numbers of bytes; those in main memory are pointers. A command takes `setup` cycles, and
    one cycle for every `bandwidth` bytes of each row; the body yields both.

    ```mlir
    uma.accel.accelerator @npu {
      uma.accel.memory "sram" {
        %size = arith.constant 65536 : index
        uma.accel.yield %size
      }
      uma.accel.engine "dma" {
      ^bb0(%commands: index):
        uma.accel.call "npu_wait"(%commands) : index
        %macs = arith.constant 0 : index
        uma.accel.yield %macs
      }
      uma.accel.path "main" to "sram" on "dma" {
      ^bb0(%from: !uma.accel.tensor, %to: index, %rows: index, %row_bytes: index, %stride: index):
        uma.accel.call "npu_load"(%to, %from, %rows, %row_bytes, %stride)
            : index, !uma.accel.tensor, index, index, index
        %setup = arith.constant 16 : index
        %bandwidth = arith.constant 8 : index
        uma.accel.yield %setup, %bandwidth
      }
    }
    ```
  }];
  let arguments = (ins StrAttr:$from, StrAttr:$to, StrAttr:$engine);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$from `to` $to `on` $engine attr-dict-with-keyword $body";
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    /// Returns the names of the body's arguments in the description.
    static ::llvm::ArrayRef<::llvm::StringLiteral> getArgumentNames();
    /// Returns the call that moves the data.
    CallOp getCall();
  }];
}

def Accel_TileOp : Accel_Op<"tile", [HasParent<"PatternOp">]> {
  let summary = "a size along which matches are computed in pieces";
  let description = [{
    A match of a pattern with tiles is a sequence of commands. Each computes a part of the result, with at most as many
    elements of the dim as the mapping allows (`uma-accel-map`), a multiple of `step`. In calls, sizes and padding are
    those of the part. The dim is a size of the result, or one that a convolution or matrix product sums over. Tensors
    that the pattern places in a memory are moved there by the device's paths.

    ```mlir
    uma.accel.accelerator @npu {
      uma.accel.memory "sram" {
        %size = arith.constant 65536 : index
        uma.accel.yield %size
      }
      uma.accel.engine "core" {
      ^bb0(%commands: index):
        uma.accel.call "npu_wait"(%commands) : index
        %macs = arith.constant 0 : index
        uma.accel.yield %macs
      }
      uma.accel.path "main" to "sram" on "core" {
      ^bb0(%from: !uma.accel.tensor, %to: index, %rows: index, %row_bytes: index, %stride: index):
        uma.accel.call "npu_load"(%to, %from, %row_bytes) : index, !uma.accel.tensor, index
        %one = arith.constant 1 : index
        uma.accel.yield %one, %one
      }
      uma.accel.pattern @relu {
        %n = uma.accel.dim "n"
        %x = uma.accel.input "x" f32 [%n]
        %y = uma.accel.op "relu"(%x) as "y"
        uma.accel.tile %n by 8
        uma.accel.place %x in "sram"
        uma.accel.call "npu_relu"(%x, %y, %n) on "core" cycles %n : !uma.accel.tensor, !uma.accel.tensor, index
      }
    }
    ```
  }];
  let arguments = (ins Index:$dim, DefaultValuedAttr<ConfinedAttr<I64Attr, [IntPositive]>, "1">:$step);
  let assemblyFormat = "$dim (`by` $step^)? attr-dict";
  let hasVerifier = 1;
}

class Accel_DistanceOp<string name, string description_> : Accel_Op<name, [HasParent<"PatternOp">, Pure,
    DeclareOpInterfaceMethods<Accel_NumberFunctionOpInterface, ["getNumSizes"]>]> {
  let description = description_ # [{

    ```mlir
    uma.accel.accelerator @npu {
      uma.accel.pattern @relu {
        %n = uma.accel.dim "n"
        %m = uma.accel.dim "m"
        %x = uma.accel.input "x" f32 [%n, %m]
        %y = uma.accel.op "relu"(%x) as "y"
        %row = uma.accel.}] # name # [{ %x, %n
        uma.accel.call "npu_relu"(%x, %y, %n, %m, %row)
            : !uma.accel.tensor, !uma.accel.tensor, index, index, index
      }
    }
    ```
  }];
  let arguments = (ins Accel_TensorType:$tensor, Index:$dim);
  let results = (outs Index:$result);
  let assemblyFormat = "$tensor `,` $dim attr-dict";
  let hasVerifier = 1;
}

def Accel_StrideOp : Accel_DistanceOp<"stride", [{
    In elements of the tensor as it is stored where the call finds it: in main memory or in a memory of the device. For
    a size that a layout divides into blocks, the distance between blocks.}]> {
  let summary = "the distance between neighbours along a size of a tensor";
}

def Accel_StepOp : Accel_DistanceOp<"step", [{
    If a window has one row and a stride, it skips rows. A pattern with `step` allows the compiler to leave them out of
    the buffer: the step is then the stride of the window, otherwise 1.}]> {
  let summary = "the distance in the tensor between rows that are neighbours in its buffer";
}

def Accel_FirstOp : Accel_MeasureOp<"first", [{
    Whether the call is the first one that adds to this part of the tensor, which is the result of a sum that is computed
    in pieces (`uma.accel.tile`).}], "uma.accel.first %z", ["isCondition"]> {
  let summary = "whether a call is the first of a sum";
  let arguments = (ins Accel_TensorType:$tensor);
  let results = (outs I1:$result);
  let assemblyFormat = "$tensor attr-dict";
  let hasVerifier = 1;
}

#endif // UMA_ACCEL_IR_ACCELMAPPINGOPS_TD
