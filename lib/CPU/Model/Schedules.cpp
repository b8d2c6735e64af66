//===- Schedules.cpp - Versions of a layer's loop nests -------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/CPU/Model/Schedules.h"

#include "uma/CPU/Model/Problems.h"
#include "uma/CPU/Model/TileInstructions.h"
#include "uma/CPU/Model/WindowModel.h"

using namespace mlir;
using namespace uma;

//===----------------------------------------------------------------------===//
// Choice by the model
//===----------------------------------------------------------------------===//

ScheduleAttr uma::chooseSchedule(const ContractionProblem &problem,
                                 int64_t pack, const Processor &processor,
                                 MLIRContext *context, int64_t lanes,
                                 const VersionWish &wish) {
  SmallVector<VersionAttr> versions;
  bool isFulfilled = lanes == 0;
  for (const ISA &isa : processor.sets) {
    bool isAsked = isa.lanes == lanes;
    auto choice = chooseVersion(problem, pack, isa, processor, context,
                                isAsked ? wish : VersionWish());
    // Another instruction set of this width may have satisfied a wish for
    // blocking.
    if (!choice && isAsked && processor.isUsual(isa) && isFulfilled)
      choice = chooseVersion(problem, pack, isa, processor, context);
    if (!choice)
      continue;
    isFulfilled |= isAsked;
    versions.push_back(choice->toAttribute(context, isa.name));
  }
  bool isComplete =
      isFulfilled && !versions.empty() &&
      versions.back().getIsa().getValue() == ISA::getScalar().name;
  return isComplete ? ScheduleAttr::get(context, pack, versions)
                    : ScheduleAttr();
}

ScheduleAttr uma::chooseDepthwiseSchedule(const Workload &workload,
                                          const Processor &processor,
                                          MLIRContext *context, int64_t lanes,
                                          int64_t windows) {
  int64_t pack = workload.channelBlock;
  SmallVector<VersionAttr> versions;
  for (const ISA &isa : processor.sets) {
    if (!processor.isUsual(isa) && !processor.hasOwnTiles(isa))
      continue;
    int64_t width = chooseLanes(pack, isa);
    int64_t count =
        isa.lanes == lanes ? windows : rankWindows(workload, isa).front();
    // Eight sums hide the latency of a core that starts two multiply-adds per
    // cycle and takes four for each. With a stride, loads are the bottleneck.
    bool isSplit = width == 8 && count < 8 && workload.strides[1] == 1;
    versions.push_back(VersionAttr::get(
        context, StringAttr::get(context, isa.name), count, /*vectors=*/1,
        width, /*slices=*/1, /*sums=*/isSplit ? 2 : 1,
        /*byLane=*/false, Prefetch::None,
        /*blocking=*/nullptr));
  }
  return ScheduleAttr::get(context, pack, versions);
}

//===----------------------------------------------------------------------===//
// Verification
//===----------------------------------------------------------------------===//

/// Returns why slices and blocking of a version are invalid, or std::nullopt.
static constexpr llvm::StringLiteral kNoSums =
    "the result cannot keep the sums of slices, since packs overlap, its "
    "elements are narrower, or tiles compute their data";

static std::optional<std::string>
findBlockingProblem(const ContractionProblem &problem, ScheduleAttr schedule,
                    VersionAttr version) {
  int64_t pack = schedule.getPack();
  BlockingAttr blocking = version.getBlocking();
  int64_t steps = problem.reduce.front();
  if (!blocking) {
    if (version.getSlices() == 1)
      return std::nullopt;
    if (steps % version.getSlices() != 0)
      return "the " + std::to_string(steps) +
             " steps of the reduction's outermost loop have no " +
             std::to_string(version.getSlices()) + " slices";
    if (!problem.keepsSums(pack))
      return kNoSums.str();
    return std::nullopt;
  }
  if (!problem.hasAllLoops || !problem.fitsBlocking || problem.getWeightIndices)
    return "there is no blocking where weights are not packed, the layer is "
           "computed tile by tile or step by step, or multiplies words of "
           "integers";
  int64_t channels = version.getVectors() * version.getLanes();
  int64_t panel = getPanelWidth(pack, problem.channelBlock);
  if (pack % channels != 0 || !dividesBlocks(channels, panel) ||
      !dividesBlocks(channels, problem.channelBlock))
    return "tiles of " + std::to_string(channels) +
           " channels do not divide the " + std::to_string(panel) +
           " that lie together";
  if (blocking.getLoop() >= int64_t(problem.reduce.size()) ||
      problem.reduce[blocking.getLoop()] % blocking.getParts() != 0)
    return "loop " + std::to_string(blocking.getLoop()) +
           " of the reduction has no " + std::to_string(blocking.getParts()) +
           " parts";
  int64_t slices = blocking.getParts();
  for (int64_t loop = 0; loop < blocking.getLoop(); ++loop)
    slices *= problem.reduce[loop];
  if (slices != 1 && !problem.keepsSums(pack))
    return kNoSums.str();
  int64_t numPacks = problem.getNumPacks(pack);
  if (numPacks % blocking.getPacks() != 0)
    return std::to_string(blocking.getPacks()) + " packs do not divide " +
           std::to_string(numPacks);
  bool hasLines = problem.outer.size() > (problem.hasWeightSets ? 1 : 0);
  if (blocking.getJoinRows() && !hasLines)
    return "there are no rows to join";
  int64_t rows = problem.rows;
  if (blocking.getJoinRows())
    rows *= problem.outer.back();
  if (rows < version.getRows())
    return "a tile has " + std::to_string(version.getRows()) +
           " rows, the layer " + std::to_string(rows);
  if (blocking.getData() == DataOrder::Stored) {
    if (!problem.isInOrder(schedule.getContext()) ||
        (blocking.getJoinRows() && !problem.getJoinedIndices))
      return "the data does not lie in the order in which tiles read it";
    if (slices > 2 || blocking.getPacks() != numPacks)
      return "data that is not copied is read by all packs, in two slices at "
             "most";
  }
  return std::nullopt;
}

std::optional<std::string> uma::findProblem(const ContractionProblem &problem,
                                            ScheduleAttr schedule,
                                            VersionAttr version) {
  const ISA &isa = *ISA::lookup(version.getIsa().getValue());
  RegisterTile tile{version.getRows(), version.getVectors(),
                    version.getLanes()};
  ContractionShape shape = problem.getShape();
  // Joined rows always fill a tile.
  if (version.getBlocking())
    shape.rows = std::max(shape.rows, tile.rows);
  if (version.getSums() != 1)
    return "sums are for depthwise convolutions";
  shape.isByLane = version.getByLane();
  if (shape.isByLane && problem.wordSize != 1)
    return "by_lane is for floats, but the layer multiplies words of integers";
  if (shape.isByLane &&
      (tile.lanes != isa.lanes ||
       !problem.hasVectorsOfSteps(tile.lanes, schedule.getContext()) ||
       (problem.reduce.size() == 1 &&
        problem.reduce.front() / version.getSlices() % isa.lanes != 0)))
    return "by_lane is for whole vectors of channels, and for data whose " +
           std::to_string(isa.lanes) + " steps lie together";
  if (auto clause = uma::findProblem(shape, {schedule.getPack(), tile}, isa))
    return clause;
  return findBlockingProblem(problem, schedule, version);
}

static std::optional<std::string> findDepthwiseProblem(const Workload &workload,
                                                       ScheduleAttr schedule,
                                                       VersionAttr version) {
  const ISA &isa = *ISA::lookup(version.getIsa().getValue());
  RegisterTile tile{version.getRows(), version.getVectors(),
                    version.getLanes()};
  if (version.getByLane())
    return "by_lane is for contractions";
  return findProblem(workload, {schedule.getPack(), tile}, isa);
}

std::optional<std::string> uma::findProblem(const CPULayer &layer,
                                            ArrayRef<ScheduleAttr> schedules) {
  bool isDepthwise =
      layer.kind == CPULayer::Kind::Depthwise && layer.hasKernel();
  std::vector<ContractionProblem> problems;
  if (layer.hasKernel() && !isDepthwise)
    problems = getContractions(layer);
  size_t count = isDepthwise ? 1 : problems.size();
  if (schedules.size() != count)
    return "has " + std::to_string(schedules.size()) + " schedules in " +
           kSchedulesAttrName.str() + ", expected " + std::to_string(count) +
           ", one for each of its " +
           (isDepthwise ? "convolutions" : "contractions");
  TilePairAttr pair = layer.getTilePair();
  for (auto [i, schedule] : llvm::enumerate(schedules)) {
    if (!isDepthwise && pair && pair.getPacks() != 1 &&
        problems[i].channels != pair.getPacks() * schedule.getPack())
      return "is computed in " + std::to_string(pair.getPacks()) +
             " packs, but " + kSchedulesAttrName.str() + " packs its " +
             std::to_string(problems[i].channels) + " channels by " +
             std::to_string(schedule.getPack());
    if (TileInstructionAttr tile = schedule.getInstruction()) {
      std::optional<std::string> clause = "it is for contractions";
      if (!isDepthwise)
        clause = findProblem(problems[i], schedule.getPack(), tile);
      if (clause)
        return "has instruction '" + tile.getName().str() + "' in " +
               kSchedulesAttrName.str() + ": " + *clause;
    }
    for (VersionAttr version : schedule.getVersions()) {
      auto clause = isDepthwise
                        ? findDepthwiseProblem(getDepthwiseWorkload(layer),
                                               schedule, version)
                        : findProblem(problems[i], schedule, version);
      if (clause)
        return "has version '" + version.getIsa().str() + "' in " +
               kSchedulesAttrName.str() + ": " + *clause;
    }
  }
  return std::nullopt;
}
