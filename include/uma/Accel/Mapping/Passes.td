//===- Passes.td - Passes that map matches to devices -*- tablegen -*------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_ACCEL_MAPPING_PASSES_TD
#define UMA_ACCEL_MAPPING_PASSES_TD

include "mlir/Pass/PassBase.td"

def MapPass : Pass<"uma-accel-map", "::mlir::ModuleOp"> {
  let summary = "choose tiles, loops and buffers for matches of patterns with tiles";
  let description = [{
    Sets the attribute `uma.mapping` (`#uma.accel.mapping`) of each composite whose pattern has tiles
    (`uma.accel.tile`), unless it is set already. The search enumerates tile sizes, orders of the loops and the level and
    number of the buffers. Of the mappings that take at most 1 % more cycles than the fastest one, it keeps the one that loads the fewest bytes, by the
    numbers of the description: memories, engines, paths and the cycles of calls. Equal layers are searched once. The
    result does not depend on the machine. Layers that follow each other in a function of the device are interleaved if this saves
    2 % of their cycles; the search then looks for mappings whose outermost loops follow each other. `convert-uma-graph-to-uma-tir` generates the commands of the mapping.

    Fails for a layer whose smallest tile does not fit the memories. Sources: Timeloop (Parashar et al. 2019), ZigZag
    (Mei et al. 2021), LOMA (Symons et al. 2021).
  }];
  let options = [
    Option<"doubleBuffers", "double-buffers", "bool", "true", "Use two buffers where they hide transfers; on by default">,
    Option<"serpentine", "serpentine", "bool", "true", "Run every other sweep of a loop backwards; on by default">,
    Option<"interleave", "interleave", "bool", "true", "Interleave the tiles of layers where this saves cycles; on by default">,
    Option<"minimizeBytes", "minimize-bytes", "bool", "false", "Load as few bytes as possible, even if it takes more cycles; off by default">,
    Option<"exhaustive", "exhaustive", "bool", "false", "Run every mapping that fits, without a limit of time, and keep the fastest one; off by default">,
    Option<"cache", "cache", "std::string", "\"\"",
           "Folder of the mappings that earlier runs of this build found, and for those of this run; none by default">,
    Option<"report", "report", "bool", "false", "Emit a remark with the mapping and its cost for each layer; off by default">
  ];
  let statistics = [
    Statistic<"numMapped", "mapped", "Number of mappings searched">,
    Statistic<"numInterleaved", "interleaved", "Number of layers whose tiles run between those of the layers before">,
    Statistic<"numCached", "cached", "Number of mappings from the cache">
  ];
  let dependentDialects = ["::uma::UMADialect"];
}

#endif // UMA_ACCEL_MAPPING_PASSES_TD
