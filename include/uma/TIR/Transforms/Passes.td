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
  let summary = "merge equal functions";
  let description = [{
    Private functions that differ only in their name and layer are replaced by the first of them, including in calls.
    The layers' names are kept on the calls (`uma.layers` and the location), and the function lists them in
    `uma.merged_layers`. Functions with a `uma.tir.call_extern` are not merged, since they name the layer that failed.
    Runs before the expensive passes, which then process each function once.

    Source: upstream's `duplicate-function-elimination`.
  }];
  let statistics = [
    Statistic<"numMerged", "merged", "Functions that another one replaced">,
  ];
}

def CompactBufferAllocationPass : Pass<"uma-tir-compact-buffer-allocation", "::uma::tir::FuncOp"> {
  let summary = "shrink buffers to the region in use";
  let description = [{
    A buffer that only blocks use moves into the innermost loop around all of them, and shrinks to the region that one
    iteration accesses, if the first block that accesses it in an iteration writes the whole region. Workspace buffers
    stay outside of loops, and no buffer moves into a vectorized loop. Run it after schedules: `cache_read`,
    `cache_write` and `compute_at` leave whole buffers of which one tile is used at a time. The regions that blocks
    list become the whole, smaller buffer.

    Source: TVM's `CompactBufferAllocation`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
  let statistics = [
    Statistic<"numCompacted", "compacted", "Buffers that became smaller">,
  ];
}

def LowerBlockPass : Pass<"uma-tir-lower-block", "::uma::tir::FuncOp"> {
  let summary = "lower blocks to their bodies";
  let description = [{
    Lowers schedulable to plain TIR: iteration variables are replaced by their bindings, and a block by its body. The
    init region runs before the loops of the reduction if these are innermost, contain only the block and start at 0;
    otherwise under an `scf.if`, when every reduce variable is 0. A predicate becomes an `scf.if`.

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
    Buffers become row-major and one-dimensional, and loads and stores compute the linear index. Views of whole
    buffers (reinterpret_cast, collapse_shape, expand_shape, cast) are removed. Local buffers of rank 0 that are only
    loaded and stored are unchanged: they are scalar variables. Buffers of public functions keep their shape in the
    argument attribute `uma.shape`. The data of constants is not copied if it is a resource.

    Source: TVM's `StorageFlatten` and `FlattenBuffer`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect"];
  let statistics = [
    Statistic<"numAccesses", "accesses", "Loads and stores flattened">,
    Statistic<"numViews", "views", "Views removed">,
  ];
}

def LegalizeBF16Pass : Pass<"uma-tir-legalize-bf16", "::uma::tir::FuncOp"> {
  let summary = "compute bf16 arithmetic in f32";
  let description = [{
    Operations of `arith` and `math` on bf16 compute in f32, between `arith.extf` and `arith.truncf`; integers that
    f32 cannot represent are converted to bf16 through f64. Every result is rounded as before. Operations that only
    move values are unchanged: constants, selects, bitcasts, loads and stores. In C, bf16 values and elements are
    `uint16_t`, the upper half of an f32.

    Source: TVM's `BF16ComputeLegalize` and `BF16StorageLegalize`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
  let statistics = [
    Statistic<"numLegalized", "legalized", "Operations that compute in f32 now">,
  ];
}

def NarrowDataTypePass : Pass<"uma-tir-narrow-data-type", "::uma::tir::FuncOp"> {
  let summary = "narrow integer arithmetic to 32 bits";
  let description = [{
    Arithmetic and comparisons on i64, and divisions and remainders of indices, are computed in i32, between casts, if
    all operands and results provably fit. A 32-bit division is faster than a 64-bit one on every target. Other index
    arithmetic is part of addresses in C, which are as wide as pointers anyway; it is unchanged unless `all-indices`
    is set. Ranges of loop variables follow from the loops' bounds.

    Source: TVM's `NarrowDataType`.
  }];
  let options = [
    Option<"allIndices", "all-indices", "bool", /*default=*/"false",
           "Narrow all arithmetic on indices, not only divisions; off by default">,
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
  let statistics = [
    Statistic<"numNarrowed", "narrowed", "Operations that compute in 32 bits now">,
  ];
}

def SimplifyPass : Pass<"uma-tir-simplify", "::uma::tir::FuncOp"> {
  let summary = "fold, merge and hoist index arithmetic";
  let description = [{
    Canonicalizes `arith`, `math`, `memref`, `scf` and `uma.tir`, moves index arithmetic out of conditions and
    invariant operations out of loops, and eliminates common subexpressions, within functions of TIR only.

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
  let summary = "convert loops of kind vectorized to vectors";
  let description = [{
    A loop of kind `vectorized` that starts at 0 and whose extent is a power of 2 becomes operations on upstream's
    `vector` values with one lane per iteration. Loads and stores at consecutive elements become `vector.load` and
    `vector.store`, loads that do not depend on the lane stay scalar and are broadcast, and elementwise arithmetic on
    `f32` becomes vector arithmetic. Local variables of the body hold vectors. The body may contain other loops. If it
    contains anything else (strided accesses, conditions, calls, other types), the loop becomes serial.

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
    A one-dimensional local array becomes one local variable per slice if all its loads and stores, of scalars or
    vectors, are at constant indices and their slices are equal or disjoint. C compilers keep these variables in
    registers. A variable that is stored once, before its loads, is replaced by the stored value. Runs after loops are
    unrolled.

    Source: LLVM's `SROA`; TVM leaves it to LLVM.
  }];
  let dependentDialects = ["::mlir::memref::MemRefDialect"];
  let statistics = [
    Statistic<"numBuffers", "buffers", "Arrays split">,
    Statistic<"numVariables", "variables", "Variables created from them">,
  ];
}

def LoopPartitionPass : Pass<"uma-tir-loop-partition", "::uma::tir::FuncOp"> {
  let summary = "split loops so that the conditions in them are constant";
  let description = [{
    A serial loop that contains an `scf.if` or `arith.select` on a comparison linear in the loop variable is split
    where the comparison changes its value, and the condition is folded in each piece: the interior of a padded
    convolution has no tests. Iterations keep their order, so that floating-point sums do not change.

    - If other variables of the comparison belong to inner loops, the iterations for which the comparison is constant
      are split from the boundary, provided that they are at least half of all iterations.
    - If they belong to outer loops, the split point is computed at run time: the taps of a window at the boundary
      start at the first one inside.

    Loops of other kinds are not split, nor are loops around workspace buffers and loops around or inside
    `uma.tir.multiversion`, whose schedules handle boundaries themselves. Comparisons with a variable of unknown range
    are left alone.

    Source: TVM's `LoopPartition`.
  }];
  let options = [
    Option<"maxOperations", "max-operations", "int64_t", /*default=*/"4096",
           "Largest number of operations to which a function may grow; 4096 by default">,
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
  let statistics = [
    Statistic<"numSplit", "split", "Loop splits">,
    Statistic<"numKept", "kept", "Loops not split because of max-operations">,
  ];
}

def InjectVirtualThreadPass : Pass<"uma-tir-inject-virtual-thread", "::uma::tir::FuncOp"> {
  let summary = "interleave the iterations of virtual-thread loops";
  let description = [{
    A loop with the attribute `uma.virtual_thread` is removed: each statement of its body becomes one copy per
    iteration, so that a device sees the loads of all threads before their computations. Loops and conditions in it
    that are the same for all threads are not duplicated, but contain the copies. Every thread has its own buffers.

    It is an error if a thread is not provably independent of the others: a written buffer from outside the loop must
    be accessed at linear indices that threads do not share, and no call may configure a device. Calls to a device are
    assumed to be independent of each other; the schedule must ensure that. Different arguments of the function are
    assumed to be different buffers.

    Source: TVM's `InjectVirtualThread`.
  }];
  let options = [
    Option<"maxThreads", "max-threads", "int64_t", /*default=*/"64",
           "Largest number of virtual threads of a loop; 64 by default">,
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
  let statistics = [
    Statistic<"numInjected", "injected", "Loops interleaved">,
  ];
}

def InjectDoubleBufferPass : Pass<"uma-tir-inject-double-buffer", "::uma::tir::FuncOp"> {
  let summary = "load the next iteration's buffers ahead of the computation";
  let description = [{
    A buffer with the attribute `uma.double_buffer`, allocated in the body of a serial loop, becomes two. The
    operations that write to it (the load) run one iteration ahead of the others (the computation): the first load is
    before the loop, the loop loads for the next iteration, and the last computations are after the loop. The loop is
    unrolled by two.

    It is an error if that changes what is computed: if a load reads a buffer that the computation writes, writes to
    other buffers, comes after the computation has begun, or configures a device. Calls to a device are assumed to be
    independent of each other; the schedule must ensure that. Different arguments of the function are assumed to be
    different buffers.

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
    A buffer reuses the memory of another one in the same block:

    - A loop nest writes in place if it reads each element of one buffer before it writes the same element of another,
      is the last user of the first and the first user of the second. Both must have the same type.
    - A local buffer replaces a dead one of the same element type. Sizes may differ if both are only loaded and
      stored; the larger one is kept.

    Dead workspace buffers are left to `uma-tir-plan-memory`. Buffers with an offset and scalar variables are
    unchanged.

    Source: TVM's `StorageRewrite`.
  }];
  let statistics = [
    Statistic<"numInPlace", "in-place", "Buffers that loops write over their input">,
    Statistic<"numReused", "reused", "Local buffers that reuse a dead one">,
  ];
}

def UnrollLoopPass : Pass<"uma-tir-unroll-loop", "::uma::tir::FuncOp"> {
  let summary = "unroll loops of kind unrolled";
  let description = [{
    A loop of kind `unrolled` becomes one copy of its body per iteration. It becomes a serial loop if its extent is
    unknown or exceeds `max-extent`.

    Source: TVM's `UnrollLoop`.
  }];
  let options = [
    Option<"maxExtent", "max-extent", "int64_t", /*default=*/"64",
           "Largest number of iterations to unroll; 64 by default">,
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
    Removes loops and conditions without effect, constant conditions, stores of a value just loaded from the same
    place, and buffers of the function that are only written.

    Source: TVM's `RemoveNoOp`.
  }];
  let statistics = [
    Statistic<"numLoops", "loops", "Loops removed">,
    Statistic<"numStores", "stores", "Stores removed">,
    Statistic<"numBuffers", "buffers", "Buffers removed">,
  ];
}

def RewriteUnsafeSelectPass : Pass<"uma-tir-rewrite-unsafe-select", "::uma::tir::FuncOp"> {
  let summary = "guard operations of a select that may trap";
  let description = [{
    An `arith.select` evaluates both values. If one of them depends on a load that may be out of bounds, or on an
    integer division that may overflow or divide by zero, the select becomes an `scf.if`, and operations that only one
    value uses move into its branch. Other selects are unchanged.

    Source: TVM's `RewriteUnsafeSelect`.
  }];
  let dependentDialects = ["::mlir::scf::SCFDialect"];
  let statistics = [
    Statistic<"numRewritten", "rewritten", "Selects that became conditions">,
  ];
}

def HoistIfThenElsePass : Pass<"uma-tir-hoist-if-then-else", "::uma::tir::FuncOp"> {
  let summary = "hoist invariant conditions out of loops";
  let description = [{
    A loop with an `scf.if` whose condition, or a part of it, is loop-invariant becomes an `scf.if` around two copies
    of the loop, in which that condition is constant. A copy without effect is removed. If both have an effect, the
    loop is only copied if it has at most `max-size` operations.

    Source: TVM's `HoistIfThenElse`.
  }];
  let options = [
    Option<"maxSize", "max-size", "int64_t", /*default=*/"16",
           "Largest number of operations in a loop that is copied; 16 by default">,
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
  let statistics = [
    Statistic<"numHoisted", "hoisted", "Conditions moved out of a loop">,
    Statistic<"numKept", "kept", "Conditions not moved because of max-size">,
  ];
}

def RemoveRedundantConfigurationPass
    : Pass<"uma-tir-remove-redundant-configuration", "::uma::tir::FuncOp"> {
  let summary = "remove redundant configuration of devices";
  let description = [{
    Removes a `uma.tir.call_extern` with `uma.configure` if, on every path through the function of TIR, the previous
    call to the same function had the same arguments, and only computing calls and configurations by other functions
    are in between: each configuration function sets its own state. After a loop or condition that configures the
    device, that state is unknown.

    Source: the state tracing of the `accfg` dialect (Configuration Wall, ASPLOS 2025).
  }];
  let statistics = [
    Statistic<"numRemoved", "removed", "Calls removed">,
  ];
}

def HoistAllocPass : Pass<"uma-tir-hoist-alloc", "::mlir::ModuleOp"> {
  let summary = "make workspace buffers of layers arguments of their functions";
  let description = [{
    Moves workspace buffers that are allocated in a private function to its callers, which pass them as arguments after
    the others, until they are in a public function, which has a workspace. Strategies, schedules and passes of devices may
    thus allocate buffers of any size. Functions that a device launches keep theirs, since the function that waits has
    the same arguments.
  }];
  let statistics = [Statistic<"numHoisted", "hoisted", "Buffers that became arguments">];
}

def ShareLoopsPass : Pass<"uma-tir-share-loops", "::mlir::ModuleOp"> {
  let summary = "choose the loops that threads share";
  let description = [{
    For C whose loops run on threads (`threads=openmp`):

    - a loop of kind `parallel` of less than `least-work` estimated instructions becomes `serial`, because waking a thread, and
      moving its results to the caches of others, take longer than the loop. A `serial` loop with `uma.team` counts as one with
      the parallel loops inside. An eighth is enough, of the function's instructions and half an instruction per byte, if the
      function is called with buffers that threads share: a single thread would fetch their bytes from the caches of others;
    - the outermost `serial` loop of a nest without parallel loops becomes `parallel` if it has at least as much work, at least 8
      iterations (or no loop inside qualifies), and if its iterations provably write separate elements: all indices of
      a written buffer are linear, with one coefficient of the loop's variable that exceeds the range of all other terms. Loops of
      fewer iterations around it that are independent, too, get `uma.team`.

    Different arguments of a function are assumed to be different buffers: run it before `uma-tir-plan-memory{overlap=unshared}`.

    ```mlir
    uma.tir.for %i = 0 to 256 { … }           // reads %x, writes %y[%i * 4096 + …]
    // becomes:
    uma.tir.for %i = 0 to 256 parallel { … }
    ```
  }];
  let options = [
    Option<"leastWork", "least-work", "int64_t", /*default=*/"300000",
           "Instructions from which on threads share a loop, 300000 by default">
  ];
  let statistics = [
    Statistic<"numShared", "shared", "Loops that threads share now">,
    Statistic<"numSerial", "serial", "Parallel loops that are too short">,
  ];
}

def SinkAwaitsPass : Pass<"uma-tir-sink-awaits", "::mlir::ModuleOp"> {
  let summary = "let devices work while the host does";
  let description = [{
    A device with `uma.accel.launch` has two functions for a region: one that launches its commands, and one with
    `uma.await` that waits for them and takes the same buffers. Moves calls of the first one up and calls of the second one
    down, past layers that do not use what the device writes and do not write what it uses. Layers of the same device stay
    in order. The buffers stay alive until the wait (`uma-tir-plan-memory`). If another device returns an error in between,
    the C waits for this one before it returns.
  }];
  let statistics = [
    Statistic<"numRaised", "raised", "Operations that launches were moved past">,
    Statistic<"numSunk", "sunk", "Operations that waits were moved past">,
  ];
}

def InstrumentBoundCheckersPass : Pass<"uma-tir-instrument-bound-checkers", "::uma::tir::FuncOp"> {
  let summary = "check every index before it is used";
  let description = [{
    Inserts a `uma.tir.check_bounds` before every load and store, of scalars and of vectors, for every dimension of
    the buffer. If a check fails, the emitted C calls the hook `UMA_ON_OUT_OF_BOUNDS(layer, buffer, index, size)` and
    returns the status `UMA_OUT_OF_BOUNDS` instead of accessing memory outside of a buffer. Intended for debugging:
    the checks cost time, and provably valid accesses are checked, too, unless `skip-proven` is set. Accesses in
    called functions are not checked.

    Source: TVM's `InstrumentBoundCheckers`.
  }];
  let options = [
    Option<"skipProven", "skip-proven", "bool", /*default=*/"false",
           "Omit checks of indices that are provably in bounds; off by default">,
  ];
  let statistics = [
    Statistic<"numChecks", "checks", "Checks inserted">,
  ];
}

//===----------------------------------------------------------------------===//
// Passes after the phases
//===----------------------------------------------------------------------===//

def ReorderCallsPass : Pass<"uma-tir-reorder-calls", "::uma::tir::FuncOp"> {
  let summary = "order the layers of a network for the smallest peak of memory";
  let description = [{
    Changes the order of the calls in the body of a public function, where their buffers allow it, such that fewer bytes
    of workspace are live at one time; of orders with the same peak, one with fewer large tensors over the whole run. A
    result that may overlap an input that dies counts as `uma-tir-plan-memory` would place it. The order is the best one,
    by dynamic programming over the sets of calls that have run, unless more than 256 sets of the same size have to be
    kept, or 2 million tried in all. It stays as it is if no smaller plan comes out, for functions of more than 5,000 calls,
    and where devices work in the background. Calls of the same device keep their order.

    Source: SERENITY (Ahn et al., MLSys 2020).
  }];
  let options = [
    Option<"io", "io", "std::string", /*default=*/"\"outside\"",
           "Whether arguments of the function are inside the workspace, or outside, the default">,
    Option<"overlap", "overlap", "std::string", /*default=*/"\"proven\"",
           "As for uma-tir-plan-memory: only `proven` overlaps count">,
  ];
  let statistics = [
    Statistic<"numReordered", "reordered", "Functions whose calls have another order">,
    Statistic<"savedBytes", "saved-bytes", "Bytes by which plans are smaller">,
  ];
}

def ReuseBuffersPass : Pass<"uma-tir-reuse-buffers", "::mlir::ModuleOp"> {
  let summary = "write results over their data where threads share loops";
  let description = [{
    For C whose loops run on threads. The result of a call gets the buffer of its data if

    - both are workspace buffers of one type, the call is the first to use the result and the last to use the data;
    - the callee reads no element of the data after it wrote that element of the result;
    - each block inside of its parallel loops reads the same elements that it writes.

    Functions without parallel loops are left to `uma-tir-plan-memory{overlap=unshared}`, which overlaps buffers at any distance.

    ```mlir
    uma.tir.call @relu(%x, %y)
    uma.tir.call @pool(%y, %z)
    // becomes:
    uma.tir.call @relu(%x, %x)
    uma.tir.call @pool(%x, %z)
    ```

    Source: the in-place merging of TVM's StorageRewrite.
  }];
  let statistics = [
    Statistic<"numReused", "reused", "Results in the buffers of their data">,
  ];
}

def PlanMemoryPass : Pass<"uma-tir-plan-memory", "::uma::tir::FuncOp"> {
  let summary = "place workspace buffers in one arena";
  let description = [{
    Assigns every workspace buffer of a public function an `offset`, a multiple of 64 bytes and of the buffer's
    alignment, such that buffers that are live at the same time do not overlap. Sets `uma.workspace_size`, in bytes,
    on the function, and `uma.workspace_alignment` if it is not 64. The live range of a buffer extends from the first
    to the last operation of the function's body that uses it, also through views; unused buffers are removed.
    Offsets that buffers already have are kept. [memory.md](../memory.md) describes the algorithms.

    A result may be written over a buffer that is still read, if every byte is read for the last time before it is
    overwritten: elementwise in place, and pointwise, depthwise, pooling and dense layers if the result is some bytes
    ahead. With `overlap=proven`, the default, such pairs are found from the addresses of all accesses in their order.
    With `overlap=declared`, only a layer whose result has `uma.in_place = array<i64: argument, bytes>` may write it
    over that argument, which it is the last to read, if the result begins at least that many bytes before the
    argument. Of plans of the same size, those that overlap such buffers are preferred. `overlap=unshared` is for C whose loops run on
    threads: like `proven`, but not for two buffers of a layer with a parallel loop.

    With `io=inside`, the arguments of the function are in the workspace, too: each gets an attribute `uma.offset`. An
    input is live from the start to its last use, an output from its first use to the end.

    With `memories=dtcm=64K,sram=320K`, the workspace is divided: each memory gets the buffers with the most accesses per
    byte that fit, and the last one the rest. Offsets count through all memories; `uma.workspace_memories` tells where
    each begins, and it is a parameter of its own in C.

    Source: TVM's USMP; MiniMalloc and TelaMalloc (ASPLOS 2023); results ahead of their input are the diagonal memory
    optimisation of Blacker et al. (2020).
  }];
  let options = [
    Option<"algorithm", "algorithm", "std::string", /*default=*/"\"exact\"",
           "exact (default), greedy-by-size, greedy-by-conflict, hill-climb or best-fit; exact uses the best greedy plan "
           "as it is for functions of 200 buffers or more">,
    Option<"stepLimit", "step-limit", "unsigned", /*default=*/"100",
           "Limit of the exact search in millions of steps, about 10 ms each; 100 by default">,
    Option<"io", "io", "std::string", /*default=*/"\"outside\"",
           "Place arguments of the function inside the workspace, or outside, the default">,
    Option<"capacity", "capacity", "int64_t", /*default=*/"0",
           "Emit an error if the workspace is larger than this number of bytes; 0, the default, for no limit">,
    ListOption<"memories", "memories", "std::string",
               "Divide the workspace among memories, the fastest first, each as NAME=BYTES">,
    Option<"allowExcess", "allow-excess", "bool", /*default=*/"false",
           "Where the memories are too small, set the workspace's size to all of their bytes and those that are missing, instead of an error; off by default">,
    Option<"report", "report", "bool", /*default=*/"false",
           "Emit a remark on every public function with its workspace size and the lower bound of any plan; off by default">,
    Option<"overlap", "overlap", "std::string", /*default=*/"\"proven\"",
           "Results over buffers that are still read: proven from the accesses, the default, unshared, declared by layers, or none">,
  ];
  let statistics = [
    Statistic<"numBuffers", "buffers", "Buffers placed">,
    Statistic<"numInPlace", "in-place", "Buffers placed over the input of their layer">,
    Statistic<"numSmallest", "proven-smallest", "Functions whose plan is proven smallest">,
    Statistic<"plannedBytes", "planned-bytes", "Bytes of workspace">,
    Statistic<"liveBytes", "live-bytes",
              "Largest number of bytes live at one time, a lower bound of any plan">,
  ];
}

def VerifyPass : Pass<"uma-tir-verify", "::mlir::ModuleOp"> {
  let summary = "check that a stage of TIR is complete";
  let description = [{
    Emits an error that names the stage and the operation, and fails, unless the module satisfies the stage:

    - `schedulable`: no operation of the graph family remains, and no value is a tensor.
    - `plain`: in addition no blocks; buffers have at most one dimension and the identity layout; no vectors;
      functions hold only `arith`, `math`, `scf.if`, `uma.tir` and memref's load, store, global and get_global; every
      workspace buffer has an offset.
  }];
  let options = [
    Option<"stage", "stage", "std::string", /*default=*/"\"plain\"",
           "Stage to verify: schedulable, or plain, the default">,
  ];
}

#endif // UMA_TIR_TRANSFORMS_PASSES_TD
