//===- MappedCalls.cpp - Commands of mapped matches -----------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The commands of a region are known at compile time. The host's program is a
// table of them for each layer, or for interleaved ones, and loops that queue
// one after another; values that do not change are not in the table.
//
//===----------------------------------------------------------------------===//

#include "MappedCalls.h"

#include "CallBody.h"

#include "uma/IR/DeviceAttributes.h"
#include "uma/Support/LayerName.h"
#include "uma/Support/QuantizedTypes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"

#include <limits>

using namespace mlir;
using namespace uma;

/// Runs of up to this number of commands are written one by one.
static constexpr size_t kMaxWritten = 12;

/// Finds the operands of each site that vary, and assigns them columns.
static void assignColumns(MappedCalls &calls) {
  for (auto [number, site] : llvm::enumerate(calls.sites)) {
    bool isFirst = true;
    for (ArrayRef<int64_t> row : calls.rows) {
      if (row.front() != static_cast<int64_t>(number))
        continue;
      row = row.drop_front();
      if (isFirst) {
        site.constants.assign(row.begin(), row.end());
        site.columns.assign(row.size(), -1);
        isFirst = false;
      }
      for (auto [index, value] : llvm::enumerate(row))
        if (value != site.constants[index])
          site.columns[index] = 0;
    }
    int next = 1;
    for (int &column : site.columns)
      if (column >= 0)
        column = next++;
    calls.numColumns = std::max<int64_t>(calls.numColumns, next);
  }
}

/// Creates the table in the graph's function.
static LogicalResult createTable(graph::CompositeOp composite,
                                 MappedCalls &calls) {
  std::vector<int32_t> elements;
  for (ArrayRef<int64_t> row : calls.rows) {
    const MappedCalls::Site &site = calls.sites[row.front()];
    size_t begin = elements.size();
    elements.resize(begin + calls.numColumns);
    elements[begin] = static_cast<int32_t>(row.front());
    for (auto [column, value] :
         llvm::zip_equal(site.columns, row.drop_front())) {
      if (column < 0)
        continue;
      if (value < std::numeric_limits<int32_t>::min() ||
          value > std::numeric_limits<int32_t>::max())
        return composite.emitError()
               << "a command of the layer needs the number " << value
               << ", which has more than 32 bits";
      elements[begin + column] = static_cast<int32_t>(value);
    }
  }
  OpBuilder builder = OpBuilder::atBlockBegin(composite->getBlock());
  auto type = RankedTensorType::get(
      {static_cast<int64_t>(calls.rows.size()), calls.numColumns},
      builder.getI32Type());
  Location loc = NameLoc::get(
      builder.getStringAttr(getCompositeName(composite) + "_commands"));
  calls.table = graph::ConstantOp::create(
      builder, loc, DenseElementsAttr::get<int32_t>(type, elements));
  return success();
}

/// Appends a command to the rows of its program.
static void addCommand(MappedCalls &calls, const accel::Command &command,
                       const accel::TileGeometry &geometry) {
  Value tensor =
      command.tensor ? geometry.getTensors()[*command.tensor].pattern : Value();
  auto *site = llvm::find_if(calls.sites, [&](const auto &known) {
    return known.layer == command.layer && known.call == command.call &&
           known.tensor == tensor;
  });
  size_t number = site - calls.sites.begin();
  if (site == calls.sites.end())
    calls.sites.push_back({command.layer, command.call, tensor, {}, {}});
  SmallVector<int64_t> row = {static_cast<int64_t>(number)};
  llvm::append_range(row, command.values);
  calls.rows.push_back(std::move(row));
}

FailureOr<MappedRegion> uma::generateCommands(func::FuncOp function) {
  FailureOr<accel::RegionSchedule> schedule =
      accel::RegionSchedule::get(function);
  if (failed(schedule))
    return failure();
  MappedRegion region{std::move(*schedule), {}, {}, {}};
  for (const auto &layer : region.schedule.getLayers()) {
    auto &placed = region.placed.emplace_back();
    for (const auto &place : layer->schedule.getPlaced())
      placed.insert(
          layer->schedule.getGeometry().getTensors()[place.tensor].pattern);
  }
  region.calls.resize(region.schedule.getGroups().size());
  for (const accel::Command &command : region.schedule.getCommands()) {
    size_t program = region.getProgram(command.layer);
    MappedCalls &calls = region.calls[program];
    if (region.runs.empty() || region.runs.back().program != program)
      region.runs.push_back({program, calls.rows.size(), calls.rows.size()});
    addCommand(
        calls, command,
        region.schedule.getLayers()[command.layer]->schedule.getGeometry());
    ++region.runs.back().end;
  }
  llvm::SmallVector<bool> needsTable(region.calls.size());
  for (const MappedRun &run : region.runs)
    if (run.end - run.begin > kMaxWritten)
      needsTable[run.program] = true;
  for (auto [calls, first, isLong] :
       llvm::zip_equal(region.calls, region.schedule.getGroups(), needsTable)) {
    assignColumns(calls);
    if (isLong && failed(createTable(
                      region.schedule.getLayers()[first]->composite, calls)))
      return failure();
  }
  return region;
}

DictionaryAttr uma::getMemoryBytes(const MappedRegion &region) {
  const auto &layers = region.schedule.getLayers();
  llvm::MapVector<StringRef, int64_t> most;
  SmallVector<int64_t> group;
  for (auto [number, layer] : llvm::enumerate(layers)) {
    const accel::MatchSchedule &schedule = layer->schedule;
    // The buffers of a group's layers are beside each other.
    if (llvm::is_contained(region.schedule.getGroups(), number))
      group.assign(schedule.getDevice().memories.size(), 0);
    for (auto [memory, sum, bytes] :
         llvm::zip_equal(schedule.getDevice().memories, group,
                         schedule.getNeededBytes(layer->mapping))) {
      sum += bytes;
      int64_t &known = most[accel::MemoryOp(memory.op).getName()];
      known = std::max(known, sum);
    }
  }
  if (layers.empty())
    return nullptr;
  Builder builder(layers.front()->composite->getContext());
  NamedAttrList attributes;
  for (auto &[name, bytes] : most)
    attributes.append(name, builder.getI64IntegerAttr(bytes));
  return attributes.getDictionary(builder.getContext());
}

size_t MappedRegion::getProgram(unsigned layer) const {
  return llvm::upper_bound(schedule.getGroups(), layer) -
         schedule.getGroups().begin() - 1;
}

size_t MappedRegion::getEndOfRuns(graph::CompositeOp composite) const {
  size_t end = 0;
  for (auto [number, layer] : llvm::enumerate(schedule.getLayers()))
    if (layer->composite == composite)
      for (auto [index, run] : llvm::enumerate(runs))
        if (run.program == getProgram(number))
          end = index + 1;
  return end;
}

namespace {
/// Builder of the calls of one composite.
class MappedCallBuilder {
public:
  MappedCallBuilder(OpBuilder &builder, const MappedRegion &region,
                    unsigned layer, GetLayerBufferFn getBuffer)
      : builder(builder),
        composite(region.schedule.getLayers()[layer]->composite),
        match(region.schedule.getLayers()[layer]->match),
        placed(region.placed[layer]), getBuffer(getBuffer) {}

  /// Builds the call of a site. `getNumber` returns the value of an operand.
  void build(const MappedCalls::Site &site,
             llvm::function_ref<Value(unsigned)> getNumber);

private:
  Value getTensorBuffer(const MappedCalls::Site &site, Value operand);

  OpBuilder &builder;
  graph::CompositeOp composite;
  const accel::Match &match;
  const DenseSet<Value> &placed;
  GetLayerBufferFn getBuffer;
};
} // namespace

/// Returns the buffer in main memory of a tensor operand, or null if it is not
/// part of the match.
Value MappedCallBuilder::getTensorBuffer(const MappedCalls::Site &site,
                                         Value operand) {
  if (site.tensor)
    operand = site.tensor;
  if (operand.getDefiningOp<accel::ArrayOp>())
    return getBuffer(composite, operand);
  Value inner = match.tensors.lookup(operand);
  return inner ? getBuffer(composite, inner) : Value();
}

void MappedCallBuilder::build(const MappedCalls::Site &site,
                              llvm::function_ref<Value(unsigned)> getNumber) {
  accel::CallOp call = site.call;
  MappedBody body;
  SmallVector<Value> arguments;
  SmallVector<int64_t> writes, unsignedTensors;
  SmallVector<StringRef> names;
  SmallVector<std::string> owned;
  owned.reserve(2 * call.getArguments().size());
  auto addParameter = [&](Value value, const Twine &name) {
    arguments.push_back(value);
    owned.push_back(name.str());
    return "{" + std::to_string(arguments.size() - 1) + "}";
  };
  Location loc = composite.getLoc();
  for (auto [index, operand] : llvm::enumerate(call.getArguments())) {
    std::string &text = body.operands.emplace_back();
    Operation *maker = operand.getDefiningOp();
    bool isTensor = isa<AccelTensorType>(operand.getType());
    if (!isTensor || placed.contains(operand)) {
      TypedAttr number = match.numbers.lookup(operand);
      // Constants of the description stay in the text.
      auto constant = isa_and_nonnull<arith::ConstantOp>(maker)
                          ? dyn_cast_or_null<IntegerAttr>(number)
                          : IntegerAttr();
      std::string name;
      if (maker)
        name = isTensor ? accel::getTensorName(operand)
                        : accel::getSourceName(maker);
      if (constant)
        text = std::to_string(constant.getInt());
      else if (isa_and_nonnull<FloatAttr>(number))
        text =
            addParameter(arith::ConstantOp::create(builder, loc, number), name);
      else
        text = addParameter(getNumber(index), name);
      continue;
    }
    Value buffer = getTensorBuffer(site, operand);
    if (!buffer) {
      bool isPlaced =
          llvm::any_of(operand.getUsers(), llvm::IsaPred<accel::PlaceOp>);
      text = isPlaced ? "-1" : "NULL";
      continue;
    }
    std::string name =
        accel::getTensorName(site.tensor ? site.tensor : operand);
    Value inner = match.tensors.lookup(site.tensor ? site.tensor : operand);
    if (inner && llvm::is_contained(match.ops, inner.getDefiningOp()))
      writes.push_back(arguments.size());
    if (inner &&
        getStorageElementType(getElementTypeOrSelf(inner)).isUnsignedInteger())
      unsignedTensors.push_back(arguments.size());
    std::string pointer = addParameter(buffer, name);
    text = "(" + pointer + " + " +
           addParameter(getNumber(index), name + "_offset") + ")";
  }
  body.picks = [&](unsigned operand) {
    return match.numbers.lookup(call.getArguments()[operand]);
  };
  std::string text = buildMappedBody(call, body);
  for (StringRef name : owned)
    names.push_back(name);
  auto created = tir::CallExternOp::create(
      builder,
      addDescribedLine(loc, call->getParentOfType<accel::AcceleratorOp>(),
                       call),
      call.getCallee(), arguments, writes);
  created->setAttr(kLayerAttrName,
                   builder.getStringAttr(getCompositeName(composite)));
  created->setAttr(kBodyAttrName, builder.getStringAttr(text));
  created->setAttr(kParametersAttrName, builder.getStrArrayAttr(names));
  if (!unsignedTensors.empty())
    created->setAttr(kUnsignedAttrName,
                     builder.getDenseI64ArrayAttr(unsignedTensors));
}

void uma::buildMappedRun(OpBuilder &builder, const MappedRegion &region,
                         const MappedRun &run, Value table,
                         GetLayerBufferFn getBuffer) {
  const MappedCalls &calls = region.calls[run.program];
  const auto &first =
      *region.schedule.getLayers()[region.schedule.getGroups()[run.program]];
  Location loc = graph::CompositeOp(first.composite).getLoc();
  auto constant = [&](int64_t number) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, number);
  };
  auto build = [&](const MappedCalls::Site &site,
                   llvm::function_ref<Value(unsigned)> getNumber) {
    MappedCallBuilder(builder, region, site.layer, getBuffer)
        .build(site, getNumber);
  };
  if (run.end - run.begin <= kMaxWritten) {
    for (ArrayRef<int64_t> row :
         ArrayRef(calls.rows).slice(run.begin, run.end - run.begin))
      build(calls.sites[row.front()],
            [&](unsigned operand) { return constant(row[operand + 1]); });
    return;
  }
  auto loop = tir::ForOp::create(
      builder, loc, builder.getIndexAttr(static_cast<int64_t>(run.begin)),
      builder.getIndexAttr(static_cast<int64_t>(run.end)));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&loop.getBody().front());
  Value row = loop.getInductionVar();
  auto load = [&](int64_t column) -> Value {
    Value element = memref::LoadOp::create(builder, loc, table,
                                           ValueRange{row, constant(column)});
    return arith::IndexCastOp::create(builder, loc, builder.getIndexType(),
                                      element);
  };
  Value kind = load(0);
  for (const MappedCalls::Site &site : calls.sites) {
    int64_t number = &site - calls.sites.begin();
    Value isKind = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                         kind, constant(number));
    auto branch = scf::IfOp::create(builder, loc, isKind,
                                    /*withElseRegion=*/false);
    OpBuilder::InsertionGuard inner(builder);
    builder.setInsertionPointToStart(branch.thenBlock());
    build(site, [&](unsigned operand) {
      int column = site.columns[operand];
      return column < 0 ? constant(site.constants[operand]) : load(column);
    });
  }
}
