//===- ToC.cpp - Print EmitC modules as C ---------------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/Target/C/ToC.h"

#include "uma/Conversion/TIRToEmitC/CText.h"
#include "uma/IR/DeviceAttributes.h"
#include "uma/IR/LayerAttributes.h"
#include "uma/IR/UMADialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/EmitC/IR/EmitC.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Target/Cpp/CppEmitter.h"
#include "mlir/Tools/mlir-translate/Translation.h"

using namespace mlir;
using namespace uma;

/// Returns the C literal of one element.
static std::string getElementLiteral(const HostTensor &tensor, int64_t index) {
  Type type = tensor.getElementType();
  if (type.isF64())
    return toCLiteral(APFloat(tensor.getDouble(index)));
  if (type.isF32())
    return toCLiteral(APFloat(static_cast<float>(tensor.getDouble(index))));
  unsigned width = type.getIntOrFloatBitWidth();
  return toCLiteral(APInt(width, tensor.getInt(index), /*isSigned=*/true,
                          /*implicitTrunc=*/true),
                    !type.isUnsignedInteger());
}

void uma::printInitializer(const HostTensor &tensor, raw_ostream &os) {
  os << '{';
  int64_t count = tensor.getNumElements();
  // Lines of about 80 characters.
  int64_t perLine =
      tensor.getElementType().getIntOrFloatBitWidth() <= 8 ? 16 : 8;
  for (int64_t i = 0; i < count; ++i) {
    os << (i % perLine == 0 ? "\n  " : " ") << getElementLiteral(tensor, i);
    if (i + 1 < count)
      os << ',';
  }
  os << "\n}";
}

static LogicalResult printGlobal(emitc::GlobalOp global, raw_ostream &os,
                                 GlobalsAs globals) {
  auto type = dyn_cast<emitc::ArrayType>(global.getType());
  auto value = dyn_cast_or_null<ElementsAttr>(global.getInitialValueAttr());
  if (!type || !value)
    return emitc::translateToCpp(global, os);
  FailureOr<HostTensor> tensor = HostTensor::fromAttribute(value);
  if (failed(tensor))
    return global.emitOpError("has a value that cannot be read; a "
                              "dense_resource must be in the same file");
  auto alignment = global->getAttrOfType<IntegerAttr>(kAlignmentAttrName);
  if (alignment && globals == GlobalsAs::Definitions)
    os << "#if defined(__GNUC__)\n__attribute__((aligned(" << alignment.getInt()
       << ")))\n#endif\n";
  os << (globals == GlobalsAs::Definitions ? "static" : "extern") << " const "
     << getCTypeName(type.getElementType()) << ' ' << global.getSymName() << '['
     << tensor->getNumElements() << ']';
  if (globals == GlobalsAs::Definitions) {
    os << " = ";
    printInitializer(*tensor, os);
  }
  os << ";\n";
  return success();
}

static LogicalResult printOp(Operation &op, raw_ostream &os,
                             GlobalsAs globals) {
  if (op.getName().getDialectNamespace() != "emitc")
    return op.emitOpError("is not EmitC; run 'uma-opt --uma-emit-c' first");
  auto global = dyn_cast<emitc::GlobalOp>(op);
  if (!global)
    return emitc::translateToCpp(&op, os);
  // Constants of an image have no names in C.
  if (global->hasAttr(kImageOffsetAttrName))
    return success();
  if (!isa_and_nonnull<emitc::GlobalOp>(op.getPrevNode()))
    os << '\n';
  return printGlobal(global, os, globals);
}

LogicalResult uma::printC(ModuleOp module, raw_ostream &os, GlobalsAs globals) {
  for (Operation &op : *module.getBody())
    if (failed(printOp(op, os, globals)))
      return failure();
  return success();
}

/// Makes a `static` function extern. Returns false if it is extern already.
static bool makeExtern(emitc::FuncOp function) {
  ArrayAttr specifiers = function.getSpecifiersAttr();
  auto isStatic = [](Attribute specifier) {
    return cast<StringAttr>(specifier) == "static";
  };
  if (!specifiers || llvm::none_of(specifiers, isStatic))
    return false;
  SmallVector<Attribute> kept(specifiers.getValue());
  llvm::erase_if(kept, isStatic);
  function.setSpecifiersAttr(
      kept.empty() ? nullptr : ArrayAttr::get(function.getContext(), kept));
  return true;
}

static LogicalResult printDeclaration(emitc::FuncOp function, raw_ostream &os) {
  OpBuilder builder(function);
  auto declaration = emitc::DeclareFuncOp::create(builder, function.getLoc(),
                                                  function.getSymName());
  LogicalResult printed = emitc::translateToCpp(declaration, os);
  declaration.erase();
  return printed;
}

FailureOr<CParts> uma::printParts(ModuleOp module, GlobalsAs globals) {
  CParts parts;
  bool isInFunction = false;
  for (Operation &op : *module.getBody()) {
    auto function = dyn_cast<emitc::FuncOp>(op);
    bool isOfFunction = function || op.hasAttr(kFunctionTextAttrName);
    if (isOfFunction && !isInFunction)
      parts.functions.emplace_back();
    isInFunction = isOfFunction && !function;
    if (function && makeExtern(function)) {
      llvm::raw_string_ostream os(parts.functions.back().declaration);
      if (failed(printDeclaration(function, os)))
        return failure();
    }
    llvm::raw_string_ostream os(isOfFunction ? parts.functions.back().text
                                             : parts.head);
    if (failed(printOp(op, os, globals)))
      return failure();
  }
  return parts;
}

void uma::registerToCTranslation() {
  static TranslateFromMLIRRegistration registration(
      "uma-to-c", "print the EmitC that uma-opt --uma-emit-c makes as C99",
      [](Operation *op, raw_ostream &os) -> LogicalResult {
        auto module = dyn_cast<ModuleOp>(op);
        if (!module)
          return op->emitOpError("is not a module");
        // Print nothing if the module is not printable.
        std::string text;
        llvm::raw_string_ostream stream(text);
        if (failed(printC(module, stream)))
          return failure();
        os << text;
        return success();
      },
      [](DialectRegistry &registry) {
        // Also register the dialects of earlier stages, so that such modules
        // parse and the error names the stage.
        registry
            .insert<emitc::EmitCDialect, UMADialect, arith::ArithDialect,
                    func::FuncDialect, math::MathDialect, memref::MemRefDialect,
                    scf::SCFDialect, vector::VectorDialect>();
      });
}
