//===- GraphBase.td - Base classes of the graph family -*- tablegen -*-===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_GRAPH_IR_GRAPHBASE_TD
#define UMA_GRAPH_IR_GRAPHBASE_TD

include "mlir/IR/OpAsmInterface.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "uma/Graph/IR/GraphInterfaces.td"
include "uma/IR/UMADialect.td"

def Graph_DocGroup : OpDocGroup {
  let summary = "uma.graph: operators on tensors";
  let description = [{
    Represents a neural network before it is lowered: one operator per layer, on ranked tensors of static shape, with
    value semantics. Operators are named as in Relay, without the prefix `nn.`; the patterns of a
    [description](../description-language.md) use the same names. An attribute that is left out has the default given
    here, in patterns too.

    Operators with one result infer its type from their operands and attributes. The text contains the type as well,
    and the verifier compares the two.
  }];
}

class Graph_Op<string name, list<Trait> traits = []>
    : Op<UMA_Dialect, "graph." # name, !listconcat(traits, [GraphFamily])> {
  let cppNamespace = "::uma::graph";
  let opDocGroup = Graph_DocGroup;
}

/// An operator that can be computed slice by slice.
def Graph_Sliceable : DeclareOpInterfaceMethods<SliceableOpInterface>;

/// Tensors of the graph family have a static shape: every buffer of the emitted
/// C has a size known at compile time.
/// Quantized elements are accepted by the operators that say so in their description.
def Graph_Quantized : Type<CPred<"::uma::isQuantized($_self)">, "quantized">;
def Graph_Tensor : StaticShapeTensorOf<[AnyFloat, AnyInteger, Graph_Quantized]>;

/// Attribute that may be left out; the generated documentation states its default.
class Graph_Default<Attr attr, string value> : DefaultValuedAttr<attr, value> {
  let summary = attr.summary # ", " # !subst("{", "[", !subst("}", "]", value)) # " when left out";
}
class Graph_DefaultStr<string value> : DefaultValuedStrAttr<StrAttr, value> {
  let summary = StrAttr.summary # ", `" # value # "` when left out";
}

/// A pure operator with one result whose type follows from its operands and
/// attributes. An operation provides only
///   FailureOr<RankedTensorType> X::inferType(EmitErrorFn, X::Adaptor)
/// Its messages name the operand, what was found and what was expected. The verifier, the builders and the importer's
/// shape inference share it.
class Graph_InferredOp<string name, list<Trait> traits = []>
    : Graph_Op<name, !listconcat(traits, [Pure,
        DeclareOpInterfaceMethods<InferTypeOpInterface>])> {
  let results = (outs Graph_Tensor:$result);
  let hasVerifier = 1;
  code inferDeclaration = [{
    static ::mlir::FailureOr<::mlir::RankedTensorType> inferType(
        ::uma::graph::EmitErrorFn emitError, Adaptor adaptor);
  }];
  let extraClassDeclaration = inferDeclaration;
  code verifyDefinition = [{
    ::llvm::LogicalResult $cppClass::verify() {
      return ::uma::graph::detail::verifyInferredType<$cppClass>(*this);
    }
    ::llvm::LogicalResult $cppClass::inferReturnTypes(
        ::mlir::MLIRContext *context, ::std::optional<::mlir::Location> location,
        ::mlir::ValueRange operands, ::mlir::DictionaryAttr attributes,
        ::mlir::OpaqueProperties properties, ::mlir::RegionRange regions,
        ::llvm::SmallVectorImpl<::mlir::Type> &inferredReturnTypes) {
      return ::uma::graph::detail::inferReturnType<$cppClass>(
          context, location,
          Adaptor(operands, attributes, properties, regions),
          inferredReturnTypes);
    }
  }];
  let extraClassDefinition = verifyDefinition;
}

#endif // UMA_GRAPH_IR_GRAPHBASE_TD
