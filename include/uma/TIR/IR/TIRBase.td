//===- TIRBase.td - Base classes of the tir family -*- tablegen -*-===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_TIR_IR_TIRBASE_TD
#define UMA_TIR_IR_TIRBASE_TD

include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/FunctionInterfaces.td"
include "mlir/Interfaces/LoopLikeInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Interfaces/ViewLikeInterface.td"
include "uma/IR/UMADialect.td"

def TIR_DocGroup : OpDocGroup {
  let summary = "uma.tir: loops, blocks, buffers and extern calls";
  let description = [{
    The network as functions on buffers, modelled on TVM's TensorIR. TIR has two forms. *Schedulable* TIR has
    `uma.tir.block`s, which declare what a loop nest computes, so that schedules can transform it safely. *Plain* TIR,
    from which C is emitted, has loops, one-dimensional buffers and scalars only. In both, loads, stores, arithmetic
    and conditions are upstream's `memref`, `arith`, `math` and `scf`.
  }];
}

class TIR_Op<string name, list<Trait> traits = []>
    : Op<UMA_Dialect, "tir." # name, !listconcat(traits, [TIRFamily])> {
  let cppNamespace = "::uma::tir";
  let opDocGroup = TIR_DocGroup;
}

/// Buffers have a static shape and the identity layout.
def TIR_Buffer : StaticShapeMemRefOf<[AnyFloat, AnySignlessInteger]>;
/// Local variables may hold vectors, too.
def TIR_AllocatedBuffer : StaticShapeMemRefOf<[AnyFloat, AnySignlessInteger, AnyFixedVectorOfAnyRank]>;
/// A word of 32 bits, or a vector of words.
def TIR_Words : AnyTypeOf<[I32, FixedVectorOfRankAndType<[1], [I32]>]>;
def TIR_WordSums : AnyTypeOf<[I32, F32, FixedVectorOfRankAndType<[1], [I32, F32]>]>;
/// Argument of a function or call.
def TIR_Argument : AnyTypeOf<[TIR_Buffer, AnySignlessInteger, AnyFloat, Index]>;

// Enumerations are stored as builtin integers: attributes of the `uma` dialect
// would need a parser that knows every family.
class TIR_Enum<string name, string summary, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::uma::tir";
}

def TIR_ForKind : TIR_Enum<"ForKind", "how a loop runs (tvm::tir::ForKind)", [
    I32EnumAttrCase<"Serial", 0, "serial">,
    I32EnumAttrCase<"Parallel", 1, "parallel">,
    I32EnumAttrCase<"Vectorized", 2, "vectorized">,
    I32EnumAttrCase<"Unrolled", 3, "unrolled">]>;

def TIR_IterKind : TIR_Enum<"IterKind", "the kind of a block's iteration variable (tvm::tir::IterVarType)", [
    I32EnumAttrCase<"Spatial", 0, "spatial">,
    I32EnumAttrCase<"Reduce", 1, "reduce">]>;

def TIR_Scope : TIR_Enum<"Scope", "where a buffer lives", [
    I32EnumAttrCase<"Workspace", 0, "workspace">,
    I32EnumAttrCase<"Local", 1, "local">]>;

#endif // UMA_TIR_IR_TIRBASE_TD
