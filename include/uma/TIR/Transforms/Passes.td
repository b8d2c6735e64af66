//===- Passes.td - Passes on the tir family -*- tablegen -*-===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_TIR_TRANSFORMS_PASSES_TD
#define UMA_TIR_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

//===----------------------------------------------------------------------===//
// TIR_PHASE_0
//===----------------------------------------------------------------------===//

def CompactBufferAllocationPass : Pass<"uma-tir-compact-buffer-allocation", "::uma::tir::FuncOp"> {
  let summary = "make buffers as small as what is used at a time";
  let description = [{
    A buffer that only blocks use moves into the innermost loop around all of them, and becomes as large as
    what one iteration touches, where the first block that touches it there writes all of that. Buffers of the workspace stay outside of loops, and
    none moves into a vectorized loop. It follows schedules, whose `cache_read`, `cache_write` and `compute_at`
    leave whole buffers of which a tile is used at a time: the regions that blocks list become whole buffers.

    Source: TVM's `CompactBufferAllocation`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
  let statistics = [
    Statistic<"numCompacted", "compacted", "Buffers that became smaller">,
  ];
}

def LowerBlockPass : Pass<"uma-tir-lower-block", "::uma::tir::FuncOp"> {
  let summary = "replace blocks by what they compute";
  let description = [{
    The step from schedulable to plain TIR: iteration variables become their
    bindings, and the body of a block takes its place. The init region runs before the
    loops of the reduction where these are innermost, contain only the block and start at 0;
    otherwise under `scf.if`, when every reduce variable is 0. A predicate becomes an `scf.if`.

    Source: TVM's `ConvertBlocksToOpaque` and `LowerInitBlock`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
  let statistics = [
    Statistic<"numBlocks", "blocks", "Blocks lowered">,
    Statistic<"numGuardedInits", "guarded-inits", "Init regions that run under a condition">,
  ];
}

//===----------------------------------------------------------------------===//
// TIR_PHASE_1
//===----------------------------------------------------------------------===//

def StorageFlattenPass : Pass<"uma-tir-storage-flatten", "::mlir::ModuleOp"> {
  let summary = "make every buffer one-dimensional";
  let description = [{
    Buffers become row-major and one-dimensional, and loads and stores compute the linear
    index. Views of whole buffers (reinterpret_cast, collapse_shape, expand_shape, cast)
    vanish. Local buffers of rank 0 that are only loaded and stored stay: they are scalar variables.
    Buffers of public functions keep their shape in the argument attribute
    `uma.shape`. Constants keep their data: large ones are not copied.

    Source: TVM's `StorageFlatten` and `FlattenBuffer`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect"];
  let statistics = [
    Statistic<"numAccesses", "accesses", "Loads and stores flattened">,
    Statistic<"numViews", "views", "Views removed">,
  ];
}

def SimplifyPass : Pass<"uma-tir-simplify", "::uma::tir::FuncOp"> {
  let summary = "fold, merge and hoist index arithmetic";
  let description = [{
    Canonicalization of `arith`, `math`, `memref`, `scf` and `uma.tir`, then motion of index
    arithmetic out of conditions and of whatever is invariant out of loops, then common
    subexpression elimination, within functions of TIR only.

    Source: TVM's `Simplify`, `CommonSubexprElimTIR` and `HoistExpression`.
  }];
  let statistics = [
    Statistic<"numHoisted", "hoisted", "Operations moved out of loops">,
    Statistic<"numMerged", "merged", "Common subexpressions removed">,
  ];
}

//===----------------------------------------------------------------------===//
// TIR_PHASE_2
//===----------------------------------------------------------------------===//

def VectorizeLoopPass : Pass<"uma-tir-vectorize-loop", "::uma::tir::FuncOp"> {
  let summary = "turn loops of kind vectorized into vectors";
  let description = [{
    A loop of kind `vectorized` whose extent is a power of 2, from 0 on, becomes operations on upstream's `vector`
    values with one lane per iteration: loads and stores at consecutive elements become `vector.load` and
    `vector.store`, loads that do not depend on the lane stay scalar and are broadcast, and elementwise arithmetic on `f32`
    works on vectors. Local variables of the body hold vectors. Loops inside may stay.
    A loop with anything else in it (strided accesses, conditions, calls, other types) becomes serial.

    Source: TVM's `VectorizeLoop`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::vector::VectorDialect"];
  let statistics = [
    Statistic<"numVectorized", "vectorized", "Loops that became vectors">,
    Statistic<"numKept", "kept", "Loops marked as vectorized that stay loops">,
  ];
}

def PromoteLocalPass : Pass<"uma-tir-promote-local", "::uma::tir::FuncOp"> {
  let summary = "split local arrays into variables";
  let description = [{
    A local array of one dimension whose loads and stores, of scalars or vectors, are all at known places that do not overlap in
    part becomes one local variable per place, which C compilers keep in registers. One that is stored once, before its loads,
    becomes the value itself. Runs after loops are unrolled.

    Source: LLVM's `SROA`; TVM leaves it to LLVM.
  }];
  let dependentDialects = ["::mlir::memref::MemRefDialect"];
  let statistics = [
    Statistic<"numBuffers", "buffers", "Arrays split">,
    Statistic<"numVariables", "variables", "Variables made of them">,
  ];
}

def UnrollLoopPass : Pass<"uma-tir-unroll-loop", "::uma::tir::FuncOp"> {
  let summary = "unroll loops of kind unrolled";
  let description = [{
    A loop of kind `unrolled` becomes one copy of its body per iteration. Those
    whose extent is unknown or above `max-extent` become serial loops.

    Source: TVM's `UnrollLoop`.
  }];
  let options = [
    Option<"maxExtent", "max-extent", "int64_t", /*default=*/"64",
           "Loops of more iterations stay loops; 64 by default">,
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
  let statistics = [
    Statistic<"numUnrolled", "unrolled", "Loops unrolled">,
    Statistic<"numKept", "kept", "Loops marked as unrolled that stay loops">,
  ];
}

//===----------------------------------------------------------------------===//
// TIR_PHASE_3
//===----------------------------------------------------------------------===//

def RemoveNoOpPass : Pass<"uma-tir-remove-no-op", "::uma::tir::FuncOp"> {
  let summary = "remove loops, conditions and buffers without effect";
  let description = [{
    Removes loops and conditions that have no effect, conditions that are constant, and
    buffers of the function that are only written.

    Source: TVM's `RemoveNoOp`.
  }];
  let statistics = [
    Statistic<"numLoops", "loops", "Loops removed">,
    Statistic<"numBuffers", "buffers", "Buffers removed">,
  ];
}

def RemoveRedundantConfigurationPass
    : Pass<"uma-tir-remove-redundant-configuration", "::uma::tir::FuncOp"> {
  let summary = "remove calls that configure a device as it is";
  let description = [{
    A `uma.tir.call_extern` with `uma.configure` goes where the last call of the same function, on every path through the
    function of TIR, had the same arguments and nothing but configurations of other functions and calls that
    compute stand between: each function of configuration sets a state of its own. Loops and conditions that configure the
    device leave that state unknown.

    Source: the state tracing of the `accfg` dialect (Configuration Wall, ASPLOS 2025).
  }];
  let statistics = [
    Statistic<"numRemoved", "removed", "Calls removed">,
  ];
}

//===----------------------------------------------------------------------===//
// After the phases
//===----------------------------------------------------------------------===//

def PlanMemoryPass : Pass<"uma-tir-plan-memory", "::uma::tir::FuncOp"> {
  let summary = "place workspace buffers in one arena";
  let description = [{
    Gives every workspace buffer of a public function its `offset`, a multiple of 64
    bytes and of the buffer's alignment, so that buffers that live at the same time do not overlap, and sets
    `uma.workspace_size`, in bytes, on the function, and `uma.workspace_alignment` where that is not 64. A buffer lives from the first to the last
    operation of the function's body that uses it, also through views; unused ones go. Buffers are placed one by one,
    each in the smallest gap that it fits in; several orders are tried, and the plan that needs the
    least is taken.

    Source: TVM's USMP, `greedy_by_size`.
  }];
  let options = [
    Option<"report", "report", "bool", /*default=*/"false",
           "Remark on every public function how much workspace it needs, and how much any plan would; off by default">,
  ];
  let statistics = [
    Statistic<"numBuffers", "buffers", "Buffers placed">,
    Statistic<"plannedBytes", "planned-bytes", "Bytes of workspace">,
    Statistic<"liveBytes", "live-bytes",
              "The most bytes that live at one time: no plan needs less">,
  ];
}

def VerifyPass : Pass<"uma-tir-verify", "::mlir::ModuleOp"> {
  let summary = "check that a stage of TIR is complete";
  let description = [{
    Fails with an error that names the stage and the operation, unless the module is what the stage promises:

    - `schedulable`: no operation of the graph family is left, nothing is a tensor.
    - `plain`: in addition no blocks; buffers have at most one dimension and the identity layout; no
      vectors; functions hold only `arith`, `math`, `scf.if`, `uma.tir` and memref's load, store,
      global and get_global; every workspace buffer has its place.
  }];
  let options = [
    Option<"stage", "stage", "std::string", /*default=*/"\"plain\"",
           "The stage that ends here: schedulable, or plain, the default">,
  ];
}

#endif // UMA_TIR_TRANSFORMS_PASSES_TD
