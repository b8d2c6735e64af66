//===- Tune.cpp - uma tune ------------------------------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Builds one network for each rank of the candidates: in the second network all
// layers use their second choice. The networks run alternately, so that other
// load on the machine affects all equally; boards share the rounds. A layer's
// fastest candidate is the one with the smallest median. The minimum of several
// medians is biased downwards. Therefore the winners are measured again, only
// against the model's choices, and these times are reported.
//
//===----------------------------------------------------------------------===//

#include "../Compile/PlanModel.h"
#include "TuneBoards.h"
#include "TuneReport.h"
#include "TuneTimes.h"

#include "uma/CPU/Model/Problems.h"
#include "uma/CPU/Transforms/Passes.h"
#include "uma/CPU/Tuning/Candidates.h"
#include "uma/Support/OutputFile.h"
#include "uma/Support/Progress.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/TargetParser/Host.h"

using namespace mlir;
using namespace uma;
namespace fs = llvm::sys::fs;

namespace {
class Tuner {
public:
  Tuner(const TuneOptions &options, const MessageHandler &receiver)
      : options(options), handler([this, receiver](const Message &message) {
          progress.clear();
          receiver(message);
        }),
        context(options.model.model, handler), boards(context, handler),
        progress(options.candidates + 3) {}

  /// Prints the results to `os`.
  ExitCode run(llvm::raw_ostream &os);

private:
  ExitCode prepare();
  ExitCode checkProcessor();
  ExitCode checkLanes();
  ExitCode failForOther(const Twine &what, const Twine &here) const;
  ExitCode build(const TuningDatabase *tuning);
  ExitCode findWorkloads();
  ExitCode findCandidates();
  ExitCode buildCandidates();
  ExitCode measure();
  void chooseBest();
  ExitCode confirm();
  ExitCode write();

  const TuneOptions &options;
  MessageHandler handler;
  ModelContext context;
  TuneBoards boards;
  Progress progress;
  ScratchFolder scratch;
  std::string flags;
  /// Entries of the file, and new ones.
  TuningDatabase database;
  bool hasFile = false;
  /// Name of the processor that measures; empty until it is known.
  std::string processor;
  /// Variants, with the model's choices first.
  std::vector<Variant> variants;
  std::vector<TunedWorkload> workloads;
};
} // namespace

/// Emits an error: times from different compilers or machines are not
/// comparable.
ExitCode Tuner::failForOther(const Twine &what, const Twine &here) const {
  return context.fail(ExitCode::BadInput, options.output + ": was made " +
                                              what + ", this is " + here +
                                              "; give another file");
}

ExitCode Tuner::prepare() {
  if (options.output.empty())
    return context.fail(ExitCode::BadInput,
                        "-o is missing: the file where the database goes");
  if (options.candidates < 2)
    return context.fail(ExitCode::BadInput,
                        "--candidates=" + Twine(options.candidates) +
                            ": at least 2 can be compared");
  if (options.rounds < 1)
    return context.fail(ExitCode::BadInput, "--rounds=0: expected at least 1");
  bool hasScheduler = !options.scheduler.empty();
  if (hasScheduler && !options.runWith.empty())
    return context.fail(ExitCode::BadInput,
                        "--scheduler and --run-with both say where programs "
                        "run; give one of them");
  if (hasScheduler && options.model.cpu.empty())
    return context.fail(ExitCode::BadInput,
                        "--scheduler needs --cpu=NAME: workers with the "
                        "resource 'cpu=NAME' measure");
  if (!hasScheduler)
    if (ExitCode code = boards.open(options.runWith, options.timeout);
        code != ExitCode::Success)
      return code;
  if (!boards.areHere() && options.model.cpu == "native")
    return context.fail(ExitCode::BadInput,
                        "--cpu=native is this machine, not the one of " +
                            Twine(hasScheduler ? "--scheduler" : "--run-with") +
                            "; name its processor");
  flags = options.flags;
  if (flags.empty())
    flags = llvm::sys::Process::GetEnv("CFLAGS").value_or(
        boards.areHere() ? "-O3 -march=native" : "-O3");
  std::string compiler =
      (options.compiler.empty() ? "cc" : options.compiler) + " " + flags;
  // Check before measuring whether the file can be written.
  hasFile = fs::exists(options.output);
  if (hasFile) {
    auto known = TuningDatabase::read(options.output, context.get());
    if (!known)
      return context.fail(ExitCode::BadInput,
                          llvm::toString(known.takeError()));
    database = std::move(*known);
    if (database.compiler != compiler)
      return failForOther("by '" + database.compiler + "'",
                          "'" + compiler + "'");
  }
  database.compiler = compiler;
  if (boards.areHere()) {
    processor = llvm::sys::getHostCPUName().str();
  } else if (!options.model.cpu.empty()) {
    llvm::Expected<Processor> known = Processor::get(options.model.cpu);
    if (!known)
      return context.fail(ExitCode::BadInput,
                          "--cpu: " + llvm::toString(known.takeError()));
    processor = known->name;
  }
  if (ExitCode code = checkProcessor(); code != ExitCode::Success)
    return code;
  SmallString<128> folder(llvm::sys::path::parent_path(options.output));
  if (folder.empty())
    folder = ".";
  if (std::error_code error = fs::access(folder, fs::AccessMode::Write))
    return context.fail(ExitCode::BadInput,
                        options.output +
                            ": cannot be written: " + error.message());
  ExitCode code = scratch.createSupervised(context, "uma-tune");
  if (code != ExitCode::Success || !hasScheduler)
    return code;
  return boards.openWorkers(options.scheduler, processor, options.timeout,
                            scratch.getPath());
}

/// Checks that the file is for the processor, if that is known already.
ExitCode Tuner::checkProcessor() {
  if (processor.empty())
    return ExitCode::Success;
  if (hasFile && database.processor != processor)
    return failForOther("for processor '" + database.processor + "'",
                        "'" + processor + "'");
  database.processor = processor;
  return ExitCode::Success;
}

/// Checks that the C was compiled for the vectors of the processor that the
/// user names, and for those of the file.
ExitCode Tuner::checkLanes() {
  int64_t lanes = variants.front().network.getLanes();
  if (!options.model.cpu.empty()) {
    Processor known = llvm::cantFail(Processor::get(options.model.cpu));
    int64_t widest = known.sets.front().lanes;
    // The generic processor has all vectors.
    if (lanes != widest && known.name != Processor::getGeneric().name)
      return context.fail(
          ExitCode::BadInput,
          "--cpu=" + options.model.cpu + " has vectors of " + Twine(widest) +
              " lanes, but the C was compiled for " + Twine(lanes) +
              "; choose its compiler and flags with --cc and "
              "--cflags");
  }
  if (hasFile && database.lanes != lanes)
    return failForOther("for vectors of " + Twine(database.lanes) + " lanes",
                        Twine(lanes) + " lanes");
  database.lanes = lanes;
  return ExitCode::Success;
}

/// Builds a variant whose layers use the choices of `tuning`.
ExitCode Tuner::build(const TuningDatabase *tuning) {
  std::string folder = scratch.getPath(Twine(variants.size()));
  if (std::error_code error = fs::create_directories(folder))
    return context.fail(ExitCode::BadInput, folder + ": " + error.message());
  ModelOptions model = options.model;
  model.tuning.clear();
  if (tuning) {
    model.tuning = folder + "/tuning.json";
    if (llvm::Error error = writeFileAtomically(model.tuning, tuning->print()))
      return context.fail(ExitCode::BadInput, llvm::toString(std::move(error)));
  }
  return variants.emplace_back().network.build(
      model, folder, options.compiler, flags, handler, [this](StringRef log) {
        progress.clear();
        llvm::errs() << log;
      });
}

ExitCode Tuner::findWorkloads() {
  progress.begin("building the model's choices");
  if (ExitCode code = build(nullptr); code != ExitCode::Success)
    return code;
  Variant &analytic = variants.front();
  ArrayRef<ProfiledCall> calls = analytic.network.getCalls();
  for (size_t i = 0; i < calls.size(); ++i) {
    const ProfiledCall &call = calls[i];
    if (!call.workload)
      continue;
    auto known = llvm::find_if(workloads, [&](const TunedWorkload &workload) {
      return workload.best.workload == *call.workload;
    });
    if (known == workloads.end()) {
      known = workloads.emplace(workloads.end());
      known->best.workload = *call.workload;
    }
    known->layers.push_back(call.layer);
    known->calls.push_back(i);
  }
  if (workloads.empty())
    return context.fail(ExitCode::NotSupported,
                        options.model.model +
                            ": no layer on the CPU has a schedule to choose");

  if (!boards.areHere() && (processor.empty() || boards.size() > 1)) {
    std::string found;
    if (ExitCode code = boards.askProcessor(analytic.network, found);
        code != ExitCode::Success)
      return code;
    if (processor.empty())
      processor = std::move(found);
    if (ExitCode code = checkProcessor(); code != ExitCode::Success)
      return code;
  }
  // The first run reports the target that the C was compiled for.
  if (ExitCode code = boards.measure(variants, /*count=*/1);
      code != ExitCode::Success)
    return code;
  analytic.times.clear();
  if (ExitCode code = checkLanes(); code != ExitCode::Success)
    return code;
  return findCandidates();
}

/// Lists the candidates of all workloads. The candidates also depend on
/// properties of a layer outside of its workload; uses the first layer of each
/// workload.
ExitCode Tuner::findCandidates() {
  OwningOpRef<ModuleOp> module;
  if (ExitCode code = planModel(options.model, context, module);
      code != ExitCode::Success)
    return code;
  Processor processor = Processor::of(*module);
  SymbolTable symbols(*module);
  for (func::FuncOp function : cpu::getEntryFunctions(*module)) {
    CPULayers layers(function, symbols);
    for (const CPULayer &layer : layers.getLayers()) {
      auto workload = layer.getKernel()
                          ? getLayerWorkload(layer, layer.getKernel())
                          : std::nullopt;
      if (!workload)
        continue;
      for (TunedWorkload &known : workloads)
        if (known.best.workload == *workload && known.candidates.empty())
          known.candidates = listCandidates(
              layer, processor, database.lanes, options.candidates,
              /*weightsMayGrow=*/options.model.kernels == Kernels::Winograd);
    }
  }
  llvm::erase_if(workloads, [](const TunedWorkload &workload) {
    return workload.candidates.empty();
  });
  return ExitCode::Success;
}

/// Builds a database for the candidates of each rank.
ExitCode Tuner::buildCandidates() {
  for (size_t rank = 1; rank < options.candidates; ++rank) {
    TuningDatabase tuning;
    tuning.lanes = database.lanes;
    for (const TunedWorkload &workload : workloads)
      if (rank < workload.candidates.size())
        tuning.insert({workload.best.workload, workload.candidates[rank]});
    if (tuning.getEntries().empty())
      return ExitCode::Success;
    progress.begin(("building candidates of rank " + Twine(rank + 1)).str());
    if (ExitCode code = build(&tuning); code != ExitCode::Success)
      return code;
  }
  return ExitCode::Success;
}

ExitCode Tuner::measure() {
  progress.begin("measuring");
  return boards.measure(variants, options.rounds);
}

void Tuner::chooseBest() {
  for (TunedWorkload &workload : workloads) {
    TuningEntry &best = workload.best;
    std::vector<double> analytic =
        sumCalls(variants.front().times, workload.calls);
    best.plan = workload.candidates.front();
    best.analyticMicroseconds = getMedian(analytic);
    best.microseconds = best.analyticMicroseconds;
    double bestRatio = 1;
    for (size_t rank = 1;
         rank < workload.candidates.size() && rank < variants.size(); ++rank) {
      std::vector<double> times =
          sumCalls(variants[rank].times, workload.calls);
      double ratio = getRatio(analytic, times);
      if (ratio >= bestRatio || !isFaster(analytic, times))
        continue;
      bestRatio = ratio;
      best.microseconds = getMedian(times);
      best.plan = workload.candidates[rank];
    }
  }
}

/// Measures the winners against the model's choices. Keeps the model's choice
/// if a candidate won only by chance.
ExitCode Tuner::confirm() {
  TuningDatabase tuning;
  tuning.lanes = database.lanes;
  for (TunedWorkload &workload : workloads)
    tuning.insert(workload.best);
  progress.begin("building the fastest candidates");
  variants.resize(1);
  if (ExitCode code = build(&tuning); code != ExitCode::Success)
    return code;
  variants.front().times.clear();
  if (ExitCode code = measure(); code != ExitCode::Success)
    return code;
  for (TunedWorkload &workload : workloads) {
    TuningEntry &best = workload.best;
    std::vector<double> analytic = sumCalls(variants[0].times, workload.calls);
    std::vector<double> tuned = sumCalls(variants[1].times, workload.calls);
    best.analyticMicroseconds = getMedian(analytic);
    best.microseconds = getMedian(tuned);
    if (isFaster(analytic, tuned))
      continue;
    best.plan = workload.candidates.front();
    best.microseconds = best.analyticMicroseconds;
  }
  return ExitCode::Success;
}

ExitCode Tuner::write() {
  for (const TunedWorkload &workload : workloads)
    database.insert(workload.best);
  if (llvm::Error error = writeFileAtomically(options.output, database.print()))
    return context.fail(ExitCode::BadInput, llvm::toString(std::move(error)));
  return ExitCode::Success;
}

ExitCode Tuner::run(llvm::raw_ostream &os) {
  using Step = ExitCode (Tuner::*)();
  for (Step step : {&Tuner::prepare, &Tuner::findWorkloads,
                    &Tuner::buildCandidates, &Tuner::measure}) {
    if (ExitCode code = (this->*step)(); code != ExitCode::Success)
      return code;
  }
  chooseBest();
  bool isChanged = llvm::any_of(workloads, [](const TunedWorkload &workload) {
    return !(workload.best.plan == workload.candidates.front());
  });
  if (isChanged)
    if (ExitCode code = confirm(); code != ExitCode::Success)
      return code;
  if (ExitCode code = write(); code != ExitCode::Success)
    return code;
  progress.clear();
  double total = 0;
  for (const std::vector<double> &times : variants.front().times)
    total += getMedian(times);
  printTuning(os, workloads, database.lanes, total);
  return ExitCode::Success;
}

ExitCode uma::runTune(const TuneOptions &options) {
  return Tuner(options, printMessage).run(llvm::outs());
}

ExitCode uma::tuneModel(const TuneOptions &options,
                        const MessageHandler &handler, std::string &report) {
  llvm::raw_string_ostream os(report);
  return Tuner(options, handler).run(os);
}
