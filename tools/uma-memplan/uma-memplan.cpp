//===- uma-memplan.cpp - Memory plans on the command line------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Plans buffers with known live ranges, in MiniMalloc's format:
//
//   uma-memplan problem.csv -o plan.csv --draw plan.svg
//   uma-memplan problem.csv --capacity=1048576 -o plan.csv
//   uma-memplan --check plan.csv
//
//===----------------------------------------------------------------------===//

#include "uma/Memory/CSV.h"
#include "uma/Memory/DrawPlan.h"
#include "uma/Support/ByteCount.h"
#include "uma/Support/DidYouMean.h"
#include "uma/Support/OutputFile.h"
#include "uma/Support/PrintableText.h"
#include "uma/Support/Signals.h"
#include "uma/Support/StandardStreams.h"
#include "uma/Support/Version.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/WithColor.h"

#include <chrono>

using namespace llvm;
using namespace uma::memory;

namespace {
/// Exit codes, as docs/architecture.md describes them.
enum ExitCode { Done = 0, Wrong = 1, Usage = 2, Unsupported = 3 };

constexpr StringLiteral kOverview =
    R"(Places buffers with known live ranges in one arena

Reads id,lower,upper,size[,alignment][,offset], one buffer per line, and writes
the same with offsets. Offsets in the file are kept; --replan ignores them.

Examples:
  uma-memplan problem.csv -o plan.csv --draw plan.svg
  uma-memplan problem.csv --capacity=1M -o plan.csv
  uma-memplan --check plan.csv

Exit codes: 0 done, 1 no plan within the capacity or an invalid plan,
            2 wrong usage or input, 3 not supported
)";

struct Arguments {
  cl::OptionCategory category{"Options of uma-memplan"};
  cl::opt<std::string> input{cl::Positional, cl::desc("[FILE or -]"),
                             cl::cat(category)};
  cl::opt<std::string> inputOption{
      "input", cl::desc("The same as FILE, as minimalloc has it"),
      cl::value_desc("file"), cl::cat(category)};
  cl::opt<std::string> output{
      "o",
      cl::desc("Write the plan to this file; none by default, - for "
               "standard output"),
      cl::value_desc("file"), cl::cat(category)};
  cl::alias outputAlias{"output", cl::aliasopt(output),
                        cl::desc("The same as -o"), cl::cat(category)};
  cl::opt<std::string> capacity{
      "capacity",
      cl::desc("Accept any plan of at most this many bytes (K, M and G are "
               "1024-fold); by default the smallest plan is searched"),
      cl::value_desc("bytes"), cl::cat(category)};
  cl::opt<std::string> algorithm{
      "algorithm", cl::init("exact"),
      cl::desc("exact (default), greedy-by-size, greedy-by-conflict, "
               "hill-climb, best-fit"),
      cl::value_desc("name"), cl::cat(category)};
  cl::opt<unsigned> stepLimit{
      "step-limit", cl::init(PlanOptions().maxSteps),
      cl::desc("Millions of steps of the exact search, about 10 ms each "
               "(default 1000)"),
      cl::value_desc("millions"), cl::cat(category)};
  cl::opt<double> timeLimit{
      "time-limit", cl::init(0),
      cl::desc("Seconds of the exact search (default 0, no limit); a plan that "
               "this limit ended depends on the speed of the machine"),
      cl::value_desc("seconds"), cl::cat(category)};
  cl::opt<std::string> draw{"draw",
                            cl::desc("Draw the plan, time against "
                                     "offset"),
                            cl::value_desc("file.svg"), cl::cat(category)};
  cl::opt<bool> check{"check",
                      cl::desc("Check the offsets in the file instead of "
                               "planning"),
                      cl::cat(category)};
  cl::opt<bool> replan{"replan", cl::desc("Ignore offsets in the file"),
                       cl::cat(category)};
};
} // namespace

static int fail(ExitCode code, const Twine &message) {
  WithColor::error(errs(), "uma-memplan") << message << "\n";
  return code;
}

static std::string plural(size_t count, StringRef noun) {
  return formatv("{0} {1}{2}", count, noun, count == 1 ? "" : "s");
}

/// Checks the plan in a file.
static int check(const CSVFile &file, StringRef name,
                 std::optional<int64_t> capacity) {
  Offsets offsets;
  for (const Buffer &buffer : file.problem.buffers) {
    if (!buffer.offset)
      return fail(Usage, name + ": buffer '" +
                             uma::toPrintable(uma::shorten(buffer.name, 80)) +
                             "' has no offset, which --check needs");
    offsets.push_back(*buffer.offset);
  }
  Expected<Peak> peak = getPeak(file.problem);
  if (!peak)
    return fail(Usage, name + ": " + toString(peak.takeError()));
  if (Error error =
          checkPlan(file.problem, offsets, capacity.value_or(kMaxBytes)))
    return fail(Wrong, name + ": " + toString(std::move(error)));
  // Fixed offsets count for the bound of a plan, not for that of the problem.
  Problem free = file.problem;
  for (Buffer &buffer : free.buffers)
    buffer.offset.reset();
  int64_t bound = cantFail(getPeak(free)).bytes;
  int64_t size = getPlanSize(file.problem, offsets);
  outs() << "valid: " << plural(offsets.size(), "buffer") << " in " << size
         << " bytes; lower bound " << bound << "\n";
  return Done;
}

/// Prints the result of a planner.
static void report(const Plan &plan, Algorithm algorithm, double seconds,
                   raw_ostream &os) {
  os << plural(plan.offsets.size(), "buffer") << ": " << plan.size
     << " bytes; ";
  if (plan.isSmallest())
    os << "proven smallest";
  else
    os << "lower bound " << plan.bound
       << format(" (gap %.2f %%)", plan.getGap());
  os << "; " << getName(algorithm) << format(", %.3f s\n", seconds);
}

static int run(const Arguments &arguments) {
  std::optional<Algorithm> algorithm = parseAlgorithm(arguments.algorithm);
  if (!algorithm)
    return fail(Usage,
                "unknown algorithm '" + uma::toPrintable(arguments.algorithm) +
                    "'; expected " + join(getAlgorithmNames(), ", ") +
                    uma::didYouMean(arguments.algorithm, getAlgorithmNames()));
  PlanOptions options;
  options.algorithm = *algorithm;
  options.maxSteps = arguments.stepLimit;
  options.maxSeconds = arguments.timeLimit;
  if (!(options.maxSeconds >= 0))
    return fail(Usage, "--time-limit is negative; expected seconds, or 0 for "
                       "no limit");
  if (!arguments.capacity.empty()) {
    options.capacity = uma::parseByteCount(arguments.capacity);
    if (!options.capacity)
      return fail(Usage, "--capacity is '" +
                             uma::toPrintable(arguments.capacity) +
                             "'; expected bytes up to 2^61, such as 65536 or "
                             "64K");
  }
  if (!arguments.input.empty() && !arguments.inputOption.empty())
    return fail(Usage, "FILE and --input name two inputs; expected one");
  std::string path =
      arguments.input.empty() ? arguments.inputOption : arguments.input;
  if (path.empty())
    return fail(Usage, "no input; expected a CSV file, or - for standard "
                       "input (see --help)");
  ErrorOr<std::unique_ptr<MemoryBuffer>> buffer =
      MemoryBuffer::getFileOrSTDIN(path);
  std::string name = path == "-" ? "<stdin>" : uma::toPrintable(path);
  if (!buffer)
    return fail(Usage, name + ": " + buffer.getError().message());
  Expected<CSVFile> file = readCSV((*buffer)->getBuffer(), name);
  if (!file) {
    ExitCode code = Usage;
    std::string message;
    handleAllErrors(file.takeError(), [&](const CSVError &error) {
      code = error.isUnsupported() ? Unsupported : Usage;
      message = error.message();
    });
    return fail(code, message);
  }
  if (arguments.check)
    return check(*file, name, options.capacity);
  if (arguments.replan)
    for (Buffer &buffer : file->problem.buffers)
      buffer.offset.reset();

  auto start = std::chrono::steady_clock::now();
  Expected<Plan> plan = uma::memory::plan(file->problem, options);
  if (!plan)
    return fail(Usage, name + ": " + toString(plan.takeError()));
  double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
          .count();
  bool isPiped = arguments.output == "-";
  report(*plan, *algorithm, seconds, isPiped ? errs() : outs());
  if (plan->isTimedOut)
    WithColor::warning(errs(), "uma-memplan")
        << "the search ended at the time limit; another run may give another "
           "plan (--step-limit does not)\n";
  if (!arguments.draw.empty())
    if (Error error = uma::writeFileAtomically(
            arguments.draw, drawPlan(file->problem, *plan, options.capacity)))
      return fail(Usage, toString(std::move(error)));
  if (options.capacity && plan->size > *options.capacity) {
    if (plan->bound > *options.capacity)
      return fail(Wrong, formatv("no plan fits {0} bytes: at least {1} are "
                                 "needed",
                                 *options.capacity, plan->bound));
    return fail(Wrong,
                formatv("found no plan of {0} bytes within the limit, nor a "
                        "proof that there is none; raise --step-limit",
                        *options.capacity));
  }
  if (arguments.output.empty())
    return Done;
  std::string text = writeCSV(*file, plan->offsets);
  if (isPiped) {
    outs() << text;
    return Done;
  }
  if (Error error = uma::writeFileAtomically(arguments.output, text))
    return fail(Usage, toString(std::move(error)));
  return Done;
}

int main(int argc, char **argv) {
  uma::guardStandardStreams();
  uma::setVersionPrinter("uma-memplan");
  Arguments arguments;
  cl::HideUnrelatedOptions(arguments.category);
  if (!cl::ParseCommandLineOptions(argc, argv, kOverview, &errs()))
    return Usage;
  int code = run(arguments);
  outs().flush();
  if (outs().has_error()) {
    outs().clear_error();
    return fail(Usage, "standard output cannot be written");
  }
  return code;
}
