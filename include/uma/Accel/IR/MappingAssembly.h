//===- MappingAssembly.h - Custom directive of mappings -*- C++ -*---------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_ACCEL_IR_MAPPINGASSEMBLY_H
#define UMA_ACCEL_IR_MAPPINGASSEMBLY_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/OpImplementation.h"

namespace uma {

/// `loops = [oh by 14], buffers = [x at 1 double], rows`
mlir::ParseResult parseMapping(mlir::AsmParser &parser, mlir::ArrayAttr &dims,
                               llvm::SmallVector<int64_t> &tiles,
                               mlir::ArrayAttr &buffers,
                               llvm::SmallVector<int64_t> &levels,
                               llvm::SmallVector<int64_t> &counts, bool &rows,
                               bool &interleaved);
void printMapping(mlir::AsmPrinter &printer, mlir::ArrayAttr dims,
                  llvm::ArrayRef<int64_t> tiles, mlir::ArrayAttr buffers,
                  llvm::ArrayRef<int64_t> levels,
                  llvm::ArrayRef<int64_t> counts, bool rows, bool interleaved);

} // namespace uma

#endif // UMA_ACCEL_IR_MAPPINGASSEMBLY_H
