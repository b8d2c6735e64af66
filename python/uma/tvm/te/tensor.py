"""Tensors and their computation, as `tvm.te`."""

from __future__ import annotations

import inspect

import uma
from uma.tvm.runtime import Object, convert_dtype
from uma.tvm.tir import expr as e
from uma.tvm.tir.expr import IterVar, Var, as_expr

__all__ = ["ComputeOp", "ExternOp", "PlaceholderOp", "Tensor", "compute", "extern", "max", "min", "placeholder", "prod", "reduce_axis", "size_var", "sum",
           "thread_axis", "var"]


class TensorSlice:
    """Some indices of a tensor."""

    def __init__(self, tensor, indices):
        self.tensor, self.indices = tensor, tuple(indices)

    def __getitem__(self, index):
        return TensorSlice(self.tensor, self.indices + (index if isinstance(index, tuple) else (index,)))

    def as_expr(self):
        return self.tensor(*self.indices)

    @property
    def dtype(self):
        return self.tensor.dtype

    def __getattr__(self, name):
        return getattr(self.as_expr(), name)


for _name in ("add", "radd", "sub", "rsub", "mul", "rmul", "truediv", "rtruediv", "floordiv", "mod", "neg", "lt", "le", "gt", "ge"):
    def _operator(self, *other, _method=f"__{_name}__"):
        return getattr(self.as_expr(), _method)(*[o.as_expr() if isinstance(o, TensorSlice) else o for o in other])

    setattr(TensorSlice, f"__{_name}__", _operator)


class Tensor(Object):
    """A tensor; `op` computes it. `A[i, j]` and `A(i, j)` are elements."""

    def __init__(self, shape, dtype, op, value_index=0):
        self.shape = [as_expr(size) for size in shape]
        for size in self.shape:
            if not isinstance(size, e.IntImm):
                raise uma.Error(f"the tensor '{op.name}' has a size {size} that is not known; sizes are numbers here")
        self.dtype = convert_dtype(dtype)
        self.op = op
        self.value_index = value_index

    @property
    def name(self):
        return self.op.name

    @property
    def ndim(self):
        return len(self.shape)

    @property
    def axis(self):
        return self.op.axis

    def __call__(self, *indices):
        if len(indices) != self.ndim:
            raise ValueError(f"the tensor '{self.name}' has {self.ndim} dimensions, found {len(indices)} indices")
        return e.ProducerLoad(self, indices)

    def __getitem__(self, indices):
        return TensorSlice(self, indices if isinstance(indices, tuple) else (indices,))

    def __str__(self):
        return f"Tensor({self.name}: {[int(size) for size in self.shape]}, {self.dtype})"


class PlaceholderOp(Object):
    def __init__(self, name, shape, dtype):
        self.name, self.shape, self.dtype = name, shape, dtype
        self.axis, self.reduce_axis, self.tag = [], [], ""
        self.input_tensors = []

    def output(self, index):
        return self.tensors[index]


class ComputeOp(Object):
    """A tensor given by the expression of its elements."""

    def __init__(self, name, tag, attrs, axis, body):
        self.name, self.tag, self.attrs = name, tag, dict(attrs or {})
        self.axis = axis
        self.body = body
        self.reduce_axis = list(body[0].axis) if isinstance(body[0], e.Reduce) else []
        self.input_tensors = []
        stack, seen = list(body), set()
        while stack:
            node = stack.pop(0)
            if id(node) in seen:
                continue
            seen.add(id(node))
            if isinstance(node, e.ProducerLoad) and node.producer not in self.input_tensors:
                self.input_tensors.append(node.producer)
            stack.extend(node.children())

    def output(self, index):
        return self.tensors[index]

    num_outputs = 1


class ExternOp(Object):
    """A tensor that statements write."""

    def __init__(self, name, tag, attrs, inputs, input_buffers, output_buffers, body):
        self.name, self.tag, self.attrs = name, tag, dict(attrs or {})
        self.input_tensors = list(inputs)
        self.input_placeholders, self.output_placeholders, self.body = input_buffers, output_buffers, body
        self.axis, self.reduce_axis = [], []

    def output(self, index):
        return self.tensors[index]


def placeholder(shape, dtype=None, name="placeholder"):
    """An input."""
    shape = shape if isinstance(shape, (list, tuple)) else [shape]
    op = PlaceholderOp(name, shape, dtype or "float32")
    op.tensors = [Tensor(shape, dtype or "float32", op)]
    return op.tensors[0]


def compute(shape, fcompute, name="compute", tag="", attrs=None, varargs_names=None):
    """A tensor with `fcompute(i, j, …)` as its elements."""
    shape = list(shape) if isinstance(shape, (list, tuple)) else [shape]
    parameters = inspect.signature(fcompute).parameters.values()
    has_rest = any(p.kind is inspect.Parameter.VAR_POSITIONAL for p in parameters)
    names = [p.name for p in parameters if p.kind is not inspect.Parameter.VAR_POSITIONAL]
    if has_rest:
        names = names + [f"i{number}" for number in range(len(names), len(shape))]
    if len(names) != len(shape):
        raise ValueError(f"the function of '{name}' has {len(names)} indices, the shape {len(shape)} sizes")
    axis = [IterVar((0, size), Var(axis_name), IterVar.DataPar) for axis_name, size in zip(names, shape)]
    body = fcompute(*[each.var for each in axis])
    bodies = [as_expr(each) for each in (body if isinstance(body, (list, tuple)) else [body])]
    if len(bodies) != 1:
        raise uma.Error(f"'{name}' computes {len(bodies)} tensors at once; compute each by itself")
    op = ComputeOp(name, tag, attrs, axis, bodies)
    op.tensors = [Tensor(shape, bodies[0].dtype, op)]
    return op.tensors[0]


def extern(shape, inputs, fcompute, name="extern", dtype=None, in_buffers=None, out_buffers=None, tag="", attrs=None):
    """A tensor that `fcompute(ins, outs)` writes: statements of an ir_builder, or a call_extern."""
    from uma.tvm.tir.stmt import Buffer, Evaluate, Stmt

    shapes = [shape] if isinstance(shape, tuple) or isinstance(shape, list) and not (shape and isinstance(shape[0], (list, tuple))) else list(shape)
    shapes = [list(each) for each in shapes]
    dtypes = [dtype] * len(shapes) if not isinstance(dtype, (list, tuple)) else list(dtype)
    if dtypes[0] is None:
        kinds = {tensor.dtype for tensor in inputs}
        if len(kinds) != 1:
            raise ValueError(f"'{name}' has inputs of {len(kinds)} dtypes; dtype= says which one the result has")
        dtypes = list(kinds) * len(shapes)
    if len(shapes) != 1:
        raise uma.Error(f"'{name}' computes {len(shapes)} tensors at once; compute each by itself")
    ins = list(in_buffers or [Buffer(tensor.shape, tensor.dtype, tensor.name) for tensor in inputs])
    outs = list(out_buffers or [Buffer(each, kind, name) for each, kind in zip(shapes, dtypes)])
    body = fcompute(ins, outs)
    op = ExternOp(name, tag, attrs, inputs, ins, outs, body if isinstance(body, Stmt) else Evaluate(body))
    op.tensors = [Tensor(each, kind, op, index) for index, (each, kind) in enumerate(zip(shapes, dtypes))]
    return op.tensors[0]


def reduce_axis(dom, name="rv", thread_tag="", span=None):
    """An axis of a reduction: `te.reduce_axis((0, n), name="k")`."""
    return IterVar(dom, Var(name), IterVar.CommReduce)


def thread_axis(dom=None, tag="", name="", span=None):
    raise uma.Error("thread_axis binds loops to threads of a GPU; loops of the C are serial, parallel, vectorized or unrolled")


def var(name="tindex", dtype="int32", span=None):
    raise uma.Error(f"te.var('{name}') is a size that is not known; sizes are numbers here, since each network is compiled for its shapes")


size_var = var


def _reducer(combiner, make_identity):
    def reduce(expr, axis, where=None, init=None, *args):
        if not isinstance(axis, (IterVar, list, tuple)):
            # The arguments are numbers: te.max(x, 0).
            result = as_expr(expr)
            for other in [axis] + [entry for entry in (where, init, *args) if entry is not None]:
                result = e._binary(COMBINERS[combiner], result, other)
            return result
        axis = list(axis) if isinstance(axis, (list, tuple)) else [axis]
        for each in axis:
            if not isinstance(each, IterVar) or each.iter_type != IterVar.CommReduce:
                raise TypeError(f"'{combiner}' reduces over axes of te.reduce_axis, found {each!r}")
        expr = as_expr(expr)
        return e.Reduce(combiner, expr, axis, where, make_identity(expr.dtype) if init is None else as_expr(init))

    reduce.__name__ = combiner
    reduce.__doc__ = f"The {combiner} over axes of `te.reduce_axis`, or of two or more numbers."
    return reduce


def _limit(which):
    def make(dtype):
        from uma.tvm.tir.op import max_value, min_value

        if dtype.startswith("float"):
            return e.FloatImm(dtype, float("inf") if which == "max" else float("-inf"))
        return (max_value if which == "max" else min_value)(dtype)

    return make


sum = _reducer("sum", lambda dtype: e.const(0, dtype))
prod = _reducer("prod", lambda dtype: e.const(1, dtype))
max = _reducer("max", _limit("min"))
min = _reducer("min", _limit("max"))
COMBINERS = {"sum": e.Add, "prod": e.Mul, "max": e.Max, "min": e.Min}
