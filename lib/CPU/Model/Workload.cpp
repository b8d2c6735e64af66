//===- Workload.cpp - Workloads and their schedules -----------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/CPU/Model/Workload.h"

#include "uma/CPU/Model/TileModel.h"
#include "uma/CPU/Model/WindowModel.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace uma;

bool Workload::operator==(const Workload &other) const {
  return op == other.op && outer == other.outer && rows == other.rows &&
         channels == other.channels && channelBlock == other.channelBlock &&
         reduce == other.reduce && strides == other.strides &&
         dilations == other.dilations;
}

DictionaryAttr Workload::toAttribute(MLIRContext *context) const {
  Builder builder(context);
  NamedAttrList attributes;
  attributes.append("operator", builder.getStringAttr(op));
  attributes.append("outer", builder.getDenseI64ArrayAttr(outer));
  attributes.append("rows", builder.getI64IntegerAttr(rows));
  attributes.append("channels", builder.getI64IntegerAttr(channels));
  attributes.append("channel_block", builder.getI64IntegerAttr(channelBlock));
  attributes.append("reduce", builder.getDenseI64ArrayAttr(reduce));
  attributes.append("strides", builder.getDenseI64ArrayAttr(strides));
  attributes.append("dilations", builder.getDenseI64ArrayAttr(dilations));
  return attributes.getDictionary(context);
}

std::optional<Workload> Workload::fromAttribute(Attribute attribute) {
  auto attributes = dyn_cast_if_present<DictionaryAttr>(attribute);
  if (!attributes)
    return std::nullopt;
  Workload workload;
  bool isComplete = true;
  auto getNumber = [&](StringRef name, int64_t &value) {
    auto number = attributes.getAs<IntegerAttr>(name);
    isComplete &= bool(number);
    if (number)
      value = number.getInt();
  };
  auto getNumbers = [&](StringRef name, SmallVector<int64_t> &values) {
    auto numbers = attributes.getAs<DenseI64ArrayAttr>(name);
    isComplete &= bool(numbers);
    if (numbers)
      values.assign(numbers.asArrayRef().begin(), numbers.asArrayRef().end());
  };
  if (auto op = attributes.getAs<StringAttr>("operator"))
    workload.op = op.str();
  getNumbers("outer", workload.outer);
  getNumber("rows", workload.rows);
  getNumber("channels", workload.channels);
  getNumber("channel_block", workload.channelBlock);
  getNumbers("reduce", workload.reduce);
  getNumbers("strides", workload.strides);
  getNumbers("dilations", workload.dilations);
  if (workload.op.empty() || !isComplete)
    return std::nullopt;
  return workload;
}

SmallVector<TileChoice> uma::listChoices(const Workload &workload,
                                         const ISA &isa,
                                         const Processor &processor,
                                         size_t count) {
  SmallVector<TileChoice> choices;
  if (workload.op == Workload::depthwise) {
    int64_t width = chooseLanes(workload.channelBlock, isa);
    for (int64_t windows : rankWindows(workload, isa))
      choices.push_back({workload.channelBlock, {windows, 1, width}});
  } else {
    choices = rankTiles(getContractionShape(workload), isa, processor);
  }
  choices.resize(std::min(count, choices.size()));
  return choices;
}

std::optional<std::string> uma::findProblem(const ContractionShape &shape,
                                            const TileChoice &choice,
                                            const ISA &isa) {
  auto [packWidth, tile] = choice;
  int64_t block = shape.channelBlock, channels = tile.getChannels();
  auto tell = [](auto &&...parts) {
    std::string text;
    llvm::raw_string_ostream os(text);
    (os << ... << parts);
    return text;
  };
  if (packWidth > std::max<int64_t>(shape.channels, 1))
    return tell("weights are packed by ", packWidth, " channels, of which ",
                "there are ", shape.channels);
  if (block != 0 && packWidth % block != 0)
    return tell("weights are packed by ", packWidth,
                " channels, which is no multiple of the channels' blocks of ",
                block);
  if (packWidth % channels != 0)
    return tell("a tile of ", channels, " channels does not divide the ",
                packWidth, " that weights are packed by");
  int64_t panel = getPanelWidth(packWidth, block);
  if (channels % panel != 0 && panel % channels != 0)
    return tell("a tile of ", channels, " channels is neither a part of the ",
                panel, " that lie together in a pack of ", packWidth,
                ", nor a multiple");
  if (block != 0 &&
      (tile.lanes > block || (channels % block != 0 && block % channels != 0)))
    return tell("a tile of ", tile.vectors, " x ", tile.lanes,
                " channels does not fit the channels' blocks of ", block);
  if (tile.lanes > isa.lanes || !llvm::isPowerOf2_64(tile.lanes) ||
      tile.lanes == 2)
    return tell("there are no vectors of ", tile.lanes,
                " lanes where registers have ", isa.lanes);
  if (tile.rows > shape.rows)
    return tell("a tile has ", tile.rows, " rows, the layer ", shape.rows);
  int64_t needed = countRegisters(tile, isa, shape);
  if (needed > isa.registers)
    return tell("a tile of ", tile.rows, " x ", tile.vectors, " vectors needs ",
                needed, " registers, of which there are ", isa.registers);
  return std::nullopt;
}

std::optional<std::string> uma::findProblem(const Workload &workload,
                                            const TileChoice &choice,
                                            const ISA &isa) {
  for (int64_t size : {choice.packWidth, choice.tile.rows, choice.tile.vectors,
                       choice.tile.lanes})
    // Bounded, so that products do not overflow.
    if (size < 1 || size > 1 << 20)
      return std::to_string(size) + " is no size of a tile";
  if (workload.op != Workload::depthwise)
    return findProblem(getContractionShape(workload), choice, isa);
  size_t most = rankWindows(workload, isa).size();
  int64_t width = chooseLanes(workload.channelBlock, isa);
  const RegisterTile &tile = choice.tile;
  if (choice.packWidth == workload.channelBlock && tile.vectors == 1 &&
      tile.lanes == width && tile.rows <= int64_t(most))
    return std::nullopt;
  return "a depthwise convolution is computed by 1 to " + std::to_string(most) +
         " x 1 vectors of " + std::to_string(width) + " lanes, packed by " +
         std::to_string(workload.channelBlock);
}
