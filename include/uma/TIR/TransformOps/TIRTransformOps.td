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
    Schedule primitives as operations of upstream's transform dialect. Each handle holds one operation, and stays
    valid until that operation is erased, for example when a loop is split or fused. An illegal primitive leaves the
    function unchanged and fails silenceably, so that `transform.alternatives` can try another.
  }];
}

/// Base class of schedule primitives. All handles have the type
/// `!transform.any_op`, so that scripts need no types. `call` implements an
/// operation that only forwards to its primitive.
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
  let summary = "find a block by its label";
  let description = [{
    Returns the block with this label in the operation. In a function with versions (`uma.tir.multiversion`), `lanes`
    and `guard` select one; `lanes(1)` is the default version. Source: `tvm.tir.Schedule.get_block`.

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
  let summary = "create versions of a function for several vector widths";
  let description = [{
    Wraps the body of the only function in the operation in a `uma.tir.multiversion`: one version for each number of
    lanes, the widest first, and a default version. The default version takes the original operations, to which
    existing handles still refer. `get_block` finds the blocks of each version. Source: function multiversioning.

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
  let summary = "get the loops around a block";
  let description = [{
    Returns one handle for each loop around the block, outermost first. Source: `tvm.tir.Schedule.get_loops`.

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
  let summary = "split a loop into several";
  let description = [{
    Replaces the loop by one loop per factor, outermost first; `?` is inferred from the others. If the factors cover
    more than the loop, a predicate of the blocks skips the excess. Source: `tvm.tir.Schedule.split`.

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
  let summary = "fuse nested loops into one";
  let description = [{
    Fuses perfectly nested loops, given from the outermost to the innermost. Source: `tvm.tir.Schedule.fuse`.

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
  let summary = "permute nested loops";
  let description = [{
    Permutes the loops into this order; loops between them that are not named stay in place. Source:
    `tvm.tir.Schedule.reorder`.

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
    The bounds of the loop must be integers. Source: `tvm.tir.Schedule.unroll`.

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
  let summary = "copy a buffer that a block reads";
  let description = [{
    Inserts a block before the block's loops that copies buffer `index` of those that the block reads; the block then
    reads the copy. Returns the copying block, which `compute_at` can move. Source: `tvm.tir.Schedule.cache_read`.

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
  let summary = "redirect writes of a block to a new buffer";
  let description = [{
    Redirects writes of the block from buffer `index` of those that it writes to a new buffer, and inserts a block
    after the block's loops that copies it back. Returns the copying block, which `reverse_compute_at` can move.
    Source: `tvm.tir.Schedule.cache_write`.

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
    Moves a producer to the start of a loop around its consumers. Each iteration computes the elements that it reads.
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
    Moves a consumer to the end of a loop around its producer. Each iteration consumes the elements that it completes.
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
  let summary = "inline a block into its consumers";
  let description = [{
    Removes the block and its buffer; the elements are computed in the consumers, at each read. Source:
    `tvm.tir.Schedule.compute_inline`.

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
  let summary = "inline a block into its producer";
  let description = [{
    Removes the block and the buffer that it reads; the producer of that buffer applies the block's computation before
    it stores an element. A block that copies the result of a reduction from a buffer of one element is removed, too:
    the reduction accumulates in the destination, so that its loops can be reordered with the surrounding ones.
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
  let summary = "split a block's init region off as a block";
  let description = [{
    Splits the init region off as a separate block, labelled `<label>_init`, which runs before the loop for all
    elements that the loop computes. Source: `tvm.tir.Schedule.decompose_reduction`.

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
  let summary = "factor a reduction into partial results";
  let description = [{
    Factors the reduction into one partial result per iteration of the loop, in a buffer with an additional leading
    dimension; for the partial results the loop is spatial. Returns the block that computes them, labelled
    `<label>_rf`; a new block with the original label combines them. Source: `tvm.tir.Schedule.rfactor`.

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
  let summary = "replace a loop or block by a call";
  let description = [{
    Compares the loop or block with the `uma.tir.func` named `intrinsic`: loops, kinds and domains of iteration
    variables, regions and body. If all are equal, a `uma.tir.call_extern` to the C function named by the intrinsic's
    attribute `uma.intrinsic` replaces it. For each buffer of the intrinsic, the call passes the whole buffer, the
    index of the first element, and the stride of each dimension but the last. Source: `tvm.tir.Schedule.tensorize`.

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
  let summary = "set the memory scope of a buffer";
  let description = [{
    Sets the scope of buffer `index` of those that the block writes. Source: `tvm.tir.Schedule.set_scope`.

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
    Sets an attribute that later passes read. Source: `tvm.tir.Schedule.annotate`.

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
