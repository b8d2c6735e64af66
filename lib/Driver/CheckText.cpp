//===- CheckText.cpp - Check of a description in an editor ----------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/Driver/CheckText.h"

#include "Compile/Model.h"
#include "HeaderCheck/CheckHeader.h"
#include "Package/Build.h"

#include "uma/Accel/Language/Language.h"
#include "uma/Accel/Mapping/DeviceModel.h"

#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace uma;

void uma::checkText(StringRef text, StringRef file, bool withHeader,
                    accel::DescriptionNames &names,
                    const MessageHandler &handler) {
  ModelContext context(file, handler);
  OwningOpRef<accel::AcceleratorOp> accelerator = accel::readDescription(
      llvm::MemoryBuffer::getMemBufferCopy(text, file), file, context.get(),
      /*settings=*/{}, &names);
  if (!accelerator || failed(verify(*accelerator)) ||
      failed(accel::checkDevice(*accelerator)))
    return;
  if (!withHeader)
    return;
  // The first folder of a process contains all others, so that it must stay
  // until the end.
  static ScratchFolder folder;
  static bool isCreated =
      folder.createSupervised(context, "uma-editor") == ExitCode::Success;
  if (isCreated)
    (void)checkHeader(*accelerator, context, /*compiler=*/"");
}

bool uma::formatText(StringRef text, std::string &formatted) {
  ModelContext context("", [](const Message &) {});
  llvm::SourceMgr sourceMgr;
  sourceMgr.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(text),
                               llvm::SMLoc());
  auto result = accel::formatDescription(sourceMgr, context.get());
  if (failed(result))
    return false;
  formatted = std::move(*result);
  return true;
}
