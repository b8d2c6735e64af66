//===- MappingAttr.td - Mappings of matches to devices -*- tablegen -*-----===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_ACCEL_IR_MAPPINGATTR_TD
#define UMA_ACCEL_IR_MAPPINGATTR_TD

include "uma/IR/UMADialect.td"

def Accel_MappingAttr : UMA_Attr<"Mapping", "accel.mapping"> {
  let summary = "how a device computes a match tile by tile";
  let description = [{
    Set by `uma-accel-map` on composites (`uma.mapping`), for patterns with tiles. `loops` are the loops over tiles, the
    outermost first: a dim of the pattern and the elements of a tile; dims that are not listed are whole. `buffers` are the
    tensors that the pattern places in memories of the device: `w at 1` is loaded, or stored, inside of the first loop,
    and holds what the tiles of all inner loops need; `double` is two buffers, so that one is filled while the other is
    used; `x at 0 kept` is not loaded: the layer before, which is interleaved with this one, has its whole result in the
    memory. `rows` runs every sweep of an inner loop forwards; otherwise every other sweep runs backwards (serpentine),
    which reuses the tile at the turn. `interleaved` runs the tiles of the layer between those of the layers before it, as
    soon as their data are there; all of these layers have their buffers at the same time.

    ```mlir
    #uma.accel.mapping<loops = [oh by 14, oc by 32], buffers = [x at 1 double, w at 2 double, sums at 2 double]>
    #uma.accel.mapping<loops = [], buffers = [x at 0, w at 0, sums at 0], rows, interleaved>
    ```
  }];
  let parameters = (ins "::mlir::ArrayAttr":$dims, ArrayRefParameter<"int64_t">:$tiles, "::mlir::ArrayAttr":$buffers,
      ArrayRefParameter<"int64_t">:$levels, ArrayRefParameter<"int64_t">:$counts, "bool":$rows, "bool":$interleaved);
  let assemblyFormat = "`<` custom<Mapping>($dims, $tiles, $buffers, $levels, $counts, $rows, $interleaved) `>`";
  let genVerifyDecl = 1;
}

#endif // UMA_ACCEL_IR_MAPPINGATTR_TD
