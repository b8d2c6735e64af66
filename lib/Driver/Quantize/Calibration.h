//===- Calibration.h - Ranges of a network's tensors -*- C++ -*------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_DRIVER_QUANTIZE_CALIBRATION_H
#define UMA_LIB_DRIVER_QUANTIZE_CALIBRATION_H

#include "../Compile/Model.h"

#include "uma/Support/HostTensor.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <string>
#include <vector>

namespace uma {

/// The files of one sample, in the order of the network's inputs.
using SampleFiles = std::vector<std::string>;

/// Lists the samples in a folder, sorted by name. A file is a sample of a
/// network with one input; a folder is a sample with a file named after each
/// input. Reports an error if there is none or if a file is missing.
ExitCode listSamples(llvm::StringRef folder, mlir::func::FuncOp entry,
                     const ModelContext &context,
                     std::vector<SampleFiles> &samples);

/// Reads a sample. Reports an error that names the file and the input if the
/// file does not fit or if an element is not finite.
ExitCode readSample(const SampleFiles &files, mlir::func::FuncOp entry,
                    const ModelContext &context,
                    llvm::SmallVectorImpl<HostTensor> &inputs);

/// Runs `entry` by the interpreter on every sample and stores the range of each
/// float tensor as the attribute `uma.range`. Reports an error that names the
/// layer if an element is not finite.
ExitCode calibrate(const QuantizeOptions &options, mlir::func::FuncOp entry,
                   const ModelContext &context,
                   llvm::ArrayRef<SampleFiles> samples);

} // namespace uma

#endif // UMA_LIB_DRIVER_QUANTIZE_CALIBRATION_H
