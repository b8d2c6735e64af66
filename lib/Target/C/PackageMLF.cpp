//===- PackageMLF.cpp - Metadata of TVM's Model Library Format ------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Follows TVM's documentation of version 5 of the format
// (docs/arch/model_library_format.rst). TVM's own exporter nests the entries of
// a model in `modules` since version 7, and the memory of functions in
// `functions`; both are written, too, so that either reader finds what it
// expects.
//
//===----------------------------------------------------------------------===//

#include "PackageInfo.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/EndianStream.h"

#include <chrono>
#include <cstdlib>

using namespace mlir;
using namespace uma;
using llvm::json::Array;
using llvm::json::Object;

/// Version of the format.
static constexpr int64_t kFormatVersion = 5;
/// DLPack's types of devices: a host, and a device of an extension.
static constexpr int64_t kHostDevice = 1, kExtensionDevice = 12;

/// Returns the name of an element type in TVM.
static std::string getDType(Type type) {
  if (type.isInteger(1))
    return "bool";
  std::string width = std::to_string(type.getIntOrFloatBitWidth());
  if (type.isBF16())
    return "bfloat16";
  if (isa<FloatType>(type)) {
    std::string name;
    llvm::raw_string_ostream(name) << type;
    // Floats of 8 bits, as MLIR names them: f8E4M3FN.
    return width == "8" ? "float8_" + StringRef(name).drop_front(2).lower()
                        : "float" + width;
  }
  return (type.isUnsignedInteger() ? "uint" : "int") + width;
}

static Object getTensorTypes(ArrayRef<TensorInfo> tensors) {
  Object result;
  for (const TensorInfo &tensor : tensors)
    result[llvm::json::fixUTF8(tensor.name)] =
        Object{{"size", tensor.getBytes()},
               {"dtype", getDType(tensor.type.getElementType())}};
  return result;
}

/// Returns the bytes of tensors that are not in the workspace.
static int64_t getBytes(ArrayRef<TensorInfo> tensors) {
  int64_t bytes = 0;
  for (const TensorInfo &tensor : tensors)
    bytes += tensor.offset ? 0 : tensor.getBytes();
  return bytes;
}

/// Returns the memory of NET_run on each type of device.
static Array getMainMemory(const PackageInfo &info) {
  Array result;
  result.push_back(
      Object{{"device", kHostDevice},
             {"workspace_size_bytes", info.workspaceSize},
             {"constants_size_bytes", info.getWeightBytes()},
             {"io_size_bytes", getBytes(info.inputs) + getBytes(info.outputs)},
             {"inputs", getTensorTypes(info.inputs)},
             {"outputs", getTensorTypes(info.outputs)}});
  int64_t device = 0;
  for (const FunctionMemory &function : info.functions)
    device = std::max(device, function.device);
  if (!info.accelerators.empty())
    result.push_back(Object{{"device", kExtensionDevice},
                            {"workspace_size_bytes", device},
                            {"constants_size_bytes", 0},
                            {"io_size_bytes", 0}});
  return result;
}

/// Returns the memory of one function on each type of device.
static Array getWorkspaces(const FunctionMemory &function) {
  Array result;
  result.push_back(Object{{"device", kHostDevice},
                          {"workspace_size_bytes", function.workspace},
                          {"constants_size_bytes", function.constants},
                          {"io_size_bytes", function.inputOutput}});
  if (function.target != "cpu")
    result.push_back(Object{{"device", kExtensionDevice},
                            {"workspace_size_bytes", function.device},
                            {"constants_size_bytes", 0},
                            {"io_size_bytes", 0}});
  return result;
}

static Object getMemory(const PackageInfo &info) {
  Object operators;
  Array list;
  for (const FunctionMemory &function : info.functions) {
    operators[function.name] = getWorkspaces(function);
    list.push_back(Object{{"function_name", function.name},
                          {"target", function.target},
                          {"workspace", getWorkspaces(function)}});
  }
  return Object{{"main", getMainMemory(info)},
                {"operator_functions", std::move(operators)},
                {"functions", Object{{"main", getMainMemory(info)},
                                     {"operator_functions", std::move(list)}}}};
}

Object uma::getMLFMetadata(const PackageInfo &info, StringRef exportTime,
                           Object own) {
  Object targets{{std::to_string(kHostDevice), "c"}};
  Array targetList{"c"};
  SmallVector<StringRef> accelerators;
  Array dependencies;
  for (const AcceleratorInfo &accelerator : info.accelerators) {
    accelerators.push_back(accelerator.name);
    targetList.push_back(accelerator.name);
    for (const std::string &library : accelerator.libraries)
      dependencies.push_back(Object{{"short_name", library},
                                    {"url", "-l" + library},
                                    {"url_type", "linker_option"},
                                    {"version_spec", "*"}});
  }
  if (!accelerators.empty())
    targets[std::to_string(kExtensionDevice)] = llvm::join(accelerators, ",");
  Object module{{"model_name", info.name},
                {"export_datetime", exportTime.str()},
                {"memory", getMemory(info)},
                {"target", std::move(targetList)},
                {"executors", Array{"aot"}},
                {"external_dependencies", Array(dependencies)},
                {"style", "full-model"}};
  return Object{{"version", kFormatVersion},
                {"model_name", info.name},
                {"export_datetime", exportTime.str()},
                {"memory", getMemory(info)},
                {"target", std::move(targets)},
                {"executors", Array{"aot"}},
                {"external_dependencies", std::move(dependencies)},
                {"style", "full-model"},
                {"modules", Object{{info.name, std::move(module)}}},
                {"uma", std::move(own)}};
}

FailureOr<std::string> uma::getExportTime(Location loc) {
  // See https://reproducible-builds.org/specs/source-date-epoch.
  int64_t seconds = 0;
  // The year has four digits.
  constexpr int64_t kMaxSeconds = 253402300799;
  if (const char *text = ::getenv("SOURCE_DATE_EPOCH"))
    if (StringRef(text).getAsInteger(10, seconds) || seconds < 0 ||
        seconds > kMaxSeconds)
      return emitError(loc)
             << "SOURCE_DATE_EPOCH is '" << text
             << "' in the environment: expected seconds since 1970-01-01, "
                "from 0 to "
             << kMaxSeconds;
  time_t time = static_cast<time_t>(seconds);
  struct tm date;
  char buffer[32] = {};
  if (!gmtime_r(&time, &date) ||
      strftime(buffer, sizeof(buffer), "%Y-%m-%d %H:%M:%SZ", &date) == 0)
    return emitError(loc) << "SOURCE_DATE_EPOCH is no time of this system";
  return std::string(buffer);
}

//===----------------------------------------------------------------------===//
// Parameters
//===----------------------------------------------------------------------===//

namespace {
/// Writer of the format of tvm.relay.save_param_dict: DLPack tensors and their
/// names, little-endian.
class ParameterWriter {
public:
  explicit ParameterWriter(raw_ostream &os)
      : os(os), writer(os, llvm::endianness::little) {}

  void write(ArrayRef<WeightInfo> weights) {
    writer.write<uint64_t>(kListMagic);
    writer.write<uint64_t>(0);
    writer.write<uint64_t>(weights.size());
    for (const WeightInfo &weight : weights) {
      writer.write<uint64_t>(weight.cName.size());
      os << weight.cName;
    }
    writer.write<uint64_t>(weights.size());
    for (const WeightInfo &weight : weights)
      write(weight.tensor);
  }

private:
  static constexpr uint64_t kListMagic = 0xF7E58D4F05049CB7;
  static constexpr uint64_t kTensorMagic = 0xDD5E40F096B4A13F;

  /// Returns DLPack's number for a kind of type.
  static uint8_t getTypeCode(Type type) {
    if (type.isBF16())
      return 4;
    // DLPack before version 1.1 has no floats of 8 bits: unsigned integers.
    if (isa<FloatType>(type) && type.getIntOrFloatBitWidth() > 8)
      return 2;
    return type.isUnsignedInteger() || type.isInteger(1) || isa<FloatType>(type)
               ? 1
               : 0;
  }

  void write(const HostTensor &tensor) {
    writer.write<uint64_t>(kTensorMagic);
    writer.write<uint64_t>(0);
    writer.write<int32_t>(kHostDevice);
    writer.write<int32_t>(0);
    // The C has one dimension.
    writer.write<int32_t>(1);
    Type type = tensor.getElementType();
    writer.write<uint8_t>(getTypeCode(type));
    writer.write<uint8_t>(type.getIntOrFloatBitWidth());
    writer.write<uint16_t>(1);
    writer.write<int64_t>(tensor.getNumElements());
    ArrayRef<char> bytes = tensor.getBytes();
    writer.write<int64_t>(bytes.size());
    os.write(bytes.data(), bytes.size());
  }

  raw_ostream &os;
  llvm::support::endian::Writer writer;
};
} // namespace

LogicalResult uma::addParameters(Location loc, StringRef folder,
                                 const PackageInfo &info, PackageFiles &files) {
  return stageFile(
      loc, folder, "parameters/" + info.name + ".params", files,
      [&](raw_ostream &os) { ParameterWriter(os).write(info.weights); });
}
