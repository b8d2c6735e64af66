//===- Remarks.h - Remarks about layers -*- C++ -*-------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_CPU_TRANSFORMS_REMARKS_H
#define UMA_LIB_CPU_TRANSFORMS_REMARKS_H

#include "uma/CPU/Model/Layer.h"

#include "mlir/IR/Remarks.h"

namespace uma::cpu {

/// Emits a remark of category `uma-cpu` about the decision `name` on a layer.
/// `print` writes the text; it is called only if remarks are enabled.
inline void
emitLayerRemark(const CPULayer &layer, llvm::StringRef name,
                llvm::function_ref<void(llvm::raw_ostream &)> print) {
  auto remark = mlir::remark::passed(
      layer.ops.back()->getLoc(),
      mlir::remark::RemarkOpts::name(name).category("uma-cpu").function(
          layer.getFunction().getSymName()));
  if (!remark)
    return;
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "layer '" << layer.getName() << "'";
  print(os);
  remark << text;
}

} // namespace uma::cpu

#endif // UMA_LIB_CPU_TRANSFORMS_REMARKS_H
