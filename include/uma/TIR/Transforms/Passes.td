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

def MergeFunctionsPass : Pass<"uma-tir-merge-functions", "::mlir::ModuleOp"> {
  let summary = "make equal functions one";
  let description = [{
    Private functions that are equal but for their name and their layer become the first of them, and their calls go there.
    The layers' names stay at the calls (`uma.layers` and the location), and the function lists them in `uma.merged_layers`.
    Functions with a `uma.tir.call_extern` stay apart, since they name the layer that failed.
    Runs before the expensive passes, which then see each function once.

    Source: upstream's `duplicate-function-elimination`.
  }];
  let statistics = [
    Statistic<"numMerged", "merged", "Functions that another one replaced">,
  ];
}

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

def LegalizeBF16Pass : Pass<"uma-tir-legalize-bf16", "::uma::tir::FuncOp"> {
  let summary = "compute with f32 what is stored as bf16";
  let description = [{
    Operations of `arith` and `math` on bf16 compute in f32, between `arith.extf` and `arith.truncf`; integers that f32 cannot
    hold become bf16 by way of f64. Every result is rounded as before. What only moves values stays: constants, selects,
    bitcasts, loads and stores. In C a value of bf16 and the elements of its buffers are `uint16_t`, the upper half of
    an f32.

    Source: TVM's `BF16ComputeLegalize` and `BF16StorageLegalize`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
  let statistics = [
    Statistic<"numLegalized", "legalized", "Operations that compute in f32 now">,
  ];
}

def NarrowDataTypePass : Pass<"uma-tir-narrow-data-type", "::uma::tir::FuncOp"> {
  let summary = "compute integers in 32 bits where that is enough";
  let description = [{
    Arithmetic and comparisons on i64, and divisions and remainders of indices, become operations on i32 that do not
    overflow, between casts, if everything that they take and make provably fits. A division of 32 bits is faster than one of 64 on every
    target; of other index arithmetic C makes addresses, which are as wide as pointers anyway and are left alone, unless
    `all-indices` is set. Bounds of loops tell the ranges of their variables.

    Source: TVM's `NarrowDataType`.
  }];
  let options = [
    Option<"allIndices", "all-indices", "bool", /*default=*/"false",
           "All arithmetic on indices, not only divisions; off by default">,
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
  let statistics = [
    Statistic<"numNarrowed", "narrowed", "Operations that compute in 32 bits now">,
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

def LoopPartitionPass : Pass<"uma-tir-loop-partition", "::uma::tir::FuncOp"> {
  let summary = "split loops so that the conditions in them are constant";
  let description = [{
    A serial loop that holds an `scf.if` or `arith.select` on a comparison linear in the loop variable is split
    where the comparison changes its value, and the pieces lose the condition: the inside of a padded convolution has no tests.
    Iterations keep their order, so that sums are added up as before.

    - Where other variables of the comparison belong to inner loops, the iterations in which they do not matter are split from
      those at the boundary, if they are at least half of all.
    - Where they belong to outer loops, the bound between the pieces is computed: the taps of a window at the boundary start
      at the first one inside.

    Loops of other kinds stay whole, and so do those around workspace buffers and around and inside `uma.tir.multiversion`,
    whose schedules deal with boundaries themselves. Comparisons that have a variable whose range is
    unknown stay.

    Source: TVM's `LoopPartition`.
  }];
  let options = [
    Option<"maxOperations", "max-operations", "int64_t", /*default=*/"4096",
           "A function is not made larger than this many operations; 4096 by default">,
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
  let statistics = [
    Statistic<"numSplit", "split", "Times that a loop was split in two">,
    Statistic<"numKept", "kept", "Loops that were not split for max-operations">,
  ];
}

def InjectVirtualThreadPass : Pass<"uma-tir-inject-virtual-thread", "::uma::tir::FuncOp"> {
  let summary = "interleave the iterations of loops of virtual threads";
  let description = [{
    A loop with the attribute `uma.virtual_thread` goes: each statement of its body becomes one copy per iteration, so that a device sees
    the loads of all threads, then their computations. Loops and conditions in it that are the same for all
    threads stay single, with the copies inside; every thread has buffers of its own.

    It is an error if a thread is not provably independent of the others: a buffer from outside that is written must be
    accessed at linear indices which threads do not share, and no call may configure a device. That calls of a device do not mind each
    other is for the schedule to know. Different arguments of the function are different buffers.

    Source: TVM's `InjectVirtualThread`.
  }];
  let options = [
    Option<"maxThreads", "max-threads", "int64_t", /*default=*/"64",
           "A loop of more virtual threads is an error; 64 by default">,
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
  let statistics = [
    Statistic<"numInjected", "injected", "Loops interleaved">,
  ];
}

def InjectDoubleBufferPass : Pass<"uma-tir-inject-double-buffer", "::uma::tir::FuncOp"> {
  let summary = "load the next iteration's buffers while this one computes";
  let description = [{
    Buffers with the attribute `uma.double_buffer`, which a serial loop allocates in its body, become two each. What writes to them, the load, runs one
    iteration ahead of the rest, the computation: before the loop for the first, in the loop for the next one, with the last computations behind
    the loop, which goes two iterations at a time.

    It is an error if that changes what is computed: if a load reads what the computation writes, writes to
    other buffers, comes after the computation has begun, or configures a device. That calls of a device do not mind each
    other is for the schedule to know. Different arguments of the function are different buffers.

    Source: TVM's `InjectDoubleBuffer`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
  let statistics = [
    Statistic<"numInjected", "injected", "Loops that load ahead">,
  ];
}

def StorageRewritePass : Pass<"uma-tir-storage-rewrite", "::uma::tir::FuncOp"> {
  let summary = "reuse buffers inside a function";
  let description = [{
    A buffer takes the place of another one of the same block:

    - A loop nest that reads each element of a buffer before it writes the same one of another, and is the last to use
      the first and the first to use the second, writes in place. Both have the same type.
    - A local buffer takes the place of one that is dead, and of the same element type. Sizes may differ where only loads and
      stores use them; the larger one stands.

    Workspace buffers that are dead are left to `uma-tir-plan-memory`, and so are those that have their offset. Scalar variables stay.

    Source: TVM's `StorageRewrite`.
  }];
  let statistics = [
    Statistic<"numInPlace", "in-place", "Buffers that loops write in place of their input">,
    Statistic<"numReused", "reused", "Local buffers that take the place of a dead one">,
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
    Removes loops and conditions that have no effect, conditions that are constant, stores of what was just loaded
    from the same place, and buffers of the function that are only written.

    Source: TVM's `RemoveNoOp`.
  }];
  let statistics = [
    Statistic<"numLoops", "loops", "Loops removed">,
    Statistic<"numStores", "stores", "Stores removed">,
    Statistic<"numBuffers", "buffers", "Buffers removed">,
  ];
}

def RewriteUnsafeSelectPass : Pass<"uma-tir-rewrite-unsafe-select", "::uma::tir::FuncOp"> {
  let summary = "compute what may go wrong only where a select takes it";
  let description = [{
    An `arith.select` computes both of its values. Where one of them has a load that may be out of bounds, or an
    integer division that may be by zero or overflow, the select becomes an `scf.if`: what is computed for one value
    alone moves into its branch. Other selects stay.

    Source: TVM's `RewriteUnsafeSelect`.
  }];
  let dependentDialects = ["::mlir::scf::SCFDialect"];
  let statistics = [
    Statistic<"numRewritten", "rewritten", "Selects that became conditions">,
  ];
}

def HoistIfThenElsePass : Pass<"uma-tir-hoist-if-then-else", "::uma::tir::FuncOp"> {
  let summary = "move conditions that do not change out of loops";
  let description = [{
    A loop with an `scf.if` whose condition, or a part of it, does not depend on the loop becomes an `scf.if` around two copies of the
    loop, in which that is constant. A copy that has no effect goes; where both have one, the loop is
    copied if it has at most `max-size` operations.

    Source: TVM's `HoistIfThenElse`.
  }];
  let options = [
    Option<"maxSize", "max-size", "int64_t", /*default=*/"16",
           "Loops of more operations do not become two; 16 by default">,
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
  let statistics = [
    Statistic<"numHoisted", "hoisted", "Conditions moved out of a loop">,
    Statistic<"numKept", "kept", "Conditions that stay for max-size">,
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

def InstrumentBoundCheckersPass : Pass<"uma-tir-instrument-bound-checkers", "::uma::tir::FuncOp"> {
  let summary = "check every index before it is used";
  let description = [{
    Puts a `uma.tir.check_bounds` in front of every load and store, of scalars and of vectors, for every dimension of the buffer. The emitted C then
    calls the hook `UMA_ON_OUT_OF_BOUNDS(layer, buffer, index, size)` and returns the status `UMA_OUT_OF_BOUNDS` instead of
    reading or writing outside of a buffer. For debugging: the checks cost time, and are there for what is provably inside, too,
    unless `skip-proven` is set. What calls do with a buffer is not checked.

    Source: TVM's `InstrumentBoundCheckers`.
  }];
  let options = [
    Option<"skipProven", "skip-proven", "bool", /*default=*/"false",
           "No checks where the bounds of loops prove that the index is inside; off by default">,
  ];
  let statistics = [
    Statistic<"numChecks", "checks", "Checks put in">,
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

    A layer whose result has `uma.in_place = array<i64: argument, bytes>` may write it over that argument where nothing reads
    it afterwards: the result then begins so many bytes before it. Such a plan is taken where it needs no more than one without.
    It is not for C whose loops threads share; `in-place=false` is.

    Source: TVM's USMP, `greedy_by_size`; results that run ahead of their input are the diagonal
    memory optimisation of Blacker et al. (2020).
  }];
  let options = [
    Option<"report", "report", "bool", /*default=*/"false",
           "Remark on every public function how much workspace it needs, and how much any plan would; off by default">,
    Option<"inPlace", "in-place", "bool", /*default=*/"true",
           "Let layers that can write their result over their input; on by default">,
  ];
  let statistics = [
    Statistic<"numBuffers", "buffers", "Buffers placed">,
    Statistic<"numInPlace", "in-place", "Buffers placed over the input of their layer">,
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
