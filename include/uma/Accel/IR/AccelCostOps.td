//===- AccelCostOps.td - Costs of running on a device -*- tablegen -*--===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Costs for placement (`docs/placement.md`). They do not affect what a match computes.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_ACCEL_IR_ACCELCOSTOPS_TD
#define UMA_ACCEL_IR_ACCELCOSTOPS_TD

// AccelOps.td includes this file after its base classes.

def Accel_CostOp : Accel_Op<"cost", [HasParent<"PatternOp">]> {
  let summary = "the cost of one match on the device";
  let description = [{
    `cycles` is the device's compute time. `bytes` is the number of bytes that the calls themselves move between main
    memory and the device, mostly weights; they cost as much as a transfer of that size. Transfers of activations are
    counted separately, by their producers and users. A pattern has at most one cost; without it, the cost is estimated.
    Source: the cost functions of Collage (Jeon et al. 2021), specified instead of measured.

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
  let summary = "the cost of moving a tensor to or from the device";
  let description = [{
    The body computes the cycles for a tensor from its size in bytes, for either direction. Without this operation, the
    device shares the CPU's memory and transfers are free.

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
  let summary = "the cost and minimum size of the device's regions";
  let description = [{
    A region becomes one function of the device. The body yields the fixed overhead of a region in cycles, for starting
    and awaiting the device. Placement by cost forms no regions of fewer than `min_operators` operators.

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

def Accel_YieldOp : Accel_Op<"yield", [ParentOneOf<["TransferOp", "RegionOp", "MemoryOp",
    "InstructionOp", "EngineOp", "PathOp"]>, Terminator, Pure]> {
  let summary = "the results of a body";
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
  let arguments = (ins Variadic<Index>:$results);
  let assemblyFormat = "$results attr-dict";
}

#endif // UMA_ACCEL_IR_ACCELCOSTOPS_TD
