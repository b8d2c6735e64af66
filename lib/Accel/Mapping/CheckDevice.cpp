//===- CheckDevice.cpp - Mistakes in a device's numbers and paths ---------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Finds mistakes that make every mapping fail, without a network.
//
//===----------------------------------------------------------------------===//

#include "uma/Accel/Mapping/DeviceModel.h"
#include "uma/Accel/Mapping/MatchSchedule.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace uma;
using namespace uma::accel;

/// Checks that the device can load and store the tensors that it places.
static LogicalResult checkPlaces(PatternOp pattern, const DeviceModel &device) {
  bool hasErrors = false;
  for (auto place : pattern.getBody().getOps<PlaceOp>()) {
    std::optional<unsigned> memory = device.findMemory(place.getMemory());
    for (Value tensor : place.getTensors()) {
      bool isInput = tensor.getDefiningOp<InputOp>() != nullptr;
      bool isOutput = llvm::is_contained(pattern.getOutputs(), tensor);
      if ((!isInput && !isOutput) || !memory ||
          device.findPath(*memory, /*isStore=*/isOutput))
        continue;
      mlir::emitError(place.getLoc())
          << describeMissingPath(tensor, place.getMemory(), isOutput);
      hasErrors = true;
    }
  }
  return failure(hasErrors);
}

LogicalResult uma::accel::checkDevice(AcceleratorOp accelerator) {
  if (accelerator.getOps<EngineOp>().empty())
    return success();
  std::string problem;
  Operation *where = nullptr;
  FailureOr<DeviceModel> device =
      DeviceModel::get(accelerator, problem, &where);
  if (failed(device))
    return mlir::emitError(where->getLoc()) << problem;
  bool hasErrors = false;
  for (auto pattern : accelerator.getOps<PatternOp>())
    if (pattern.isTiled())
      hasErrors |= failed(checkPlaces(pattern, *device));
  return failure(hasErrors);
}
