//===- WantedLayouts.h - The layouts that kernels read -*- C++ -*----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_CPU_MODEL_WANTEDLAYOUTS_H
#define UMA_CPU_MODEL_WANTEDLAYOUTS_H

#include "uma/CPU/Model/Layer.h"

namespace uma {

/// Returns the data of a layer that moves values.
mlir::OperandRange getMoved(const CPULayer &layer);

/// True for convolutions that write planes: those with that kernel or, if none
/// is chosen yet, with few channels.
bool isPlanar(const CPULayer &layer);

/// An argument, and the layout that the layer's kernel reads it in: it may have
/// a wider border.
struct WantedLayout {
  mlir::Value argument;
  BufferLayout layout;
};

/// Returns the layouts that a layer with its result's layout reads, for data in
/// the layouts of `getStored`; arguments that are read in their own order may
/// be missing.
llvm::SmallVector<WantedLayout> getWantedLayouts(
    const CPULayer &layer,
    llvm::function_ref<BufferLayout(mlir::Value argument)> getStored);

/// Returns whether data in `layout` can be read as in `wanted`.
bool fitsLayout(const BufferLayout &layout, const BufferLayout &wanted);

} // namespace uma

#endif // UMA_CPU_MODEL_WANTEDLAYOUTS_H
