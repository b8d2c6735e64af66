//===- AccelOps.cpp - Operations of the accel family ----------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/Accel/IR/AccelOps.h"

#include "PassText.h"
#include "TensorTypes.h"
#include "Verify.h"

#include "uma/Accel/IR/Backend.h"
#include "uma/Support/DidYouMean.h"
#include "uma/Support/PlainPath.h"
#include "uma/Support/ReservedNames.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace uma;
using namespace uma::accel;

#define GET_TYPEDEF_CLASSES
#include "uma/Accel/IR/AccelTypes.cpp.inc"
/// Parses the type of a dim, `index` by default.
static ParseResult parseDimType(OpAsmParser &parser, Type &type) {
  if (succeeded(parser.parseOptionalColon()))
    return parser.parseType(type);
  type = parser.getBuilder().getIndexType();
  return success();
}

static void printDimType(OpAsmPrinter &printer, Operation *, Type type) {
  if (!type.isIndex())
    printer << " : " << type;
}

#define GET_OP_CLASSES
#include "uma/Accel/IR/AccelOps.cpp.inc"

void UMADialect::registerAccelFamily() {
  addInterfaces<BackendRegistry>();
  addTypes<
#define GET_TYPEDEF_LIST
#include "uma/Accel/IR/AccelTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "uma/Accel/IR/AccelOps.cpp.inc"
      >();
}

ArrayRef<llvm::StringLiteral> uma::accel::getPhases() {
  static constexpr llvm::StringLiteral phases[] = {
      "PRE_PARTITIONING", "POST_PARTITIONING_0", "POST_PARTITIONING_1",
      "TIR_PHASE_0",      "TIR_PHASE_1",         "TIR_PHASE_2",
      "TIR_PHASE_3"};
  return phases;
}

//===----------------------------------------------------------------------===//
// AcceleratorOp and its direct children
//===----------------------------------------------------------------------===//

LogicalResult AcceleratorOp::verifyRegions() {
  for (Operation &op : getBody().getOps())
    if (!isInFamily<AccelFamily>(&op))
      return report(&op)
             << "'" << op.getName()
             << "' cannot stand in an accelerator: it holds uma.accel.include, "
                "model, link, pipeline, pattern and other uma.accel operations";
  return verifyDevice(*this);
}

LogicalResult uma::accel::verifyFileName(Location loc, StringRef what,
                                         StringRef name) {
  if (name.empty())
    return emitError(loc) << "the name of the " << what << " is empty";
  for (char c : name)
    if (c == '"' || c == '\\' || (llvm::isASCII(c) && !llvm::isPrint(c)))
      return emitError(loc)
             << "the name of the " << what
             << " cannot hold a quote, a backslash or a control character";
  return success();
}

LogicalResult uma::accel::verifyPackagedName(Location loc, StringRef what,
                                             StringRef name, bool isHeader) {
  if (failed(verifyFileName(loc, what, name)))
    return failure();
  std::string checked = name.str();
  if (isHeader)
    llvm::replace(checked, ' ', '_');
  std::string problem = findPathProblem(checked);
  if (problem.empty())
    return success();
  return emitError(loc)
         << "the name of the " << what << ", '" << name << "', " << problem
         << ", which a package's build files cannot have; rename it with "
            "letters, digits and . _ - + , @ only";
}

LogicalResult IncludeOp::verify() {
  return verifyPackagedName(getLoc(), "header", getHeader());
}

LogicalResult ModelOp::verify() {
  if (failed(verifyFileName(getLoc(), "model's source file", getFile())))
    return failure();
  // A package has the file without the folders.
  StringRef name = llvm::sys::path::filename(getFile());
  return verifyPackagedName(getLoc(), "model's source file", name,
                            /*isHeader=*/false);
}

LogicalResult LinkOp::verify() {
  StringRef name = getLibrary();
  // The name must be usable in a Makefile, in CMake and on a command line.
  bool isPlain = !name.empty() && llvm::all_of(name, [](char c) {
    return llvm::isAlnum(c) || StringRef("_+-.").contains(c);
  });
  StringRef stem = name.split(".so").first.split(".a").first;
  bool isFile = stem.size() < name.size();
  if (isPlain && !isFile && !name.starts_with("-"))
    return success();
  InFlightDiagnostic error =
      report(*this) << "'" << name
                    << "' is not the name of a library as the linker's -l "
                       "takes it";
  stem.consume_front("-l");
  if (isFile)
    stem.consume_front("lib");
  if (isPlain && !stem.empty() && !stem.starts_with("-"))
    error << "; did you mean '" << stem << "'?";
  return error;
}

LogicalResult uma::accel::verifyPhase(Operation *op, StringRef phase) {
  SmallVector<StringRef> phases(getPhases().begin(), getPhases().end());
  if (llvm::is_contained(phases, phase))
    return success();
  std::string hint = didYouMean(phase, phases);
  return report(op) << "unknown phase '" << phase << "'"
                    << (hint.empty()
                            ? "; phases are " + llvm::join(phases, ", ")
                            : hint);
}

LogicalResult PipelineOp::verify() {
  if (failed(verifyPhase(*this, getPhase())))
    return failure();
  StringRef passes = getPasses().trim();
  // This would parse as a pipeline for nested modules and never run.
  if (passes.starts_with("builtin.module("))
    return report(*this) << "the passes already run on builtin.module; write "
                            "only what stands between its parentheses";
  if (std::string reason = findForbiddenPass(passes); !reason.empty())
    return report(*this) << reason
                         << "; passes of a description transform the "
                            "network and nothing else";
  std::string message;
  llvm::raw_string_ostream stream(message);
  OpPassManager manager(ModuleOp::getOperationName());
  if (succeeded(parsePassPipeline(passes, manager, stream)))
    return success();
  // Use only the first line and drop its position, which users cannot see.
  StringRef reason = StringRef(message).split("error: ").second;
  reason = reason.take_until([](char c) { return c == '\n'; });
  return report(*this) << "cannot parse the passes of " << getPhase() << ": "
                       << (reason.empty() ? StringRef(message).trim() : reason);
}

LogicalResult uma::accel::verifyFunctionName(Operation *op, StringRef name) {
  if (!isFunctionNameInC(name))
    return report(op) << "'" << name << "' is not the name of a C function";
  return success();
}
