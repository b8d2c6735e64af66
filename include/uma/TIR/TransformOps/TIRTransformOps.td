//===- TIRTransformOps.td - Schedule primitives in scripts -*- tablegen -*-===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// One operation per primitive of uma/TIR/Schedule/Schedule.h.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_TIR_TRANSFORMOPS_TIRTRANSFORMOPS_TD
#define UMA_TIR_TRANSFORMOPS_TIRTRANSFORMOPS_TD

include "mlir/Dialect/Transform/IR/TransformDialect.td"
include "mlir/Dialect/Transform/IR/TransformTypes.td"
include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/IR/OpBase.td"
include "uma/TIR/IR/TIRBase.td"

def TIRTransform_DocGroup : OpDocGroup {
  let summary = "transform.uma: schedules as scripts";
  let description = [{
    The primitives of schedules, as operations of upstream's transform dialect. Handles hold one operation each, and stay valid
    until it is gone: a loop that was split or fused is. A primitive that is not legal leaves the function as it was and
    fails silenceably, so that `transform.alternatives` can try another.
  }];
}

/// Handles have the one type `!transform.any_op`, so that scripts need no types.
/// An operation that does no more than its primitive says by which call.
class TIRTransform_Op<string name, string call = "">
    : Op<Transform_Dialect, "uma." # name, [
        DeclareOpInterfaceMethods<TransformOpInterface>,
        DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let cppNamespace = "::uma::tir::transform_ops";
  let opDocGroup = TIRTransform_DocGroup;
  let extraClassDefinition = [{
    void $cppClass::getEffects(
        ::llvm::SmallVectorImpl<::mlir::MemoryEffects::EffectInstance> &effects) {
      ::mlir::transform::onlyReadsHandle(getOperation()->getOpOperands(), effects);
      ::mlir::transform::producesHandle(getOperation()->getOpResults(), effects);
      ::mlir::transform::modifiesPayload(effects);
    }
  }] # !if(!empty(call), "", [{
    ::mlir::DiagnosedSilenceableFailure $cppClass::apply(
        [[maybe_unused]] ::mlir::transform::TransformRewriter &rewriter,
        [[maybe_unused]] ::mlir::transform::TransformResults &results,
        [[maybe_unused]] ::mlir::transform::TransformState &state) {
      return }] # call # [{;
    }
  }]);
}

def GetBlockOp : TIRTransform_Op<"get_block"> {
  let summary = "the block with a label";
  let description = [{
    The one block of this label in the operation. Where a function has versions (`uma.tir.multiversion`), `lanes` and `guard` say
    which one; `lanes(1)` is the default version. Source: `tvm.tir.Schedule.get_block`.

    ```mlir
    transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
      %b = transform.uma.get_block "C" in %root
      %v = transform.uma.get_block "C" in %root lanes(4) guard("UMA_SSE")
      transform.yield
    }
    ```
  }];
  let arguments = (ins Transform_AnyOpType:$root, StrAttr:$label, OptionalAttr<I64Attr>:$lanes,
                       OptionalAttr<StrAttr>:$guard);
  let results = (outs Transform_AnyOpType:$block);
  let assemblyFormat = "$label `in` $root (`lanes` `(` $lanes^ `)`)? (`guard` `(` $guard^ `)`)? attr-dict";
}

def MultiversionOp : TIRTransform_Op<"multiversion"> {
  let summary = "a version of a function for each width of vectors";
  let description = [{
    All that the one function in the operation does becomes a `uma.tir.multiversion`: a version for each number of lanes, the
    widest first, and a default one, which takes the operations that were there, so that handles of before hold those.
    `get_block` finds the blocks of each version. Source: function multiversioning.

    ```mlir
    transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
      transform.uma.multiversion %root [16, 8]
      %wide = transform.uma.get_block "C" in %root lanes(16)
      %plain = transform.uma.get_block "C" in %root lanes(1)
      transform.yield
    }
    ```
  }];
  let arguments = (ins Transform_AnyOpType:$root, DenseI64ArrayAttr:$lanes);
  let assemblyFormat = "$root $lanes attr-dict";
}

def GetLoopsOp : TIRTransform_Op<"get_loops"> {
  let summary = "the loops around a block";
  let description = [{
    All loops around the block, outermost first, as one handle each. Source: `tvm.tir.Schedule.get_loops`.

    ```mlir
    transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
      %b = transform.uma.get_block "C" in %root
      %i, %j, %k = transform.uma.get_loops %b
      transform.yield
    }
    ```
  }];
  let arguments = (ins Transform_AnyOpType:$block);
  let results = (outs Variadic<Transform_AnyOpType>:$loops);
  let assemblyFormat = "$block custom<Handles>(type($loops)) attr-dict";
}

def SplitOp : TIRTransform_Op<"split"> {
  let summary = "replace a loop by several";
  let description = [{
    One loop per factor, outermost first; `?` is inferred from the others. Factors that cover more than the loop leave the
    excess out by a predicate of the blocks. Source: `tvm.tir.Schedule.split`.

    ```mlir
    transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
      %b = transform.uma.get_block "C" in %root
      %i, %j, %k = transform.uma.get_loops %b
      %io, %ii = transform.uma.split %i [?, 8]
      transform.yield
    }
    ```
  }];
  let arguments = (ins Transform_AnyOpType:$loop, DenseI64ArrayAttr:$factors);
  let results = (outs Variadic<Transform_AnyOpType>:$parts);
  let assemblyFormat = "$loop custom<Factors>($factors) custom<Handles>(type($parts)) attr-dict";
}

def FuseOp : TIRTransform_Op<"fuse"> {
  let summary = "make nested loops one";
  let description = [{
    The loops are directly inside of one another, given from outside to inside. Source: `tvm.tir.Schedule.fuse`.

    ```mlir
    transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
      %b = transform.uma.get_block "C" in %root
      %i, %j, %k = transform.uma.get_loops %b
      %ij = transform.uma.fuse %i, %j
      transform.yield
    }
    ```
  }];
  let arguments = (ins Variadic<Transform_AnyOpType>:$loops);
  let results = (outs Transform_AnyOpType:$fused);
  let assemblyFormat = "$loops attr-dict";
}

def ReorderOp : TIRTransform_Op<"reorder"> {
  let summary = "give nested loops another order";
  let description = [{
    The loops take the places that they have together, in this order; loops between them that are not named stay.
    Source: `tvm.tir.Schedule.reorder`.

    ```mlir
    transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
      %b = transform.uma.get_block "C" in %root
      %i, %j, %k = transform.uma.get_loops %b
      transform.uma.reorder %k, %i
      transform.yield
    }
    ```
  }];
  let arguments = (ins Variadic<Transform_AnyOpType>:$loops);
  let assemblyFormat = "$loops attr-dict";
}

def VectorizeOp : TIRTransform_Op<"vectorize",
    "setKind(*this, rewriter, state, &Schedule::vectorize)"> {
  let summary = "mark a loop as vectorized";
  let description = [{
    No iteration may depend on another. Source: `tvm.tir.Schedule.vectorize`.

    ```mlir
    transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
      %b = transform.uma.get_block "C" in %root
      %i, %j, %k = transform.uma.get_loops %b
      transform.uma.vectorize %j
      transform.yield
    }
    ```
  }];
  let arguments = (ins Transform_AnyOpType:$loop);
  let assemblyFormat = "$loop attr-dict";
}

def ParallelOp : TIRTransform_Op<"parallel",
    "setKind(*this, rewriter, state, &Schedule::parallel)"> {
  let summary = "mark a loop as parallel";
  let description = [{
    No iteration may depend on another. Source: `tvm.tir.Schedule.parallel`.

    ```mlir
    transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
      %b = transform.uma.get_block "C" in %root
      %i, %j, %k = transform.uma.get_loops %b
      transform.uma.parallel %j
      transform.yield
    }
    ```
  }];
  let arguments = (ins Transform_AnyOpType:$loop);
  let assemblyFormat = "$loop attr-dict";
}

def UnrollOp : TIRTransform_Op<"unroll",
    "setKind(*this, rewriter, state, &Schedule::unroll)"> {
  let summary = "mark a loop as unrolled";
  let description = [{
    Its bounds are integers. Source: `tvm.tir.Schedule.unroll`.

    ```mlir
    transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
      %b = transform.uma.get_block "C" in %root
      %i, %j, %k = transform.uma.get_loops %b
      transform.uma.unroll %j
      transform.yield
    }
    ```
  }];
  let arguments = (ins Transform_AnyOpType:$loop);
  let assemblyFormat = "$loop attr-dict";
}

def CacheReadOp : TIRTransform_Op<"cache_read",
    "cache(*this, rewriter, results, state, &Schedule::cacheRead)"> {
  let summary = "let a block read a copy of a buffer";
  let description = [{
    Of buffer `index` in the list of those that the block reads. A block that copies the buffer runs before the block's loops; the block reads the copy. Returned is the block that copies; it is to be moved
    with `compute_at`. Source: `tvm.tir.Schedule.cache_read`.

    ```mlir
    transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
      %b = transform.uma.get_block "C" in %root
      %c = transform.uma.cache_read %b[0] local
      transform.yield
    }
    ```
  }];
  let arguments = (ins Transform_AnyOpType:$block, I64Attr:$index, TIR_Scope:$scope);
  let results = (outs Transform_AnyOpType:$copy);
  let assemblyFormat = "$block `[` $index `]` $scope attr-dict";
}

def CacheWriteOp : TIRTransform_Op<"cache_write",
    "cache(*this, rewriter, results, state, &Schedule::cacheWrite)"> {
  let summary = "let a block write into a buffer of its own";
  let description = [{
    Of buffer `index` in the list of those that the block writes. The block writes a buffer of its own; a block that copies it runs after the block's loops. Returned is the block that copies; it is to be moved
    with `reverse_compute_at`. Source: `tvm.tir.Schedule.cache_write`.

    ```mlir
    transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
      %b = transform.uma.get_block "C" in %root
      %c = transform.uma.cache_write %b[0] local
      transform.yield
    }
    ```
  }];
  let arguments = (ins Transform_AnyOpType:$block, I64Attr:$index, TIR_Scope:$scope);
  let results = (outs Transform_AnyOpType:$copy);
  let assemblyFormat = "$block `[` $index `]` $scope attr-dict";
}

def ComputeAtOp : TIRTransform_Op<"compute_at",
    "moveBlock(*this, rewriter, state, &Schedule::computeAt)"> {
  let summary = "move a producer into a loop of its consumers";
  let description = [{
    Moves a producer to the start of a loop around its consumers, and computes in each iteration what that iteration reads.
    Source: `tvm.tir.Schedule.compute_at`.

    ```mlir
    transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
      %b = transform.uma.get_block "C" in %root
      %i, %j, %k = transform.uma.get_loops %b
      %p = transform.uma.get_block "P" in %root
      transform.uma.compute_at %p, %j
      transform.yield
    }
    ```
  }];
  let arguments = (ins Transform_AnyOpType:$block, Transform_AnyOpType:$loop);
  let assemblyFormat = "$block `,` $loop attr-dict";
}

def ReverseComputeAtOp : TIRTransform_Op<"reverse_compute_at",
    "moveBlock(*this, rewriter, state, &Schedule::reverseComputeAt)"> {
  let summary = "move a consumer into a loop of its producer";
  let description = [{
    Moves a consumer to the end of a loop around its producer, and computes in each iteration what that iteration completes.
    Source: `tvm.tir.Schedule.reverse_compute_at`.

    ```mlir
    transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
      %b = transform.uma.get_block "C" in %root
      %i, %j, %k = transform.uma.get_loops %b
      %p = transform.uma.get_block "P" in %root
      transform.uma.reverse_compute_at %p, %j
      transform.yield
    }
    ```
  }];
  let arguments = (ins Transform_AnyOpType:$block, Transform_AnyOpType:$loop);
  let assemblyFormat = "$block `,` $loop attr-dict";
}

def ComputeInlineOp : TIRTransform_Op<"compute_inline",
    "inlineBlock(*this, rewriter, state, &Schedule::computeInline)"> {
  let summary = "compute a block's elements where they are read";
  let description = [{
    The block goes, and with it its buffer: its elements are computed where they are read.
    Source: `tvm.tir.Schedule.compute_inline`.

    ```mlir
    transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
      %p = transform.uma.get_block "P" in %root
      transform.uma.compute_inline %p
      transform.yield
    }
    ```
  }];
  let arguments = (ins Transform_AnyOpType:$block);
  let assemblyFormat = "$block attr-dict";
}

def ReverseComputeInlineOp : TIRTransform_Op<"reverse_compute_inline",
    "inlineBlock(*this, rewriter, state, &Schedule::reverseComputeInline)"> {
  let summary = "compute a block's elements where its operand is written";
  let description = [{
    The block goes, and with it the buffer that it reads: the producer of that buffer computes what the block did with the element.
    A block that copies the sum of a reduction from a buffer of one element goes, too: the sum is added up in the element that it was
    copied to, so that the loops of the reduction can be reordered with those around it.
    Source: `tvm.tir.Schedule.reverse_compute_inline`.

    ```mlir
    transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
      %p = transform.uma.get_block "P" in %root
      transform.uma.reverse_compute_inline %p
      transform.yield
    }
    ```
  }];
  let arguments = (ins Transform_AnyOpType:$block);
  let assemblyFormat = "$block attr-dict";
}

def DecomposeReductionOp : TIRTransform_Op<"decompose_reduction",
    "splitReduction(*this, getInit(), rewriter, results, state, &Schedule::decomposeReduction)"> {
  let summary = "make a block's init region a block";
  let description = [{
    A block of its own, labelled `<label>_init`, runs the init region before the loop, for all that the loop computes. Source:
    `tvm.tir.Schedule.decompose_reduction`.

    ```mlir
    transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
      %b = transform.uma.get_block "C" in %root
      %i, %j, %k = transform.uma.get_loops %b
      %init = transform.uma.decompose_reduction %b, %k
      transform.yield
    }
    ```
  }];
  let arguments = (ins Transform_AnyOpType:$block, Transform_AnyOpType:$loop);
  let results = (outs Transform_AnyOpType:$init);
  let assemblyFormat = "$block `,` $loop attr-dict";
}

def RFactorOp : TIRTransform_Op<"rfactor",
    "splitReduction(*this, getPartial(), rewriter, results, state, &Schedule::rfactor)"> {
  let summary = "make partial results of a reduction";
  let description = [{
    One partial result per iteration of the loop, in a buffer that has one more dimension in front; the loop is spatial for them.
    Returned is the block that computes them, labelled `<label>_rf`; a new block with the label of the old one combines them. Source:
    `tvm.tir.Schedule.rfactor`.

    ```mlir
    transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
      %b = transform.uma.get_block "C" in %root
      %i, %j, %k = transform.uma.get_loops %b
      %ko, %ki = transform.uma.split %k [?, 4]
      %rf = transform.uma.rfactor %b, %ki
      transform.yield
    }
    ```
  }];
  let arguments = (ins Transform_AnyOpType:$block, Transform_AnyOpType:$loop);
  let results = (outs Transform_AnyOpType:$partial);
  let assemblyFormat = "$block `,` $loop attr-dict";
}

def TensorizeOp : TIRTransform_Op<"tensorize"> {
  let summary = "compute a loop or block by a call";
  let description = [{
    What the loop or block computes is compared with the `uma.tir.func` named `intrinsic`: loops, kinds and domains of iteration
    variables, the elements touched and the body. Where all are equal, a `uma.tir.call_extern` of the C function that the intrinsic's attribute
    `uma.intrinsic` names takes its place. It is given, for each buffer of the intrinsic, the whole buffer, the number of the first
    element, and the distance between elements along each dimension of the intrinsic's buffer but the last. Source:
    `tvm.tir.Schedule.tensorize`.

    ```mlir
    transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
      %b = transform.uma.get_block "C" in %root
      %i, %j, %k = transform.uma.get_loops %b
      %call = transform.uma.tensorize %i @mma
      transform.yield
    }
    ```
  }];
  let arguments = (ins Transform_AnyOpType:$root, FlatSymbolRefAttr:$intrinsic);
  let results = (outs Transform_AnyOpType:$call);
  let assemblyFormat = "$root $intrinsic attr-dict";
}

def SetScopeOp : TIRTransform_Op<"set_scope"> {
  let summary = "set where a buffer lives";
  let description = [{
    The buffer with this number in the list of those that the block writes. Source: `tvm.tir.Schedule.set_scope`.

    ```mlir
    transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
      %b = transform.uma.get_block "C" in %root
      transform.uma.set_scope %b[0] local
      transform.yield
    }
    ```
  }];
  let arguments = (ins Transform_AnyOpType:$block, I64Attr:$index, TIR_Scope:$scope);
  let assemblyFormat = "$block `[` $index `]` $scope attr-dict";
}

def AnnotateOp : TIRTransform_Op<"annotate"> {
  let summary = "set an attribute of a loop or block";
  let description = [{
    Passes read it. Source: `tvm.tir.Schedule.annotate`.

    ```mlir
    transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
      %b = transform.uma.get_block "C" in %root
      transform.uma.annotate %b "uma.note" = 4
      transform.yield
    }
    ```
  }];
  let arguments = (ins Transform_AnyOpType:$target, StrAttr:$name, AnyAttr:$value);
  let assemblyFormat = "$target $name `=` $value attr-dict";
}

#endif // UMA_TIR_TRANSFORMOPS_TIRTRANSFORMOPS_TD
