//===- CPUAttributes.td - Attributes of CPU layers -*- tablegen -*---------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// One of the uma-cpu-* passes sets each attribute, unless it is set already.
// convert-uma-graph-to-uma-tir lowers layers accordingly.
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

def CPU_Algorithm : CPU_Enum<"Algorithm", "the algorithm that computes a layer", [
    I32EnumAttrCase<"Plain", 0, "plain">,
    I32EnumAttrCase<"Direct", 1, "direct">,
    I32EnumAttrCase<"Planar", 2, "planar">,
    I32EnumAttrCase<"Winograd", 3, "winograd">,
    I32EnumAttrCase<"Strassen", 4, "strassen">,
    I32EnumAttrCase<"Script", 5, "script">,
    I32EnumAttrCase<"Im2col", 6, "im2col">,
    I32EnumAttrCase<"Im2colPairs", 7, "im2col_pairs">]>;

def CPU_DataOrder : CPU_Enum<"DataOrder", "the data that the tiles of a blocked contraction read", [
    I32EnumAttrCase<"Stored", 0, "stored">,
    I32EnumAttrCase<"Packed", 1, "packed">,
    I32EnumAttrCase<"Broadcast", 2, "broadcast">]>;

def CPU_Prefetch : CPU_Enum<"Prefetch", "the tiles that prefetch the next weights", [
    I32EnumAttrCase<"None", 0, "none">,
    I32EnumAttrCase<"Full", 1, "full">,
    I32EnumAttrCase<"All", 2, "all">]>;

def CPU_LayoutAttr : UMA_Attr<"Layout", "layout"> {
  let summary = "the memory layout of a tensor of images";
  let description = [{
    Set by `uma-cpu-assign-layouts` on arguments and results of the functions of layers (`uma.layout`). Tensors without it are
    row-major. The letters name the dimensions of the tensor. `16c` stores channels in blocks: the buffer is
    [N, C / 16, H, W, 16]; with all channels in one block, this is NHWC. `pad` is a halo of zeros, as in ONNX: rows above the image,
    columns before it, rows below it, columns after it. Convolutions read padding from the halo like data.

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
    Set by `uma-cpu-select-kernels` on the functions of layers (`uma.kernel`).

    - `direct`: the kernel of the layer's kind: a contraction accumulated in registers, a depthwise convolution, a pool, …
    - `planar`: a convolution with few channels; vectors hold neighbouring pixels of a row.
    - `winograd`: Winograd's algorithm for a 3x3 convolution, with tiles of `tile` x `tile` results, 2 or 4.
    - `strassen`: Strassen's algorithm for a matrix product or a 1x1 convolution.
    - `im2col`: a convolution or dense layer of bytes in row-major order. The windows of `tile` neighbouring pixels, 1 to 8, are
      copied to rows that all channels read. The sums of `channels` channels, 1 to 8 and 2 by default, are computed together. `im2col_pairs` extends the bytes to pairs of i16 there, for an instruction of a
      description that multiplies pairs.
    - `plain`: each operator of the layer by itself, lowered by its strategy.
    - `script`: the loops of `plain` in one function, transformed by a script: the `transform.named_sequence` of this name in the
      module, applied to the function ([scheduling](../scheduling.md)).

    ```mlir
    #uma.cpu.kernel<direct>
    #uma.cpu.kernel<winograd, tile = 4>
    #uma.cpu.kernel<im2col, tile = 1, channels = 4>
    #uma.cpu.kernel<script, @pointwise>
    ```
  }];
  let parameters = (ins EnumParameter<CPU_Algorithm>:$algorithm, DefaultValuedParameter<"int64_t", "0">:$tile,
                        DefaultValuedParameter<"int64_t", "0">:$channels,
                        OptionalParameter<"::mlir::FlatSymbolRefAttr">:$script);
  let assemblyFormat = "`<` $algorithm `` custom<KernelOptions>($tile, $channels, $script) `>`";
  let genVerifyDecl = 1;
  let builders = [AttrBuilder<(ins "::uma::Algorithm":$algorithm, CArg<"int64_t", "0">:$tile,
                                       CArg<"int64_t", "0">:$channels), [{
    return $_get($_ctxt, algorithm, tile, channels, ::mlir::FlatSymbolRefAttr());
  }]>];
  let extraClassDeclaration = [{
    /// Returns whether each operator is lowered by its strategy, on row-major
    /// tensors.
    bool isByOperators() const {
      return getAlgorithm() == Algorithm::Plain || getAlgorithm() == Algorithm::Script;
    }
  }];
}

def CPU_BlockingAttr : UMA_Attr<"Blocking", "cpu.blocking"> {
  let summary = "cache blocking of a contraction";
  let description = [{
    The reduction is split into slices (BLIS: KC): a slice is one step of the loops outside of reduction loop `loop`, and one of
    `parts` parts of that loop. `packs` packs of channels are computed together (BLIS: NC). The tiles of rows read the data in place
    (`stored`), from a copy (`packed`, BLIS: packed A), or from a copy with each element broadcast to a vector (`broadcast`). With
    `join_rows`, a tile may continue in the next row of the image.

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
  let summary = "a version of a loop nest for one instruction set";
  let description = [{
    Names the instruction set and the register tile, MR x NR with NR in vectors and lanes. `slices` is the number of slices of the
    reduction (BLIS: KC); all rows are computed for one slice before the next. `blocking` describes cache blocking and excludes
    `slices`. `sums` is the number of accumulators per result of a depthwise convolution. With `by_lane`, data is loaded in vectors,
    and each lane is multiplied by the weights of its step. With `prefetch`, tiles prefetch the next weights: `all` tiles or only the
    `full` ones, since the last tiles of a row of the image may be smaller by one.

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

def CPU_TileInstructionAttr : UMA_Attr<"TileInstruction", "cpu.tile_instruction"> {
  let summary = "an instruction with operands in memory, for one loop nest of a layer";
  let description = [{
    Names an instruction of a description, `<accelerator>_<instruction>`, which computes tiles of `rows` rows and `columns`
    channels and takes `words` words of the reduction at a time. It replaces the loops of the version with `lanes` lanes where
    the processor has it. Tiles of several `lines`, iterations of the last outer loop, continue from one line to the next: they
    also compute the rows of the data between two lines, which are left out of the result.

    ```mlir
    #uma.cpu.tile_instruction<amx_dpbusd, lanes = 16, tile = 32x32x16>
    #uma.cpu.tile_instruction<amx_dpbusd, lanes = 16, tile = 31x32x16, lines = 7>
    ```
  }];
  let parameters = (ins "::mlir::StringAttr":$name, "int64_t":$lanes, "int64_t":$rows, "int64_t":$columns, "int64_t":$words,
                        DefaultValuedParameter<"int64_t", "1">:$lines);
  let assemblyFormat = [{
    `<` custom<ISA>($name) `,` `lanes` `=` $lanes `,` `tile` `=` custom<Tile>($rows, $columns, $words)
        (`,` `lines` `=` $lines^)? `>`
  }];
  let genVerifyDecl = 1;
}

def CPU_ScheduleAttr : UMA_Attr<"Schedule", "cpu.schedule"> {
  let summary = "the schedule of one loop nest of a layer";
  let description = [{
    Set by `uma-cpu-schedule` on the functions of layers, in the array `uma.schedules`: one for each contraction or depthwise
    convolution of the kernel. `pack` is the width of packed weights in channels (BLIS: packed B), the same for all versions.
    `versions` are in the order in which the emitted C tests for instruction sets; the last one is scalar. `instruction` replaces
    the loops of one of them where the processor has it.

    ```mlir
    #uma.cpu.schedule<pack = 32, versions = [<avx512, tile = 14x2x16>, <avx2, tile = 6x2x8>, <simd128, tile = 6x2x4>, <scalar, tile = 2x4x1>]>
    ```
  }];
  let parameters = (ins "int64_t":$pack, ArrayRefParameter<"::uma::VersionAttr">:$versions,
                        OptionalParameter<"::uma::TileInstructionAttr">:$instruction);
  let assemblyFormat = [{
    `<` `pack` `=` $pack `,` `versions` `=` `[` $versions `]` (`,` `instruction` `=` $instruction^)? `>`
  }];
  let genVerifyDecl = 1;
  let builders = [AttrBuilder<(ins "int64_t":$pack, "::llvm::ArrayRef<::uma::VersionAttr>":$versions), [{
    return $_get($_ctxt, pack, versions, ::uma::TileInstructionAttr());
  }]>];
}

def CPU_ProcessorAttr : UMA_Attr<"Processor", "cpu.processor"> {
  let summary = "the processor that layers are planned for";
  let description = [{
    Set by `uma-cpu-set-processor` on a module (`uma.processor`): the instruction sets that a package has versions for, and the
    parameters of the cost models. Per cycle, `ports` vector instructions of up to `port_lanes` lanes and `issue` instructions of any
    kind start. `latency` is the latency of accumulation in cycles. `l1` and `l2` are the sizes of a core's private data caches in
    bytes, 0 if missing. A line of 64 bytes takes `l2_line_cycles` cycles from the L2 cache and `memory_line_cycles` from memory.
    Kernels of bytes depend on three more properties: all instructions can use `core_registers` registers, 13 by default;
    `float_unit = false` means floats are computed by functions of the compiler; with `signed_loads = false`, loads at a constant
    offset do not extend signs.
    Without this attribute, a package is for any processor. docs/processors.md describes the files of the processor table.

    ```mlir
    #uma.cpu.processor<"cortex-m4", sets = [scalar], ports = 1, port_lanes = 1, issue = 1, latency = 3, l1 = 0, l2 = 0, l2_line_cycles = 1, memory_line_cycles = 1>
    ```
  }];
  let parameters = (ins "::mlir::StringAttr":$name, ArrayRefParameter<"::mlir::StringAttr">:$sets, "int64_t":$ports,
                        "int64_t":$portLanes, "int64_t":$issue, "int64_t":$latency, "int64_t":$l1, "int64_t":$l2,
                        "int64_t":$l2LineCycles, "int64_t":$memoryLineCycles,
                        DefaultValuedParameter<"int64_t", "uma::kUsualCoreRegisters">:$coreRegisters,
                        DefaultValuedParameter<"bool", "true">:$floatUnit,
                        DefaultValuedParameter<"bool", "true">:$signedLoads);
  let assemblyFormat = [{
    `<` $name `,` `sets` `=` `[` custom<Sets>($sets) `]` `,` `ports` `=` $ports `,` `port_lanes` `=` $portLanes `,` `issue` `=` $issue
        `,` `latency` `=` $latency `,` `l1` `=` $l1 `,` `l2` `=` $l2 `,` `l2_line_cycles` `=` $l2LineCycles
        `,` `memory_line_cycles` `=` $memoryLineCycles `` custom<CoreOptions>($coreRegisters, $floatUnit, $signedLoads) `>`
  }];
  let genVerifyDecl = 1;
}

def CPU_TilePairAttr : UMA_Attr<"TilePair", "cpu.tile_pair"> {
  let summary = "producer-consumer tiling of two layers";
  let description = [{
    Set by `uma-cpu-tile-pairs` on the function of a convolution whose only consumer is a depthwise convolution (`uma.tile_pair`).
    Both layers share the loops over tiles, `packs` packs of channels times `slabs` slabs of rows. The tensor between them is a
    rolling buffer: it holds one tile, and the rows of the previous one that are read again. Source: Halide's `compute_at` with
    `store_at`.

    ```mlir
    #uma.cpu.tile_pair<packs = 3, slabs = 4>
    ```
  }];
  let parameters = (ins DefaultValuedParameter<"int64_t", "1">:$packs, DefaultValuedParameter<"int64_t", "1">:$slabs);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

#endif // UMA_CPU_IR_CPUATTRIBUTES_TD
