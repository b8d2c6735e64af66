//===- SampleSpace.cpp - Variables of a pattern's layers ------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The candidates cover more values than descriptions suggest, since only those
// reveal a missing `require`. Building the layer filters out values that an
// operator rejects.
//
//===----------------------------------------------------------------------===//

#include "uma/Accel/Sampling/Sampling.h"

#include "SampleQuantization.h"
#include "SampleValues.h"

#include "uma/Accel/IR/GraphOperators.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"

#include <numeric>
#include <random>

using namespace mlir;
using namespace uma;
using namespace uma::accel;
using Kind = SampleVariable::Kind;

/// Largest number in conditions that becomes a candidate; the search finds
/// larger ones.
static constexpr int64_t kMaxConstant = 4096;

/// Candidate values of string attributes. Operators reject all others.
static constexpr llvm::StringLiteral kWords[] = {
    "NCHW",     "NHWC",     "NCDHW",   "NDHWC",   "OIHW",    "OHWI",
    "HWIO",     "OIDHW",    "ODHWI",   "DHWIO",   "linear",  "cubic",
    "nearest",  "bilinear", "bicubic", "zeros",   "border",  "reflection",
    "edge",     "reflect",  "wrap",    "none",    "add",     "mul",
    "min",      "max",      "avg",     "forward", "reverse", "bidirectional",
    "constant", "float",    "tflite"};

namespace {
/// Builder that collects the variables of one pattern.
class SpaceBuilder {
public:
  explicit SpaceBuilder(SampleSpace &space)
      : space(space), pattern(space.pattern), builder(pattern.getContext()) {}
  void build();

private:
  SampleVariable &add(Kind kind, Operation *op, bool isFixed,
                      unsigned index = 0);
  void addElementType(InputOp input);
  void addQuantization(Operation *op);
  void addShape(InputOp input);
  void addConstant(InputOp input);
  void addOperator(OperatorOp opOp);
  void addFixed(SampleVariable &variable, RegisteredOperationName name,
                Attribute said);
  void addConstants(SampleVariable &variable);
  void addIntegers(SampleVariable &variable, ArrayRef<int64_t> values,
                   Type type);
  bool allows(RegisteredOperationName name, StringAttr attribute,
              Attribute value);
  bool isRequired(OperatorOp opOp, RegisteredOperationName name,
                  StringAttr attribute);
  SmallVector<Attribute> getValues(RegisteredOperationName name,
                                   StringAttr attribute, Attribute byDefault);

  SampleSpace &space;
  PatternOp pattern;
  Builder builder;
  /// Number of shapes and attributes that use each dim.
  llvm::DenseMap<Operation *, unsigned> numUses;
  /// Dims used in shapes of inputs.
  llvm::DenseSet<Operation *> sizes;
  /// Dims that stand for leading sizes.
  llvm::DenseSet<Operation *> packs;
};
} // namespace

bool uma::accel::isSize(const SampleVariable &variable) {
  if (variable.kind == Kind::Size)
    return !variable.isFixed;
  return variable.kind == Kind::Dim &&
         llvm::any_of(variable.op->getUsers(), llvm::IsaPred<InputOp>);
}

SmallVector<Type> uma::accel::getSampledTypes(MLIRContext *context) {
  Builder builder(context);
  return {builder.getF32Type(),  builder.getI32Type(),
          builder.getI8Type(),   builder.getF16Type(),
          builder.getF64Type(),  builder.getI64Type(),
          builder.getBF16Type(), builder.getIntegerType(8, /*isSigned=*/false),
          builder.getI16Type(),  builder.getI1Type()};
}

SampleVariable &SpaceBuilder::add(Kind kind, Operation *op, bool isFixed,
                                  unsigned index) {
  SampleVariable &variable = space.variables.emplace_back();
  variable.kind = kind;
  variable.op = op;
  variable.index = index;
  variable.isFixed = isFixed;
  return variable;
}

void SpaceBuilder::addIntegers(SampleVariable &variable,
                               ArrayRef<int64_t> values, Type type) {
  for (int64_t value : values)
    if (Attribute attribute = IntegerAttr::get(type, value);
        !llvm::is_contained(variable.candidates, attribute))
      variable.candidates.push_back(attribute);
}

/// Adds the constants in conditions, costs and splits that use the variable's
/// dim, and their neighbours. A dim that stands for several sizes gets each of
/// them as one size.
void SpaceBuilder::addConstants(SampleVariable &variable) {
  auto addSizes = [&](ArrayRef<int64_t> sizes, Type type) {
    if (variable.kind != Kind::Shape)
      return addIntegers(variable, sizes, type);
    for (int64_t size : sizes)
      if (Attribute shape = builder.getDenseI64ArrayAttr({size});
          !llvm::is_contained(variable.candidates, shape))
        variable.candidates.push_back(shape);
  };
  auto addFrom = [&](Value value) {
    SmallVector<Operation *> ops = getComputation(value);
    if (!llvm::is_contained(ops, variable.op))
      return;
    for (Operation *op : ops) {
      Attribute number;
      if (auto constant = dyn_cast<arith::ConstantOp>(op))
        number = constant.getValue();
      else if (auto read = dyn_cast<TargetAttributeOp>(op))
        number = op->getParentOfType<AcceleratorOp>()
                     .getAttribute(read.getName())
                     .getValue();
      auto integer = dyn_cast_or_null<IntegerAttr>(number);
      if (!integer || integer.getValue().getBitWidth() == 1)
        continue;
      int64_t c = integer.getInt();
      if (c > 0 && c <= kMaxConstant)
        addSizes({c, c + 1, std::max<int64_t>(c - 1, 1), 2 * c},
                 variable.op->getResult(0).getType());
    }
  };
  for (RequireOp require : pattern.getBody().getOps<RequireOp>())
    addFrom(require.getCondition());
  for (CostOp cost : pattern.getBody().getOps<CostOp>())
    for (Value value : cost->getOperands())
      addFrom(value);
  for (SplitOp split : pattern.getBody().getOps<SplitOp>()) {
    auto limit = static_cast<int64_t>(split.getLimit());
    if (split.getDim().getDefiningOp() == variable.op && limit <= kMaxConstant)
      addSizes({limit, limit + 1, 2 * limit}, split.getDim().getType());
  }
}

void SpaceBuilder::addElementType(InputOp input) {
  std::optional<ArrayAttr> written = input.getElementTypes();
  bool isOneType = written && written->size() == 1;
  SampleVariable &type = add(Kind::ElementType, input, isOneType);
  if (isOneType)
    type.candidates.push_back(Attribute());
  if (written && !isOneType)
    llvm::append_range(type.candidates, *written);
  else
    for (Type candidate : getSampledTypes(input.getContext()))
      if (!isOneType || TypeAttr::get(candidate) != (*written)[0])
        type.candidates.push_back(TypeAttr::get(candidate));
}

void SpaceBuilder::addQuantization(Operation *op) {
  if (usesQuantization(pattern))
    add(Kind::Quantization, op, /*isFixed=*/false).candidates =
        getQuantizations(op);
}

void SpaceBuilder::addConstant(InputOp input) {
  SampleVariable &constant =
      add(Kind::Constant, input, /*isFixed=*/input.getConstant());
  if (input.getConstant())
    constant.candidates = {Attribute(), builder.getBoolAttr(false)};
  else
    constant.candidates = {builder.getBoolAttr(false),
                           builder.getBoolAttr(true)};
}

void SpaceBuilder::addShape(InputOp input) {
  if (input.getAnyShape()) {
    SampleVariable &shape = add(Kind::Shape, input, /*isFixed=*/false);
    std::mt19937_64 random(1);
    for (unsigned count = 0; count < 48; ++count) {
      SmallVector<int64_t> sizes(count % 5);
      for (int64_t &size : sizes)
        size = int64_t(random() % 7) + 1;
      shape.candidates.push_back(builder.getDenseI64ArrayAttr(sizes));
    }
    return;
  }
  SampleVariable &rank = add(Kind::Rank, input, /*isFixed=*/true);
  rank.candidates.push_back(Attribute());
  addIntegers(rank, {1, -1}, builder.getI64Type());
  for (auto [index, size] : llvm::enumerate(input.getSizes())) {
    if (size.isPack)
      continue;
    if (!size.dim && size.size == 0) {
      SampleVariable &any = add(Kind::Size, input, /*isFixed=*/false, index);
      addIntegers(any, {1, 2, 3, 4, 5, 6, 7}, builder.getI64Type());
      continue;
    }
    if (size.dim && numUses.lookup(size.dim.getDefiningOp()) < 2)
      continue;
    // Offset from the size in the pattern.
    SampleVariable &said = add(Kind::Size, input, /*isFixed=*/true, index);
    said.candidates.push_back(Attribute());
    addIntegers(said, {1, -1}, builder.getI64Type());
  }
}

bool SpaceBuilder::allows(RegisteredOperationName name, StringAttr attribute,
                          Attribute value) {
  NamedAttrList attributes;
  attributes.append(attribute, value);
  return succeeded(name.verifyInherentAttrs(attributes, [&] {
    return emitError(UnknownLoc::get(pattern.getContext()));
  }));
}

/// Returns candidate values of the attribute that the operator allows.
SmallVector<Attribute> SpaceBuilder::getValues(RegisteredOperationName name,
                                               StringAttr attribute,
                                               Attribute byDefault) {
  SmallVector<Attribute> values;
  auto addIfAllowed = [&](Attribute value) {
    if (value != byDefault && allows(name, attribute, value))
      values.push_back(value);
  };
  if (allows(name, attribute, builder.getI64IntegerAttr(1)))
    for (int64_t value : {1, 2, 3, 0, -1, 4})
      addIfAllowed(builder.getI64IntegerAttr(value));
  else if (allows(name, attribute, builder.getF64FloatAttr(1)))
    for (double value : {0.5, 2.0, 1.0, 6.0, -1.0, 0.1})
      addIfAllowed(builder.getF64FloatAttr(value));
  else if (allows(name, attribute, builder.getBoolAttr(true)))
    for (bool value : {true, false})
      addIfAllowed(builder.getBoolAttr(value));
  else if (allows(name, attribute, builder.getUnitAttr()))
    values.push_back(builder.getUnitAttr());
  else if (allows(name, attribute, builder.getStringAttr("NCHW")))
    for (StringRef word : kWords)
      addIfAllowed(builder.getStringAttr(word));
  else if (allows(name, attribute, TypeAttr::get(builder.getF32Type())))
    for (Type type : getSampledTypes(pattern.getContext()))
      addIfAllowed(TypeAttr::get(type));
  else if (allows(name, attribute, builder.getDenseI64ArrayAttr({1, 1}))) {
    std::mt19937_64 random(2);
    auto list = dyn_cast_or_null<DenseI64ArrayAttr>(byDefault);
    for (unsigned count = 0; count < 32; ++count) {
      SmallVector<int64_t> numbers(list && !list.empty() ? list.size()
                                                         : count % 4 + 1);
      for (int64_t &number : numbers)
        number = int64_t(random() % 4);
      // Permutations of dimensions are lists, too.
      if (count % 3 == 0) {
        std::iota(numbers.begin(), numbers.end(), 0);
        std::shuffle(numbers.begin(), numbers.end(), random);
      }
      Attribute value = builder.getDenseI64ArrayAttr(numbers);
      if (!llvm::is_contained(values, value))
        addIfAllowed(value);
    }
  }
  return values;
}

/// Returns whether the attribute is mandatory, so that type inference may read
/// it.
bool SpaceBuilder::isRequired(OperatorOp opOp, RegisteredOperationName name,
                              StringAttr attribute) {
  std::string message;
  ScopedDiagnosticHandler catcher(pattern.getContext(),
                                  [&](Diagnostic &diagnostic) {
                                    message += diagnostic.str();
                                    return success();
                                  });
  Type type = RankedTensorType::get({1}, builder.getF32Type());
  Block operands;
  for (size_t i = 0; i < opOp.getOperands_().size(); ++i)
    operands.addArgument(type, opOp.getLoc());
  OperationState state(opOp.getLoc(), name);
  state.addOperands(operands.getArguments());
  state.addTypes(type);
  for (StringAttr other : name.getAttributeNames())
    if (other != attribute)
      if (auto values = getValues(name, other, Attribute()); !values.empty())
        state.addAttribute(other, values.front());
  Operation *lacking = Operation::create(state);
  llvm::scope_exit destroy([&] { lacking->destroy(); });
  message.clear();
  (void)name.verifyInvariants(lacking);
  return StringRef(message).contains(
      ("requires attribute '" + attribute.getValue() + "'").str());
}

/// Adds values that differ from the pattern's: list elements by one, other
/// attributes by any value that the operator allows.
void SpaceBuilder::addFixed(SampleVariable &variable,
                            RegisteredOperationName name, Attribute said) {
  variable.candidates.push_back(Attribute());
  SmallVector<Attribute> elements;
  if (auto array = dyn_cast_or_null<ArrayAttr>(said))
    llvm::append_range(elements, array);
  else if (auto dense = dyn_cast_or_null<DenseI64ArrayAttr>(said))
    for (int64_t element : dense.asArrayRef())
      elements.push_back(builder.getI64IntegerAttr(element));
  else if (isa_and_nonnull<StringAttr>(said) &&
           cast<StringAttr>(said) == kSameValue)
    // Change any of up to six pads: two for each of three dimensions.
    elements.assign(6, builder.getI64IntegerAttr(0));
  for (auto [index, element] : llvm::enumerate(elements)) {
    // A dim used once matches any value.
    if (auto dimName = dyn_cast<FlatSymbolRefAttr>(element))
      if (numUses.lookup(pattern.getDim(dimName.getValue())) < 2)
        continue;
    for (int64_t delta : {1, -1})
      variable.candidates.push_back(
          makeChange(pattern.getContext(), index, delta));
  }
  if (elements.empty() && !isa_and_nonnull<FlatSymbolRefAttr>(said))
    for (Attribute value : getValues(name, variable.attribute, said))
      if (value != said)
        variable.candidates.push_back(value);
}

void SpaceBuilder::addOperator(OperatorOp opOp) {
  auto name = RegisteredOperationName::lookup(
      ("uma.graph." + opOp.getKind()).str(), opOp.getContext());
  if (!name)
    return;
  OperationState state(opOp.getLoc(), *name);
  Operation *fresh = Operation::create(state);
  llvm::scope_exit destroyFresh([&] { fresh->destroy(); });
  DictionaryAttr written = opOp.getMatchedAttributesAttr();
  for (StringAttr attribute : name->getAttributeNames()) {
    Attribute byDefault =
        fresh->getInherentAttr(attribute).value_or(Attribute());
    Attribute said = written ? written.get(attribute) : Attribute();
    auto word = dyn_cast_or_null<StringAttr>(said);
    bool isAny = word && (word == kAnyValue || word == kOutsideValue);
    SampleVariable &variable = add(Kind::Attribute, opOp, /*isFixed=*/!isAny);
    variable.attribute = attribute;
    if (!isAny) {
      addFixed(variable, *name, said ? said : byDefault);
      continue;
    }
    if (byDefault || !isRequired(opOp, *name, attribute))
      variable.candidates.push_back(Attribute());
    llvm::append_range(variable.candidates,
                       getValues(*name, attribute, byDefault));
  }
}

void SpaceBuilder::build() {
  // Ignore the errors that operations emit for candidates.
  ScopedDiagnosticHandler silent(pattern.getContext(),
                                 [](Diagnostic &) { return success(); });
  for (InputOp input : pattern.getBody().getOps<InputOp>())
    for (const WrittenSize &size : input.getSizes())
      if (size.dim) {
        ++numUses[size.dim.getDefiningOp()];
        (size.isPack ? packs : sizes).insert(size.dim.getDefiningOp());
      }
  for (OperatorOp opOp : pattern.getBody().getOps<OperatorOp>())
    if (DictionaryAttr attributes = opOp.getMatchedAttributesAttr())
      attributes.walk([&](FlatSymbolRefAttr name) {
        if (DimOp dim = pattern.getDim(name.getValue()))
          ++numUses[dim];
      });

  SmallVector<Value> outputs = pattern.getOutputs();
  for (Operation &op : pattern.getBody().front()) {
    if (auto choice = dyn_cast<ChoiceOp>(op)) {
      SampleVariable &way = add(Kind::Way, choice, /*isFixed=*/false);
      unsigned numWays =
          choice.getAlternatives().size() + (choice.getOtherwise() ? 1 : 0);
      for (unsigned i = 0; i < numWays; ++i)
        addIntegers(way, i, builder.getI64Type());
    } else if (auto dim = dyn_cast<DimOp>(op)) {
      // Skip dims of results only, which inputs and attributes determine.
      if (numUses.lookup(dim) == 0)
        continue;
      if (packs.contains(dim)) {
        SampleVariable &shape = add(Kind::Shape, dim, /*isFixed=*/false);
        const SmallVector<int64_t> packs[] = {{3}, {2, 3}, {},
                                              {1}, {5},    {2, 1, 3}};
        for (ArrayRef<int64_t> sizes : packs)
          shape.candidates.push_back(builder.getDenseI64ArrayAttr(sizes));
        addConstants(shape);
        continue;
      }
      SampleVariable &number = add(Kind::Dim, dim, /*isFixed=*/false);
      Type type = dim.getType();
      if (ArrayRef<int64_t> bounds = getBounds(dim); !bounds.empty())
        addIntegers(number, bounds, type);
      else if (type.isF64())
        for (double value : {1.0, 0.5, 6.0, 2.0, -1.0, 0.1})
          number.candidates.push_back(builder.getF64FloatAttr(value));
      else if (type.isInteger(1))
        number.candidates = {builder.getBoolAttr(false),
                             builder.getBoolAttr(true)};
      else if (sizes.contains(dim))
        addIntegers(number, {1, 2, 3, 4, 5, 6, 7, 8, 9}, type);
      else
        addIntegers(number, {1, 2, 3, 0, 4, -1}, type);
      if (type.isIndex())
        addConstants(number);
    } else if (auto input = dyn_cast<InputOp>(op)) {
      addElementType(input);
      addQuantization(input);
      addShape(input);
      addConstant(input);
    } else if (auto splat = dyn_cast<SplatOp>(op)) {
      SampleVariable &number = add(Kind::Number, splat, /*isFixed=*/true);
      number.candidates = {
          Attribute(),
          builder.getF64FloatAttr(splat.getValue().convertToDouble() + 1)};
      SampleVariable &shape = add(Kind::Shape, splat, /*isFixed=*/false);
      shape.candidates = {builder.getDenseI64ArrayAttr({}),
                          builder.getDenseI64ArrayAttr({1})};
    } else if (auto opOp = dyn_cast<OperatorOp>(op)) {
      addOperator(opOp);
      if (hasChosenQuantization(opOp))
        addQuantization(opOp);
      Value result = opOp.getResult();
      if (llvm::is_contained(outputs, result) ||
          llvm::any_of(result.getUsers(), [&](Operation *user) {
            auto choice = dyn_cast<ChoiceOp>(user);
            return choice &&
                   llvm::is_contained(choice.getAlternatives(), result);
          }))
        continue;
      SampleVariable &use = add(Kind::ExtraUse, opOp, /*isFixed=*/true);
      use.candidates = {Attribute(), builder.getBoolAttr(true)};
    }
  }
}

SampleSpace::SampleSpace(PatternOp pattern) : pattern(pattern) {
  SpaceBuilder(*this).build();
}

int SampleSpace::find(Kind kind, Operation *op, unsigned index) const {
  for (auto [position, variable] : llvm::enumerate(variables))
    if (variable.kind == kind && variable.op == op && variable.index == index)
      return position;
  return -1;
}
