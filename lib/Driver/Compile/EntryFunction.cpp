//===- EntryFunction.cpp - Entry function of the network ------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "EntryFunction.h"

#include "uma/IR/UMADialect.h"
#include "uma/Support/HostTensor.h"
#include "uma/Support/QuantizedTypes.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace uma;

/// Maximum size of a tensor in bytes, as in the interpreter: larger than any
/// device's memory, and small enough that sums of sizes do not overflow.
static constexpr int64_t kMaxTensorBytes = int64_t(1) << 32;

static bool isTooLarge(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.hasStaticShape() ||
      llvm::is_contained(tensor.getShape(), 0))
    return false;
  int64_t bytes = HostTensor::getElementSize(tensor.getElementType());
  return bytes != 0 && llvm::any_of(tensor.getShape(), [&](int64_t size) {
           return llvm::MulOverflow(bytes, size, bytes) ||
                  bytes > kMaxTensorBytes;
         });
}

static std::string getTooLarge() {
  return "is larger than " + std::to_string(kMaxTensorBytes >> 30) +
         " GiB, the most that a tensor may have";
}

/// Returns the reason why C cannot store a tensor; empty if it can.
static std::string findProblem(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.hasStaticShape())
    return "expected a tensor whose sizes are known";
  if (isQuantized(tensor.getElementType()) ||
      HostTensor::getElementSize(tensor.getElementType()) == 0)
    return "C has no type for its elements; expected f32, f64, floats of 8 or "
           "16 "
           "bits, or integers of 1, 8, 16, 32 or 64 bits";
  if (llvm::is_contained(tensor.getShape(), 0))
    return "expected at least one element: C has no empty arrays";
  return isTooLarge(type) ? getTooLarge() : "";
}

/// Checks the inputs or outputs of the network.
static LogicalResult checkTensors(func::FuncOp entry, StringRef kind,
                                  TypeRange types,
                                  function_ref<Attribute(unsigned)> getName) {
  for (auto [i, type] : llvm::enumerate(types)) {
    std::string problem = findProblem(type);
    if (problem.empty())
      continue;
    InFlightDiagnostic error = entry.emitError(kind) << ' ' << i;
    if (auto name = dyn_cast_or_null<StringAttr>(getName(i)))
      error << " ('" << name.getValue() << "')";
    return error << " of the network is " << type << ": " << problem;
  }
  return success();
}

ExitCode uma::findEntryFunction(ModuleOp module, StringRef file,
                                const ModelContext &context,
                                func::FuncOp &entry) {
  for (auto function : module.getOps<func::FuncOp>()) {
    Attribute name = function->getAttr(kNetworkAttrName);
    if (!name)
      continue;
    auto fail = [&](const Twine &problem) {
      function.emitError() << problem.str();
      return ExitCode::BadInput;
    };
    auto text = dyn_cast<StringAttr>(name);
    if (!text || text.empty())
      return fail(kNetworkAttrName +
                  " is no name; expected a string that is not empty");
    if (entry)
      return fail("is the second network of the module, beside '" +
                  entry->getAttrOfType<StringAttr>(kNetworkAttrName).strref() +
                  "'; a package holds one");
    if (function.isExternal())
      return fail("the network '" + text.strref() + "' has no body");
    if (function.getNumResults() == 0)
      return fail("the network '" + text.strref() +
                  "' returns nothing; expected at least one result");
    entry = function;
  }
  if (!entry)
    return context.fail(ExitCode::BadInput,
                        file + ": holds no network; give the attribute '" +
                            kNetworkAttrName +
                            " = \"name\"' to the function that is one");
  if (failed(checkTensors(entry, "input", entry.getArgumentTypes(),
                          [&](unsigned i) {
                            return entry.getArgAttr(i, kTensorNameAttrName);
                          })) ||
      failed(checkTensors(entry, "output", entry.getResultTypes(),
                          [&](unsigned i) {
                            return entry.getResultAttr(i, kTensorNameAttrName);
                          })))
    return ExitCode::NotSupported;
  return ExitCode::Success;
}

ExitCode uma::checkTensorSizes(ModuleOp module) {
  WalkResult walk = module.walk([&](Operation *op) {
    for (Type type : op->getResultTypes())
      if (isTooLarge(type)) {
        op->emitError() << "has a result of type " << type << ", which "
                        << getTooLarge();
        return WalkResult::interrupt();
      }
    return WalkResult::advance();
  });
  return walk.wasInterrupted() ? ExitCode::NotSupported : ExitCode::Success;
}
