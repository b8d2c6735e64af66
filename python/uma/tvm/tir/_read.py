"""Functions of `uma.tir` as primitive functions: what passes in Python see."""

from __future__ import annotations

import uma
from uma.tvm.ir import Range
from uma.tvm.tir import expr as e
from uma.tvm.tir import stmt as s
from uma.tvm.tir._regions import as_buffer_regions
from uma.tvm.tir._types import MATH, to_dtype
from uma.tvm.tir.function import PrimFunc

_BINARY = {"addi": e.Add, "addf": e.Add, "subi": e.Sub, "subf": e.Sub, "muli": e.Mul, "mulf": e.Mul, "divsi": e.Div, "divui": e.Div, "divf": e.Div,
           "remsi": e.Mod, "remui": e.Mod, "remf": e.Mod, "minsi": e.Min, "minimumf": e.Min, "minnumf": e.Min, "maxsi": e.Max, "maximumf": e.Max,
           "maxnumf": e.Max, "maxui": e.Max, "minui": e.Min}
#: Operations on integers without a sign, which buffers do not say.
_UNSIGNED = ("divui", "remui", "minui", "maxui", "extui", "uitofp", "index_castui")
_CMP_INT = [e.EQ, e.NE, e.LT, e.LE, e.GT, e.GE, e.LT, e.LE, e.GT, e.GE]
_CMP_FLOAT = {1: e.EQ, 2: e.GT, 3: e.GE, 4: e.LT, 5: e.LE, 6: e.NE, 8: e.EQ, 9: e.GT, 10: e.GE, 11: e.LT, 12: e.LE, 13: e.NE}
_CASTS = ("index_cast", "index_castui", "extsi", "extui", "trunci", "extf", "truncf", "sitofp", "uitofp", "fptosi", "fptoui")
_MATH = {mlir: tvm for tvm, mlir in reversed(MATH.items())}
_BITS = {"andi": "bitwise_and", "ori": "bitwise_or", "xori": "bitwise_xor", "shli": "shift_left", "shrsi": "shift_right"}
#: Operations after which a loaded number may have changed.
_EFFECTS = ("memref.store", "uma.tir.call_extern", "uma.tir.call", "uma.tir.for", "uma.tir.block", "scf.if", "memref.copy")


class Unreadable(Exception):
    """The function has an operation that primitive functions of TVM do not have."""


class Reader:
    """Reads one function."""

    def __init__(self):
        self.exprs = {}  # Value -> expression
        self.buffers = {}  # Value -> Buffer
        self.numbers = 0

    def name(self, prefix):
        self.numbers += 1
        return f"{prefix}{self.numbers - 1}" if self.numbers > 1 or prefix == "i" else prefix

    def new_buffer(self, value, name, scope="global"):
        buffer = s.Buffer(value.type.shape, to_dtype(value.type.element), name, scope=scope)
        self.buffers[value] = buffer
        return buffer

    def buffer(self, value):
        if value not in self.buffers:
            raise Unreadable(f"a buffer that '{value.owner.name if value.owner else 'an argument'}' gives")
        return self.buffers[value]

    def expr(self, value):
        if value not in self.exprs:
            raise Unreadable(f"the value of '{value.owner.name}'")
        return self.exprs[value]

    def indices(self, values):
        return [self.expr(value) for value in values]

    # Regions.

    def block(self, block):
        """The statements of a block as one."""
        operations = block.operations
        positions = {op: number for number, op in enumerate(operations)}
        statements, scopes = [], []
        for number, op in enumerate(operations):
            name = op.name
            if name in ("uma.tir.yield", "uma.tir.return", "scf.yield"):
                continue
            if name == "uma.tir.alloc":
                attributes = op.get_attributes()
                buffer = self.new_buffer(op.result, attributes.get("label", "buffer"), "local" if attributes["scope"] == 1 else "global")
                scopes.append((len(statements), lambda body, b=buffer: s.Allocate(b.data, b.dtype, b.shape, True, body, {"buffer": b})))
            elif name == "memref.load":
                load = e.BufferLoad(self.buffer(op.operands[0]), self.indices(op.operands[1:]))
                if self.is_late(op, number, operations, positions):
                    var = e.Var(self.name("v"), load.dtype)
                    scopes.append((len(statements), lambda body, v=var, x=load: s.LetStmt(v, x, body)))
                    load = var
                self.exprs[op.result] = load
            else:
                statement = self.statement(op)
                if statement is not None:
                    statements.append(statement)
        for position, wrap in reversed(scopes):
            statements[position:] = [wrap(s.stmt_seq(*statements[position:]))]
        return s.stmt_seq(*statements)

    @staticmethod
    def is_late(op, number, operations, positions):
        """Whether a number that `op` loads is used after something else may have changed the buffer."""
        last = number
        for user, _ in op.result.uses:
            is_inside = False
            while user not in positions:
                user = user.parent
                is_inside = True
            if is_inside and (user.name != "scf.if" or not user.results):
                return True
            last = max(last, positions[user])
        return any(operations[index].name in _EFFECTS and not (operations[index].name == "scf.if" and operations[index].results)
                   for index in range(number + 1, last))

    def statement(self, op):
        """The statement of an operation, or None where it only computes a value."""
        name = op.name
        if name == "uma.tir.for":
            return self.loop(op)
        if name == "uma.tir.block":
            return self.tir_block(op)
        if name == "memref.store":
            return s.BufferStore(self.buffer(op.operands[1]), self.expr(op.operands[0]), self.indices(op.operands[2:]))
        if name == "uma.tir.call_extern":
            return self.call_extern(op)
        if name == "scf.if" and not op.results:
            then, other = op.regions
            return s.IfThenElse(self.expr(op.operands[0]), self.block(then[0]), self.block(other[0]) if other else None)
        if len(op.results) != 1:
            raise Unreadable(f"'{name}'")
        if name == "uma.tir.view":
            source = self.buffer(op.operands[0])
            if op.get_attribute("offset") != 0:
                raise Unreadable("a view with an offset")
            self.buffers[op.result] = s.Buffer(op.result.type.shape, source.dtype, source.name, data=source.data)
            return None
        self.exprs[op.result] = self.compute(op)
        return None

    def loop(self, op):
        attributes = op.get_attributes()
        low, high = attributes["static_lower"], attributes["static_upper"]
        dynamic = iter(op.operands)
        low = self.expr(next(dynamic)) if low == -(1 << 63) else e.const(low)
        high = self.expr(next(dynamic)) if high == -(1 << 63) else e.const(high)
        var = e.Var(attributes.get("label") or self.name("i"), "int32")
        body = op.blocks[0]
        self.exprs[body.arguments[0]] = var
        annotations = {key: value for key, value in attributes.items() if key.startswith("uma.")}
        return s.For(var, low, high - low, s.ForKind(attributes.get("kind", 0)), self.block(body), annotations=annotations)

    def tir_block(self, op):
        attributes = op.get_attributes()
        extents, kinds = attributes["extents"], attributes["iter_kinds"]
        bindings = [self.expr(value) for value in op.operands[:len(extents)]]
        predicate = self.expr(op.operands[len(extents)]) if attributes["operandSegmentSizes"][1] else e.const(True)
        axes = [e.IterVar(Range(extent), e.Var(f"v{self.name('i')}"), 2 if kind == 1 else 0) for extent, kind in zip(extents, kinds)]
        init, body = op.regions
        statements = []
        for region in (init, body):
            if not region:
                statements.append(None)
                continue
            for argument, axis in zip(region[0].arguments, axes):
                self.exprs[argument] = axis.var
            statements.append(self.block(region[0]))
        reads, writes = as_buffer_regions(statements[1], axes, statements[0])
        return s.BlockRealize(bindings, predicate, s.Block(axes, reads, writes, attributes["label"], statements[1], statements[0]))

    def call_extern(self, op):
        attributes = op.get_attributes()
        args = [e.StringImm(attributes["callee"])]
        for operand in op.operands:
            if operand in self.buffers:
                args.append(self.buffers[operand].data)
            else:
                args.append(self.expr(operand))
        call = e.Call("void" if "no_status" in attributes else "int32", "tir.call_extern", args)
        call.code = attributes.get("uma.code")
        return s.Evaluate(call)

    def compute(self, op):
        dialect, _, name = op.name.partition(".")
        if op.name == "arith.constant":
            value = op.get_attribute("value")
            return e.const(value, to_dtype(op.result.type.element))
        if op.name == "scf.if":
            cases = []
            for region in op.regions:
                operations = region[0].operations
                for inner in operations[:-1]:
                    if inner.name == "memref.load":
                        self.exprs[inner.result] = e.BufferLoad(self.buffer(inner.operands[0]), self.indices(inner.operands[1:]))
                    elif self.statement(inner) is not None:
                        raise Unreadable("a condition with an effect and a value")
                cases.append(self.expr(operations[-1].operands[0]))
            return e.Call(cases[0].dtype, "tir.if_then_else", [self.expr(op.operands[0]), *cases])
        args = [self.expr(operand) for operand in op.operands] if dialect in ("arith", "math") else []
        dtype = to_dtype(op.result.type.element)
        if dialect == "arith" and (name in _UNSIGNED or name == "cmpi" and op.get_attribute("predicate") >= 6):
            args = [e._cast(arg, "u" + arg.dtype) if arg.dtype.startswith("int") else arg for arg in args]
            dtype = args[0].dtype if name in ("divui", "remui", "minui", "maxui") else dtype
        if dialect == "arith":
            if name in _BINARY:
                return e._binary(_BINARY[name], *args)
            if name == "cmpi":
                return e._binary(_CMP_INT[op.get_attribute("predicate")], *args)
            if name == "cmpf" and op.get_attribute("predicate") in _CMP_FLOAT:
                return _CMP_FLOAT[op.get_attribute("predicate")](*args)
            if name in ("andi", "ori") and dtype == "bool":
                return (e.And if name == "andi" else e.Or)(*args)
            if name == "xori" and dtype == "bool":
                return e.Not(args[0])
            if name in _BITS:
                return e.Call(dtype, f"tir.{_BITS[name]}", args)
            if name == "select":
                return e.Select(*args)
            if name == "negf":
                return e.Sub(e.const(0.0, dtype), args[0])
            if name in _CASTS:
                return args[0] if args[0].dtype == dtype else e._cast(args[0], dtype)
        if dialect == "math" and name in _MATH:
            return e.Call(dtype, f"tir.{_MATH[name]}", args)
        raise Unreadable(f"'{op.name}'")


def source(value):
    """The buffer that a view shows."""
    while value.owner is not None and value.owner.name == "uma.tir.view":
        value = value.owner.operands[0]
    return value


def read_function(op):
    """The primitive function of a `uma.tir.func`."""
    reader = Reader()
    attributes = op.get_attributes()
    params, buffer_map = [], {}
    arguments = op.blocks[0].arguments
    written = set()
    for inner in op.walk():
        if inner.name == "memref.store":
            written.add(source(inner.operands[1]))
        elif inner.name == "uma.tir.call_extern":
            written |= {source(inner.operands[position]) for position in inner.get_attribute("writes") or []}
    for number, argument in enumerate(arguments):
        name = f"placeholder_{number}" if argument not in written else "output" if number + 1 == len(arguments) else f"output_{number}"
        buffer = reader.new_buffer(argument, name)
        var = e.Var(name, "handle")
        params.append(var)
        buffer_map[var] = buffer
    body = reader.block(op.blocks[0])
    target = op.target or ("", {})
    relay = dict(attributes.get("uma.notes", {}))
    values = {"global_symbol": attributes["sym_name"], "tir.noalias": True, "layer": attributes.get("layer", ""), "target": target[0], **target[1]}
    from uma.tvm.ir import Attrs

    values["relay_attrs"] = Attrs({"Primitive": 1, "Compiler": target[0], "global_symbol": attributes["sym_name"], **relay})
    # The function of a match has constants behind its other parameters; passes expect the operands in their order.
    order = attributes.get("uma.operands", [])
    order = list(order) + [number for number in range(len(params)) if number not in order]
    params = [params[number] for number in order]
    func = PrimFunc(params, body, None, {param: buffer_map[param] for param in params}, values)
    func.origin = [position for position, number in enumerate(order) if arguments[number] in written]
    func.order = order
    return func


def write_function(op, func):
    """Replaces a `uma.tir.func` by a changed one."""
    from uma.tvm.tir._text import print_function

    known = {"global_symbol", "tir.noalias", "layer", "target", "relay_attrs", *(op.target or ("", {}))[1]}
    extra = {key: value for key, value in func.attrs.items() if key not in known}
    name = op.get_attribute("sym_name")
    places = [func.order.index(number) for number in range(len(func.params))]
    writable = [places.index(position) for position in func.origin]
    text = print_function(func._changed(params=[func.params[place] for place in places]), name, writable or None)
    new = uma.ir.Builder.before(op).parse("module {\n" + text + "}\n")
    inner = new.blocks[0].operations[0]
    for key, value in op.get_attributes().items():
        if key not in ("sym_name", "function_type", "sym_visibility"):
            inner.set_attribute(key, value)
    for key, value in extra.items():
        inner.set_attribute(f"uma.{key}" if "." not in key else key, value)
    inner.move_before(op)
    new.erase()
    op.erase()
    return inner
