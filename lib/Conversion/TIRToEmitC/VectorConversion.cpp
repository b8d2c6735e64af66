//===- VectorConversion.cpp - Vectors and versions in EmitC ---------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Uses vectors of the GNU extension, on which the operators of C work. Loads,
// stores and other operations are small functions of the prologue.
//
//===----------------------------------------------------------------------===//

#include "FunctionConverter.h"

using namespace mlir;
using namespace uma;

arith::MulFOp uma::getProduct(arith::AddFOp op) {
  // clang contracts the two to an FMA only within one expression.
  for (Value operand : op->getOperands())
    if (auto product = operand.getDefiningOp<arith::MulFOp>();
        product && product->hasOneUse() && isa<VectorType>(product.getType()))
      return product;
  return nullptr;
}

bool uma::isPartOfMulAdd(Operation *op) {
  if (!isa_and_nonnull<arith::MulFOp>(op) || !op->hasOneUse())
    return false;
  // In a sum of two products, only one is part of it.
  auto sum = dyn_cast<arith::AddFOp>(*op->user_begin());
  return sum && getProduct(sum) == op;
}

static StringRef getMulAdd(VectorType type) {
  return type.getElementType().isF64() ? "muladd_f64" : "muladd_f32";
}

LogicalResult FunctionConverter::convertMulAdd(arith::AddFOp op) {
  auto type = cast<VectorType>(op.getType());
  arith::MulFOp product = getProduct(op);
  if (failed(checkVector(op, type)))
    return failure();
  bool isFirst = op.getLhs().getDefiningOp() == product;
  SmallVector<Value> operands;
  for (Value operand : {product.getLhs(), product.getRhs(),
                        isFirst ? op.getRhs() : op.getLhs()})
    operands.push_back(lookup(operand));
  values.map(op.getResult(),
             scalars.call(context.prologue.requireVector(type, getMulAdd(type)),
                          convertScalarType(type), operands));
  return success();
}

/// Returns the product of a store `variable = x * y + variable` of vectors, or
/// null if the store has another form.
static arith::MulFOp getAccumulated(memref::StoreOp store) {
  auto add = store.getValueToStore().getDefiningOp<arith::AddFOp>();
  if (!add || !isa<VectorType>(add.getType()) || !add->hasOneUse() ||
      add->getBlock() != store->getBlock())
    return nullptr;
  arith::MulFOp product = getProduct(add);
  if (!product)
    return nullptr;
  Value other =
      add.getLhs().getDefiningOp() == product ? add.getRhs() : add.getLhs();
  auto load = other.getDefiningOp<memref::LoadOp>();
  // There must be no store to the variable between the load and the store.
  bool isSame = load && load->hasOneUse() &&
                load.getMemRef() == store.getMemRef() &&
                load->getNextNode() == add && add->getNextNode() == store;
  return isSame ? product : nullptr;
}

bool uma::isPartOfAccumulation(Operation *op) {
  if (!isa<memref::LoadOp, arith::AddFOp>(op) || !op->hasOneUse())
    return false;
  Operation *user = *op->user_begin();
  if (isa<memref::LoadOp>(op) && isa<arith::AddFOp>(user) && user->hasOneUse())
    user = *user->user_begin();
  auto store = dyn_cast<memref::StoreOp>(user);
  arith::MulFOp product = store ? getAccumulated(store) : nullptr;
  return product && product->getResult(0) != op->getResult(0);
}

bool FunctionConverter::convertAccumulation(memref::StoreOp op) {
  arith::MulFOp product = getAccumulated(op);
  if (!product)
    return false;
  auto type = cast<VectorType>(product.getType());
  std::string function = context.prologue.requireVector(type, getMulAdd(type));
  Value variable = lookup(op.getMemRef());
  verbatim(
      "{} = " + function + "({}, {}, {});",
      {variable, lookup(product.getLhs()), lookup(product.getRhs()), variable});
  return true;
}

/// Returns the prologue's function for a vector select of the form `x > y ? x :
/// y` or `x < y ? x : y`, and sets its operands `x` and `y`. Returns "" for
/// other operations.
static StringRef getMinMax(Operation *op, Value &x, Value &y) {
  auto select = dyn_cast<arith::SelectOp>(op);
  auto compare =
      select ? select.getCondition().getDefiningOp<arith::CmpFOp>() : nullptr;
  auto type = select ? dyn_cast<VectorType>(select.getType()) : VectorType();
  if (!compare || !type || !type.getElementType().isF32())
    return "";
  bool isGreater = compare.getPredicate() == arith::CmpFPredicate::OGT;
  if (!isGreater && compare.getPredicate() != arith::CmpFPredicate::OLT)
    return "";
  x = select.getTrueValue();
  y = select.getFalseValue();
  if (compare.getLhs() == x && compare.getRhs() == y)
    return isGreater ? "max_f32" : "min_f32";
  if (compare.getLhs() == y && compare.getRhs() == x)
    return isGreater ? "min_f32" : "max_f32";
  return "";
}

bool uma::isPartOfMinMax(Operation *op) {
  Value x, y;
  return isa<arith::CmpFOp>(op) && !op->use_empty() &&
         llvm::all_of(op->getUsers(), [&](Operation *user) {
           return !getMinMax(user, x, y).empty();
         });
}

bool FunctionConverter::convertMinMax(Operation *op) {
  Value x, y;
  StringRef function = getMinMax(op, x, y);
  if (function.empty())
    return false;
  auto type = cast<VectorType>(x.getType());
  values.map(op->getResult(0),
             scalars.call(context.prologue.requireVector(type, function),
                          convertScalarType(type), {lookup(x), lookup(y)}));
  return true;
}

LogicalResult FunctionConverter::checkVector(Operation *op, VectorType type) {
  if (convertScalarType(type))
    return success();
  return op->emitOpError("has a vector of type ")
         << type
         << "; C gets one-dimensional vectors of 2 to 64 f64, f32, f16, bf16, "
            "i8, i16 or i32";
}

LogicalResult FunctionConverter::convertBroadcast(vector::BroadcastOp op) {
  if (isa<VectorType>(op.getSourceType()))
    return op.emitOpError("of a vector has no counterpart in C");
  if (failed(checkVector(op, op.getResultVectorType())))
    return failure();
  VectorType type = op.getResultVectorType();
  if (auto load = op.getSource().getDefiningOp<memref::LoadOp>();
      load && load.getMemRef().getDefiningOp<tir::WordsOp>()) {
    (void)context.prologue.requireVector(type, "splat_i32");
    values.map(op.getResult(),
               scalars.call(context.prologue.requireVector(type, "splat_word"),
                            convertScalarType(type),
                            {lookup(load.getMemRef()),
                             lookup(load.getIndices().front())}));
    return success();
  }
  StringRef function = type.getElementType().isF32()   ? "splat_f32"
                       : type.getElementType().isF64() ? "splat_f64"
                                                       : "splat_i32";
  Value scalar = lookup(op.getSource());
  // Masks have all ones or all zeros in each lane.
  if (type.getElementType().isInteger(1)) {
    Type i32 = builder.getI32Type();
    Value ones = scalars.literal("-1", i32), zeros = scalars.literal("0", i32);
    scalar = scalars.select(scalar, ones, zeros);
  }
  values.map(op.getResult(),
             scalars.call(context.prologue.requireVector(type, function),
                          convertScalarType(type), scalar));
  return success();
}

LogicalResult FunctionConverter::convertExtract(vector::ExtractOp op) {
  VectorType type = op.getSourceVectorType();
  if (failed(checkVector(op, type)))
    return failure();
  ArrayRef<int64_t> position = op.getStaticPosition();
  if (op.hasDynamicPosition() || position.size() != 1 ||
      !type.getElementType().isF32())
    return op.emitOpError("has no counterpart in C, which takes elements of "
                          "f32 from places that are known");
  Value lane =
      scalars.literal(std::to_string(position.front()), builder.getI32Type());
  values.map(op.getResult(),
             scalars.call(context.prologue.requireVector(type, "lane_f32"),
                          type.getElementType(),
                          {lookup(op.getSource()), lane}));
  return success();
}

/// Returns the prologue's function that loads or stores vectors of `type`, e.g.
/// `load_f32`. Words are loaded from memory of narrower integers.
static std::string getAccess(StringRef name, Value buffer, VectorType type) {
  if (buffer.getDefiningOp<tir::WordsOp>())
    return (name + "_words").str();
  Type element = type.getElementType();
  if (element.isBF16())
    return (name + "_bf16").str();
  return (name + (isa<FloatType>(element) ? "_f" : "_i") +
          Twine(element.getIntOrFloatBitWidth()))
      .str();
}

LogicalResult FunctionConverter::convertVectorLoad(vector::LoadOp op) {
  VectorType type = op.getVectorType();
  if (failed(checkVector(op, type)))
    return failure();
  if (op.getIndices().size() != 1 || type.getElementType().isInteger(1))
    return op.emitOpError("loads from more than one dimension or vectors of "
                          "i1; run 'uma-tir-storage-flatten' first");
  std::string function = getAccess("load", op.getBase(), type);
  if (isUnsignedLoad(op))
    function.replace(function.rfind("_i"), 2, "_u");
  Value vector = scalars.call(
      context.prologue.requireVector(type, function), convertScalarType(type),
      {lookup(op.getBase()), lookup(op.getIndices().front())});
  values.map(op.getResult(), vector);
  return success();
}

LogicalResult FunctionConverter::convertVectorStore(vector::StoreOp op) {
  VectorType type = op.getVectorType();
  if (failed(checkVector(op, type)))
    return failure();
  if (op.getIndices().size() != 1 || type.getElementType().isInteger(1))
    return op.emitOpError("stores to more than one dimension or vectors of "
                          "i1; run 'uma-tir-storage-flatten' first");
  Value vector = lookup(op.getValueToStore());
  emitc::CallOpaqueOp::create(
      builder, op.getLoc(), TypeRange(),
      context.prologue.requireVector(type,
                                     getAccess("store", op.getBase(), type)),
      ValueRange{lookup(op.getBase()), lookup(op.getIndices().front()),
                 vector});
  return success();
}

LogicalResult FunctionConverter::convertShuffle(vector::ShuffleOp op) {
  VectorType type = op.getResultVectorType();
  if (failed(checkVector(op, type)))
    return failure();
  if (op.getV1VectorType() != type || op.getV2VectorType() != type ||
      !type.getElementType().isF32() || llvm::is_contained(op.getMask(), -1))
    return op.emitOpError("has no counterpart in C, which permutes all lanes "
                          "of two vectors of f32 as long as the result");
  (void)context.prologue.requireVector(type, "shuffle");
  Type i32 = builder.getI32Type();
  std::string row = "uma_i32x" + std::to_string(type.getNumElements());
  SmallVector<Value> operands = {scalars.literal(row, i32), lookup(op.getV1()),
                                 lookup(op.getV2())};
  for (int64_t lane : op.getMask())
    operands.push_back(scalars.literal(std::to_string(lane), i32));
  values.map(op.getResult(),
             scalars.call("UMA_SHUFFLE", convertScalarType(type), operands));
  return success();
}

LogicalResult FunctionConverter::convertReduction(vector::ReductionOp op) {
  VectorType type = op.getSourceVectorType();
  if (failed(checkVector(op, type)))
    return failure();
  StringRef function;
  switch (op.getKind()) {
  case vector::CombiningKind::ADD:
    function = "sum";
    break;
  case vector::CombiningKind::MUL:
    function = "product";
    break;
  case vector::CombiningKind::MAXIMUMF:
    function = "largest";
    break;
  case vector::CombiningKind::MINIMUMF:
    function = "smallest";
    break;
  default:
    break;
  }
  Type element = type.getElementType();
  bool isSum = function == "sum" && element.isSignlessInteger(32);
  if (function.empty() || op.getAcc() || (!element.isF32() && !isSum))
    return op.emitOpError("has no counterpart in C, which has the kinds add, "
                          "mul, maximumf and minimumf, on f32, and add on i32, "
                          "without an accumulator");
  values.map(
      op.getDest(),
      scalars.call(context.prologue.requireReduction(
                       function, isSum ? "i32" : "f32", type.getNumElements()),
                   type.getElementType(), lookup(op.getVector())));
  return success();
}

static std::string getCondition(StringAttr guard) {
  return guard.empty() ? "" : (" && defined(" + guard.getValue() + ")").str();
}

/// Returns the arguments of a function that other versions read, but not
/// `version`. C compilers warn about parameters without a use.
static SmallVector<BlockArgument> getUnusedArguments(tir::MultiversionOp op,
                                                     Region &version) {
  auto function = op->getParentOfType<tir::FuncOp>();
  return llvm::to_vector(llvm::make_filter_range(
      function.getArguments(), [&](BlockArgument argument) {
        bool isForOthers = false;
        for (Operation *user : argument.getUsers()) {
          auto around = user->getParentOfType<tir::MultiversionOp>();
          if (!around || version.isAncestor(user->getParentRegion()))
            return false;
          isForOthers |= around == op;
        }
        return isForOthers;
      }));
}

LogicalResult FunctionConverter::convertMultiversion(tir::MultiversionOp op) {
  context.prologue.requireLanes();
  unsigned numVersions = op.getVersions().size();
  for (auto [index, version] : llvm::enumerate(op.getVersions())) {
    if (index + 1 < numVersions)
      verbatim(Twine(index == 0 ? "#if" : "#elif") +
               " UMA_LANES >= " + Twine(op.getLanes()[index]) +
               getCondition(cast<StringAttr>(op.getGuards()[index])));
    else if (numVersions > 1)
      verbatim("#else");
    for (Value argument : getUnusedArguments(op, version))
      verbatim("(void){};", lookup(argument));
    if (failed(convertBlock(version.front())))
      return failure();
  }
  if (numVersions > 1)
    verbatim("#endif");
  return success();
}
