//===- ProfiledNetwork.cpp - Times of a network's layers ------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The package's own Makefile builds it with another main.c and the profile
// hooks of the emitted C. Each round is a separate process with a different
// memory layout, so that the layout does not bias a schedule.
//
//===----------------------------------------------------------------------===//

#include "ProfiledNetwork.h"
#include "../Package/PackageDescription.h"

#include "uma/CPU/Model/Processor.h"
#include "uma/IR/LayerAttributes.h"
#include "uma/IR/UMADialect.h"
#include "uma/Support/LayerName.h"
#include "uma/Support/OutputFile.h"
#include "uma/Support/PrintableText.h"
#include "uma/TIR/IR/TIROps.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/TargetParser/Host.h"

#include <cmath>

using namespace mlir;
using namespace uma;
namespace fs = llvm::sys::fs;

/// Line before the output of the program. The shell of a board may print
/// something before it.
static constexpr llvm::StringLiteral kProfileMark = "uma: profile";

/// Returns what follows the mark, or an empty text if there is none.
static StringRef getMarked(StringRef output) {
  return output.split(kProfileMark).second.split('\n').second;
}

static constexpr llvm::StringLiteral kProfileHeader = R"(#ifndef UMA_PROFILE_H
#define UMA_PROFILE_H
void uma_tune_begin(int index, int lanes);
void uma_tune_end(int index);
/* Where the C has layers to tune, it has vectors and knows their lanes. */
#define UMA_PROFILE_BEGIN(index, layer) uma_tune_begin((index), UMA_LANES)
#define UMA_PROFILE_END(index, layer) uma_tune_end((index))
#endif
)";

/// End of the program, after the output of writeProgram().
static constexpr llvm::StringLiteral kMain = R"(
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MAX_RUNS = 1000, MIN_RUNS = 3 };

static int lanes_used;
static double started[CALLS + 1], taken[CALLS + 1];

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e6 + (double)time.tv_nsec / 1e3;
}

void uma_tune_begin(int index, int lanes) {
  lanes_used = lanes;
  started[index] = now();
}

/* A call in a loop happens several times in a run. */
void uma_tune_end(int index) { taken[index] += now() - started[index]; }

/* Floats between 0 and 1; zeros where there may be integers, which may index
 * something. */
static void *make_buffer(size_t bytes, int has_floats) {
  void *memory = NULL;
  size_t i, floats = has_floats ? bytes / sizeof(float) : 0;
  int status = posix_memalign(&memory, 4096, bytes + 1);
  if (status != 0) {
    fprintf(stderr, "no memory for %lu bytes: %s\n", (unsigned long)bytes,
            strerror(status));
    exit(1);
  }
  memset(memory, 0, bytes + 1);
  for (i = 0; i < floats; ++i) {
    ((float *)memory)[i] = (float)(i % 256) / 255.0f;
  }
  return memory;
}

/* The architecture, and what the system knows about the processor. */
static int print_processor(void) {
  char text[4096];
  size_t size;
  FILE *file = fopen("/proc/cpuinfo", "r");
  puts(MARK);
#if defined(__aarch64__)
  puts("aarch64");
#elif defined(__arm__)
  puts("arm");
#elif defined(__riscv)
  puts("riscv");
#elif defined(__x86_64__) || defined(__i386__)
  puts("x86");
#else
  puts("unknown");
#endif
  while (file != NULL && (size = fread(text, 1, sizeof(text), file)) > 0) {
    fwrite(text, 1, size, stdout);
  }
  if (file != NULL) {
    fclose(file);
  }
  return 0;
}

static int compare(const void *left, const void *right) {
  double difference = *(const double *)left - *(const double *)right;
  return (difference > 0) - (difference < 0);
}

int main(int argc, char **argv) {
  double limit = argc > 1 ? atof(argv[1]) : 0, start = 0;
  double *times = make_buffer(sizeof(double) * MAX_RUNS * (CALLS + 1), 0);
  void *tensors[INPUTS + OUTPUTS + 1], *workspace = make_buffer(WORKSPACE, 0);
  int runs, call, i;
  if (argc > 1 && strcmp(argv[1], "--processor") == 0) {
    return print_processor();
  }
  for (i = 0; i < INPUTS; ++i) {
    const uma_tensor_info *tensor = &INPUT_TABLE[i];
    tensors[i] = make_buffer(tensor->bytes, strcmp(tensor->dtype, "f32") == 0);
  }
  for (i = 0; i < OUTPUTS; ++i) {
    tensors[INPUTS + i] = make_buffer(OUTPUT_TABLE[i].bytes, 0);
  }
  /* The first run brings the weights into memory. */
  for (runs = -1; runs < MIN_RUNS || (runs < MAX_RUNS && now() - start < limit);
       ++runs) {
    int32_t status;
    memset(taken, 0, sizeof(taken));
    status = RUN(tensors, workspace);
    if (status != 0) {
      fprintf(stderr, "the run ended with status %ld\n", (long)status);
      return 1;
    }
    if (runs < 0) {
      start = now();
      continue;
    }
    for (call = 0; call < CALLS; ++call) {
      times[(size_t)call * MAX_RUNS + (size_t)runs] = taken[call];
    }
  }
  printf("%s\n%d\n", MARK, lanes_used);
  for (call = 0; call < CALLS; ++call) {
    double *first = times + (size_t)call * MAX_RUNS;
    qsort(first, (size_t)runs, sizeof(double), compare);
    printf("%.4f\n", first[runs / 2]);
  }
  return 0;
}
)";

/// Collects the calls of the network's function, numbered as in the C.
static void collectCalls(ModuleOp module, std::vector<ProfiledCall> &calls) {
  SymbolTable symbols(module);
  for (auto function : module.getOps<tir::FuncOp>()) {
    if (!function->hasAttr(kNetworkAttrName))
      continue;
    function.walk([&](tir::CallOp call) {
      ProfiledCall &profiled = calls.emplace_back();
      profiled.layer = getLayerName(call.getLoc()).str();
      auto callee = symbols.lookup<tir::FuncOp>(call.getCallee());
      if (profiled.layer.empty())
        profiled.layer = callee.getLayer().value_or(callee.getName()).str();
      profiled.workload =
          Workload::fromAttribute(callee->getAttr(kWorkloadAttrName));
    });
  }
}

ExitCode ProfiledNetwork::writeProgram(const ModelContext &context,
                                       StringRef package) {
  llvm::Expected<PackageDescription> described = describePackage(package);
  if (!described)
    return context.fail(ExitCode::BadInput,
                        llvm::toString(described.takeError()));
  name = described->name;
  size_t numInputs = described->inputs.size();
  size_t numOutputs = described->outputs.size();

  std::string text;
  llvm::raw_string_ostream os(text);
  os << "#define _POSIX_C_SOURCE 200112L\n#include \"" << name
     << ".h\"\n#include \"uma_profile.h\"\n"
     << "#define MARK \"" << kProfileMark
     << "\"\nenum { CALLS = " << calls.size() << ", INPUTS = " << numInputs
     << ", OUTPUTS = " << numOutputs << " };\n"
     << "#define WORKSPACE " << described->workspaceBytes
     << "\n#define INPUT_TABLE " << name << "_inputs\n#define OUTPUT_TABLE "
     << name << "_outputs\n#define RUN(tensors, workspace) uma_run_network(";
  for (size_t i = 0; i < numInputs + numOutputs; ++i)
    os << "(tensors)[" << i << "], ";
  os << "(workspace))\n#include <string.h>\n"
     << getRunFunctionText(*described) << kMain;
  std::pair<StringRef, StringRef> files[] = {
      {"/main.c", text}, {"/uma_profile.h", kProfileHeader}};
  for (auto [file, contents] : files)
    if (llvm::Error error =
            writeFileAtomically((package + file).str(), contents))
      return context.fail(ExitCode::BadInput, llvm::toString(std::move(error)));
  return ExitCode::Success;
}

ExitCode ProfiledNetwork::build(const ModelOptions &options, StringRef folder,
                                StringRef compiler, StringRef flags,
                                const MessageHandler &handler,
                                function_ref<void(StringRef)> printLog) {
  // Each network has its own context, which is freed with its weights.
  ModelContext context(options.model, handler);
  std::string package = (folder + "/package").str();
  struct Collector : CompileObserver {
    explicit Collector(std::vector<ProfiledCall> &calls) : calls(calls) {}
    void onLowered(ModuleOp module) override { collectCalls(module, calls); }
    std::vector<ProfiledCall> &calls;
  } collector(calls);
  if (ExitCode code = compileModel(options, context, package,
                                   /*showProgress=*/false, &collector);
      code != ExitCode::Success)
    return code;
  if (ExitCode code = writeProgram(context, package); code != ExitCode::Success)
    return code;
  if (ExitCode code = buildPackage(
          context, package, name, folder, compiler,
          {("CFLAGS=" + flags + " -DUMA_PROFILE").str()}, printLog);
      code != ExitCode::Success)
    return code;
  // Large networks would fill the disk; the program already contains them.
  program = (folder + "/" + name).str();
  if (std::error_code error =
          fs::rename((folder + "/build/" + name).str(), program))
    return context.fail(ExitCode::ExecutionFailed,
                        program + ": " + error.message());
  (void)fs::remove_directories(package);
  (void)fs::remove_directories((folder + "/build").str());
  return ExitCode::Success;
}

llvm::Expected<std::vector<double>>
ProfiledNetwork::readTimes(const ProgramResult &result) {
  if (!result.isSuccess())
    return llvm::createStringError(result.explain());
  auto fail = [] {
    return llvm::createStringError("fails: it does not tell its times");
  };
  SmallVector<StringRef> lines;
  getMarked(result.output).trim().split(lines, '\n');
  if (lines.size() != calls.size() + 1 ||
      lines.front().trim().getAsInteger(10, lanes) ||
      llvm::none_of(ISA::getAll(),
                    [&](const ISA &isa) { return isa.lanes == lanes; }))
    return fail();
  std::vector<double> times(calls.size());
  for (auto [line, time] : llvm::zip_equal(llvm::drop_begin(lines), times))
    if (line.trim().getAsDouble(time) || !std::isfinite(time) || time < 0)
      return fail();
  return times;
}

std::string uma::getProcessorName(StringRef description) {
  namespace detail = llvm::sys::detail;
  auto [architecture, information] = getMarked(description).split('\n');
  architecture = architecture.trim();
  // In an emulator, the information may be that of the machine around it.
  StringRef name;
  if (information.contains("CPU part") &&
      (architecture == "aarch64" || architecture == "arm"))
    name = detail::getHostCPUNameForARM(information);
  else if (information.contains("uarch") && architecture == "riscv")
    name = detail::getHostCPUNameForRISCV(information);
  if (!name.empty() && name != "generic")
    return name.str();
  if (architecture == "x86")
    for (StringRef line : llvm::split(information, '\n')) {
      auto [key, value] = line.split(':');
      if (key.trim() == "model name" && !value.trim().empty())
        return toPrintable(value.trim());
    }
  return toPrintable(architecture);
}
