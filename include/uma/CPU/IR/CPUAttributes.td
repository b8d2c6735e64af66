//===- CPUAttributes.td - How the CPU computes a layer -*- tablegen -*-----===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Each is written by one of the uma-cpu-* passes and carried out by
// uma-convert-graph-to-tir. What is there already, a pass keeps.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_CPU_IR_CPUATTRIBUTES_TD
#define UMA_CPU_IR_CPUATTRIBUTES_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "uma/IR/UMADialect.td"

class CPU_Enum<string name, string summary, list<I32EnumAttrCase> cases> : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::uma";
  let genSpecializedAttr = 0;
}

def CPU_Algorithm : CPU_Enum<"Algorithm", "how a layer is computed", [
    I32EnumAttrCase<"Plain", 0, "plain">,
    I32EnumAttrCase<"Direct", 1, "direct">,
    I32EnumAttrCase<"Planar", 2, "planar">,
    I32EnumAttrCase<"Winograd", 3, "winograd">,
    I32EnumAttrCase<"Strassen", 4, "strassen">,
    I32EnumAttrCase<"Script", 5, "script">]>;

def CPU_DataOrder : CPU_Enum<"DataOrder", "where the tiles of a blocked contraction read the data", [
    I32EnumAttrCase<"Stored", 0, "stored">,
    I32EnumAttrCase<"Packed", 1, "packed">,
    I32EnumAttrCase<"Broadcast", 2, "broadcast">]>;

def CPU_Prefetch : CPU_Enum<"Prefetch", "which tiles ask for the weights that are needed next", [
    I32EnumAttrCase<"None", 0, "none">,
    I32EnumAttrCase<"Full", 1, "full">,
    I32EnumAttrCase<"All", 2, "all">]>;

def CPU_LayoutAttr : UMA_Attr<"Layout", "layout"> {
  let summary = "the order of a tensor of images in its buffer";
  let description = [{
    On arguments and results of the functions of layers (`uma.layout`), by `uma-cpu-assign-layouts`; without it the
    elements lie in the order of the tensor. The letters name the dimensions of the tensor; `16c` says that channels lie in blocks: the
    buffer is [N, C / 16, H, W, 16]. With all channels in one block that is NHWC. `pad` are rows of zeros above the image and
    columns in front of it, then those below and behind, as in ONNX: a convolution reads padding like data.

    ```mlir
    #uma.layout<NCHW16c>
    #uma.layout<NHWC8c, pad = [1, 1, 1, 1]>
    #uma.layout<NCHW, pad = [0, 1, 0, 1]>
    ```
  }];
  let parameters = (ins "::mlir::StringAttr":$dims, "int64_t":$block, ArrayRefParameter<"int64_t">:$pad);
  let assemblyFormat = "`<` custom<Layout>($dims, $block, $pad) `>`";
  let genVerifyDecl = 1;
}

def CPU_KernelAttr : UMA_Attr<"Kernel", "cpu.kernel"> {
  let summary = "the algorithm of a layer on the CPU";
  let description = [{
    On the functions of layers (`uma.kernel`), by `uma-cpu-select-kernels`.

    - `direct`: the loops of the layer's kind: sums of products in registers, a depthwise convolution, a pool, …
    - `planar`: a convolution with few channels, whose vectors are neighbours in a row.
    - `winograd`: a convolution of 3x3, in tiles of `tile` x `tile` results, 2 or 4.
    - `strassen`: a product of matrices, or a convolution of 1x1, in quarters.
    - `plain`: each operator of the layer by itself, as its strategy computes it.
    - `script`: the loops of `plain`, in one function, changed by a script of the transform dialect: the `transform.named_sequence` of
      the module with this name, which gets the function ([scheduling](../scheduling.md)).

    ```mlir
    #uma.cpu.kernel<direct>
    #uma.cpu.kernel<winograd, tile = 4>
    #uma.cpu.kernel<script, @pointwise>
    ```
  }];
  let parameters = (ins EnumParameter<CPU_Algorithm>:$algorithm, DefaultValuedParameter<"int64_t", "0">:$tile,
                        OptionalParameter<"::mlir::FlatSymbolRefAttr">:$script);
  let assemblyFormat = "`<` $algorithm `` custom<KernelOptions>($tile, $script) `>`";
  let genVerifyDecl = 1;
  let builders = [AttrBuilder<(ins "::uma::Algorithm":$algorithm, CArg<"int64_t", "0">:$tile), [{
    return $_get($_ctxt, algorithm, tile, ::mlir::FlatSymbolRefAttr());
  }]>];
  let extraClassDeclaration = [{
    /// True where each operator is computed by its strategy, on tensors in
    /// their own order.
    bool isByOperators() const {
      return getAlgorithm() == Algorithm::Plain || getAlgorithm() == Algorithm::Script;
    }
  }];
}

def CPU_BlockingAttr : UMA_Attr<"Blocking", "cpu.blocking"> {
  let summary = "the parts that a contraction is computed in, for the caches";
  let description = [{
    The reduction is sliced: a slice is one step of the loops outside of loop `loop` of the reduction, and one of `parts` parts of
    that (BLIS: KC). `packs` packs of channels are computed together (BLIS: NC). The tiles of rows read the data where it is
    `stored`, from a copy (`packed`, BLIS: packed A), or from one with each element in all lanes of a vector (`broadcast`). With
    `join_rows` a tile may go on in the next line of the image.

    ```mlir
    #uma.cpu.blocking<packed, loop = 1, parts = 2, packs = 4, join_rows = true>
    ```
  }];
  let parameters = (ins EnumParameter<CPU_DataOrder>:$data, DefaultValuedParameter<"int64_t", "0">:$loop,
                        DefaultValuedParameter<"int64_t", "1">:$parts, DefaultValuedParameter<"int64_t", "1">:$packs,
                        DefaultValuedParameter<"bool", "false">:$joinRows);
  let assemblyFormat = "`<` $data `` custom<BlockingOptions>($loop, $parts, $packs, $joinRows) `>`";
  let genVerifyDecl = 1;
}

def CPU_VersionAttr : UMA_Attr<"Version", "cpu.version"> {
  let summary = "a loop nest for one set of vector instructions";
  let description = [{
    The instructions, then the tile of results that stays in registers, MR x NR with NR in vectors and lanes. `slices` slices of the
    reduction are computed one after the other for all rows (BLIS: KC); `blocking` says more than that and takes its place. `sums` is the
    number of sums that a depthwise convolution adds up for each result. With `by_lane` vectors of data are loaded, and each lane is multiplied with the weights of
    its step. With `prefetch` tiles ask for
    the weights that are needed next, `all` of them or the `full` ones: the last tiles of a line may be a row smaller.

    ```mlir
    #uma.cpu.version<avx512, tile = 14x2x16>
    #uma.cpu.version<avx2, tile = 6x2x8, prefetch = all, blocking = <stored, packs = 4>>
    ```
  }];
  let parameters = (ins "::mlir::StringAttr":$isa, "int64_t":$rows, "int64_t":$vectors, "int64_t":$lanes,
                        DefaultValuedParameter<"int64_t", "1">:$slices, DefaultValuedParameter<"int64_t", "1">:$sums,
                        DefaultValuedParameter<"bool", "false">:$byLane,
                        DefaultValuedParameter<"::uma::Prefetch", "::uma::Prefetch::None">:$prefetch,
                        OptionalParameter<"::uma::BlockingAttr">:$blocking);
  let assemblyFormat = [{
    `<` custom<ISA>($isa) `,` `tile` `=` custom<Tile>($rows, $vectors, $lanes)
        `` custom<VersionOptions>($slices, $sums, $byLane, $prefetch, $blocking) `>`
  }];
  let genVerifyDecl = 1;
}

def CPU_ScheduleAttr : UMA_Attr<"Schedule", "cpu.schedule"> {
  let summary = "how one loop nest of a layer is computed";
  let description = [{
    On the functions of layers, in the array `uma.schedules`, one for each contraction or depthwise convolution of the
    kernel, by `uma-cpu-schedule`. `pack` is the number of channels that weights are packed by (BLIS: packed B), once for all
    versions; `versions` are in the order in which the C looks for instructions, the last one without vectors.

    ```mlir
    #uma.cpu.schedule<pack = 32, versions = [<avx512, tile = 14x2x16>, <avx2, tile = 6x2x8>, <simd128, tile = 6x2x4>, <scalar, tile = 2x4x1>]>
    ```
  }];
  let parameters = (ins "int64_t":$pack, ArrayRefParameter<"::uma::VersionAttr">:$versions);
  let assemblyFormat = "`<` `pack` `=` $pack `,` `versions` `=` `[` $versions `]` `>`";
  let genVerifyDecl = 1;
}

def CPU_ProcessorAttr : UMA_Attr<"Processor", "cpu.processor"> {
  let summary = "the processor that layers are planned for";
  let description = [{
    On a module (`uma.processor`), by `uma-cpu-set-processor`: the sets of instructions that a package has versions for, and the
    numbers that the models of cost use. `ports` instructions start in a cycle with vectors of up to `port_lanes` lanes, `issue` of
    all kinds; a sum is added to again after `latency` cycles. `l1` and `l2` are the bytes of the data caches that one core has
    for itself, 0 for none; a line of 64 bytes takes `l2_line_cycles` from the second one and `memory_line_cycles` from memory.
    Without it a package is for any processor. docs/processors.md says how the files of the table are written.

    ```mlir
    #uma.cpu.processor<"cortex-m4", sets = [scalar], ports = 1, port_lanes = 1, issue = 1, latency = 3, l1 = 0, l2 = 0, l2_line_cycles = 1, memory_line_cycles = 1>
    ```
  }];
  let parameters = (ins "::mlir::StringAttr":$name, ArrayRefParameter<"::mlir::StringAttr">:$sets, "int64_t":$ports,
                        "int64_t":$portLanes, "int64_t":$issue, "int64_t":$latency, "int64_t":$l1, "int64_t":$l2,
                        "int64_t":$l2LineCycles, "int64_t":$memoryLineCycles);
  let assemblyFormat = [{
    `<` $name `,` `sets` `=` `[` custom<Sets>($sets) `]` `,` `ports` `=` $ports `,` `port_lanes` `=` $portLanes `,` `issue` `=` $issue
        `,` `latency` `=` $latency `,` `l1` `=` $l1 `,` `l2` `=` $l2 `,` `l2_line_cycles` `=` $l2LineCycles
        `,` `memory_line_cycles` `=` $memoryLineCycles `>`
  }];
  let genVerifyDecl = 1;
}

def CPU_TilePairAttr : UMA_Attr<"TilePair", "cpu.tile_pair"> {
  let summary = "a layer and its reader, computed tile by tile";
  let description = [{
    On the function of a convolution whose result only a depthwise convolution reads (`uma.tile_pair`), by
    `uma-cpu-tile-pairs`. Both are computed for one of `packs` packs of channels and one of `slabs` slabs of rows, then for the next;
    the buffer between them holds one tile and the rows of the one before that are read again (a rolling buffer). Source: Halide's
    `compute_at` with `store_at`.

    ```mlir
    #uma.cpu.tile_pair<packs = 3, slabs = 4>
    ```
  }];
  let parameters = (ins DefaultValuedParameter<"int64_t", "1">:$packs, DefaultValuedParameter<"int64_t", "1">:$slabs);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

#endif // UMA_CPU_IR_CPUATTRIBUTES_TD
