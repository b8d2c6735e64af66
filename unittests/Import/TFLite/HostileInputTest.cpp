//===- HostileInputTest.cpp - Damaged and random TensorFlow Lite models ---===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/Import/TFLite/ImportTFLite.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Verifier.h"
#include "llvm/ADT/StringExtras.h"

#include <gtest/gtest.h>
#include <tflite_generated.h>

#include <cmath>
#include <limits>
#include <random>

using namespace mlir;
using namespace uma;
using namespace uma::tflite::schema;
using flatbuffers::Offset;
// MLIR has a class of this name, too.
using ElementKind = uma::tflite::schema::TensorType;

namespace {
/// Assembles a file from the parts that a test wants.
struct ModelFile {
  flatbuffers::FlatBufferBuilder builder;
  std::vector<Offset<Tensor>> tensors;
  std::vector<Offset<Operator>> operators;
  std::vector<Offset<OperatorCode>> codes;
  std::vector<Offset<Buffer>> buffers{CreateBuffer(builder)};
  std::vector<int32_t> inputs, outputs;

  int32_t addTensor(const std::vector<int32_t> &shape, ElementKind type,
                    uint32_t buffer = 0, const std::vector<float> &scale = {},
                    const std::vector<int64_t> &zero = {}, int32_t axis = 0) {
    Offset<QuantizationParameters> quantization;
    if (!scale.empty())
      quantization = CreateQuantizationParameters(
          builder, builder.CreateVector(scale), builder.CreateVector(zero),
          QuantizationDetails::NONE, 0, axis);
    std::string name = "t" + std::to_string(tensors.size());
    tensors.push_back(CreateTensor(builder, builder.CreateVector(shape), type,
                                   buffer, builder.CreateString(name),
                                   quantization));
    return int32_t(tensors.size()) - 1;
  }
  int32_t addConstant(const std::vector<int32_t> &shape, ElementKind type,
                      const std::vector<uint8_t> &bytes,
                      const std::vector<float> &scale = {},
                      const std::vector<int64_t> &zero = {}, int32_t axis = 0) {
    buffers.push_back(CreateBuffer(builder, builder.CreateVector(bytes)));
    return addTensor(shape, type, buffers.size() - 1, scale, zero, axis);
  }
  void addOperator(BuiltinOperator code, const std::vector<int32_t> &operands,
                   const std::vector<int32_t> &results,
                   BuiltinOptions kind = BuiltinOptions::NONE,
                   Offset<void> options = 0) {
    auto small = int8_t(std::min<int32_t>(int32_t(code), 127));
    codes.push_back(CreateOperatorCode(builder, small, 0, 1, code));
    operators.push_back(CreateOperator(
        builder, codes.size() - 1, builder.CreateVector(operands),
        builder.CreateVector(results), kind, options));
  }
  std::string finish() {
    std::vector<Offset<SubGraph>> graphs{CreateSubGraph(
        builder, builder.CreateVector(tensors), builder.CreateVector(inputs),
        builder.CreateVector(outputs), builder.CreateVector(operators))};
    FinishModelBuffer(builder,
                      CreateModel(builder, 3, builder.CreateVector(codes),
                                  builder.CreateVector(graphs), 0,
                                  builder.CreateVector(buffers)));
    return std::string(
        reinterpret_cast<const char *>(builder.GetBufferPointer()),
        builder.GetSize());
  }
};

class TFLiteHostileInputTest : public testing::Test {
protected:
  TFLiteHostileInputTest() : context(MLIRContext::Threading::DISABLED) {}

  /// Imports `bytes`. Always gives a module that verifies or an error of one
  /// line.
  ImportStatus importBytes(llvm::StringRef bytes) {
    unsigned errors = 0;
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
        ++errors;
      EXPECT_FALSE(llvm::StringRef(diagnostic.str()).contains('\n'));
    });
    OwningOpRef<ModuleOp> module;
    ImportStatus status = importTFLite(llvm::MemoryBufferRef(bytes, "m.tflite"),
                                       &context, options, module);
    bool isSuccess = status == ImportStatus::Success;
    EXPECT_EQ(errors, isSuccess ? 0u : 1u);
    EXPECT_EQ(bool(module), isSuccess);
    EXPECT_TRUE(!module || succeeded(verify(*module)));
    return status;
  }

  MLIRContext context;
  TFLiteImportOptions options;
};
} // namespace

/// A quantized convolution with a bias, a reshape and a softmax.
static std::string makeModel(int32_t size = 4, float scale = 0.5) {
  ModelFile model;
  int32_t data =
      model.addTensor({1, size, 4, 2}, ElementKind::INT8, 0, {scale}, {3});
  int32_t filter =
      model.addConstant({3, 3, 3, 2}, ElementKind::INT8,
                        std::vector<uint8_t>(54, 1), {0.5, 0.25, 1}, {0, 0, 0});
  int32_t bias =
      model.addConstant({3}, ElementKind::INT32, std::vector<uint8_t>(12, 1),
                        {0.25, 0.125, 0.5}, {0, 0, 0});
  int32_t image =
      model.addTensor({1, 4, 4, 3}, ElementKind::INT8, 0, {0.5}, {-1});
  int32_t shape =
      model.addConstant({2}, ElementKind::INT32, {1, 0, 0, 0, 48, 0, 0, 0});
  int32_t flat = model.addTensor({1, 48}, ElementKind::INT8, 0, {0.5}, {-1});
  int32_t result =
      model.addTensor({1, 48}, ElementKind::INT8, 0, {0.00390625}, {-128});
  model.inputs = {data};
  model.outputs = {result};
  model.addOperator(BuiltinOperator::CONV_2D, {data, filter, bias}, {image},
                    BuiltinOptions::Conv2DOptions,
                    CreateConv2DOptions(model.builder, Padding::SAME, 1, 1,
                                        ActivationFunctionType::RELU)
                        .Union());
  model.addOperator(BuiltinOperator::RESHAPE, {image, shape}, {flat});
  model.addOperator(BuiltinOperator::SOFTMAX, {flat}, {result},
                    BuiltinOptions::SoftmaxOptions,
                    CreateSoftmaxOptions(model.builder, 1).Union());
  return model.finish();
}

TEST_F(TFLiteHostileInputTest, TheModelItselfIsRight) {
  EXPECT_EQ(importBytes(makeModel()), ImportStatus::Success);
}

TEST_F(TFLiteHostileInputTest, Unaligned) {
  std::string bytes = makeModel();
  for (size_t offset = 1; offset < 8; ++offset) {
    std::string shifted = std::string(offset, '\0') + bytes;
    EXPECT_EQ(importBytes(llvm::StringRef(shifted).drop_front(offset)),
              ImportStatus::Success);
  }
}

TEST_F(TFLiteHostileInputTest, Truncated) {
  std::string bytes = makeModel();
  for (size_t size = 0; size < bytes.size(); ++size)
    EXPECT_NE(importBytes(llvm::StringRef(bytes).take_front(size)),
              ImportStatus::Success)
        << "at " << size;
}

TEST_F(TFLiteHostileInputTest, EveryBitFlipped) {
  std::string bytes = makeModel();
  for (size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    std::string damaged = bytes;
    damaged[bit / 8] ^= char(1 << bit % 8);
    importBytes(damaged);
  }
}

TEST_F(TFLiteHostileInputTest, RandomBytesOverwritten) {
  std::string bytes = makeModel();
  std::mt19937 random(1); // the same on every platform
  for (int round = 0; round < 5000; ++round) {
    std::string damaged = bytes;
    for (unsigned count = 1 + random() % 8; count > 0; --count)
      damaged[random() % damaged.size()] = char(random());
    importBytes(damaged);
  }
}

TEST_F(TFLiteHostileInputTest, SizesAndScales) {
  for (int32_t size : {std::numeric_limits<int32_t>::max(), 1 << 30, 5, 0, -1,
                       std::numeric_limits<int32_t>::min()})
    EXPECT_NE(importBytes(makeModel(size)), ImportStatus::Success);
  for (float scale : {0.0f, -1.0f, std::nanf(""), HUGE_VALF})
    EXPECT_EQ(importBytes(makeModel(4, scale)), ImportStatus::BadInput);
}

//===----------------------------------------------------------------------===//
// Random models
//===----------------------------------------------------------------------===//

namespace {
/// Makes models of one supported operator with random operands, options and
/// results, in files that the verifier accepts.
class RandomModel {
public:
  explicit RandomModel(unsigned seed) : random(seed) {}
  std::string make();

private:
  int32_t pick(std::initializer_list<int32_t> values) {
    return values.begin()[random() % values.size()];
  }
  std::vector<int32_t> pickShape();
  /// Returns a scale, often one that a kernel with fixed ones wants.
  float pickScale() {
    static constexpr float scales[] = {
        0.25f,      0.25f,  0.5f,  1.0f / 256, 1.0f / 256,
        1.0f / 128, 1e-30f, 1e30f, 3.4e38f,    1e-45f};
    return scales[random() % std::size(scales)];
  }
  BuiltinOperator pickOperator();
  BuiltinOptions pickOptions(BuiltinOperator code);
  /// Adds an input of the model or a constant.
  int32_t addOperand();
  /// Returns a table that the verifier accepts as options without vectors: one
  /// with random numbers in every field.
  Offset<void> makeOptions();

  ModelFile model;
  std::mt19937 random;
};
} // namespace

std::vector<int32_t> RandomModel::pickShape() {
  std::vector<int32_t> shape(random() % 3 ? 4 : random() % 6);
  for (int32_t &size : shape)
    size = random() % 40 == 0 ? pick({0, 1 << 20, 1 << 30, 65536})
                              : 1 + int32_t(random() % 4);
  return shape;
}

BuiltinOperator RandomModel::pickOperator() {
  static const std::vector<SupportedTFLiteOperator> operators =
      listSupportedTFLiteOperators();
  const std::string &name = operators[random() % operators.size()].name;
  for (BuiltinOperator code : EnumValuesBuiltinOperator())
    if (name == EnumNameBuiltinOperator(code))
      return code;
  return BuiltinOperator::ADD;
}

/// Returns a name in lower case, without underscores and digits.
static std::string simplify(llvm::StringRef name) {
  std::string result;
  for (char c : name)
    if (llvm::isAlpha(c))
      result += llvm::toLower(c);
  return result;
}

BuiltinOptions RandomModel::pickOptions(BuiltinOperator code) {
  BuiltinOptions any = BuiltinOptions::NONE;
  for (BuiltinOptions options : EnumValuesBuiltinOptions()) {
    if (simplify(EnumNameBuiltinOptions(options)) ==
        simplify(EnumNameBuiltinOperator(code)) + "options")
      return options;
    if (random() % 8 == 0)
      any = options;
  }
  if (code == BuiltinOperator::MAX_POOL_2D ||
      code == BuiltinOperator::AVERAGE_POOL_2D)
    return BuiltinOptions::Pool2DOptions;
  return random() % 2 ? any : BuiltinOptions::ReducerOptions;
}

int32_t RandomModel::addOperand() {
  auto type =
      ElementKind(random() % 4 ? pick({0, 0, 0, 2, 9, 9}) : random() % 19);
  std::vector<int32_t> shape = pickShape();
  std::vector<float> scale;
  std::vector<int64_t> zero;
  if (random() % 4) {
    scale.resize(random() % 3 || shape.empty() || shape[0] > 4 ? 1 : shape[0],
                 pickScale());
    zero.resize(scale.size(), pick({0, 0, 0, 3, -128, 200}));
  }
  if (random() % 2) {
    model.inputs.push_back(model.addTensor(shape, type, 0, scale, zero));
    return model.inputs.back();
  }
  // Lists of axes and sizes.
  if (random() % 2) {
    type = ElementKind::INT32;
    shape = {1 + int32_t(random() % 4)};
    if (random() % 4 == 0)
      shape.push_back(2);
  }
  int64_t count = 1;
  for (int32_t size : shape)
    count = std::min<int64_t>(count * size, 1 << 12);
  static constexpr int8_t bytes[] = {4, 2,  4, 1, 8, 0, 1, 2, 8, 1,
                                     8, 16, 8, 0, 0, 4, 2, 1, 2};
  std::vector<uint8_t> data(count * bytes[size_t(type)]);
  bool isWild = random() % 8 == 0;
  for (size_t i = 0; i < data.size(); ++i)
    data[i] = isWild ? random() % 256 : i % 4 ? 0 : random() % 4;
  return model.addConstant(shape, type, data, scale, zero);
}

Offset<void> RandomModel::makeOptions() {
  flatbuffers::FlatBufferBuilder &builder = model.builder;
  flatbuffers::uoffset_t start = builder.StartTable();
  for (flatbuffers::voffset_t field = 0; field < 9; ++field)
    if (random() % 8)
      builder.AddElement<int32_t>(flatbuffers::FieldIndexToOffset(field),
                                  random() % 32 ? int32_t(random() % 3)
                                                : pick({-1, 1 << 30, 77, 255}),
                                  12345);
  return Offset<void>(builder.EndTable(start));
}

std::string RandomModel::make() {
  BuiltinOperator code = pickOperator();
  BuiltinOptions kind = pickOptions(code);
  // Random numbers are no offsets of vectors.
  if (kind == BuiltinOptions::ReshapeOptions ||
      kind == BuiltinOptions::SqueezeOptions)
    kind = BuiltinOptions::NONE;
  Offset<void> options = kind == BuiltinOptions::NONE ? 0 : makeOptions();
  std::vector<int32_t> operands(1 + random() % 4), results;
  for (int32_t &operand : operands)
    operand = random() % 32 ? addOperand() : -1;
  for (unsigned i = 0, e = 1 + (random() % 4 == 0); i < e; ++i)
    results.push_back(model.addTensor(
        {}, ElementKind(random() % 2 ? 0 : pick({1, 2, 3, 4, 7, 9, 9, 9})), 0,
        random() % 2 ? std::vector<float>{pickScale()} : std::vector<float>(),
        {pick({0, -128})}));
  model.outputs = results;
  model.addOperator(code, operands, results, kind, options);
  return model.finish();
}

TEST_F(TFLiteHostileInputTest, RandomOperators) {
  unsigned numRight = 0;
  for (unsigned seed = 0; seed < 30000; ++seed) {
    SCOPED_TRACE(seed);
    options.rounding =
        seed % 2 ? TFLiteRounding::Float : TFLiteRounding::FixedPoint;
    numRight += importBytes(RandomModel(seed).make()) == ImportStatus::Success;
  }
  // Otherwise the test would not reach most of the rules.
  EXPECT_GT(numRight, 500u);
}
