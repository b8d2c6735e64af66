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

static std::string getText(const TileChoice &choice) {
  return llvm::formatv("{0} x {1} x {2} of {3}", choice.tile.rows,
                       choice.tile.vectors, choice.tile.lanes,
                       choice.packWidth);
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
                      double total) {
  size_t width = StringRef("layer").size();
  for (const TunedWorkload &workload : workloads)
    width = std::max(width, getLayersText(workload).size());
  os << llvm::left_justify("layer", width)
     << "  analytic tile           us  tuned tile              us    loss\n";
  double lost = 0;
  for (const TunedWorkload &workload : workloads) {
    double analytic = workload.best.analyticMicroseconds;
    double tuned = workload.best.microseconds;
    const TileChoice &choice = workload.candidates.front();
    bool isSame = workload.best.choice == choice;
    os << llvm::left_justify(getLayersText(workload), width) << "  "
       << llvm::left_justify(getText(choice), 17)
       << llvm::format("%9.1f", analytic);
    if (!isSame) {
      os << "  " << llvm::left_justify(getText(workload.best.choice), 17)
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
