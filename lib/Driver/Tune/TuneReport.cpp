//===- TuneReport.cpp - Results of uma tune -------------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "TuneReport.h"

#include "uma/Support/PrintableText.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace uma;

/// Describes a plan: the algorithm if it is not the direct one, the tile for
/// vectors of `lanes`, and the slices and blocking of the sum, if any.
static std::string getText(const LayerPlan &plan, int64_t lanes) {
  std::string text;
  llvm::raw_string_ostream os(text);
  KernelAttr kernel = plan.kernel;
  if (kernel.getAlgorithm() != Algorithm::Direct) {
    os << stringifyAlgorithm(kernel.getAlgorithm());
    if (kernel.getTile() != 0)
      os << ' ' << kernel.getTile() << " x " << kernel.getTile();
  }
  if (plan.schedules.empty())
    return text;
  ScheduleAttr schedule = plan.schedules.front();
  for (VersionAttr version : schedule.getVersions()) {
    if (ISA::lookup(version.getIsa().getValue())->lanes != lanes)
      continue;
    os << (text.empty() ? "" : ", ")
       << llvm::formatv("{0} x {1} x {2} of {3}", version.getRows(),
                        version.getVectors(), version.getLanes(),
                        schedule.getPack());
    if (version.getSlices() != 1)
      os << ", " << version.getSlices() << " slices";
    if (BlockingAttr blocking = version.getBlocking())
      os << ", " << stringifyDataOrder(blocking.getData());
    break;
  }
  return text;
}

static std::string getLayersText(const TunedWorkload &workload) {
  std::string text = toPrintable(workload.layers.front());
  if (size_t others = workload.layers.size() - 1)
    text += llvm::formatv(" and {0} more", others);
  return text;
}

static double getLoss(double analytic, double tuned) {
  return analytic > 0 ? 100 * (analytic - tuned) / analytic : 0;
}

void uma::printTuning(llvm::raw_ostream &os, ArrayRef<TunedWorkload> workloads,
                      int64_t lanes, double total) {
  StringRef analyticTitle = "analytic", tunedTitle = "tuned";
  size_t width = StringRef("layer").size();
  size_t analyticWidth = analyticTitle.size(), tunedWidth = tunedTitle.size();
  for (const TunedWorkload &workload : workloads) {
    width = std::max(width, getLayersText(workload).size());
    analyticWidth = std::max(
        analyticWidth, getText(workload.candidates.front(), lanes).size());
    tunedWidth =
        std::max(tunedWidth, getText(workload.best.plan, lanes).size());
  }
  os << llvm::left_justify("layer", width) << "  "
     << llvm::left_justify(analyticTitle, analyticWidth) << "       us  "
     << llvm::left_justify(tunedTitle, tunedWidth) << "       us    loss\n";
  double lost = 0;
  for (const TunedWorkload &workload : workloads) {
    double analytic = workload.best.analyticMicroseconds;
    double tuned = workload.best.microseconds;
    const LayerPlan &plan = workload.candidates.front();
    bool isSame = workload.best.plan == plan;
    os << llvm::left_justify(getLayersText(workload), width) << "  "
       << llvm::left_justify(getText(plan, lanes), analyticWidth)
       << llvm::format("%9.1f", analytic);
    if (!isSame) {
      os << "  "
         << llvm::left_justify(getText(workload.best.plan, lanes), tunedWidth)
         << llvm::format("%9.1f  %5.1f%%", tuned, getLoss(analytic, tuned));
      lost += analytic - tuned;
    }
    os << '\n';
  }
  os << "the analytic choice loses "
     << llvm::format("%.1f %% (%.0f us of %.0f us)",
                     getLoss(total, total - lost), lost, total)
     << " to the tuned one\n";
}
