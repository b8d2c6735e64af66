"""Schedules of primitive functions, as `tvm.tir.Schedule`. Each primitive is checked: what would change the result is an error."""

from __future__ import annotations

import uma
from uma.tvm.ir import IRModule
from uma.tvm.tir.function import PrimFunc
from uma.tvm.tir.stmt import Block, BlockRealize, For
from uma.tvm.tir.stmt_functor import pre_order_visit

__all__ = ["BlockRV", "LoopRV", "Schedule"]


class LoopRV:
    """A loop of a schedule."""

    def __init__(self, number, native=None):
        self.number, self.native = number, native


class BlockRV:
    """A block of a schedule."""

    def __init__(self, name, native=None):
        self.name, self.native = name, native


class Schedule:
    """A schedule of a function or of the functions of a module."""

    def __init__(self, mod, *, seed=None, debug_mask="none", error_render_level="detail"):
        if isinstance(mod, PrimFunc):
            mod = IRModule({"main": mod})
        functions = [(var, func) for var, func in mod.functions.items() if isinstance(func, PrimFunc)]
        if len(functions) != 1:
            raise uma.Error(f"a schedule is for one primitive function, the module has {len(functions)}")
        self._var, self._func = functions[0]
        self._native = None
        self._is_changed = False

    # Queries of the function.

    @property
    def func(self):
        """The function as it is now."""
        if self._is_changed:
            self._func = self._read()
            self._is_changed = False
        return self._func

    @property
    def mod(self):
        return IRModule({self._var.name_hint: self.func})

    def _nodes(self):
        loops, blocks = [], []

        def visit(node):
            if isinstance(node, For):
                loops.append(node)
            elif isinstance(node, BlockRealize) and node.block.iter_vars:
                blocks.append(node.block)

        pre_order_visit(self.func.body, visit)
        return loops, blocks

    def get_block(self, name, func_name="main"):
        """The block called `name`."""
        if self._native is not None:
            return BlockRV(name, self._native.get_block(name))
        names = [block.name_hint for block in self._nodes()[1]]
        if names.count(name) != 1:
            what = "no block" if name not in names else f"{names.count(name)} blocks"
            raise uma.Error(f"the function has {what} '{name}'{uma._uma.suggest(name, names)}; it has {', '.join(names) or 'none'}")
        return BlockRV(name)

    def get_loops(self, block):
        """The loops around a block, the outermost first."""
        if self._native is not None:
            return [LoopRV(None, loop) for loop in self._native.get_loops(self._block(block))]
        loops, _ = self._nodes()
        result = []
        for number, loop in enumerate(loops):
            found = []
            pre_order_visit(loop.body, lambda node: found.append(node) if isinstance(node, Block) and node.name_hint == block.name else None)
            if found:
                result.append(LoopRV(number))
        return result

    def get(self, rv):
        """The node of the function that a loop or block stands for."""
        loops, blocks = self._nodes()
        if isinstance(rv, BlockRV):
            return next(block for block in blocks if block.name_hint == rv.name)
        if rv.native is None:
            return loops[rv.number]
        order = self._preorder("uma.tir.for")
        return loops[order.index(rv.native)]

    # Primitives, which change the function.

    def _start(self):
        """Hands the function to the compiler, where primitives are checked."""
        if self._native is None:
            from uma.tvm.tir._text import print_function

            func = self._func
            self._native = uma._uma.ir.Schedule("module {\n" + print_function(func, "main", func.origin) + "}\n")
        return self._native

    def _preorder(self, kind):
        found = []

        def walk(op):
            if op.name == kind:
                found.append(op)
            for block in op.blocks:
                for inner in block.operations:
                    walk(inner)

        walk(self._native.function)
        return found

    def _loop(self, rv):
        native = self._start()
        del native
        if rv.native is None:
            rv.native = self._preorder("uma.tir.for")[rv.number]
        return rv.native

    def _block(self, rv):
        native = self._start()
        if rv.native is None or not rv.native.is_valid:
            rv.native = native.get_block(rv.name)
        return rv.native

    def _read(self):
        from uma.tvm.tir._read import read_function

        new = read_function(self._native.function)
        return PrimFunc(new.params, new.body, new.ret_type, new.buffer_map, self._func.attrs)._changed(origin=self._func.origin,
                                                                                                          order=self._func.order)

    def _done(self):
        self._is_changed = True

    def _apply(self, name, *args):
        result = getattr(self._start(), name)(*args)
        self._done()
        return result

    def _bind(self, *loops):
        # All loops by their handles before the first one changes.
        return [self._loop(loop) for loop in loops]

    def split(self, loop, factors, preserve_unit_iters=True):
        """Splits a loop; one of the factors may be None."""
        return [LoopRV(None, part) for part in self._apply("split", self._bind(loop)[0], [None if f is None else int(f) for f in factors])]

    def fuse(self, *loops, preserve_unit_iters=True):
        return LoopRV(None, self._apply("fuse", self._bind(*loops)))

    def reorder(self, *ordered_loops):
        self._apply("reorder", self._bind(*ordered_loops))

    def vectorize(self, loop):
        self._apply("vectorize", *self._bind(loop))

    def parallel(self, loop):
        self._apply("parallel", *self._bind(loop))

    def unroll(self, loop):
        self._apply("unroll", *self._bind(loop))

    def cache_read(self, block, read_buffer_index, storage_scope, consumer_blocks=None):
        new = self._apply("cache_read", self._block(block), read_buffer_index, storage_scope)
        return BlockRV(new.get_attribute("label"), new)

    def cache_write(self, block, write_buffer_index, storage_scope, consumer_blocks=None):
        new = self._apply("cache_write", self._block(block), write_buffer_index, storage_scope)
        return BlockRV(new.get_attribute("label"), new)

    def compute_at(self, block, loop, preserve_unit_loops=False, index=-1):
        self._apply("compute_at", self._block(block), *self._bind(loop))

    def reverse_compute_at(self, block, loop, preserve_unit_loops=False, index=-1):
        self._apply("reverse_compute_at", self._block(block), *self._bind(loop))

    def compute_inline(self, block):
        self._apply("compute_inline", self._block(block))

    def reverse_compute_inline(self, block):
        self._apply("reverse_compute_inline", self._block(block))

    def decompose_reduction(self, block, loop):
        new = self._apply("decompose_reduction", self._block(block), *self._bind(loop))
        return BlockRV(new.get_attribute("label"), new)

    def rfactor(self, loop, factor_axis, block=None):
        inner = self._bind(loop)[0]
        if block is None:
            label = next(op for op in inner.walk() if op.name == "uma.tir.block").get_attribute("label")
            block = BlockRV(label)
        new = self._apply("rfactor", self._block(block), inner)
        return BlockRV(new.get_attribute("label"), new)

    def set_scope(self, block, buffer_index, storage_scope):
        self._apply("set_scope", self._block(block), buffer_index, storage_scope)
