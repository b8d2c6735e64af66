//===- AccelCostOps.td - Costs of running on a device -*- tablegen -*--===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Costs that placement reads (`docs/placement.md`); they do not change what a match computes.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_ACCEL_IR_ACCELCOSTOPS_TD
#define UMA_ACCEL_IR_ACCELCOSTOPS_TD

// AccelOps.td includes this file after its base classes.

def Accel_CostOp : Accel_Op<"cost", [HasParent<"PatternOp">]> {
  let summary = "what one match costs on the device";
  let description = [{
    `cycles` is how long the device computes. `bytes` is what the calls themselves move between main memory and the
    device, weights above all; it costs what a transfer of so many bytes costs. Transfers of activations are counted
    apart, from where they are made and used. A pattern has one cost at most; without one it has an estimate.
    Source: the cost functions of Collage (Jeon et al. 2021), given instead of measured.

    ```mlir
    uma.accel.accelerator @npu {
      uma.accel.pattern @relu {
        %n = uma.accel.dim "n"
        %x = uma.accel.input "x" f32 [%n]
        %y = uma.accel.op "relu"(%x) as "y"
        uma.accel.cost %n
        uma.accel.call "npu_relu"(%x, %y, %n) : !uma.accel.tensor, !uma.accel.tensor, index
      }
    }
    ```
  }];
  let arguments = (ins Index:$cycles, Optional<Index>:$bytes);
  let assemblyFormat = "$cycles (`bytes` $bytes^)? attr-dict";
  let hasVerifier = 1;
}

def Accel_TransferOp : Accel_Op<"transfer", [HasParent<"AcceleratorOp">, IsolatedFromAbove, SingleBlock]> {
  let summary = "what moving a tensor to or from the device costs";
  let description = [{
    The body yields the cycles that one tensor of so many bytes takes, in either direction. Without one the device
    shares the memory of the CPU, and moving costs nothing.

    ```mlir
    uma.accel.accelerator @npu {
      uma.accel.transfer {
      ^bb0(%bytes: index):
        %c8 = arith.constant 8 : index
        %cycles = arith.ceildivsi %bytes, %c8 : index
        uma.accel.yield %cycles
      }
    }
    ```
  }];
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "attr-dict-with-keyword $body";
  let hasRegionVerifier = 1;
}

def Accel_RegionOp : Accel_Op<"region", [HasParent<"AcceleratorOp">, IsolatedFromAbove, NoRegionArguments,
    SingleBlock]> {
  let summary = "what each region of the device costs, and how small it may be";
  let description = [{
    A region is what becomes one function of the device. The body yields the cycles that each costs once, for
    starting and awaiting the device. Placement by cost makes none of fewer than `min_operators` operators.

    ```mlir
    uma.accel.accelerator @npu {
      uma.accel.region min_operators 2 {
        %overhead = arith.constant 500 : index
        uma.accel.yield %overhead
      }
    }
    ```
  }];
  let arguments = (ins DefaultValuedOptionalAttr<I64Attr, "1">:$min_operators);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "(`min_operators` $min_operators^)? attr-dict-with-keyword $body";
  let hasRegionVerifier = 1;
}

def Accel_YieldOp : Accel_Op<"yield", [ParentOneOf<["TransferOp", "RegionOp", "MemoryOp"]>, Terminator, Pure]> {
  let summary = "the number that a body computes";
  let description = [{
    ```mlir
    uma.accel.accelerator @npu {
      uma.accel.region {
        %overhead = arith.constant 500 : index
        uma.accel.yield %overhead
      }
    }
    ```
  }];
  let arguments = (ins Index:$result);
  let assemblyFormat = "$result attr-dict";
}

#endif // UMA_ACCEL_IR_ACCELCOSTOPS_TD
