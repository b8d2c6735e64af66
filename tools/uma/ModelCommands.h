//===- ModelCommands.h - Commands for models -*- C++ -*-------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_TOOLS_UMA_MODELCOMMANDS_H
#define UMA_TOOLS_UMA_MODELCOMMANDS_H

#include "Command.h"
#include "FormOptions.h"
#include "MemoryOptions.h"
#include "WordParser.h"

#include "uma/Support/DidYouMean.h"

#include "llvm/Support/raw_ostream.h"

namespace uma {

/// Parses a policy. The error for an unknown name lists the policies.
struct PolicyParser : cl::parser<accel::Policy> {
  using cl::parser<accel::Policy>::parser;
  bool parse(cl::Option &option, llvm::StringRef name, llvm::StringRef text,
             accel::Policy &policy) {
    for (unsigned i = 0; i < getNumOptions(); ++i)
      if (getOption(i) == text)
        return cl::parser<accel::Policy>::parse(option, name, text, policy);
    llvm::errs() << "uma: error: --policy=" << text
                 << ": expected greedy or cost"
                 << didYouMean(text, {"greedy", "cost"}) << '\n';
    return true;
  }
};

/// Options `--shape` and `--const` about the inputs of a model.
struct InputOptions {
  explicit InputOptions(Command &owner)
      : shapes("shape", cl::value_desc("name=1x3x32x32"),
               cl::desc("Sizes of an input whose model leaves some open"),
               cl::sub(owner.command), cl::cat(owner.category)),
        constants("const", cl::value_desc("name=file"),
                  cl::desc("Make an input a constant: .npy, ONNX .pb or raw "
                           "little-endian"),
                  cl::sub(owner.command), cl::cat(owner.category)) {}
  void set(ModelOptions &options) const {
    options.shapes.assign(shapes.begin(), shapes.end());
    options.constants.assign(constants.begin(), constants.end());
  }

private:
  cl::list<std::string> shapes, constants;
};

/// Option `--trust-model`.
struct TrustModelOption {
  explicit TrustModelOption(Command &owner)
      : trust("trust-model",
              cl::desc("Take a module with descriptions, scripts or C text for "
                       "a model, e.g. a stage that uma-opt wrote"),
              cl::sub(owner.command), cl::cat(owner.category)) {}
  bool get() const { return trust; }

private:
  cl::opt<bool> trust;
};

/// Options of every command that takes a model.
struct ModelCommand : Command {
  ModelCommand(llvm::StringRef name, llvm::StringRef summary,
               llvm::StringRef modelHelp)
      : Command(name, summary),
        model(cl::Positional, cl::Required, cl::desc(modelHelp),
              cl::sub(command), cl::cat(category)),
        accelerators("a", cl::CommaSeparated, cl::value_desc("accelerator"),
                     cl::desc("Name or path of a description, then attributes "
                              "of the target, NAME=VALUE; the first has "
                              "priority"),
                     cl::sub(command), cl::cat(category)),
        acceleratorDirs(*this), inputOptions(*this), trustModel(*this),
        rounding(
            "rounding", cl::init(TFLiteRounding::Float),
            cl::value_desc("float|tflite"),
            cl::desc("How a quantized .tflite rounds: as ONNX Runtime, or "
                     "as TensorFlow Lite"),
            cl::values(clEnumValN(TFLiteRounding::Float, "float", ""),
                       clEnumValN(TFLiteRounding::FixedPoint, "tflite", "")),
            cl::sub(command), cl::cat(category)),
        requantize(
            "requantize", cl::init(Requantize::AsGiven), cl::value_desc("how"),
            cl::desc(
                "Sums of integer layers to 8 bits: 'float', as the model's "
                "format, or 'fixed-point', without floats"),
            cl::values(clEnumValN(Requantize::AsGiven, "float", ""),
                       clEnumValN(Requantize::FixedPoint, "fixed-point", "")),
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
                                      "in plain loops: simple to read, slow")),
                cl::sub(command), cl::cat(category)),
        math("math", cl::init(Math::F32), cl::value_desc("f32|bf16"),
             cl::desc("Type in which layers of f32 multiply; bf16 is faster "
                      "where there are instructions for it"),
             cl::values(clEnumValN(Math::F32, "f32", ""),
                        clEnumValN(Math::BF16, "bf16", "")),
             cl::sub(command), cl::cat(category)),
        cpu("cpu", cl::value_desc("name|file"),
            cl::desc("Processor that the C is for: its instructions alone, and "
                     "choices by its numbers; any processor by default ('uma "
                     "list --cpus')"),
            cl::sub(command), cl::cat(category)),
        threads("threads", cl::init(Threads::None),
                cl::value_desc("none|openmp"),
                cl::desc("Who runs loops in parallel: nobody, or OpenMP"),
                cl::values(clEnumValN(Threads::None, "none", ""),
                           clEnumValN(Threads::OpenMP, "openmp", "")),
                cl::sub(command), cl::cat(category)),
        memory(*this), lower("lower", cl::value_desc("options"),
                             cl::desc("Options of uma-lower, as in "
                                      "--lower=\"disable=loop-partition\""),
                             cl::sub(command), cl::cat(category)),
        debugBounds("debug-bounds",
                    cl::desc("C that checks every index, and says where one "
                             "is outside of its buffer"),
                    cl::sub(command), cl::cat(category)) {
    offerValues(rounding);
    offerValues(requantize);
    offerValue(mergeRegions, "true");
    offerValue(mergeRegions, "false");
    offerValues(policy);
    offerValues(kernels);
    offerValues(math);
    offerValues(threads);
  }

  ModelOptions get() const {
    ModelOptions options;
    options.model = model;
    options.accelerators.assign(accelerators.begin(), accelerators.end());
    options.acceleratorDirs = acceleratorDirs.get();
    inputOptions.set(options);
    options.trustModel = trustModel.get();
    options.rounding = rounding;
    options.requantize = requantize;
    if (mergeRegions != cl::BOU_UNSET)
      options.mergeRegions = mergeRegions == cl::BOU_TRUE
                                 ? accel::MergeRegions::Always
                                 : accel::MergeRegions::Never;
    options.policy = policy;
    options.cpuCyclesPerMAC = cpuCyclesPerMAC;
    options.cpuCyclesPerElement = cpuCyclesPerElement;
    options.kernels = kernels;
    options.math = math;
    options.cpu = cpu;
    options.threads = threads;
    memory.set(options);
    options.lower = lower;
    options.debugBounds = debugBounds;
    return options;
  }

  cl::opt<std::string> model;
  cl::list<std::string> accelerators;
  AcceleratorDirsOption acceleratorDirs;
  InputOptions inputOptions;
  TrustModelOption trustModel;
  cl::opt<TFLiteRounding, false, WordParser<TFLiteRounding>> rounding;
  cl::opt<Requantize, false, WordParser<Requantize>> requantize;
  cl::opt<cl::boolOrDefault> mergeRegions;
  cl::opt<accel::Policy, false, PolicyParser> policy;
  cl::opt<double> cpuCyclesPerMAC, cpuCyclesPerElement;
  cl::opt<Kernels> kernels;
  cl::opt<Math, false, WordParser<Math>> math;
  cl::opt<std::string> cpu;
  cl::opt<Threads, false, WordParser<Threads>> threads;
  MemoryOptions memory;
  cl::opt<std::string> lower;
  cl::opt<bool> debugBounds;
};

/// Commands that keep or run the generated C.
struct PackageCommand : ModelCommand {
  PackageCommand(llvm::StringRef name, llvm::StringRef summary,
                 llvm::StringRef modelHelp)
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
        output("o", cl::value_desc("folder|file.tar"),
               cl::desc("Where the package goes (required); files of your own "
                        "in the folder stay"),
               cl::sub(command), cl::cat(category)),
        form(*this),
        sourceSize("source-size", cl::init(ModelOptions().sourceKilobytes),
                   cl::value_desc("kB"),
                   cl::desc("The layers of a larger C file go to several files "
                            "(default: 1024)"),
                   cl::sub(command), cl::cat(category)),
        report("report", cl::value_desc("file.html"),
               cl::desc("Also write a page: graph, memory plan, layers and "
                        "sizes of the package"),
               cl::sub(command), cl::cat(category)) {}
  ExitCode run() override {
    // cl::Required would use a message of its own.
    if (output.empty()) {
      llvm::errs() << "uma: error: -o is missing: the folder where the package "
                      "goes\n";
      return ExitCode::BadInput;
    }
    ModelOptions options = get();
    options.sourceKilobytes = sourceSize;
    if (report.getNumOccurrences() && report.empty()) {
      llvm::errs() << "uma: error: --report is empty: expected a file for the "
                      "page\n";
      return ExitCode::BadInput;
    }
    std::optional<PackageForm> chosen = form.get();
    if (!chosen)
      return ExitCode::BadInput;
    options.form = *chosen;
    return runCompile(options, output, {report, arguments});
  }
  cl::opt<std::string> output;
  FormOptions form;
  cl::opt<unsigned> sourceSize;
  cl::opt<std::string> report;
  /// The command line after `uma`.
  std::vector<std::string> arguments;
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
        trace("trace", cl::value_desc("file"),
              cl::desc("Write a timeline of the devices' models, for Perfetto "
                       "or chrome://tracing"),
              cl::sub(command), cl::cat(category)),
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
            cl::desc("Limit for a call of a device when comparing, and for a "
                     "run on a board (default: 120; 0: none)"),
            cl::sub(command), cl::cat(category)),
        tolerance("tolerance", cl::init(-1), cl::value_desc("number"),
                  cl::desc("Largest relative difference allowed"),
                  cl::sub(command), cl::cat(category)),
        compiler(*this),
        flags("cflags", cl::value_desc("flags"),
              cl::desc("Its flags (default: $CFLAGS or -O2; -O2 for a board)"),
              cl::sub(command), cl::cat(category)),
        board("board", cl::value_desc("name|file"),
              cl::desc("Run without an operating system in an emulator, and "
                       "print memory, stack and instructions ('uma list "
                       "--boards')"),
              cl::sub(command), cl::cat(category)),
        library("lib", cl::value_desc("file"),
                cl::desc("With --board: write the network as a library, "
                         "lib*.a, instead of running it"),
                cl::sub(command), cl::cat(category)),
        json("json", cl::value_desc("file"),
             cl::desc("With --board: write the report as JSON; the schema is "
                      "in docs/firmware.md"),
             cl::sub(command), cl::cat(category)) {
    offerValues(compare);
  }
  ExitCode run() override {
    RunOptions options;
    options.model = get();
    options.inputs.assign(inputs.begin(), inputs.end());
    options.outputDir = outputDir;
    options.trace = trace;
    options.testData = testData;
    options.compare = compare;
    options.seed = seed;
    if (numSeeds.getNumOccurrences())
      options.numSeeds = numSeeds;
    options.timeout = timeout;
    // bf16 has 8 significant bits, and a network many layers.
    constexpr double bf16Tolerance = 0.05;
    if (tolerance.getNumOccurrences())
      options.tolerance = tolerance;
    else if (options.model.math == Math::BF16)
      options.tolerance = bf16Tolerance;
    options.compiler = compiler;
    options.flags = flags;
    options.board = board;
    options.library = library;
    options.json = json;
    return runRun(options);
  }
  cl::list<std::string> inputs;
  cl::opt<std::string> outputDir, trace, testData;
  cl::opt<CompareMode> compare;
  cl::opt<unsigned long long> seed;
  cl::opt<unsigned> numSeeds, timeout;
  cl::opt<double> tolerance;
  CompilerOption compiler;
  cl::opt<std::string> flags, board, library, json;
};

struct TuneCommand : ModelCommand {
  TuneCommand()
      : ModelCommand("tune", "Measure schedules on this machine or on boards",
                     "MODEL"),
        output("o", cl::value_desc("file"),
               cl::desc("The database (required); what it has of other layers "
                        "stays"),
               cl::sub(command), cl::cat(category)),
        candidates("candidates", cl::init(TuneOptions().candidates),
                   cl::value_desc("n"),
                   cl::desc("Schedules to measure for each layer (default: 6)"),
                   cl::sub(command), cl::cat(category)),
        rounds("rounds", cl::init(TuneOptions().rounds), cl::value_desc("n"),
               cl::desc("How often each has its turn (default: 10)"),
               cl::sub(command), cl::cat(category)),
        compiler(*this),
        flags("cflags", cl::value_desc("flags"),
              cl::desc("Its flags (default: $CFLAGS, or -O3 -march=native; -O3 "
                       "with --run-with)"),
              cl::sub(command), cl::cat(category)),
        runWith("run-with", cl::value_desc("command"),
                cl::desc("Run programs by this command: an emulator such as "
                         "'qemu-aarch64', or 'ssh board'; repeat it for "
                         "several boards of one kind"),
                cl::sub(command), cl::cat(category)),
        scheduler("scheduler", cl::value_desc("address"),
                  cl::desc("Measure on the workers of this Dask scheduler that "
                           "have the resource 'cpu=NAME' of --cpu=NAME"),
                  cl::sub(command), cl::cat(category)),
        timeout("timeout", cl::init(TuneOptions().timeout),
                cl::value_desc("seconds"),
                cl::desc("When a program on a board hangs (default: 60)"),
                cl::sub(command), cl::cat(category)) {}
  ExitCode run() override {
    TuneOptions options;
    options.model = get();
    options.output = output;
    options.candidates = candidates;
    options.rounds = rounds;
    options.compiler = compiler;
    options.flags = flags;
    options.runWith.assign(runWith.begin(), runWith.end());
    options.scheduler = scheduler;
    options.timeout = timeout;
    return runTune(options);
  }
  cl::opt<std::string> output;
  cl::opt<unsigned> candidates, rounds;
  CompilerOption compiler;
  cl::opt<std::string> flags;
  cl::list<std::string> runWith;
  cl::opt<std::string> scheduler;
  cl::opt<unsigned> timeout;
};

struct QuantizeCommand : Command {
  QuantizeCommand()
      : Command("quantize", "Quantize a float network to 8 bits"),
        model(cl::Positional, cl::Required, cl::desc("MODEL"), cl::sub(command),
              cl::cat(category)),
        calibration("calibration", cl::value_desc("folder"),
                    cl::desc("The samples (required): .npy, ONNX .pb or .bin "
                             "files, or a folder with one for each input"),
                    cl::sub(command), cl::cat(category)),
        output("o", cl::value_desc("file"),
               cl::desc("The quantized network (required): .mlir or .mlirbc"),
               cl::sub(command), cl::cat(category)),
        method(
            "method", cl::init(CalibrationMethod::MinMax),
            cl::desc("How the range of a tensor is chosen:"),
            cl::values(
                clEnumValN(CalibrationMethod::MinMax, "minmax", "all elements"),
                clEnumValN(CalibrationMethod::Percentile, "percentile",
                           "without the outliers at either end"),
                clEnumValN(CalibrationMethod::MSE, "mse",
                           "least mean squared error")),
            cl::sub(command), cl::cat(category)),
        percentile("percentile", cl::init(QuantizeOptions().percentile),
                   cl::value_desc("n"),
                   cl::desc("With --method=percentile (default: 99.99)"),
                   cl::sub(command), cl::cat(category)),
        keepFloat("keep-float", cl::CommaSeparated, cl::value_desc("layer"),
                  cl::desc("Layers to keep in f32"), cl::sub(command),
                  cl::cat(category)),
        equalize("equalize",
                 cl::desc("First equalize the weights of successive layers"),
                 cl::sub(command), cl::cat(category)),
        errorBudget("error-budget", cl::init(0), cl::value_desc("n"),
                    cl::desc("Keep the most harmful layers in f32 until the "
                             "relative error of the outputs is at most this"),
                    cl::sub(command), cl::cat(category)),
        json("json", cl::value_desc("file"),
             cl::desc("Write the report as JSON; the schema is in "
                      "docs/quantize.md"),
             cl::sub(command), cl::cat(category)),
        html("html", cl::value_desc("file"),
             cl::desc("Write the report as a page with histograms"),
             cl::sub(command), cl::cat(category)),
        inputOptions(*this) {
    offerValues(method);
  }
  ExitCode run() override {
    QuantizeOptions options;
    options.model.model = model;
    inputOptions.set(options.model);
    options.calibration = calibration;
    options.output = output;
    options.method = method;
    options.percentile = percentile;
    options.keepFloat.assign(keepFloat.begin(), keepFloat.end());
    options.equalize = equalize;
    if (errorBudget.getNumOccurrences())
      options.errorBudget = errorBudget;
    options.json = json;
    options.html = html;
    if (percentile.getNumOccurrences() &&
        method != CalibrationMethod::Percentile) {
      llvm::errs() << "uma: error: --percentile is for --method=percentile\n";
      return ExitCode::BadInput;
    }
    return runQuantize(options);
  }
  cl::opt<std::string> model, calibration, output;
  cl::opt<CalibrationMethod> method;
  cl::opt<double> percentile;
  cl::list<std::string> keepFloat;
  cl::opt<bool> equalize;
  cl::opt<double> errorBudget;
  cl::opt<std::string> json, html;
  InputOptions inputOptions;
};

struct ExplainCommand : PackageCommand {
  ExplainCommand()
      : PackageCommand("explain", "Where each layer runs, and why", "MODEL"),
        layer(cl::Positional, cl::desc("[LAYER]"), cl::sub(command),
              cl::cat(category)),
        json("json", cl::desc("Print JSON; the schema is in docs/explain.md"),
             cl::sub(command), cl::cat(category)),
        mapping("mapping",
                cl::desc("Explain how devices with memories tile their layers"),
                cl::sub(command), cl::cat(category)),
        trace("trace",
              cl::desc("With --mapping: write the timeline of the commands to "
                       "FILE, for Perfetto or chrome://tracing"),
              cl::value_desc("FILE"), cl::sub(command), cl::cat(category)),
        html("html", cl::desc("Write a page with the graph to FILE"),
             cl::value_desc("FILE"), cl::sub(command), cl::cat(category)) {
    kernels.setDescription("Explain how the CPU computes its layers:");
    kernels.setValueExpectedFlag(cl::ValueOptional);
    kernels.getParser().addLiteralOption("", Kernels::Vector, "as with vector");
  }
  ExitCode run() override {
    ExplainOutput output = html.getNumOccurrences() ? ExplainOutput::HTML
                           : json                   ? ExplainOutput::JSON
                                                    : ExplainOutput::Text;
    if (!trace.empty() && !mapping) {
      llvm::errs() << "uma: error: --trace is for --mapping\n";
      return ExitCode::BadInput;
    }
    if (kernels.getNumOccurrences())
      return runExplainKernels(get(), layer, output);
    if (mapping)
      return runExplainMapping(get(), layer, output, trace);
    return runExplain(get(), layer, output, html);
  }
  cl::opt<std::string> layer;
  cl::opt<bool> json, mapping;
  cl::opt<std::string> trace, html;
};

} // namespace uma

#endif // UMA_TOOLS_UMA_MODELCOMMANDS_H
