//===- TargetAttr.td - The accelerator of an operation -*- tablegen -*-----===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_IR_TARGETATTR_TD
#define UMA_IR_TARGETATTR_TD

include "uma/IR/UMADialect.td"

def UMA_TargetAttr : UMA_Attr<"Target", "target"> {
  let summary = "the accelerator a function or operation runs on";
  let description = [{
    Names an accelerator and the values of its target attributes, like TVM's
    `Target("vanilla -key=value")`. The discardable attribute `uma.target`
    holds it on operations (set by annotate-target) and on outlined functions
    (set by partition-graph).

    ```mlir
    #uma.target<"vanilla">
    #uma.target<"strawberry", {sram_kib = 128 : i64}>
    ```
  }];
  let parameters = (ins "::mlir::StringAttr":$accelerator,
      OptionalParameter<"::mlir::DictionaryAttr">:$config);
  let assemblyFormat = "`<` $accelerator (`,` $config^)? `>`";
  let builders = [AttrBuilderWithInferredContext<
      (ins "::mlir::StringAttr":$accelerator), [{
        return $_get(accelerator.getContext(), accelerator, ::mlir::DictionaryAttr());
      }]>];
}

#endif // UMA_IR_TARGETATTR_TD
