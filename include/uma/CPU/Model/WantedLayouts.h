//===- WantedLayouts.h - Layouts that kernels require -*- C++ -*-----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_CPU_MODEL_WANTEDLAYOUTS_H
#define UMA_CPU_MODEL_WANTEDLAYOUTS_H

#include "uma/CPU/Model/Layer.h"

namespace uma {

/// Returns the data operands of a layer that only moves values.
mlir::OperandRange getMoved(const CPULayer &layer);

/// Returns whether a convolution uses the planar kernel or, if no kernel is
/// chosen yet, is best computed by it.
bool isPlanar(const CPULayer &layer);

/// An argument, and the layout in which the kernel reads it. The actual halo
/// may be wider.
struct WantedLayout {
  mlir::Value argument;
  BufferLayout layout;
};

/// Returns the layouts that a layer requires of its arguments, given its
/// result's layout. `getStored` returns the layout in which an argument is
/// stored. Omits arguments that are read in row-major order.
llvm::SmallVector<WantedLayout> getWantedLayouts(
    const CPULayer &layer,
    llvm::function_ref<BufferLayout(mlir::Value argument)> getStored);

/// Returns whether data in `layout` can be read as `wanted`.
bool fitsLayout(const BufferLayout &layout, const BufferLayout &wanted);

} // namespace uma

#endif // UMA_CPU_MODEL_WANTEDLAYOUTS_H
