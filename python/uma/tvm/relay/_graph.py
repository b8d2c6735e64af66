"""Relay's functions and functions of `uma.graph`, one from the other."""

from __future__ import annotations

import numpy as np

import uma
from uma.tvm.ir import Attrs, GlobalVar, IRModule, Op, TensorType
from uma.tvm.relay import _ops
from uma.tvm.relay import expr as r
from uma.tvm.runtime import NDArray
from uma.tvm.tir._types import to_dtype, to_element


#: Names under which patterns were registered, by the accelerator and the name in its description.
pattern_names = {}


def tensor_text(kind):
    return "tensor<" + "".join(f"{size}x" for size in kind.concrete_shape) + to_element(kind.dtype) + ">"


def tensor_type(value_type):
    """Relay's type of a tensor; None for one that it does not know, such as a quantized one."""
    from uma.tvm.tir._read import Unreadable

    try:
        return TensorType(value_type.shape, to_dtype(value_type.element))
    except (uma.Error, Unreadable):
        return None


# Reading.


class Reader:
    """Reads operations as expressions."""

    def __init__(self):
        self.values = {}

    def value(self, value):
        return self.values[value]

    def read(self, op):
        """The expression of an operation, kept for those that use its results."""
        if op.name in ("uma.graph.constant", "arith.constant"):
            array = op.result.array()
            if array is None:
                expr = r.Var(op.layer, tensor_type(op.result.type))
            else:
                expr = r.Constant(NDArray(array))
            self._set(op, expr)
        elif op.name == "func.call":
            callee = str(op.get_attribute("callee")).lstrip("@")
            self._set(op, r.Call(GlobalVar(callee), [self.value(v) for v in op.operands]))
        elif op.name == "uma.graph.composite":
            self._set(op, self._composite(op))
        else:
            self._set(op, read_call(op, [self.value(v) for v in op.operands]))

    def _set(self, op, expr):
        expr.layer = op.layer
        if len(op.results) == 1:
            if expr._type is None:
                expr._type = tensor_type(op.result.type)
            self.values[op.result] = expr
            expr.origin = op.result
            return
        for index, result in enumerate(op.results):
            item = r.TupleGetItem(expr, index)
            item._type = tensor_type(result.type)
            item.origin = result
            self.values[result] = item

    def _composite(self, op):
        block = op.blocks[0]
        inner = Reader()
        params = []
        for argument in block.arguments:
            param = r.Var(f"p{argument.index}", tensor_type(argument.type))
            inner.values[argument] = param
            params.append(param)
        *body, end = block.operations
        for each in body:
            inner.read(each)
        results = [inner.value(v) for v in end.operands]
        pattern = str(op.get_attribute("pattern"))
        accelerator, _, name = pattern.lstrip("@").partition("::@")
        name = pattern_names.get((accelerator, name), name)
        function = r.Function(params, results[0] if len(results) == 1 else r.Tuple(results),
                              attrs={"Composite": f"{accelerator}.{name}", "PartitionedFromPattern": ""})
        return r.Call(function, [self.value(v) for v in op.operands])


def read_call(op, args):
    """The call that one operator is."""
    name = op.name.removeprefix("uma.graph.")
    info = _ops.BY_GRAPH.get(name)
    if info is None:
        return r.Call(Op.get(name), args, Attrs(op.get_attributes()))
    attrs = {key: default for key, default in info.fields.items() if default is not _ops.REQUIRED}
    attrs.update(info.from_graph(op))
    if name == "cast":
        attrs["dtype"] = to_dtype(op.result.type.element)
    if info.num_args == -1:
        args = [r.Tuple(args)]
    return r.Call(Op.get(info.relay), args, Attrs(attrs))


def read_function(op):
    """The Relay function of a `func.func`."""
    reader = Reader()
    block = op.blocks[0]
    attributes = op.get_attributes()
    arg_attrs = attributes.get("arg_attrs") or [{}] * len(block.arguments)
    params = []
    for argument, names in zip(block.arguments, arg_attrs):
        param = r.Var(names.get("uma.name", f"arg{argument.index}"), tensor_type(argument.type))
        param.origin = argument
        reader.values[argument] = param
        params.append(param)
    *body, end = block.operations
    for each in body:
        reader.read(each)
    results = [reader.value(v) for v in end.operands]
    attrs = dict(attributes.get("uma.notes", {}))
    if op.target is not None:
        attrs.update(Compiler=op.target[0], Primitive=1, global_symbol=attributes["sym_name"])
    function = r.Function(params, results[0] if len(results) == 1 else r.Tuple(results), attrs=attrs)
    function.origin = (op, function.body, attrs)
    return function


def read_module(module_op):
    """The module of Relay that passes see."""
    mod = IRModule()
    for op in module_op.blocks[0].operations:
        if op.name == "func.func" and op.blocks:
            mod[op.get_attribute("sym_name") if "uma.network" not in op.get_attributes() else "main"] = read_function(op)
    return mod


def read_into(native, mod):
    """Adds the functions of a uma.Module to a module of one's own, which has no operations behind it."""

    def read(op):
        for var, function in read_module(op).functions.items():
            function.origin = None
            for node in r.post_order(function.body):
                node.origin = None
            mod.functions[var] = function

    native.edit(read)
    return mod


# Writing.


class Writer:
    """Builds the operations of expressions."""

    def __init__(self, builder):
        self.builder = builder
        self.values = {}  # id of an expression -> its value or values
        self.keep = []
        self.rows = {}  # a tensor of three dimensions -> the same with a height of 1, for one-dimensional convolutions

    def type(self, kind):
        return self.builder.type(tensor_text(kind))

    def write(self, root):
        for node in r.post_order(root):
            if id(node) not in self.values:
                self.keep.append(node)
                self.values[id(node)] = self._write(node)
        return self.values[id(root)]

    def _write(self, node):
        if isinstance(node, r.Constant):
            return self.builder.create("uma.graph.constant", [], {"value": np.asarray(node.data)},
                                       [self.type(node.checked_type)], layer=node.layer or "constant").result
        if isinstance(node, r.Tuple):
            return [self.values[id(field)] for field in node.fields]
        if isinstance(node, r.TupleGetItem):
            values = self.values[id(node.tuple_value)]
            if not isinstance(values, list):
                if node.index == 0:
                    return values  # batch_norm gives three results in Relay
                raise uma.Error(f"result {node.index} of '{getattr(getattr(node.tuple_value, 'op', None), 'name', 'a tensor')}' does not exist here; it has one")
            return values[node.index]
        if isinstance(node, r.Call):
            return self._call(node)
        if isinstance(node, r.Function):
            return None
        if isinstance(node, r.Var):
            raise uma.Error(f"the variable '{node.name_hint}' is no parameter of the function")
        raise uma.Error(f"an expression of the kind {type(node).__name__} has no counterpart here; docs/migration.md says what to write instead")

    def _call(self, node):
        args = []
        for arg in node.args:
            value = self.values[id(arg)]
            args.extend(value if isinstance(value, list) else [value])
        if isinstance(node.op, r.Function):
            inner = Writer(self.builder)
            for param, value in zip(node.op.params, args):
                inner.values[id(param)] = value
            return inner.write(node.op.body)
        if isinstance(node.op, GlobalVar):
            raise uma.Error(f"the call of '{node.op.name_hint}' cannot be built anew; change the called function instead")
        info = _ops.lookup(node.op.name)
        attrs = {key: default for key, default in info.fields.items() if default is not _ops.REQUIRED}
        for key, value in node.attrs.items():
            if info.fields and key not in info.fields:
                continue
            attrs[key] = value
        missing = [key for key in info.fields if key not in attrs]
        if missing:
            raise uma.Error(f"'{node.op.name}' has no attribute '{missing[0]}', which it needs")
        types = [tensor_type(value.type) for value in args]
        if info.num_args not in (None, -1) and len(args) != info.num_args:
            raise uma.Error(f"'{node.op.name}' has {info.num_args} arguments, found {len(args)}")
        attributes = info.to_graph(attrs, types)
        for key in ("out_dtype", "dtype"):
            if isinstance(attributes.get(key), str):
                attributes[key] = self.builder.type(to_element(attributes[key]))
        layer = node.layer or node.op.name.removeprefix("nn.")
        if node.op.name == "nn.conv1d":
            return self._conv1d(args, attributes, layer)
        flat = self._on_rows(node.op.name, info, args, attributes, layer)
        return flat if flat is not None else self._results(self.builder.create(f"uma.graph.{info.graph}", args, attributes, layer=layer))

    @staticmethod
    def _results(op):
        return op.result if len(op.results) == 1 else op.results

    def _with_row(self, value, layer):
        if value in self.rows:
            return self.rows[value]
        n, c, w = value.type.shape
        return self.builder.create("uma.graph.reshape", [value], {"newshape": [n, c, 1, w]}, layer=layer).result

    def _without_row(self, value, layer):
        n, c, _, w = value.type.shape
        flat = self.builder.create("uma.graph.reshape", [value], {"newshape": [n, c, w]}, layer=layer).result
        self.rows[flat] = value
        return flat

    def _conv1d(self, args, attributes, layer):
        data, weight = (self._with_row(value, layer) for value in args)
        return self._without_row(self.builder.create("uma.graph.conv2d", [data, weight], attributes, layer=layer).result, layer)

    def _on_rows(self, name, info, args, attributes, layer):
        """An operator behind a one-dimensional convolution computes on its rows, too, so that patterns find both side by side."""
        if not args or args[0] not in self.rows or name not in ("nn.bias_add", "nn.relu", "clip", "sigmoid", "tanh") or \
                name == "nn.bias_add" and attributes["axis"] != 1:
            return None
        op = self.builder.create(f"uma.graph.{info.graph}", [self.rows[args[0]], *args[1:]], attributes, layer=layer)
        return self._without_row(op.result, layer)


def write_body(op, function):
    """Replaces the body of a `func.func` by that of a Relay function with the same parameters."""
    block = op.blocks[0]
    end = block.operations[-1]
    writer = Writer(uma.ir.Builder.before(end))
    if len(function.params) != len(block.arguments):
        raise uma.Error(f"the function '{op.get_attribute('sym_name')}' has {len(block.arguments)} parameters, the new one has {len(function.params)}; "
                        "a pass keeps parameters")
    for param, argument in zip(function.params, block.arguments):
        writer.values[id(param)] = argument
    # Expressions that did not change keep their operations.
    for node in r.post_order(function.body):
        origin = getattr(node, "origin", None)
        if isinstance(node, (r.Call, r.Constant, r.TupleGetItem)) and origin is not None and _is_unchanged(node, writer):
            writer.values[id(node)] = origin
            writer.keep.append(node)
        elif id(node) not in writer.values:
            writer.keep.append(node)
            writer.values[id(node)] = writer._write(node)
    result = writer.values[id(function.body)]
    results = result if isinstance(result, list) else [result]
    for index, (old, new) in enumerate(zip(end.operands, results, strict=True)):
        if str(old.type) != str(new.type):
            raise uma.Error(f"result {index} of the function '{op.get_attribute('sym_name')}' was {old.type}, the pass makes it {new.type}")
        end.set_operand(index, new)
    _erase_unused(block)


def _is_unchanged(node, writer):
    """Whether an expression read from an operation still has the operands it had."""
    values = []
    for part in r.parts(node):
        if isinstance(part, r.Function):
            continue
        value = writer.values.get(id(part))
        values.extend(value if isinstance(value, list) else [value])
    origin = node.origin
    if not isinstance(node, r.Call):
        return origin.owner is not None if not isinstance(node, r.TupleGetItem) else True
    return origin.owner is not None and origin.owner.operands == values


def _erase_unused(block):
    for op in reversed(block.operations[:-1]):
        if op.name.startswith("uma.graph.") and not any(result.uses for result in op.results):
            op.erase()


def write_module(module_op, mod, before):
    """Applies what a pass changed."""
    operations = {op.get_attribute("sym_name") if "uma.network" not in op.get_attributes() else "main": op
                  for op in module_op.blocks[0].operations if op.name == "func.func"}
    for var, function in mod.functions.items():
        if not isinstance(function, r.Function) or before.functions.get(var) is function:
            continue
        op = operations.get(var.name_hint)
        if op is None:
            raise uma.Error(f"the pass adds a function '{var.name_hint}'; passes change the functions that there are")
        old = before.functions[var]
        if function.body is not old.body:
            write_body(op, function)
        changed = {key: value for key, value in function.attrs.items() if key not in old.attrs or old.attrs[key] is not value}
        changed = {key: value for key, value in changed.items() if key not in ("Compiler", "Primitive", "global_symbol")}
        if changed:
            op.set_attribute("uma.notes", {**(op.get_attribute("uma.notes") or {}), **{k: plain(v) for k, v in changed.items()}})
    for var in before.functions:
        if var not in mod.functions:
            raise uma.Error(f"the pass removes the function '{var.name_hint}', which is still called")


def plain(value):
    """An attribute's value without TVM's wrappers."""
    if isinstance(value, (list, tuple)):
        return [plain(entry) for entry in value]
    if isinstance(value, dict):
        return {str(key): plain(entry) for key, entry in value.items()}
    if isinstance(value, Attrs):
        return plain(dict(value.items()))
    if hasattr(value, "value"):
        return value.value
    return value if isinstance(value, (bool, int, float, str)) else str(value)


def build_module(mod):
    """A uma.Module of a module of Relay, with inferred types."""
    function = mod["main"]
    if not isinstance(function, r.Function):
        raise uma.Error(f"'main' is {type(function).__name__}, expected a Relay function")
    for param in function.params:
        if param.type_annotation is None:
            raise uma.Error(f"the parameter '{param.name_hint}' has no type; relay.var('{param.name_hint}', shape=…) gives it one")
    types = ", ".join(f"%a{i}: {tensor_text(p.type_annotation)} {{uma.name = {_quote(p.name_hint)}}}" for i, p in enumerate(function.params))
    module = uma.Module.parse(f"func.func @main({types}) attributes {{uma.network = \"main\"}} {{\n  return\n}}\n")

    def fill(module_op):
        op = module_op.blocks[0].operations[0]
        block = op.blocks[0]
        writer = Writer(uma.ir.Builder.before(block.operations[-1]))
        for param, argument in zip(function.params, block.arguments):
            writer.values[id(param)] = argument
        result = writer.write(function.body)
        results = result if isinstance(result, list) else [result]
        uma._uma.ir.set_results(op, results)

    module.edit(fill)
    return module


def _quote(text):
    import json

    return json.dumps(text)
