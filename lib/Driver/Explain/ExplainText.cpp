//===- ExplainText.cpp - Output of uma explain ----------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Explanation.h"

#include "uma/Support/CountText.h"
#include "uma/Support/PrintableText.h"
#include "uma/Support/TensorText.h"

#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace uma;
using accel::LayerReport;
using accel::Reason;

/// Formats one reason per accelerator, with its name if `nameEach`.
static std::string formatReasons(const LayerReport &layer, bool nameEach) {
  std::string text;
  for (const Reason &reason : layer.reasons) {
    if (!text.empty())
      text += "; ";
    if (nameEach)
      text += reason.accelerator + ": ";
    text += toPrintable(reason.getText());
  }
  return text;
}

std::string uma::formatResults(const LayerReport &layer) {
  return llvm::join(llvm::map_range(layer.results, getTensorText), ", ");
}

/// Formats a type with its scales and zero points.
static std::string formatType(RankedTensorType type) {
  std::string text = getTensorText(type);
  Type element = type.getElementType();
  if (isQuantized(element))
    text += " (" + getQuantizationText(element) + ")";
  return text;
}

/// Formats the operands and results of an operator.
static std::string formatTensors(const LayerReport &layer) {
  std::string text;
  for (const accel::LayerOperand &operand : layer.operands)
    text += (text.empty() ? "" : ", ") + formatType(operand.type) +
            (operand.isConstant ? " constant" : "");
  return text + " -> " +
         llvm::join(llvm::map_range(layer.results, formatType), ", ");
}

static void printTable(const Explanation &explanation) {
  size_t nameWidth = 5, kindWidth = 8, targetWidth = 7, resultWidth = 6;
  for (const LayerReport &layer : explanation.layers) {
    nameWidth = std::max(nameWidth, toPrintable(layer.layer).size());
    kindWidth = std::max(kindWidth, layer.kind.size());
    targetWidth = std::max(targetWidth, layer.target.size());
    // Three or more results would leave no room for reasons.
    if (layer.results.size() < 3)
      resultWidth = std::max(resultWidth, formatResults(layer).size());
  }
  // The reason is last since it may be long, and no line ends in blanks.
  auto printRow = [&](StringRef name, StringRef kind, StringRef target,
                      StringRef macs, StringRef result, StringRef reason) {
    std::string row;
    llvm::raw_string_ostream(row)
        << llvm::left_justify(name, nameWidth) << "  "
        << llvm::left_justify(kind, kindWidth) << "  "
        << llvm::left_justify(target, targetWidth) << "  "
        << llvm::right_justify(macs, 13) << "  "
        << llvm::left_justify(result, resultWidth) << "  " << reason;
    llvm::outs() << StringRef(row).rtrim() << '\n';
  };
  bool nameEach = explanation.accelerators.size() > 1;
  printRow("layer", "operator", "runs on", "MACs", "result",
           "why not elsewhere");
  for (const LayerReport &layer : explanation.layers)
    printRow(toPrintable(layer.layer), layer.kind, layer.target,
             layer.macs ? getCountText(layer.macs) : "", formatResults(layer),
             formatReasons(layer, nameEach));
}

/// Prints the share of the CPU by reason.
static void printReasons(const Explanation &explanation) {
  if (explanation.reasons.empty())
    return;
  llvm::outs() << "\nwhy the CPU keeps them:\n";
  auto printRow = [](StringRef operators, StringRef macs, StringRef reason) {
    llvm::outs() << llvm::right_justify(operators, 11) << "  "
                 << llvm::right_justify(macs, 13) << "  " << reason << '\n';
  };
  printRow("operators", "MACs", "reason");
  bool nameEach = explanation.accelerators.size() > 1;
  for (const ReasonShare &reason : explanation.reasons)
    printRow(getCountText(reason.share.operators),
             reason.share.macs ? getCountText(reason.share.macs) : "",
             toPrintable(nameEach ? reason.accelerator + ": " + reason.reason
                                  : reason.reason));
}

/// Prints the cost of a policy's placement.
static void printCost(StringRef policy, const accel::PlacementCost &cost) {
  llvm::outs() << "policy " << policy << ": " << getCountText(cost.getTotal())
               << " cycles estimated (cpu " << getCountText(cost.cpu)
               << ", devices " << getCountText(cost.devices) << ", "
               << cost.numTransfers
               << (cost.numTransfers == 1 ? " transfer " : " transfers ")
               << getCountText(cost.transfers) << ", " << cost.numRegions
               << (cost.numRegions == 1 ? " region " : " regions ")
               << getCountText(cost.regions) << ")";
  if (cost.numForbidden)
    llvm::outs() << ", " << cost.numForbidden
                 << " of them smaller than their device allows";
  llvm::outs() << '\n';
}

void uma::printExplanation(const Explanation &explanation) {
  printTable(explanation);
  llvm::outs() << '\n';
  const Share &total = explanation.total;
  for (const auto &[target, share] : explanation.targets)
    llvm::outs() << llvm::formatv(
        "{0}: {1} of {2} operators, {3} of {4} MACs ({5:f1} %)\n", target,
        share.operators, total.operators, getCountText(share.macs),
        getCountText(total.macs),
        total.macs ? 100.0 * double(share.macs) / double(total.macs) : 0.0);
  printReasons(explanation);
  if (!explanation.costs)
    return;
  llvm::outs() << '\n';
  printCost("cost", explanation.costs->cost);
  printCost("greedy", explanation.costs->greedy);
}

std::string uma::getPatternPosition(ModuleOp module, StringRef accelerator,
                                    StringRef pattern) {
  MLIRContext *context = module.getContext();
  Operation *op = SymbolTable::lookupSymbolIn(
      module, SymbolRefAttr::get(context, accelerator,
                                 {FlatSymbolRefAttr::get(context, pattern)}));
  auto loc = op ? dyn_cast<FileLineColLoc>(op->getLoc()) : FileLineColLoc();
  if (!loc)
    return "";
  return (loc.getFilename().getValue() + ":" + Twine(loc.getLine())).str();
}

/// Returns ` (FILE:LINE)` of a pattern; empty if unknown.
static std::string getPosition(ModuleOp module, StringRef accelerator,
                               StringRef pattern) {
  std::string position = getPatternPosition(module, accelerator, pattern);
  return position.empty() ? "" : " (" + position + ")";
}

void uma::printLayerDetails(const Explanation &explanation, ModuleOp module) {
  llvm::raw_ostream &os = llvm::outs();
  for (const LayerReport &layer : explanation.layers) {
    os << layer.kind << " '" << toPrintable(layer.layer) << "'";
    if (layer.macs)
      os << ", " << getCountText(layer.macs) << " MACs";
    os << ", runs on " << layer.target << '\n';
    os << "  " << formatTensors(layer) << '\n';
    if (!layer.inFloats.empty())
      os << "  computed in f32: " << layer.inFloats << '\n';
    if (!layer.pattern.empty())
      os << "  " << layer.target << " takes it by pattern '" << layer.pattern
         << "'" << getPosition(module, layer.target, layer.pattern) << '\n';
    for (const Reason &reason : layer.passedOver)
      os << "  before it comes pattern '" << reason.pattern << "'"
         << getPosition(module, reason.accelerator, reason.pattern)
         << (explanation.costs ? ", which is not chosen:\n    "
                               : ", which does not match:\n    ")
         << toPrintable(reason.getText()) << '\n';
    for (const Reason &reason : layer.reasons) {
      os << "  " << reason.accelerator << ": ";
      if (!reason.pattern.empty())
        os << "closest is pattern '" << reason.pattern << "'"
           << getPosition(module, reason.accelerator, reason.pattern)
           << ", but\n    ";
      os << toPrintable(reason.getText()) << '\n';
    }
  }
}
