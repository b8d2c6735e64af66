//===- uma.cpp - The command people type ----------------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "TestCommand.h"

#include "uma/Driver/Driver.h"
#include "uma/InitAll.h"
#include "uma/Support/DidYouMean.h"
#include "uma/Support/StandardStreams.h"

#include "mlir/InitAllPasses.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"

#include <csignal>
#include <cstdlib>
#include <memory>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

using namespace llvm;
using namespace uma;

namespace {

constexpr StringLiteral kExitCodes = R"(
Exit codes: 0 done and right, 1 numbers differ or a file is not formatted,
            2 wrong usage or input, 3 not supported,
            4 the C compiler or the device failed.
)";

constexpr StringLiteral kHelp =
    R"(uma: compile neural networks to C that calls your accelerator

  uma compile MODEL [-a ACCEL] -o DIR   write a package of C for the model
  uma run MODEL|DIR [-a ACCEL]          build it here, run it, compare numbers
  uma tune MODEL -o FILE                measure schedules on this machine
  uma explain MODEL -a ACCEL [LAYER]    where each layer runs, and why
  uma check DESCRIPTION                 verify a description, also against its header
  uma test DESCRIPTION                  run layers made from it on its model
  uma format FILE                       lay out a description
  uma list                              the accelerators found by name

Examples:
  uma compile digits.onnx -a vanilla -o digits_c
  uma run digits_c --compare
  uma run digits.onnx --input image=three.npy --output-dir out
  uma explain digits.onnx -a vanilla conv1

'uma COMMAND --help' tells the options of a command.
)";

/// The options of one command. They live as long as main, since llvm::cl keeps
/// pointers to them.
struct Command {
  Command(StringRef name, StringRef summary)
      : command(name, summary), category("Options") {}
  cl::SubCommand command;
  cl::OptionCategory category;
};

/// `--cc` of the commands that compile what they wrote.
struct CompilerOption : cl::opt<std::string> {
  explicit CompilerOption(Command &owner)
      : cl::opt<std::string>("cc", cl::value_desc("program"),
                             cl::desc("The C compiler (default: cc)"),
                             cl::sub(owner.command), cl::cat(owner.category)) {}
};

/// Names the policies where a word is none.
struct PolicyParser : cl::parser<accel::Policy> {
  using cl::parser<accel::Policy>::parser;
  bool parse(cl::Option &option, StringRef name, StringRef text,
             accel::Policy &policy) {
    for (unsigned i = 0; i < getNumOptions(); ++i)
      if (getOption(i) == text)
        return cl::parser<accel::Policy>::parse(option, name, text, policy);
    errs() << "uma: error: --policy=" << text << ": expected greedy or cost"
           << didYouMean(text, {"greedy", "cost"}) << '\n';
    return true;
  }
};

/// The options of every command that takes a model.
struct ModelCommand : Command {
  ModelCommand(StringRef name, StringRef summary, StringRef modelHelp)
      : Command(name, summary),
        model(cl::Positional, cl::Required, cl::desc(modelHelp),
              cl::sub(command), cl::cat(category)),
        accelerators("a", cl::CommaSeparated, cl::value_desc("accelerator"),
                     cl::desc("Name or path of a description, then attributes "
                              "of the target, NAME=VALUE; the first has "
                              "priority"),
                     cl::sub(command), cl::cat(category)),
        acceleratorDirs("accelerator-dir", cl::value_desc("folder"),
                        cl::desc("Look for descriptions here first"),
                        cl::sub(command), cl::cat(category)),
        shapes("shape", cl::value_desc("name=1x3x32x32"),
               cl::desc("Sizes of an input whose model leaves some open"),
               cl::sub(command), cl::cat(category)),
        constants("const", cl::value_desc("name=file"),
                  cl::desc("Make an input a constant: .npy, ONNX .pb or raw "
                           "little-endian"),
                  cl::sub(command), cl::cat(category)),
        mergeRegions("merge-regions", cl::init(cl::BOU_UNSET),
                     cl::desc("Merge adjacent matches into one function, or "
                              "not, whatever the descriptions say"),
                     cl::sub(command), cl::cat(category)),
        policy("policy", cl::init(accel::Policy::Greedy),
               cl::desc("What decides which operators go where:"),
               accel::getPolicyValues(), cl::sub(command), cl::cat(category)),
        cpuCyclesPerMAC("cpu-cycles-per-mac", cl::init(1), cl::value_desc("n"),
                        cl::desc("What the CPU needs to multiply and add, for "
                                 "the cost policy"),
                        cl::sub(command), cl::cat(category)),
        cpuCyclesPerElement("cpu-cycles-per-element", cl::init(1),
                            cl::value_desc("n"),
                            cl::desc("What it needs for an element of an "
                                     "operator's largest tensor"),
                            cl::sub(command), cl::cat(category)),
        kernels("kernels", cl::init(Kernels::Vector),
                cl::desc("How the CPU computes its layers:"),
                cl::values(clEnumValN(Kernels::Vector, "vector",
                                      "with vectors and packed weights"),
                           clEnumValN(Kernels::Winograd, "winograd",
                                      "and Winograd's and Strassen's "
                                      "algorithms wherever they are faster: "
                                      "larger weights"),
                           clEnumValN(Kernels::Loops, "loops",
                                      "in plain loops: small and simple")),
                cl::sub(command), cl::cat(category)),
        threads("threads", cl::init(Threads::None),
                cl::desc("Who runs loops in parallel:"),
                cl::values(clEnumValN(Threads::None, "none", "nobody"),
                           clEnumValN(Threads::OpenMP, "openmp", "OpenMP")),
                cl::sub(command), cl::cat(category)),
        lower("lower", cl::value_desc("options"),
              cl::desc("Options of uma-lower, as in "
                       "--lower=\"disable=loop-partition\""),
              cl::sub(command), cl::cat(category)),
        debugBounds("debug-bounds",
                    cl::desc("C that checks every index, and says where one "
                             "is outside of its buffer"),
                    cl::sub(command), cl::cat(category)) {}

  ModelOptions get() const {
    ModelOptions options;
    options.model = model;
    options.accelerators.assign(accelerators.begin(), accelerators.end());
    options.acceleratorDirs.assign(acceleratorDirs.begin(),
                                   acceleratorDirs.end());
    options.shapes.assign(shapes.begin(), shapes.end());
    options.constants.assign(constants.begin(), constants.end());
    if (mergeRegions != cl::BOU_UNSET)
      options.mergeRegions = mergeRegions == cl::BOU_TRUE
                                 ? accel::MergeRegions::Always
                                 : accel::MergeRegions::Never;
    options.policy = policy;
    options.cpuCyclesPerMAC = cpuCyclesPerMAC;
    options.cpuCyclesPerElement = cpuCyclesPerElement;
    options.kernels = kernels;
    options.threads = threads;
    options.lower = lower;
    options.debugBounds = debugBounds;
    return options;
  }

  cl::opt<std::string> model;
  cl::list<std::string> accelerators, acceleratorDirs, shapes, constants;
  cl::opt<cl::boolOrDefault> mergeRegions;
  cl::opt<accel::Policy, false, PolicyParser> policy;
  cl::opt<double> cpuCyclesPerMAC, cpuCyclesPerElement;
  cl::opt<Kernels> kernels;
  cl::opt<Threads> threads;
  cl::opt<std::string> lower;
  cl::opt<bool> debugBounds;
};

/// The commands that make C to be kept or run.
struct PackageCommand : ModelCommand {
  PackageCommand(StringRef name, StringRef summary, StringRef modelHelp)
      : ModelCommand(name, summary, modelHelp),
        tuning("tuning", cl::value_desc("file"),
               cl::desc("Schedules that 'uma tune' measured"), cl::sub(command),
               cl::cat(category)) {}
  ModelOptions get() const {
    ModelOptions options = ModelCommand::get();
    options.tuning = tuning;
    return options;
  }
  cl::opt<std::string> tuning;
};

struct CompileCommand : PackageCommand {
  CompileCommand()
      : PackageCommand("compile", "Write a package of C for a model", "MODEL"),
        output("o", cl::value_desc("folder"),
               cl::desc("Where the package goes (required); files of your own "
                        "there stay"),
               cl::sub(command), cl::cat(category)),
        sourceSize("source-size", cl::init(ModelOptions().sourceKilobytes),
                   cl::value_desc("kB"),
                   cl::desc("The layers of a larger C file go to several files "
                            "(default: 1024)"),
                   cl::sub(command), cl::cat(category)) {}
  ExitCode run() {
    // cl::Required would say so in words of its own.
    if (output.empty()) {
      errs() << "uma: error: -o is missing: the folder where the package "
                "goes\n";
      return ExitCode::BadInput;
    }
    ModelOptions options = get();
    options.sourceKilobytes = sourceSize;
    return runCompile(options, output);
  }
  cl::opt<std::string> output;
  cl::opt<unsigned> sourceSize;
};

struct RunCommand : PackageCommand {
  RunCommand()
      : PackageCommand("run", "Build a package here, run it, compare numbers",
                       "MODEL or package folder"),
        inputs("input", cl::value_desc("name=file"),
               cl::desc("An input: .npy, ONNX .pb or raw little-endian; others "
                        "are random"),
               cl::sub(command), cl::cat(category)),
        outputDir("output-dir", cl::value_desc("folder"),
                  cl::desc("Write each output as NAME.npy"), cl::sub(command),
                  cl::cat(category)),
        testData("test-data", cl::value_desc("folder"),
                 cl::desc("An ONNX test data set: input_*.pb, output_*.pb"),
                 cl::sub(command), cl::cat(category)),
        compare("compare", cl::ValueOptional, cl::init(CompareMode::Off),
                cl::desc("Compare with the reference interpreter:"),
                cl::values(clEnumValN(CompareMode::Network, "",
                                      "outputs, and each call of a device"),
                           clEnumValN(CompareMode::Layers, "layers",
                                      "list all layers on devices, each on the "
                                      "reference's data")),
                cl::sub(command), cl::cat(category)),
        seed("seed", cl::init(0), cl::desc("First seed of random inputs"),
             cl::sub(command), cl::cat(category)),
        numSeeds("seeds", cl::init(0), cl::value_desc("n"),
                 cl::desc("How many seeds to compare with (default: up to 8)"),
                 cl::sub(command), cl::cat(category)),
        timeout(
            "timeout", cl::init(RunOptions().timeout),
            cl::value_desc("seconds"),
            cl::desc("Limit for a call of a device when comparing (default: "
                     "120; 0: none)"),
            cl::sub(command), cl::cat(category)),
        tolerance("tolerance", cl::init(-1), cl::value_desc("number"),
                  cl::desc("Largest relative difference allowed"),
                  cl::sub(command), cl::cat(category)),
        compiler(*this) {}
  ExitCode run() {
    RunOptions options;
    options.model = get();
    options.inputs.assign(inputs.begin(), inputs.end());
    options.outputDir = outputDir;
    options.testData = testData;
    options.compare = compare;
    options.seed = seed;
    if (numSeeds.getNumOccurrences())
      options.numSeeds = numSeeds;
    options.timeout = timeout;
    if (tolerance.getNumOccurrences())
      options.tolerance = tolerance;
    options.compiler = compiler;
    return runRun(options);
  }
  cl::list<std::string> inputs;
  cl::opt<std::string> outputDir, testData;
  cl::opt<CompareMode> compare;
  cl::opt<unsigned long long> seed;
  cl::opt<unsigned> numSeeds, timeout;
  cl::opt<double> tolerance;
  CompilerOption compiler;
};

struct TuneCommand : ModelCommand {
  TuneCommand()
      : ModelCommand("tune", "Measure schedules on this machine", "MODEL"),
        output("o", cl::value_desc("file"),
               cl::desc("The database (required); what it has of other layers "
                        "stays"),
               cl::sub(command), cl::cat(category)),
        candidates("candidates", cl::init(TuneOptions().candidates),
                   cl::value_desc("n"),
                   cl::desc("Schedules to measure for each layer (default: 4)"),
                   cl::sub(command), cl::cat(category)),
        rounds("rounds", cl::init(TuneOptions().rounds), cl::value_desc("n"),
               cl::desc("How often each has its turn (default: 10)"),
               cl::sub(command), cl::cat(category)),
        compiler(*this),
        flags("cflags", cl::value_desc("flags"),
              cl::desc("Its flags (default: $CFLAGS, or -O3 -march=native)"),
              cl::sub(command), cl::cat(category)) {}
  ExitCode run() {
    TuneOptions options;
    options.model = get();
    options.output = output;
    options.candidates = candidates;
    options.rounds = rounds;
    options.compiler = compiler;
    options.flags = flags;
    return runTune(options);
  }
  cl::opt<std::string> output;
  cl::opt<unsigned> candidates, rounds;
  CompilerOption compiler;
  cl::opt<std::string> flags;
};

struct ExplainCommand : ModelCommand {
  ExplainCommand()
      : ModelCommand("explain", "Where each layer runs, and why", "MODEL"),
        layer(cl::Positional, cl::desc("[LAYER]"), cl::sub(command),
              cl::cat(category)),
        json("json", cl::desc("Print JSON; the schema is in docs/explain.md"),
             cl::sub(command), cl::cat(category)) {}
  ExitCode run() { return runExplain(get(), layer, json); }
  cl::opt<std::string> layer;
  cl::opt<bool> json;
};

struct CheckCommand : Command {
  CheckCommand()
      : Command("check", "Verify an accelerator's description, and its calls "
                         "against the header"),
        description(cl::Positional, cl::Required, cl::desc("DESCRIPTION"),
                    cl::sub(command), cl::cat(category)),
        printIR("print-ir", cl::desc("Print its uma.accel operations"),
                cl::sub(command), cl::cat(category)),
        printText("print-text", cl::desc("Print these in the text language"),
                  cl::sub(command), cl::cat(category)),
        noHeader("no-header",
                 cl::desc("Do not check the calls against the header"),
                 cl::sub(command), cl::cat(category)),
        compiler("cc", cl::value_desc("program"),
                 cl::desc("The C compiler that reads the header (default: $CC, "
                          "or cc)"),
                 cl::sub(command), cl::cat(category)),
        acceleratorDirs("accelerator-dir", cl::value_desc("folder"),
                        cl::desc("Look for descriptions here first"),
                        cl::sub(command), cl::cat(category)) {}
  ExitCode run() {
    CheckOptions options;
    options.description = description;
    options.acceleratorDirs.assign(acceleratorDirs.begin(),
                                   acceleratorDirs.end());
    options.output = printText ? CheckOutput::Text
                     : printIR ? CheckOutput::Operations
                               : CheckOutput::Summary;
    options.checkHeader = !noHeader;
    options.compiler = compiler;
    return runCheck(options);
  }
  cl::opt<std::string> description;
  cl::opt<bool> printIR, printText, noHeader;
  cl::opt<std::string> compiler;
  cl::list<std::string> acceleratorDirs;
};

struct FormatCommand : Command {
  FormatCommand()
      : Command("format", "Lay out accelerators' descriptions"),
        files(cl::Positional, cl::OneOrMore, cl::desc("FILE..."),
              cl::sub(command), cl::cat(category)),
        inPlace("i", cl::desc("Rewrite the files instead of printing"),
                cl::sub(command), cl::cat(category)),
        check("check",
              cl::desc("Only tell which files are not formatted (exit code 1)"),
              cl::sub(command), cl::cat(category)) {}
  ExitCode run() {
    std::vector<std::string> names(files.begin(), files.end());
    return runFormat(names, check     ? FormatMode::Check
                            : inPlace ? FormatMode::Write
                                      : FormatMode::Print);
  }
  cl::list<std::string> files;
  cl::opt<bool> inPlace, check;
};

struct ListCommand : Command {
  ListCommand()
      : Command("list", "The accelerators found by name"),
        operators("operators",
                  cl::desc("Tell the ONNX operators that models may hold"),
                  cl::sub(command), cl::cat(category)),
        acceleratorDirs("accelerator-dir", cl::value_desc("folder"),
                        cl::desc("Look for descriptions here first"),
                        cl::sub(command), cl::cat(category)) {}
  ExitCode run() {
    return operators ? runListOperators() : runList(acceleratorDirs);
  }
  cl::opt<bool> operators;
  cl::list<std::string> acceleratorDirs;
};

} // namespace

/// What llvm::cl says about a command line in several lines, as one: an unknown
/// name, with its suggestion, rather than what follows from it.
static std::string getUsageError(StringRef message) {
  SmallVector<std::string> problems;
  SmallVector<StringRef> lines;
  message.split(lines, '\n', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (StringRef line : lines) {
    bool isNew = line.consume_front("uma: ");
    line = line.split(".  Try:").first.split(": See:").first.rtrim("!");
    if (!isNew && !problems.empty())
      problems.back() += ": " + line.str();
    else if (line.consume_front("Did you mean ") && !problems.empty())
      problems.back() += "; did you mean " + line.str();
    else
      problems.push_back(line.str());
  }
  auto *unknown = find_if(problems, [](StringRef problem) {
    return problem.starts_with("Unknown ");
  });
  if (unknown != problems.end())
    return *unknown;
  return problems.empty() ? "" : problems.front();
}

/// Text that could not be printed is an error as any other.
static ExitCode finishOutput(ExitCode code) {
  outs().flush();
  if (!outs().has_error())
    return code;
  errs() << "uma: error: standard output: " << outs().error().message() << '\n';
  // A stream destroyed with an error pending ends the process.
  outs().clear_error();
  return code == ExitCode::Success ? ExitCode::BadInput : code;
}

/// For programs that end elsewhere than in main, such as after --help.
static void finishOutputAtExit() {
  ExitCode code = finishOutput(ExitCode::Success);
  if (code == ExitCode::Success)
    return;
  errs().clear_error();
  _exit(int(code));
}

int main(int argc, char **argv) {
  guardStandardStreams();
  (void)std::atexit(finishOutputAtExit);
  InitLLVM init(argc, argv);
  // Whoever read the output has gone, and gets no message. InitLLVM's handler
  // is not installed if a library has registered others before main.
  (void)std::signal(SIGPIPE, [](int) {
    sys::RunInterruptHandlers();
    _exit(int(ExitCode::BadInput));
  });
#ifdef __GLIBC__
  // The memory of weights goes back to the system when they are freed. By
  // itself glibc stops doing so after the first large block that is freed.
  (void)mallopt(M_MMAP_THRESHOLD, 1 << 20);
#endif
#ifdef SIGXFSZ
  // A file that grows too large is an error of writing, not the end.
  (void)std::signal(SIGXFSZ, SIG_IGN);
#endif
  if (argc < 2 || StringRef(argv[1]) == "--help" ||
      StringRef(argv[1]) == "-h" || StringRef(argv[1]) == "help") {
    outs() << kHelp << kExitCodes;
    return int(finishOutput(argc < 2 ? ExitCode::BadInput : ExitCode::Success));
  }

  // Descriptions name passes of ours and of upstream.
  mlir::registerAllPasses();
  uma::registerAllPasses();

  CompileCommand compile;
  RunCommand run;
  TuneCommand tune;
  ExplainCommand explain;
  CheckCommand check;
  TestCommand test;
  FormatCommand format;
  ListCommand list;
  for (Command *command : std::initializer_list<Command *>{
           &compile, &run, &tune, &explain, &check, &format, &list})
    cl::HideUnrelatedOptions(command->category, command->command);
  cl::HideUnrelatedOptions(test.category, test.command);

  cl::extrahelp exitCodes(kExitCodes);
  std::string message;
  raw_string_ostream errors(message);
  if (!cl::ParseCommandLineOptions(argc, argv, "", &errors)) {
    // Without a message, an option has told its own problem.
    if (std::string problem = getUsageError(message); !problem.empty())
      errs() << "uma: error: " << problem
             << "; 'uma COMMAND --help' tells the options\n";
    return int(ExitCode::BadInput);
  }
  ExitCode code = ExitCode::BadInput;
  if (compile.command)
    code = compile.run();
  else if (run.command)
    code = run.run();
  else if (tune.command)
    code = tune.run();
  else if (explain.command)
    code = explain.run();
  else if (check.command)
    code = check.run();
  else if (test.command)
    code = test.run();
  else if (format.command)
    code = format.run();
  else if (list.command)
    code = list.run();
  else
    errs() << "uma: error: unknown command '" << argv[1]
           << "'; 'uma --help' lists the commands\n";
  return int(finishOutput(code));
}
