//===- ReportWriter.cpp - Writes the report of uma compile ----------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The page is on the disk, under a temporary name, before the package appears,
// and gets its name right after. So a full disk leaves neither.
//
//===----------------------------------------------------------------------===//

#include "ReportWriter.h"

#include "uma/Accel/Mapping/MappingReport.h"
#include "uma/CPU/Tuning/TuningDatabase.h"
#include "uma/Support/Checksum.h"
#include "uma/Support/OutputFile.h"
#include "uma/Support/OutputPath.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace uma;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

ReportWriter::ReportWriter(const ModelOptions &options,
                           const ReportOptions &report, StringRef outputDir,
                           const ModelContext &context)
    : options(options), reportOptions(report), outputDir(outputDir),
      context(context) {}

ReportWriter::~ReportWriter() = default;

ExitCode ReportWriter::fail(const Twine &problem) const {
  return context.fail(ExitCode::BadInput, reportOptions.file + ": " + problem);
}

/// Returns whether `path` is `folder` or inside of it; both are resolved.
static bool isWithin(StringRef path, StringRef folder) {
  return path.consume_front(folder) && (path.empty() || path.front() == '/');
}

ExitCode ReportWriter::prepare() {
  StringRef name = reportOptions.file;
  if (fs::is_directory(name))
    return fail("is a folder; --report expects a file");
  std::vector<std::string> inputs = options.accelerators;
  inputs.insert(inputs.end(), {options.model, options.tuning, options.cpu});
  for (StringRef input : inputs)
    // Attributes of an accelerator follow its path.
    if (input = input.split(',').first; fs::equivalent(name, input))
      return fail("is read by this command; --report expects another file");
  // A pipe takes the page when the package is there.
  if (fs::exists(name) && !fs::is_regular_file(name))
    return ExitCode::Success;
  llvm::ErrorOr<std::string> resolved = resolveOutputPath(name);
  llvm::ErrorOr<std::string> folder = resolveOutputPath(outputDir);
  auto failToWrite = [&](std::error_code error) {
    return fail("cannot be written: " + explainPathError(name, error));
  };
  if (!resolved)
    return failToWrite(resolved.getError());
  target = *resolved;
  StringRef parent = path::parent_path(target);
  if (folder && isWithin(*folder, target))
    return fail("the package is written to '" + outputDir +
                "'; --report expects a file");
  // The folder of the package is there when the report appears.
  bool isInPackage =
      folder && parent == *folder && !isPackageArchive(outputDir);
  if (!isInPackage && !fs::is_directory(parent))
    return failToWrite(std::make_error_code(
        fs::exists(parent) ? std::errc::not_a_directory
                           : std::errc::no_such_file_or_directory));
  llvm::Expected<StagedFile> staged = StagedFile::create(parent);
  if (!staged)
    return failToWrite(llvm::errorToErrorCode(staged.takeError()));
  file = std::move(*staged);
  return ExitCode::Success;
}

/// Returns a position without folders.
static std::string getFilePosition(StringRef position) {
  return path::filename(position).str();
}

void ReportWriter::onSimplified(ModuleOp module) {
  // Partitioning decides the same and reports errors.
  ScopedDiagnosticHandler quiet(module.getContext(),
                                [](Diagnostic &) { return success(); });
  if (failed(explainGraph(options, module, report.explanation)))
    return;
  for (const accel::LayerReport &layer : report.explanation.layers)
    report.operators.push_back(
        {std::nullopt, layer.pattern.empty()
                           ? ""
                           : getFilePosition(getPatternPosition(
                                 module, layer.target, layer.pattern))});
}

void ReportWriter::onMapped(ModuleOp module) {
  cycles.clear();
  // Errors in a mapping are reported where it is used.
  ScopedDiagnosticHandler quiet(module.getContext(),
                                [](Diagnostic &) { return success(); });
  FailureOr<std::vector<accel::MappedLayer>> layers =
      accel::getMappedLayers(module);
  if (failed(layers))
    return;
  for (const accel::MappedLayer &layer : *layers)
    cycles.emplace_back(layer.name, layer.cost.cycles);
}

/// Adds the measured times of layers. The database has the time of all calls
/// with one workload.
void ReportWriter::addTimes(MLIRContext *context) {
  if (options.tuning.empty())
    return;
  auto database = TuningDatabase::read(options.tuning, context);
  if (!database)
    return llvm::consumeError(database.takeError());
  llvm::DenseMap<Attribute, unsigned> numCalls;
  for (const MemoryStep &step : report.memory.steps)
    if (step.workload)
      ++numCalls[step.workload];
  for (auto [step, memory] : llvm::zip_equal(report.steps, report.memory.steps))
    if (std::optional<Workload> workload =
            Workload::fromAttribute(memory.workload))
      if (const TuningEntry *entry = database->lookup(*workload))
        step.microseconds =
            entry->microseconds / numCalls.lookup(memory.workload);
}

void ReportWriter::onLowered(ModuleOp module) {
  report.memory = MemoryUse::get(module);
  report.joinOperators();
  addCycles(cycles, report);
  addTimes(module.getContext());
}

LogicalResult ReportWriter::onPackage(const PackageSizes &sizes) {
  report.sizes = sizes;
  if (llvm::ErrorOr<std::string> folder = resolveOutputPath(outputDir);
      folder && !target.empty())
    for (const PackageSizes::File &packageFile : sizes.files) {
      std::string path = *folder + "/" + packageFile.name;
      if (isWithin(path, target) || isWithin(target, path)) {
        (void)fail("is '" + packageFile.name +
                   "' of the package; --report expects another file");
        return failure();
      }
    }
  report.model = path::filename(options.model).str();
  if (llvm::ErrorOr<std::string> hash = getFileSHA256(options.model))
    report.hash = *hash;
  report.command = getCommandText(reportOptions.command);
  text = toHTML(report);
  if (!file)
    return success();
  file->getStream() << text;
  text.clear();
  if (std::error_code error = file->finish()) {
    (void)fail("cannot be written: " + explainPathError(target, error));
    return failure();
  }
  signals.emplace();
  return success();
}

ExitCode ReportWriter::publish() {
  if (!file) {
    if (llvm::Error error = writeFileAtomically(reportOptions.file, text))
      return context.fail(ExitCode::BadInput, llvm::toString(std::move(error)));
    return ExitCode::Success;
  }
  std::error_code error = file->keep(target);
  signals.reset();
  return error ? fail("cannot be written: " + explainPathError(target, error))
               : ExitCode::Success;
}
