//===- Verify.cpp - Verify decisions about layers -------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/CPU/Model/Problems.h"
#include "uma/CPU/Model/Schedules.h"
#include "uma/CPU/Model/TilePair.h"
#include "uma/CPU/Model/TileProducer.h"
#include "uma/CPU/Model/WantedLayouts.h"
#include "uma/CPU/Transforms/Passes.h"

using namespace mlir;
using namespace uma;
using Kind = CPULayer::Kind;

namespace uma::cpu {
#define GEN_PASS_DEF_VERIFYPASS
#include "uma/CPU/Transforms/Passes.h.inc"
} // namespace uma::cpu

namespace {
/// Verifies a layer with all of its decisions.
class LayerVerifier {
public:
  LayerVerifier(CPULayers &layers, const CPULayer &layer)
      : layers(layers), layer(layer) {}

  LogicalResult run(cpu::Decision last) {
    if (failed(checkKernel()) || failed(checkLayouts()))
      return failure();
    if (last >= cpu::Decision::Pairs && failed(checkPair()))
      return failure();
    if (last >= cpu::Decision::Pairs && failed(checkProducer()))
      return failure();
    return last >= cpu::Decision::Schedules ? checkSchedules() : success();
  }

private:
  InFlightDiagnostic fail() {
    return layer.getFunction().emitOpError("of layer '")
           << layer.getName() << "' ";
  }
  LogicalResult checkKernel();
  LogicalResult checkResultLayout();
  LogicalResult checkLayouts();
  LogicalResult checkPair();
  LogicalResult checkSchedules();
  LogicalResult checkProducer();

  CPULayers &layers;
  const CPULayer &layer;
};
} // namespace

/// Returns whether the channels of `tensor` are in blocks of a multiple of
/// `size`.
static bool hasBlocksOf(const CPULayer &layer, Value tensor, int64_t size) {
  int64_t block = layer.getLayout(tensor).block;
  return block != 0 && block % size == 0;
}

LogicalResult LayerVerifier::checkKernel() {
  Algorithm algorithm = layer.getKernel().getAlgorithm();
  auto refuse = [&](StringRef expected) {
    return fail() << "has " << kKernelAttrName << " = " << layer.getKernel()
                  << ", which " << expected;
  };
  auto conv = dyn_cast_or_null<graph::Conv2dOp>(layer.anchor);
  switch (algorithm) {
  case Algorithm::Plain:
  case Algorithm::Script:
    return success();
  case Algorithm::Direct:
    // All kernels of images except the elementwise one write channel blocks.
    if (layer.kind == Kind::ByteProduct)
      return refuse("does not compute products of bytes in row-major order; "
                    "expected im2col");
    if (layer.hasImage() && layer.kind != Kind::Elementwise &&
        layer.kind != Kind::ByteWindow && layer.getResultLayout().block == 0)
      return refuse("writes channels in blocks, but the result has no "
                    "uma.layout that says of how many");
    if (int64_t size = layer.getWordSize();
        size != 1 && conv && !hasBlocksOf(layer, conv.getData(), size))
      return refuse(("reads words of " + Twine(size) +
                     " channels, but the data has no uma.layout with blocks of "
                     "a multiple")
                        .str());
    return success();
  case Algorithm::Im2col:
  case Algorithm::Im2colPairs:
    if (layer.kind != Kind::ByteProduct)
      return refuse("computes convolutions without groups and dense layers of "
                    "bytes in row-major order");
    return success();
  case Algorithm::Planar:
    if (layer.kind != Kind::Conv ||
        !ConvGeometry::of(layer.anchor)->fitsPlanes())
      return refuse("computes convolutions without groups of tensors in NCHW, "
                    "whose rows have a stride of 1 and at least 4 results");
    return success();
  case Algorithm::Winograd:
    if (layer.hasExactSums())
      return refuse("rounds, but the sums of the layer are exact integers");
    if (!conv || layer.kind != Kind::Conv ||
        !fitsWinograd(conv.getDims(), layer.getKernel().getTile()))
      return refuse("computes convolutions of 3x3 without stride, dilation and "
                    "groups, of results as large as a tile");
    if (layer.getResultLayout().block == 0 ||
        layer.getLayout(conv.getData()).block == 0)
      return refuse("reads and writes channels in blocks");
    return success();
  case Algorithm::Strassen: {
    std::optional<QuarterProduct> product;
    if (layer.anchor)
      product = getQuarterProduct(
          layer, layer.kind == Kind::Conv
                     ? layer.getLayout(layer.anchor->getOperand(0))
                     : BufferLayout());
    if (!product || !product->canSplit())
      return refuse(
          "computes products with a known matrix, and convolutions of "
          "1x1, whose rows and channels have halves");
    return success();
  }
  }
  llvm_unreachable("every algorithm is checked");
}

LogicalResult LayerVerifier::checkResultLayout() {
  if (layer.kind == Kind::Recurrent)
    return success();
  BufferLayout layout = layer.getResultLayout();
  if (layer.kind == Kind::Matrix && !layout.isRowMajor())
    return fail() << "has a result with " << kLayoutAttrName
                  << ", but a product of matrices is written in the order of "
                     "the tensor";
  auto names = layer.anchor && layer.hasImage() && !layer.isMove()
                   ? graph::WindowLayout::parse(getDataLayout(layer.anchor))
                   : std::nullopt;
  if (names && !layout.isRowMajor() && names->c != layout.channelDim)
    return fail() << "writes " << getDataLayout(layer.anchor)
                  << ", but the result's " << kLayoutAttrName
                  << " has the channels elsewhere";
  if (layer.kind == Kind::Shuffle && layout.block != 0 &&
      !layer.getChannelMap(layout.channelDim))
    return fail() << "moves entries of dimension "
                  << ChannelMap::of(layer.ops)->dim << ", but the result's "
                  << kLayoutAttrName << " has the channels in dimension "
                  << layout.channelDim;
  if (layer.kind == Kind::Conv && layout.block != 0 &&
      !ConvGeometry::of(layer.anchor)->fitsBlock(layout.block))
    return fail() << "writes "
                  << ConvGeometry::of(layer.anchor)->getGroupOutputs()
                  << " channels of each group into blocks of " << layout.block
                  << ", expected parts of one or whole ones";
  return success();
}

LogicalResult LayerVerifier::checkLayouts() {
  if (failed(checkResultLayout()))
    return failure();
  auto getOwn = [&](Value argument) { return layer.getLayout(argument); };
  for (const WantedLayout &wanted : getWantedLayouts(layer, getOwn)) {
    BufferLayout own = layer.getLayout(wanted.argument);
    if (fitsLayout(own, wanted.layout))
      continue;
    auto describe = [&](const BufferLayout &layout) -> std::string {
      LayoutAttr attribute = layout.toAttribute(layer.getKernel().getContext());
      std::string text = "no layout";
      if (attribute)
        llvm::raw_string_ostream(text = "") << attribute;
      return text;
    };
    return fail() << "reads argument #"
                  << cast<BlockArgument>(wanted.argument).getArgNumber()
                  << " in " << describe(wanted.layout)
                  << " or with a wider border, but " << kLayoutAttrName
                  << " says " << describe(own);
  }
  return success();
}

LogicalResult LayerVerifier::checkPair() {
  TilePairAttr pair = layer.getTilePair();
  if (!pair)
    return success();
  auto refuse = [&] {
    return fail() << "has " << kTilePairAttrName << " = " << pair << ", ";
  };
  CPULayer *reader = layers.getDepthwiseReader(layer);
  bool isConv = layer.kind == Kind::Conv &&
                layer.getKernel().getAlgorithm() == Algorithm::Direct;
  if (!isConv || !reader || !reader->hasKernel())
    return refuse() << "which is for a direct convolution whose result a "
                       "depthwise convolution reads and nobody else";
  ConvGeometry conv = *ConvGeometry::of(layer.anchor);
  if (conv.parts.size() != 1 || conv.batch != 1 || conv.groups != 1)
    return refuse() << "which is for convolutions of one image, without groups "
                       "and not transposed";
  BufferLayout layout = layer.getResultLayout();
  if (!(reader->getLayout(reader->anchor->getOperand(0)) == layout) ||
      reader->getResultLayout().hasHalo())
    return refuse() << "but the reader '" << reader->getName()
                    << "' reads another layout, or writes a border";
  ContractionProblem problem = getContractions(layer).front();
  int64_t blocks = layer.getType().getDimSize(layout.channelDim) / layout.block;
  if (pair.getPacks() != 1 &&
      (problem.channelBlock == 0 || blocks % pair.getPacks() != 0))
    return refuse() << "but " << pair.getPacks() << " packs do not divide the "
                    << blocks << " blocks of channels";
  graph::Window window = cast<graph::Conv2dOp>(reader->anchor).getDims().window;
  if (pair.getSlabs() != 1 && (problem.outer.size() != 2 ||
                               !TilePair::fitsSlabs(pair.getSlabs(), window)))
    return refuse() << "but " << pair.getSlabs()
                    << " slabs do not divide the rows of the reader so that "
                       "those of a slab follow those of the one before";
  return success();
}

LogicalResult LayerVerifier::checkSchedules() {
  SmallVector<ScheduleAttr> schedules;
  if (auto found =
          layer.getFunction()->getAttrOfType<ArrayAttr>(kSchedulesAttrName))
    for (Attribute attribute : found) {
      auto schedule = dyn_cast<ScheduleAttr>(attribute);
      if (!schedule)
        return fail() << "has " << attribute << " in " << kSchedulesAttrName
                      << ", expected #uma.cpu.schedule";
      schedules.push_back(schedule);
    }
  if (auto clause = findProblem(layer, schedules))
    return fail() << *clause;
  return success();
}

LogicalResult LayerVerifier::checkProducer() {
  if (!layer.hasTileProducer() || canTileProducer(layers, layer))
    return success();
  return fail() << "has " << kTileProducerAttrName
                << ", which is for a direct convolution of 1x1 that reads the "
                   "result of an elementwise layer, which nobody else reads, "
                   "in blocks of channels";
}

/// Checks that attributes have the right kind and are on the right values.
static LogicalResult checkAttributes(func::FuncOp function) {
  auto check = [&](Attribute attribute, StringRef name, bool isRight,
                   StringRef expected) -> LogicalResult {
    if (!attribute || isRight)
      return success();
    return function.emitOpError("has ")
           << name << " = " << attribute << ", expected " << expected;
  };
  Attribute kernel = function->getAttr(kKernelAttrName);
  Attribute pair = function->getAttr(kTilePairAttrName);
  Attribute producer = function->getAttr(kTileProducerAttrName);
  Attribute schedules = function->getAttr(kSchedulesAttrName);
  if (failed(check(kernel, kKernelAttrName, isa_and_present<KernelAttr>(kernel),
                   "#uma.cpu.kernel")) ||
      failed(check(pair, kTilePairAttrName, isa_and_present<TilePairAttr>(pair),
                   "#uma.cpu.tile_pair")) ||
      failed(check(producer, kTileProducerAttrName,
                   isa_and_present<UnitAttr>(producer), "a unit attribute")) ||
      failed(check(schedules, kSchedulesAttrName,
                   isa_and_present<ArrayAttr>(schedules),
                   "an array of #uma.cpu.schedule")))
    return failure();
  auto checkLayout = [&](Attribute layout, Type type) -> LogicalResult {
    if (!layout)
      return success();
    auto attribute = dyn_cast<LayoutAttr>(layout);
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!attribute || !tensor || tensor.getRank() != 4)
      return function.emitOpError("has ")
             << kLayoutAttrName << " = " << layout << " on " << type
             << ", expected #uma.layout on a tensor of four dimensions";
    BufferLayout order = BufferLayout::of(attribute);
    int64_t channels = tensor.getDimSize(order.channelDim);
    if (order.block != 0 && channels % order.block != 0)
      return function.emitOpError("has ")
             << kLayoutAttrName << " = " << layout << " on " << type
             << ", whose " << channels << " channels are not in blocks of "
             << order.block;
    return success();
  };
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    if (failed(checkLayout(function.getArgAttr(i, kLayoutAttrName),
                           function.getArgumentTypes()[i])))
      return failure();
  for (unsigned i = 0; i < function.getNumResults(); ++i)
    if (failed(checkLayout(function.getResultAttr(i, kLayoutAttrName),
                           function.getResultTypes()[i])))
      return failure();
  return success();
}

/// Checks the properties of a primitive function that do not depend on its
/// kernel's choices.
static LogicalResult checkFunction(func::FuncOp function, size_t numCalls,
                                   cpu::Decision last) {
  if (!function.isPrivate() || !function.getBody().hasOneBlock())
    return function.emitOpError("has ")
           << kPrimitiveAttrName
           << ", expected a private function with a body of one block";
  for (auto call : function.getOps<func::CallOp>())
    return call.emitOpError("in '@")
           << function.getSymName() << "', which has " << kPrimitiveAttrName
           << "; expected operators only";
  if (last == cpu::Decision::Layers)
    return checkAttributes(function);
  if (!function->hasAttr(kKernelAttrName))
    return function.emitOpError("has no ")
           << kKernelAttrName
           << ", which says how the layer is computed; run "
              "'uma-cpu-select-kernels'";
  auto kernel = dyn_cast<KernelAttr>(function->getAttr(kKernelAttrName));
  if (kernel && kernel.getScript()) {
    Operation *script =
        SymbolTable::lookupNearestSymbolFrom(function, kernel.getScript());
    if (!script ||
        script->getName().getStringRef() != "transform.named_sequence")
      return function.emitOpError("has ")
             << kKernelAttrName << " = " << kernel
             << ", but the module has no transform.named_sequence '"
             << kernel.getScript() << "'";
  }
  if (!(kernel && kernel.isByOperators()) && numCalls != 1)
    return function.emitOpError("is called ")
           << numCalls << " times; expected a function for each layer, since "
           << "weights are packed for one";
  return checkAttributes(function);
}

LogicalResult cpu::verifyLayers(ModuleOp module, Decision last) {
  SymbolTable symbols(module);
  llvm::DenseMap<Operation *, size_t> numCalls;
  for (func::FuncOp entry : getEntryFunctions(module))
    for (auto call : entry.getOps<func::CallOp>())
      if (auto callee = symbols.lookup<func::FuncOp>(call.getCallee()))
        ++numCalls[callee];
  for (auto function : module.getOps<func::FuncOp>())
    if (function->hasAttr(kPrimitiveAttrName) &&
        failed(checkFunction(function, numCalls.lookup(function), last)))
      return failure();
  if (last == Decision::Layers)
    return success();
  for (func::FuncOp entry : getEntryFunctions(module)) {
    CPULayers layers(entry, symbols);
    for (auto call : entry.getOps<func::CallOp>()) {
      auto callee = symbols.lookup<func::FuncOp>(call.getCallee());
      if (!callee || !callee->hasAttr(kPrimitiveAttrName) ||
          layers.lookup(call))
        continue;
      if (!cast<KernelAttr>(callee->getAttr(kKernelAttrName)).isByOperators())
        return callee.emitOpError("has ")
               << kKernelAttrName << " = " << callee->getAttr(kKernelAttrName)
               << ", but no kernel of the CPU computes its operators together; "
                  "expected #uma.cpu.kernel<plain>";
    }
    for (const CPULayer &layer : layers.getLayers())
      if (layer.hasKernel() && failed(LayerVerifier(layers, layer).run(last)))
        return failure();
  }
  return success();
}

namespace {
struct VerifyPass : cpu::impl::VerifyPassBase<VerifyPass> {
  using VerifyPassBase::VerifyPassBase;

  void runOnOperation() override {
    if (failed(cpu::verifyLayers(getOperation())))
      signalPassFailure();
  }
};
} // namespace
