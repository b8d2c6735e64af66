//===- ExploreCommand.h - Command for exploration -*- C++ -*--------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_TOOLS_UMA_EXPLORECOMMAND_H
#define UMA_TOOLS_UMA_EXPLORECOMMAND_H

#include "Command.h"

#include "uma/Driver/Explore.h"

namespace uma {

struct ExploreCommand : Command {
  ExploreCommand()
      : Command("explore", "Sweep attributes of an accelerator over models"),
        models(cl::Positional, cl::OneOrMore, cl::desc("MODEL..."),
               cl::sub(command), cl::cat(category)),
        accelerator("a", cl::CommaSeparated, cl::value_desc("accelerator"),
                    cl::desc("Name or path of a description (required), then "
                             "attributes that are the same at all points, "
                             "NAME=VALUE"),
                    cl::sub(command), cl::cat(category)),
        acceleratorDirs(*this),
        shapes(
            "shape", cl::value_desc("[model:]name=1x3x32x32"),
            cl::desc("Sizes of an input whose model leaves some open, of all "
                     "models or of one"),
            cl::sub(command), cl::cat(category)),
        sweeps("sweep", cl::value_desc("name=values"),
               cl::desc("Values of an attribute: NAME=32,64,128, NAME=16:64:16 "
                        "or NAME=16:256:*2; repeat it for each attribute"),
               cl::sub(command), cl::cat(category)),
        constraints("constraint", cl::value_desc("expression"),
                    cl::desc("Leave out points where it does not hold, e.g. "
                             "\"input_kib + weight_kib <= 100\""),
                    cl::sub(command), cl::cat(category)),
        objectives("objective", cl::value_desc("expressions"),
                   cl::desc("What shall be small; -NAME for large (default: "
                            "cycles,memory_bytes)"),
                   cl::sub(command), cl::cat(category)),
        search("search", cl::init("grid"), cl::value_desc("kind"),
               cl::desc("Which points: 'grid' for all, 'random', or 'front' "
                        "for NSGA-II"),
               cl::sub(command), cl::cat(category)),
        points("points", cl::value_desc("n"),
               cl::desc("Points of random and front (default: 100)"),
               cl::sub(command), cl::cat(category)),
        seed("seed", cl::init("0"), cl::value_desc("n"),
             cl::desc("Seed of random and front (default: 0)"),
             cl::sub(command), cl::cat(category)),
        simulate("simulate",
                 cl::desc("Run each point on the device's C model, too, and "
                          "compare the outputs"),
                 cl::sub(command), cl::cat(category)),
        allowCPU("allow-cpu",
                 cl::desc("Let the CPU compute layers that no memory can hold, "
                          "instead of refusing the point"),
                 cl::sub(command), cl::cat(category)),
        cpuCyclesPerMAC("cpu-cycles-per-mac", cl::init(1), cl::value_desc("n"),
                        cl::desc("What the CPU needs to multiply and add, for "
                                 "its layers (default: 1)"),
                        cl::sub(command), cl::cat(category)),
        workers("workers", cl::value_desc("n"),
                cl::desc("Processes on this machine (default: its cores, with "
                         "Dask)"),
                cl::sub(command), cl::cat(category)),
        scheduler("scheduler", cl::value_desc("address"),
                  cl::desc("Compute on the workers of Dask's scheduler, e.g. "
                           "tcp://host:8786"),
                  cl::sub(command), cl::cat(category)),
        output("o", cl::value_desc("folder"),
               cl::desc("Folder for the results (required)"), cl::sub(command),
               cl::cat(category)),
        resume("resume", cl::desc("Go on with an interrupted exploration"),
               cl::sub(command), cl::cat(category)),
        lower("lower", cl::value_desc("options"),
              cl::desc("Options of uma-accel-map, as in "
                       "--lower=\"interleave=false\""),
              cl::sub(command), cl::cat(category)) {
    for (llvm::StringRef kind : {"grid", "random", "front"})
      offerValue(search, kind);
  }
  ExitCode run() override {
    ExploreOptions options;
    options.models.assign(models.begin(), models.end());
    options.accelerator.assign(accelerator.begin(), accelerator.end());
    options.acceleratorDirs = acceleratorDirs.get();
    options.shapes.assign(shapes.begin(), shapes.end());
    options.sweeps.assign(sweeps.begin(), sweeps.end());
    options.constraints.assign(constraints.begin(), constraints.end());
    options.objectives.assign(objectives.begin(), objectives.end());
    options.search = search;
    options.points = points;
    options.seed = seed;
    options.simulate = simulate;
    options.allowCPU = allowCPU;
    options.cpuCyclesPerMAC = cpuCyclesPerMAC;
    options.workers = workers;
    options.scheduler = scheduler;
    options.output = output;
    options.resume = resume;
    options.lower = lower;
    return runExplore(options);
  }
  cl::list<std::string> models, accelerator;
  AcceleratorDirsOption acceleratorDirs;
  cl::list<std::string> shapes, sweeps, constraints, objectives;
  cl::opt<std::string> search, points, seed;
  cl::opt<bool> simulate, allowCPU;
  cl::opt<double> cpuCyclesPerMAC;
  cl::opt<std::string> workers, scheduler, output;
  cl::opt<bool> resume;
  cl::opt<std::string> lower;
};

} // namespace uma

#endif // UMA_TOOLS_UMA_EXPLORECOMMAND_H
