//===- CPUAssembly.h - Custom directives of attributes -*- C++ -*----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Custom assembly directives of CPUAttributes.td. Each comment shows the
// syntax.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_CPU_IR_CPUASSEMBLY_H
#define UMA_CPU_IR_CPUASSEMBLY_H

#include "uma/CPU/IR/CPUEnums.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/OpImplementation.h"

namespace uma {

class BlockingAttr;

/// `NCHW16c, pad = [1, 1, 1, 1]`
mlir::ParseResult parseLayout(mlir::AsmParser &parser, mlir::StringAttr &dims,
                              int64_t &block, llvm::SmallVector<int64_t> &pad);
void printLayout(mlir::AsmPrinter &printer, mlir::StringAttr dims,
                 int64_t block, llvm::ArrayRef<int64_t> pad);

/// `, tile = 4`, `, channels = 4`, `, @pointwise`; each part is optional
mlir::ParseResult parseKernelOptions(mlir::AsmParser &parser, int64_t &tile,
                                     int64_t &channels,
                                     mlir::FlatSymbolRefAttr &script);
void printKernelOptions(mlir::AsmPrinter &printer, int64_t tile,
                        int64_t channels, mlir::FlatSymbolRefAttr script);

/// `, core_registers = 8, float_unit = false, signed_loads = false`; default
/// values are omitted
mlir::ParseResult parseCoreOptions(mlir::AsmParser &parser,
                                   int64_t &coreRegisters, bool &floatUnit,
                                   bool &signedLoads);
void printCoreOptions(mlir::AsmPrinter &printer, int64_t coreRegisters,
                      bool floatUnit, bool signedLoads);

/// `avx2`
mlir::ParseResult parseISA(mlir::AsmParser &parser, mlir::StringAttr &isa);
void printISA(mlir::AsmPrinter &printer, mlir::StringAttr isa);

/// `avx2, scalar`
mlir::ParseResult parseSets(mlir::AsmParser &parser,
                            llvm::SmallVector<mlir::StringAttr> &sets);
void printSets(mlir::AsmPrinter &printer,
               llvm::ArrayRef<mlir::StringAttr> sets);

/// `14x2x16`
mlir::ParseResult parseTile(mlir::AsmParser &parser, int64_t &rows,
                            int64_t &vectors, int64_t &lanes);
void printTile(mlir::AsmPrinter &printer, int64_t rows, int64_t vectors,
               int64_t lanes);

/// `, slices = 2, prefetch = all`; default values are omitted
mlir::ParseResult parseVersionOptions(mlir::AsmParser &parser, int64_t &slices,
                                      int64_t &sums, bool &byLane,
                                      Prefetch &prefetch,
                                      BlockingAttr &blocking);
void printVersionOptions(mlir::AsmPrinter &printer, int64_t slices,
                         int64_t sums, bool byLane, Prefetch prefetch,
                         BlockingAttr blocking);

/// `, loop = 1, parts = 2, join_rows = true`; default values are omitted
mlir::ParseResult parseBlockingOptions(mlir::AsmParser &parser, int64_t &loop,
                                       int64_t &parts, int64_t &packs,
                                       bool &joinRows);
void printBlockingOptions(mlir::AsmPrinter &printer, int64_t loop,
                          int64_t parts, int64_t packs, bool joinRows);

} // namespace uma

#endif // UMA_CPU_IR_CPUASSEMBLY_H
