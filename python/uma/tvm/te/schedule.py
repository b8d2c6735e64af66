"""Schedules of tensors, as `tvm.te.create_schedule`. What a stage records is applied to the loops when the function is lowered, by the
primitives of the compiler, which check that each is legal."""

from __future__ import annotations

import uma
from uma.tvm.te.operation import create_prim_func, order, unique_names
from uma.tvm.te.tensor import PlaceholderOp, Tensor
from uma.tvm.tir.expr import IterVar, Var

__all__ = ["Schedule", "Stage", "create_schedule"]


class Stage:
    """The schedule of one tensor."""

    def __init__(self, schedule, op):
        self._schedule, self.op = schedule, op
        self.leaf_iter_vars = list(op.axis) + list(op.reduce_axis)

    def _record(self, name, *args):
        self._schedule.steps.append((name, self, args))

    def _check(self, *axes):
        for axis in axes:
            if not isinstance(axis, IterVar):
                raise TypeError(f"a stage is scheduled by axes such as s[C].op.axis[0], found {axis!r}")
            if not any(axis is leaf for leaf in self.leaf_iter_vars):
                raise uma.Error(f"the stage '{self.op.name}' has no axis '{axis.var}' any more; it has "
                                + ", ".join(leaf.var.name for leaf in self.leaf_iter_vars))

    def _replace(self, old, new):
        at = min(number for number, leaf in enumerate(self.leaf_iter_vars) if any(leaf is axis for axis in old))
        rest = [leaf for leaf in self.leaf_iter_vars if not any(leaf is axis for axis in old)]
        self.leaf_iter_vars = rest[:at] + new + rest[at:]

    def split(self, parent, factor=None, nparts=None, disable_predication=False):
        """The outer and the inner axis of a split by `factor`, the inner extent, or `nparts`, the outer one."""
        self._check(parent)
        if (factor is None) == (nparts is None):
            raise ValueError("a split takes factor, the extent of the inner axis, or nparts, that of the outer one")
        extent = int(parent.dom.extent)
        inner_extent = int(factor) if factor is not None else -(-extent // int(nparts))
        outer = IterVar((0, -(-extent // inner_extent)), Var(f"{parent.var.name}_outer"), parent.iter_type)
        inner = IterVar((0, inner_extent), Var(f"{parent.var.name}_inner"), parent.iter_type)
        self._replace([parent], [outer, inner])
        self._record("split", parent, [None, inner_extent] if factor is not None else [int(nparts), None], outer, inner)
        return outer, inner

    def tile(self, x_parent, y_parent, x_factor, y_factor):
        x_outer, x_inner = self.split(x_parent, factor=x_factor)
        y_outer, y_inner = self.split(y_parent, factor=y_factor)
        self.reorder(x_outer, y_outer, x_inner, y_inner)
        return x_outer, y_outer, x_inner, y_inner

    def fuse(self, *args):
        self._check(*args)
        extent = 1
        for axis in args:
            extent *= int(axis.dom.extent)
        fused = IterVar((0, extent), Var("_".join(axis.var.name for axis in args) + "_fused"), args[0].iter_type)
        self._replace(list(args), [fused])
        self._record("fuse", list(args), fused)
        return fused

    def reorder(self, *args):
        self._check(*args)
        places = [number for number, leaf in enumerate(self.leaf_iter_vars) if any(leaf is axis for axis in args)]
        for place, axis in zip(places, args):
            self.leaf_iter_vars[place] = axis
        self._record("reorder", list(args))

    def vectorize(self, var):
        self._check(var)
        self._record("vectorize", var)

    def unroll(self, var):
        self._check(var)
        self._record("unroll", var)

    def parallel(self, var):
        self._check(var)
        self._record("parallel", var)

    def compute_at(self, parent, scope):
        parent._check(scope)
        self._record("compute_at", parent, scope)

    def compute_inline(self):
        self._record("compute_inline")

    def compute_root(self):
        pass

    def set_scope(self, scope):
        self._record("set_scope", scope)

    def pragma(self, var, pragma_type, pragma_value=None):
        """Unrolling is a pragma of TVM; others do not change what is computed."""
        if pragma_type == "unroll":
            self.unroll(var)

    def bind(self, ivar, thread_ivar):
        raise uma.Error("'bind' binds a loop to threads of a GPU; loops of the C are serial, parallel, vectorized or unrolled")

    def tensorize(self, var, tensor_intrin):
        """Replaces the loops from `var` inwards by the call of an intrinsic."""
        from uma.tvm.te.tensor_intrin import TensorIntrin

        self._check(var)
        if not isinstance(tensor_intrin, TensorIntrin):
            raise TypeError(f"tensorize takes what te.decl_tensor_intrin gives, found {tensor_intrin!r}")
        self._record("tensorize", var, tensor_intrin)


class Schedule:
    """A schedule: `s[C]` is the stage of the tensor C."""

    def __init__(self, outputs):
        self.outputs = outputs
        self.operations = [op for op in order([op.tensors[0] for op in outputs])]
        self.steps = []
        self.stages = [Stage(self, op) for op in self.operations]

    def __getitem__(self, key):
        op = key.op if isinstance(key, Tensor) else key
        for stage in self.stages:
            if stage.op is op:
                return stage
        raise uma.Error(f"the schedule has no stage of '{getattr(op, 'name', op)}'")

    def cache_write(self, tensor, scope):
        raise uma.Error("te's cache_write has no counterpart; tir.Schedule(te.create_prim_func(…)).cache_write has")

    def cache_read(self, tensor, scope, readers):
        raise uma.Error("te's cache_read has no counterpart; tir.Schedule(te.create_prim_func(…)).cache_read has")

    def rfactor(self, tensor, axis, factor_axis=0):
        raise uma.Error("te's rfactor has no counterpart; tir.Schedule(te.create_prim_func(…)).rfactor has")

    def normalize(self):
        return self

    def lower(self, args):
        """The text of the scheduled function."""
        from uma.tvm.tir._text import print_function

        func = create_prim_func(args)
        text = "module {\n" + print_function(func, "main", func.origin) + "}\n"
        if not self.steps:
            return text
        native = uma._uma.ir.Schedule(text)
        names = unique_names(self.operations)
        loops = {}
        for op in self.operations:
            axes = list(op.axis) + list(op.reduce_axis)
            if axes:
                for axis, loop in zip(axes, native.get_loops(native.get_block(names[id(op)]))):
                    loops[id(axis)] = loop
        for name, stage, args in self.steps:
            try:
                self._apply(native, name, stage, args, names, loops)
            except uma.Error as problem:
                raise uma.Error(f"the step '{name}' of the stage '{stage.op.name}' is not possible: {problem}") from None
        return native.text()

    @staticmethod
    def _apply(native, name, stage, args, names, loops):
        def block():
            return native.get_block(names[id(stage.op)])

        if isinstance(stage.op, PlaceholderOp):
            raise uma.Error("it is an input")
        if name == "split":
            parent, factors, outer, inner = args
            loops[id(outer)], loops[id(inner)] = native.split(loops[id(parent)], factors)
        elif name == "fuse":
            axes, fused = args
            loops[id(fused)] = native.fuse([loops[id(axis)] for axis in axes])
        elif name == "reorder":
            native.reorder([loops[id(axis)] for axis in args[0]])
        elif name in ("vectorize", "unroll", "parallel"):
            getattr(native, name)(loops[id(args[0])])
        elif name == "compute_at":
            native.compute_at(block(), loops[id(args[1])])
        elif name == "compute_inline":
            native.compute_inline(block())
        elif name == "set_scope":
            native.set_scope(block(), 0, args[0])
        elif name == "tensorize":
            from uma.tvm.te.tensor_intrin import apply

            apply(native, loops[id(args[0])], args[1])


def create_schedule(ops):
    """A schedule of the operations of tensors."""
    return Schedule(list(ops) if isinstance(ops, (list, tuple)) else [ops])
