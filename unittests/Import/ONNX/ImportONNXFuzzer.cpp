//===- ImportONNXFuzzer.cpp - A libFuzzer target for the importer ---------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// For any input, the importer gives a module that verifies or an error of one
// line; it does not crash, hang, leak or allocate without bounds.
//
// Random bytes are rarely a valid protobuf. The mutator therefore changes
// fields of a parsed model more often than bytes, through protobuf's
// reflection: any number, name or list of nodes, attributes and tensors.
//
//===----------------------------------------------------------------------===//

#include "../ImporterContract.h"

#include "uma/Import/ONNX/ImportONNX.h"

#include <google/protobuf/message.h>
#include <onnx/onnx_pb.h>

#include <limits>
#include <random>

using namespace mlir;
using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
extern "C" size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t maxSize);
extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size,
                                          size_t maxSize, unsigned seed);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  llvm::StringRef bytes(reinterpret_cast<const char *>(data), size);
  uma::requireImporterContract([&](MLIRContext &context,
                                   OwningOpRef<ModuleOp> &module) {
    return uma::importONNX(llvm::MemoryBufferRef(bytes, "fuzz.onnx"), &context,
                           {}, module) == uma::ImportStatus::Success;
  });
  return 0;
}

//===----------------------------------------------------------------------===//
// The mutator
//===----------------------------------------------------------------------===//

namespace {
/// Changes one field, at any depth of a message.
class FieldMutator {
public:
  explicit FieldMutator(unsigned seed) : random(seed) {}

  void mutate(Message &model) {
    std::vector<std::pair<Message *, const FieldDescriptor *>> fields;
    collect(model, fields);
    if (fields.empty())
      return;
    auto [message, field] = fields[pick(fields.size())];
    const Reflection *reflection = message->GetReflection();
    if (!field->is_repeated())
      return setSingle(*message, reflection, field);
    int count = reflection->FieldSize(*message, field);
    switch (pick(4)) {
    case 0:
      return reflection->RemoveLast(message, field);
    case 1:
      return reflection->SwapElements(message, field, int(pick(count)),
                                      int(pick(count)));
    case 2: {
      bool isMessage = field->cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE;
      if (!isMessage)
        return setRepeated(*message, reflection, field, int(pick(count)));
      const Message &other =
          reflection->GetRepeatedMessage(*message, field, int(pick(count)));
      // The arena of the message may reallocate: copy before adding.
      std::string bytes = other.SerializePartialAsString();
      (void)reflection->AddMessage(message, field)
          ->ParsePartialFromString(bytes);
      return;
    }
    default:
      return setRepeated(*message, reflection, field, int(pick(count)));
    }
  }

private:
  size_t pick(size_t count) { return random() % std::max<size_t>(count, 1); }

  /// Collects every field below `message` that has a value.
  void
  collect(Message &message,
          std::vector<std::pair<Message *, const FieldDescriptor *>> &fields) {
    const Reflection *reflection = message.GetReflection();
    std::vector<const FieldDescriptor *> present;
    reflection->ListFields(message, &present);
    for (const FieldDescriptor *field : present) {
      fields.emplace_back(&message, field);
      if (field->cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE)
        continue;
      if (!field->is_repeated()) {
        collect(*reflection->MutableMessage(&message, field), fields);
        continue;
      }
      for (int i = 0, e = reflection->FieldSize(message, field); i < e; ++i)
        collect(*reflection->MutableRepeatedMessage(&message, field, i),
                fields);
    }
    if (names.size() < 64)
      for (const FieldDescriptor *field : present)
        if (field->cpp_type() == FieldDescriptor::CPPTYPE_STRING)
          names.push_back(field->is_repeated()
                              ? reflection->GetRepeatedString(message, field, 0)
                              : reflection->GetString(message, field));
  }

  /// Returns a number near the old one, or an extreme one.
  int64_t changed(int64_t value) {
    const int64_t edges[] = {
        0,
        1,
        -1,
        2,
        7,
        255,
        int64_t(1) << 31,
        int64_t(1) << 40,
        std::numeric_limits<int64_t>::max(),
        std::numeric_limits<int64_t>::min(),
    };
    switch (pick(3)) {
    case 0:
      return int64_t(uint64_t(value) + pick(7) - 3);
    case 1:
      return int64_t(uint64_t(value) * 2);
    default:
      return edges[pick(std::size(edges))];
    }
  }

  /// Returns another name of the model most of the time, to change references.
  std::string changed(std::string value) {
    static const char *const operators[] = {
        "Add",     "Conv",  "Gather", "Loop", "If",     "Resize",
        "Reshape", "Slice", "LSTM",   "Tile", "Expand", "OneHot",
        "Concat",  "Pad",   "TopK",   "Range"};
    switch (pick(4)) {
    case 0:
      return operators[pick(std::size(operators))];
    case 1: {
      size_t size = value.size();
      value.resize(size + 8);
      value.resize(LLVMFuzzerMutate(reinterpret_cast<uint8_t *>(value.data()),
                                    size, value.size()));
      return value;
    }
    default:
      return names.empty() ? value : names[pick(names.size())];
    }
  }

  void setSingle(Message &message, const Reflection *reflection,
                 const FieldDescriptor *field) {
    if (pick(8) == 0)
      return reflection->ClearField(&message, field);
    switch (field->cpp_type()) {
    case FieldDescriptor::CPPTYPE_INT64:
      return reflection->SetInt64(
          &message, field, changed(reflection->GetInt64(message, field)));
    case FieldDescriptor::CPPTYPE_INT32:
      return reflection->SetInt32(
          &message, field,
          int32_t(changed(reflection->GetInt32(message, field))));
    case FieldDescriptor::CPPTYPE_ENUM:
      return reflection->SetEnumValue(&message, field, int(pick(24)));
    case FieldDescriptor::CPPTYPE_FLOAT:
      return reflection->SetFloat(&message, field, float(changed(1)));
    case FieldDescriptor::CPPTYPE_STRING:
      return reflection->SetString(
          &message, field, changed(reflection->GetString(message, field)));
    default:
      return reflection->ClearField(&message, field);
    }
  }

  void setRepeated(Message &message, const Reflection *reflection,
                   const FieldDescriptor *field, int index) {
    switch (field->cpp_type()) {
    case FieldDescriptor::CPPTYPE_INT64: {
      int64_t value =
          changed(reflection->GetRepeatedInt64(message, field, index));
      return pick(4) == 0
                 ? reflection->AddInt64(&message, field, value)
                 : reflection->SetRepeatedInt64(&message, field, index, value);
    }
    case FieldDescriptor::CPPTYPE_INT32:
      return reflection->SetRepeatedInt32(
          &message, field, index,
          int32_t(
              changed(reflection->GetRepeatedInt32(message, field, index))));
    case FieldDescriptor::CPPTYPE_FLOAT:
      return reflection->SetRepeatedFloat(&message, field, index,
                                          float(changed(1)));
    case FieldDescriptor::CPPTYPE_STRING: {
      std::string value =
          changed(reflection->GetRepeatedString(message, field, index));
      return pick(4) == 0
                 ? reflection->AddString(&message, field, value)
                 : reflection->SetRepeatedString(&message, field, index, value);
    }
    default:
      return reflection->RemoveLast(&message, field);
    }
  }

  std::minstd_rand random;
  std::vector<std::string> names;
};
} // namespace

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t maxSize,
                               unsigned seed) {
  onnx::ModelProto model;
  if (seed % 8 == 0 || !model.ParseFromArray(data, int(size)))
    return LLVMFuzzerMutate(data, size, maxSize);
  FieldMutator mutator(seed);
  for (unsigned i = 0; i <= seed / 8 % 3; ++i)
    mutator.mutate(model);
  std::string bytes;
  if (!model.SerializeToString(&bytes) || bytes.size() > maxSize)
    return LLVMFuzzerMutate(data, size, maxSize);
  std::copy(bytes.begin(), bytes.end(), data);
  return bytes.size();
}
