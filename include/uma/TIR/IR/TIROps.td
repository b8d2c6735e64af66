//===- TIROps.td - Operations of the tir family -*- tablegen -*-===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Operations that upstream does not have. Loads, stores, arithmetic and
// conditions are upstream's `memref`, `arith`, `math` and `scf`.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_TIR_IR_TIROPS_TD
#define UMA_TIR_IR_TIROPS_TD

include "uma/TIR/IR/TIRBase.td"

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

def TIR_FuncOp : TIR_Op<"func", [AutomaticAllocationScope, FunctionOpInterface, IsolatedFromAbove,
    SingleBlockImplicitTerminator<"ReturnOp">]> {
  let summary = "a function on buffers";
  let description = [{
    A destination-passing function: it writes its results into buffers given as arguments. Every function has an
    implicit status: if an extern call inside it (or in a callee) returns a non-zero status, the function returns that
    status, in plain TIR and in the emitted C. Public functions are entry points. Source: `tvm::tir::PrimFunc`.

    `layer` is the name of the model's layer that the function computes. Arguments of a public function with the unit
    attribute `uma.output` are results of the network; `uma.name` is the tensor's name in the model.

    ```mlir
    uma.tir.func private @relu(%x: memref<4xf32>, %y: memref<4xf32>) attributes {layer = "relu1"} {
      uma.tir.for %i = 0 to 4 {
        %v = memref.load %x[%i] : memref<4xf32>
        memref.store %v, %y[%i] : memref<4xf32>
      }
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, TypeAttrOf<FunctionType>:$function_type,
      OptionalAttr<StrAttr>:$sym_visibility, OptionalAttr<StrAttr>:$layer,
      OptionalAttr<DictArrayAttr>:$arg_attrs, OptionalAttr<DictArrayAttr>:$res_attrs);
  let regions = (region SizedRegion<1>:$body);
  let builders = [OpBuilder<(ins "::llvm::StringRef":$name, "::mlir::TypeRange":$argumentTypes,
      CArg<"::llvm::ArrayRef<::mlir::NamedAttribute>", "{}">:$attributes)>];
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::llvm::ArrayRef<::mlir::Type> getArgumentTypes() { return getFunctionType().getInputs(); }
    ::llvm::ArrayRef<::mlir::Type> getResultTypes() { return getFunctionType().getResults(); }
    ::mlir::Region *getCallableRegion() { return &getBody(); }
  }];
}

def TIR_ReturnOp : TIR_Op<"return", [Pure, HasParent<"FuncOp">, ReturnLike, Terminator]> {
  let summary = "end a function with status 0";
  let description = [{
    Ends a `uma.tir.func`; printed only if it has attributes.

    ```mlir
    uma.tir.func @nothing() {
      uma.tir.return
    }
    ```
  }];
  let assemblyFormat = "attr-dict";
}

//===----------------------------------------------------------------------===//
// Loops and blocks
//===----------------------------------------------------------------------===//

def TIR_ForOp : TIR_Op<"for", [AttrSizedOperandSegments, AutomaticAllocationScope, RecursiveMemoryEffects,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmBlockArgumentNames"]>,
    DeclareOpInterfaceMethods<LoopLikeOpInterface, ["getLoopInductionVars", "getLoopLowerBounds",
        "getLoopUpperBounds", "getLoopSteps"]>,
    SingleBlockImplicitTerminator<"YieldOp">]> {
  let summary = "a loop with step 1";
  let description = [{
    Runs its body for every `lower <= i < upper`. Bounds are integers or index values. The kind is `serial` (the
    default, not printed), `parallel` (iterations are independent and may run on threads), `vectorized` (lanes of a
    vector) or `unrolled`. `label "name"` after the bounds names the loop for schedules. The attribute
    `uma.virtual_thread` requests `uma-tir-inject-virtual-thread` to interleave the iterations; `uma.unroll` requests
    the C compiler to unroll the loop partially. Source: `tvm::tir::For`.

    ```mlir
    uma.tir.func @f(%x: memref<8x4xf32>) {
      uma.tir.for parallel %i = 0 to 8 {
        uma.tir.for %j = %i to 4 {
          %v = memref.load %x[%i, %j] : memref<8x4xf32>
        }
      }
    }
    ```
  }];
  let arguments = (ins Optional<Index>:$dynamic_lower, Optional<Index>:$dynamic_upper,
      I64Attr:$static_lower, I64Attr:$static_upper,
      DefaultValuedAttr<TIR_ForKind, "::uma::tir::ForKind::Serial">:$kind,
      OptionalAttr<StrAttr>:$label);
  let regions = (region SizedRegion<1>:$body);
  let skipDefaultBuilders = 1;
  let builders = [OpBuilder<(ins "::mlir::OpFoldResult":$lower, "::mlir::OpFoldResult":$upper,
      CArg<"ForKind", "ForKind::Serial">:$kind)>];
  let hasCustomAssemblyFormat = 1;
  let hasCanonicalizer = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::OpFoldResult getLower();
    ::mlir::OpFoldResult getUpper();
    ::mlir::BlockArgument getInductionVar() { return getBody().getArgument(0); }
    /// Returns the number of iterations if both bounds are integers.
    std::optional<int64_t> getExtent();
  }];
}

def TIR_BlockOp : TIR_Op<"block", [AttrSizedOperandSegments, RecursiveMemoryEffects,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmBlockArgumentNames"]>,
    SingleBlockImplicitTerminator<"YieldOp">]> {
  let summary = "a unit of computation that schedules move as a whole";
  let description = [{
    Binds typed iteration variables to index values, usually loop variables. `spatial` variables may run in any order;
    `reduce` variables accumulate. Each declares its domain, `[0, extent)`. `reads` and `writes` give, for each
    buffer, the first element accessed as an affine map of the iteration variables, and the extents of the region. The
    `init` region runs when every reduce variable is 0. The predicate `where %p` skips iterations in which it is
    false: loops may run beyond the domain, for example after a split by a factor that does not divide the extent.
    Without an `init`, the body follows `writes(...)` directly. Both regions have the iteration variables as
    arguments; `init (%a, %b) {` gives those of the init region their own names (the printer always does), otherwise
    they have the names of the body's. Source: `tvm::tir::Block`.

    ```mlir
    uma.tir.func @row_sum(%x: memref<8x4xf32>, %y: memref<8xf32>) {
      %zero = arith.constant 0.0 : f32
      uma.tir.for %i = 0 to 8 {
        uma.tir.for %k = 0 to 4 {
          uma.tir.block "sum" (spatial %vi = %i in 8, reduce %vk = %k in 4)
              reads(%x[affine_map<(i, k) -> (i, k)>, [1, 1]] : memref<8x4xf32>)
              writes(%y[affine_map<(i, k) -> (i)>, [1]] : memref<8xf32>)
          init {
            memref.store %zero, %y[%vi] : memref<8xf32>
          } do {
            %a = memref.load %x[%vi, %vk] : memref<8x4xf32>
            %b = memref.load %y[%vi] : memref<8xf32>
            %c = arith.addf %a, %b : f32
            memref.store %c, %y[%vi] : memref<8xf32>
          }
        }
      }
    }
    ```
  }];
  let arguments = (ins StrAttr:$label, Variadic<Index>:$bindings,
      TypedArrayAttrBase<TIR_IterKind, "iteration kinds">:$iter_kinds,
      DenseI64ArrayAttr:$extents,
      Optional<I1>:$predicate, Variadic<TIR_Buffer>:$reads, Variadic<TIR_Buffer>:$writes,
      AffineMapArrayAttr:$read_maps, AffineMapArrayAttr:$write_maps,
      TypedArrayAttrBase<DenseI64ArrayAttr, "extents of each region read">:$read_extents,
      TypedArrayAttrBase<DenseI64ArrayAttr, "extents of each region written">:$write_extents);
  let regions = (region AnyRegion:$init, SizedRegion<1>:$body);
  let skipDefaultBuilders = 1;
  let builders = [OpBuilder<(ins "::llvm::StringRef":$label,
      "::llvm::ArrayRef<::uma::tir::IterVar>":$iterVars,
      "::llvm::ArrayRef<::uma::tir::BufferRegion>":$reads,
      "::llvm::ArrayRef<::uma::tir::BufferRegion>":$writes,
      CArg<"bool", "false">:$hasInit, CArg<"::mlir::Value", "{}">:$predicate)>];
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::llvm::SmallVector<IterVar> getIterVars();
    ::llvm::SmallVector<BufferRegion> getReadRegions();
    ::llvm::SmallVector<BufferRegion> getWriteRegions();
    void setReadRegions(::llvm::ArrayRef<BufferRegion> regions);
    void setWriteRegions(::llvm::ArrayRef<BufferRegion> regions);
    bool hasInit() { return !getInit().empty(); }
    IterKind getIterKind(unsigned index);
    /// Iteration variables, as arguments of the body and of the init region.
    ::mlir::Block::BlockArgListType getBodyVars() { return getBody().getArguments(); }
    ::mlir::Block::BlockArgListType getInitVars() { return getInit().getArguments(); }
  }];
}

def TIR_MultiversionOp : TIR_Op<"multiversion", [NoRegionArguments, RecursiveMemoryEffects,
    SingleBlockImplicitTerminator<"YieldOp">]> {
  let summary = "versions of a computation for several vector widths";
  let description = [{
    Holds one version of the code per vector width, the widest first, and a `default` without vectors. Only the C
    compiler knows the target: in C the versions are wrapped in `#if`s, and the first one whose width, in lanes of 32
    bits, the target supports is compiled. All versions compute the same. A `guard` is a macro that must be defined as
    well: `UMA_SSE` for instructions without a fused multiply-add that overwrite an operand, `UMA_NEON` for AArch64;
    further versions of the same width may follow. Source: function multiversioning, with the choice made by the
    preprocessor.

    ```mlir
    uma.tir.func @twice(%x: memref<8xf32>) {
      uma.tir.multiversion lanes(8) {
        %i = arith.constant 0 : index
        %v = vector.load %x[%i] : memref<8xf32>, vector<8xf32>
        %w = arith.addf %v, %v : vector<8xf32>
        vector.store %w, %x[%i] : memref<8xf32>, vector<8xf32>
      } default {
        uma.tir.for %i = 0 to 8 {
          %v = memref.load %x[%i] : memref<8xf32>
          %w = arith.addf %v, %v : f32
          memref.store %w, %x[%i] : memref<8xf32>
        }
      }
    }
    ```
  }];
  let arguments = (ins DenseI64ArrayAttr:$lanes, StrArrayAttr:$guards);
  let regions = (region VariadicRegion<SizedRegion<1>>:$versions);
  let skipDefaultBuilders = 1;
  let builders = [OpBuilder<(ins "::llvm::ArrayRef<int64_t>":$lanes, "::llvm::ArrayRef<::llvm::StringRef>":$guards)>];
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def TIR_YieldOp : TIR_Op<"yield", [Pure, Terminator, ReturnLike,
    ParentOneOf<["ForOp", "BlockOp", "MultiversionOp"]>]> {
  let summary = "end the body of a loop or block";
  let description = [{
    Has no operands, and is printed only if it has attributes. It is added implicitly at the end of a loop's body, a
    block's body and `init`, and each version of a `uma.tir.multiversion`.

    ```mlir
    uma.tir.func @f() {
      uma.tir.for %i = 0 to 4 {
        uma.tir.yield
      }
    }
    ```
  }];
  let assemblyFormat = "attr-dict";
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

def TIR_AllocOp : TIR_Op<"alloc", [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "a buffer that lives until the end of the enclosing block";
  let description = [{
    `workspace` buffers are parts of the arena that the caller of the network provides; the memory plan sets `offset`,
    in bytes from the start of the arena. It is a multiple of the attribute `uma.alignment` (a power of 2), if
    present. `local` buffers are small and become local variables; one of rank 0 may hold a vector. In a loop, the
    attribute `uma.double_buffer` requests `uma-tir-inject-double-buffer` to load the next iteration's data ahead.
    Source: `tvm::tir::Allocate`.

    ```mlir
    uma.tir.func @f() {
      %a = uma.tir.alloc workspace : memref<1x8x4x4xf32>
      %b = uma.tir.alloc local : memref<f32>
    }
    ```
  }];
  let arguments = (ins TIR_Scope:$scope, OptionalAttr<I64Attr>:$offset,
                       OptionalAttr<StrAttr>:$label);
  let results = (outs TIR_AllocatedBuffer:$buffer);
  let assemblyFormat = "$scope (`offset` $offset^)? (`label` $label^)? attr-dict `:` type($buffer)";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

def TIR_NullOp : TIR_Op<"null", [Pure]> {
  let summary = "null buffer";
  let description = [{
    A null pointer: the argument of a `uma.tir.call_extern` for a buffer that is left out.

    ```mlir
    uma.tir.func @f(%x: memref<4xf32>, %y: memref<4xf32>) {
      %bias = uma.tir.null : memref<0xi8>
      uma.tir.call_extern "device_add"(%x, %bias, %y) writes [2] : memref<4xf32>, memref<0xi8>, memref<4xf32>
    }
    ```
  }];
  let results = (outs TIR_Buffer:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def TIR_CallOp : TIR_Op<"call", [DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "call a uma.tir.func";
  let description = [{
    If the callee returns a non-zero status, the caller returns it, too.

    ```mlir
    uma.tir.func private @g(%x: memref<4xf32>) {
    }
    uma.tir.func @f(%x: memref<4xf32>) {
      uma.tir.call @g(%x) : memref<4xf32>
    }
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$callee, Variadic<TIR_Argument>:$arguments);
  let assemblyFormat = "$callee `(` $arguments `)` attr-dict (`:` type($arguments)^)?";
}

def TIR_CallExternOp : TIR_Op<"call_extern", [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "call a C function";
  let description = [{
    Calls `callee`, which a header of the accelerator declares. Buffers become pointers, numbers are passed by value.
    `writes` lists the positions of the buffers that the function writes; it reads the others. The function returns an
    `int` status, and a non-zero one ends the run; with `no_status` it returns `void`. If the call has an attribute
    `uma.code`, that text (see `uma.accel.replace`) replaces it in C. A call with `uma.configure` sets a state of the
    device, see `uma-tir-remove-redundant-configuration`. Source: `tvm::tir::builtin::call_extern`.

    ```mlir
    uma.tir.func @f(%x: memref<4xf32>, %y: memref<4xf32>) {
      %n = arith.constant 4 : index
      uma.tir.call_extern "device_relu"(%x, %y, %n) writes [1] : memref<4xf32>, memref<4xf32>, index
    }
    ```
  }];
  let arguments = (ins StrAttr:$callee, Variadic<TIR_Argument>:$arguments,
                       DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$writes, UnitAttr:$no_status);
  let assemblyFormat = [{
    $callee `(` $arguments `)` (`writes` $writes^)? (`no_status` $no_status^)? attr-dict
    (`:` type($arguments)^)?
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

def TIR_PrefetchOp : TIR_Op<"prefetch"> {
  let summary = "prefetch an element into the cache";
  let description = [{
    Hints that the cache line of the element will be read soon. It has no effect on results, and emits nothing if the
    C compiler has no prefetch. Unlike upstream's `memref.prefetch`, it is no write to the buffer. Source: TVM's
    `Prefetch`.

    ```mlir
    uma.tir.func @f(%x: memref<8xf32>, %i: index) {
      uma.tir.prefetch %x[%i] : memref<8xf32>
    }
    ```
  }];
  let arguments = (ins AnyMemRef:$buffer, Variadic<Index>:$indices);
  let assemblyFormat = "$buffer `[` $indices `]` attr-dict `:` type($buffer)";
  let hasVerifier = 1;
}

def TIR_TransposeOp : TIR_Op<"transpose"> {
  let summary = "transpose a small square matrix in registers";
  let description = [{
    Stores `size` rows of `size` adjacent elements of `source` as columns of `target`. The rows of the two are
    `source_stride` and `target_stride` elements apart. Elements have 8, 16 or 32 bits; the emitted C moves them in
    vectors. The matrices must not overlap.

    ```mlir
    uma.tir.func @f(%x: memref<64xf32>, %y: memref<64xf32>, %i: index) {
      uma.tir.transpose %x[%i] stride 8 to %y[%i] stride 8 size 8 : memref<64xf32>, memref<64xf32>
    }
    ```
  }];
  let arguments = (ins
    Arg<MemRefRankOf<[AnyType], [1]>, "", [MemRead]>:$source,
    Index:$first,
    Arg<MemRefRankOf<[AnyType], [1]>, "", [MemWrite]>:$target,
    Index:$place,
    I64Attr:$source_stride,
    I64Attr:$target_stride,
    I64Attr:$size
  );
  let assemblyFormat = [{
    $source `[` $first `]` `stride` $source_stride `to` $target `[` $place `]` `stride` $target_stride `size` $size
    attr-dict `:` type($source) `,` type($target)
  }];
  let extraClassDeclaration = [{
    mlir::Type getElementType() {
      return mlir::cast<mlir::MemRefType>(getSource().getType()).getElementType();
    }
    /// Returns the sizes that vectors of up to `lanes` lanes of 32 bits hold for elements of a type, the largest
    /// first; none if elements of this type cannot be moved.
    static llvm::SmallVector<int64_t, 2> getSizes(mlir::Type element, int64_t lanes);
  }];
  let hasVerifier = 1;
}

def TIR_LookupOp : TIR_Op<"lookup"> {
  let summary = "look bytes up in a table";
  let description = [{
    Stores the entry of `table` for each of `size` adjacent bytes of `source`, read as unsigned numbers, to adjacent bytes of `target`:
    `target[place + i] = table[source[first + i]]`. The emitted C looks up a vector of bytes at a time, if the target has
    instructions for it. `target` may be `source` if `place` is `first`; otherwise, the bytes must not overlap.

    ```mlir
    uma.tir.func @f(%x: memref<64xi8>, %table: memref<256xi8>, %y: memref<64xi8>, %i: index) {
      uma.tir.lookup %x[%i] in %table to %y[%i] size 32 : memref<64xi8>, memref<256xi8>, memref<64xi8>
    }
    ```
  }];
  let arguments = (ins
    Arg<MemRefRankOf<[I8], [1]>, "", [MemRead]>:$source,
    Index:$first,
    Arg<MemRefOf<[I8]>, "", [MemRead]>:$table,
    Arg<MemRefRankOf<[I8], [1]>, "", [MemWrite]>:$target,
    Index:$place,
    I64Attr:$size
  );
  let assemblyFormat = [{
    $source `[` $first `]` `in` $table `to` $target `[` $place `]` `size` $size
    attr-dict `:` type($source) `,` type($table) `,` type($target)
  }];
  let hasVerifier = 1;
}

def TIR_CheckBoundsOp : TIR_Op<"check_bounds"> {
  let summary = "end the run if an index is out of bounds";
  let description = [{
    Ends the function with the status `UMA_OUT_OF_BOUNDS` unless `count` elements starting at the index are inside a
    buffer of `size` elements. The emitted C calls the hook `UMA_ON_OUT_OF_BOUNDS` first, with `name` as the name of
    the buffer. Inserted by `uma-tir-instrument-bound-checkers`. Source: the assertions of TVM's
    `InstrumentBoundCheckers`.

    ```mlir
    uma.tir.func @f(%x: memref<8xf32>, %i: index) {
      uma.tir.check_bounds %i count 1 size 8 name "x"
      %v = memref.load %x[%i] : memref<8xf32>
    }
    ```
  }];
  let arguments = (ins Index:$index, ConfinedAttr<I64Attr, [IntPositive]>:$count,
                       ConfinedAttr<I64Attr, [IntNonNegative]>:$size, StrAttr:$name);
  let assemblyFormat = "$index `count` $count `size` $size `name` $name attr-dict";
}

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

def TIR_ViewOp : TIR_Op<"view", [Pure, DeclareOpInterfaceMethods<ViewLikeOpInterface>]> {
  let summary = "view consecutive elements of a buffer as a buffer";
  let description = [{
    The result is the elements of `source` from `offset` on, in row-major order, in its own shape; nothing moves. Both buffers have
    the identity layout, so that a view is passed to functions like any buffer. In C, it is `source + offset`. Source: `elem_offset` of
    `tvm::tir::Buffer`; upstream's `memref.reinterpret_cast` has the offset in the type of its result, and `memref.view` a source of bytes.

    ```mlir
    uma.tir.func @f(%x: memref<1x8x16xi8>) {
      %rows = uma.tir.view %x[32] : memref<1x8x16xi8> as memref<1x4x16xi8>
    }
    ```
  }];
  let arguments = (ins TIR_Buffer:$source, ConfinedAttr<I64Attr, [IntNonNegative]>:$offset);
  let results = (outs TIR_Buffer:$result);
  let assemblyFormat = "$source `[` $offset `]` attr-dict `:` type($source) `as` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

//===----------------------------------------------------------------------===//
// Words of several integers
//===----------------------------------------------------------------------===//

def TIR_WordsOp : TIR_Op<"words", [Pure, DeclareOpInterfaceMethods<ViewLikeOpInterface>]> {
  let summary = "view narrow integers as words of 32 bits";
  let description = [{
    Views a buffer of i8, i16 or bf16 as one of words: each holds the 4 or 2 consecutive elements of the last dimension, in
    the order of memory. Such a buffer is only loaded from, and its words are operands of `uma.tir.dot` and `uma.tir.unpack`. A pointer in
    C does not change; words are loaded with `memcpy`. Source: the operands of VNNI, SDOT and SMLAD.

    ```mlir
    uma.tir.func @f(%x: memref<8x16xi8>) {
      %words = uma.tir.words %x : memref<8x16xi8> as memref<8x4xi32>
    }
    ```
  }];
  let arguments = (ins StaticShapeMemRefOf<[I8, I16, BF16]>:$source);
  let results = (outs StaticShapeMemRefOf<[I32]>:$words);
  let assemblyFormat = "$source attr-dict `:` type($source) `as` type($words)";
  let hasVerifier = 1;
}

def TIR_DotOp : TIR_Op<"dot", [Pure, AllTypesMatch<["sum", "result"]>,
    TypesMatchWith<"words for the lanes of the sum", "result", "lhs", "::uma::tir::getWordsType($_self)">,
    TypesMatchWith<"words for the lanes of the sum", "result", "rhs", "::uma::tir::getWordsType($_self)">]> {
  let summary = "a sum of products of the elements of two words";
  let description = [{
    Multiplies the integers of two words pairwise, in i32, and adds the products to `sum`, without saturation:
    `sum + lhs[0] * rhs[0] + lhs[1] * rhs[1] + ...`. `elements` are the types of the integers: `i16, i16`, or `ui8, i8`
    (signless integers are signed). Words of `bf16, bf16` have sums of f32, whose products and sums may be rounded in
    any order. On vectors, for each lane. Sources: VPDPWSSD and VPDPBUSD of AVX-512 VNNI, VDPBF16PS of AVX-512 BF16,
    SMLAD of Armv7E-M.

    ```mlir
    uma.tir.func @f(%x: i32, %w: i32, %sum: i32) {
      %0 = uma.tir.dot %x, %w, %sum elements i16, i16 : i32
    }
    ```
  }];
  let arguments = (ins TIR_Words:$lhs, TIR_Words:$rhs, TIR_WordSums:$sum, TypeAttr:$lhs_elements, TypeAttr:$rhs_elements);
  let results = (outs TIR_WordSums:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs `,` $sum `elements` $lhs_elements `,` $rhs_elements attr-dict `:` type($result)
  }];
  let hasVerifier = 1;
}

def TIR_UnpackOp : TIR_Op<"unpack", [Pure]> {
  let summary = "two of the four bytes of a word as a pair of i16";
  let description = [{
    Extends the bytes 0 and 2 of a word, or 1 and 3 if `odd`, to i16. The result is the word of the two, the lower one first.
    `elements` is the type of the bytes: `i8` or `ui8`. Source: SXTB16 and UXTB16 of Armv7E-M.

    ```mlir
    uma.tir.func @f(%w: i32) {
      %0 = uma.tir.unpack %w elements i8
      %1 = uma.tir.unpack %w elements ui8 odd
    }
    ```
  }];
  let arguments = (ins I32:$word, TypeAttr:$elements, UnitAttr:$odd);
  let results = (outs I32:$result);
  let assemblyFormat = "$word `elements` $elements (`odd` $odd^)? attr-dict";
  let hasVerifier = 1;
}

def TIR_HasInstructionOp : TIR_Op<"has_instruction", [Pure]> {
  let summary = "whether the processor has an instruction";
  let description = [{
    Tests at run time whether an instruction of a description, `<accelerator>_<instruction>`, exists: its `guard` held
    when the C was compiled, and its condition `available` holds. Functions in C called `uma_instruction_<name>…` are
    called where it is true only.

    ```mlir
    uma.tir.func @f() {
      %exists = uma.tir.has_instruction "amx_dpbusd"
    }
    ```
  }];
  let arguments = (ins StrAttr:$instruction);
  let results = (outs I1:$result);
  let assemblyFormat = "$instruction attr-dict";
}

def TIR_FixedPointMultiplyOp : TIR_Op<"fixed_point_multiply",
    [Pure, AllTypesMatch<["data", "multiplier", "shift", "result"]>]> {
  let summary = "multiply integers by real factors, in integers";
  let description = [{
    `p = (data * multiplier + 2^30) >> 31`, in 64 bits, divided by `2^shift` with halves rounded away from zero. The
    multiplier is 0 or more, the shift 0 to 31. On vectors, for each lane. Sources: TensorFlow Lite's
    `MultiplyByQuantizedMultiplier`, TVM's `tir.q_multiply_shift_per_axis`.

    ```mlir
    uma.tir.func @f(%x: i32, %m: i32, %s: i32) {
      %0 = uma.tir.fixed_point_multiply %x, %m, %s : i32
    }
    ```
  }];
  let arguments = (ins TIR_Words:$data, TIR_Words:$multiplier, TIR_Words:$shift);
  let results = (outs TIR_Words:$result);
  let assemblyFormat = "$data `,` $multiplier `,` $shift attr-dict `:` type($result)";
}

def TIR_RoundClampedOp : TIR_Op<"round_clamped", [Pure]> {
  let summary = "round a float to an integer of a range";
  let description = [{
    Rounds to the nearest integer, halves to even, and limits it to [`low`, `high`]. The float is not NaN. One operation,
    because processors with small memories have no instruction that rounds to a float, but convert with rounding. Source:
    VCVTR of Armv7E-M, `llvm.lrint`.

    ```mlir
    uma.tir.func @f(%x: f32) {
      %0 = uma.tir.round_clamped %x low -128 high 127
    }
    ```
  }];
  let arguments = (ins F32:$data, I32Attr:$low, I32Attr:$high);
  let results = (outs I32:$result);
  let assemblyFormat = "$data `low` $low `high` $high attr-dict";
  let hasVerifier = 1;
}

#endif // UMA_TIR_IR_TIROPS_TD
