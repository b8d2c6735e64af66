"""Primitive functions as text of `uma.tir`, which the compiler parses and verifies."""

from __future__ import annotations

import json

import uma
from uma.tvm.runtime import DataType
from uma.tvm.tir import expr as e
from uma.tvm.tir import stmt as s
from uma.tvm.tir._regions import regions
from uma.tvm.tir._types import MATH, buffer_type, to_mlir

#: Buffers up to this size become variables of the function, larger ones part of the workspace.
LOCAL_BYTES = 1024

_ARITHMETIC = {e.Add: ("addi", "addf"), e.Sub: ("subi", "subf"), e.Mul: ("muli", "mulf"), e.Div: ("divsi", "divf"), e.Mod: ("remsi", "remf"),
               e.Min: ("minsi", "minimumf"), e.Max: ("maxsi", "maximumf"), e.And: ("andi", ""), e.Or: ("ori", "")}
_COMPARE = {e.EQ: ("eq", "oeq"), e.NE: ("ne", "une"), e.LT: ("slt", "olt"), e.LE: ("sle", "ole"), e.GT: ("sgt", "ogt"), e.GE: ("sge", "oge")}


class Printer:
    """Prints one function. SSA values are printed where they are first needed, and used again in the same region."""

    def __init__(self, func, writable=None):
        self.func = func
        self.lines = []
        self.depth = 2
        self.number = 0
        self.vars = {}  # id of a variable -> (value, type)
        self.buffers = {}  # id of a buffer's pointer -> (value, shape, dtype)
        self.memo = [{}]
        self.alive = []  # keeps what the ids above belong to
        self.writable = writable or set()  # ids of the pointers that an extern call may write to

    # Lines and values.

    def line(self, text):
        self.lines.append("  " * self.depth + text)

    def value(self, text, kind):
        name = f"%{self.number}"
        self.number += 1
        self.line(f"{name} = {text}")
        return name, kind

    def region(self, print_body):
        """Prints a region; values of it are not used after it."""
        self.depth += 1
        self.memo.append({})
        result = print_body()
        self.memo.pop()
        self.depth -= 1
        return result

    def lookup(self, node):
        for scope in reversed(self.memo):
            if id(node) in scope:
                return scope[id(node)]
        return None

    # Expressions.

    def expr(self, node, want=None):
        """The value of an expression and its type: `want`, if given."""
        if not isinstance(node, e.PrimExpr):
            raise uma.Error(f"expected an expression, found {type(node).__name__}")
        if isinstance(node, e.IntImm):
            return self.constant(node.value, want or ("i1" if node.dtype == "bool" else "index" if node.dtype == "int32" else to_mlir(node.dtype)))
        if isinstance(node, e.FloatImm):
            return self.cast(self.constant(node.value, to_mlir(node.dtype)), want, node.dtype)
        result = self.lookup(node)
        if result is None:
            result = self.compute(node)
            # Loads are read again: what they read may change.
            if not any(isinstance(part, (e.BufferLoad, e.Call)) for part in self.inside(node)):
                self.memo[-1][id(node)] = result
                self.alive.append(node)
        return self.cast(result, want, node.dtype)

    @staticmethod
    def inside(node):
        stack, seen = [node], set()
        while stack:
            part = stack.pop()
            if id(part) not in seen:
                seen.add(id(part))
                yield part
                stack.extend(part.children())

    def constant(self, number, kind):
        if kind.startswith(("f", "bf")):
            if number != number or number in (float("inf"), float("-inf")):
                bits = {"f32": 32, "f64": 64, "f16": 16}[kind]
                import numpy as np
                raw = int(np.array(number, f"float{bits}").view(f"uint{bits}"))
                return self.value(f"arith.constant 0x{raw:0{bits // 4}X} : {kind}", kind)
            return self.value(f"arith.constant {float(number):.17e} : {kind}", kind)
        if kind == "i1":
            return self.value(f"arith.constant {'true' if number else 'false'}", kind)
        return self.value(f"arith.constant {int(number)} : {kind}", kind)

    def cast(self, result, want, dtype):
        value, kind = result
        if want is None or kind == want:
            return result
        is_unsigned = dtype.startswith("uint") or kind == "i1"
        if "index" in (kind, want):
            if "f" in kind + want.replace("index", ""):
                return self.cast(self.cast(result, "i64", dtype), want, dtype)
            if kind == "i1" or want == "i1":
                return self.cast(self.cast(result, "i64", dtype), want, dtype)
            return self.value(f"arith.index_cast{'ui' if is_unsigned else ''} {value} : {kind} to {want}", want)
        is_float = [x.startswith(("f", "bf")) for x in (kind, want)]
        bits = [int(x.lstrip("bfi")) for x in (kind, want)]
        if all(is_float):
            name = "extf" if bits[1] > bits[0] else "truncf"
            if bits[0] == bits[1]:
                return self.cast(self.cast(result, "f32", dtype), want, dtype)
        elif is_float[0]:
            name = "fptosi"
        elif is_float[1]:
            name = "uitofp" if is_unsigned else "sitofp"
        else:
            name = ("extui" if is_unsigned else "extsi") if bits[1] > bits[0] else "trunci"
        return self.value(f"arith.{name} {value} : {kind} to {want}", want)

    def pair(self, a, b):
        """Two operands of one type. Numbers take the other's; otherwise an index becomes an integer."""
        if isinstance(a, e.IntImm) and not isinstance(b, e.IntImm):
            right = self.expr(b)
            return self.expr(a, right[1]), right
        left = self.expr(a)
        if isinstance(b, e.IntImm):
            return left, self.expr(b, left[1])
        right = self.expr(b)
        if left[1] != right[1]:
            kind = right[1] if left[1] == "index" else left[1]
            return self.cast(left, kind, a.dtype), self.cast(right, kind, b.dtype)
        return left, right

    def compute(self, node):
        if isinstance(node, e.Var):
            if id(node) in self.vars:
                return self.vars[id(node)]
            if id(node) in self.buffers:
                raise uma.Error(f"the pointer '{node.name}' is no number")
            raise uma.Error(f"the variable '{node.name}' is used outside of the loop or function that defines it")
        if type(node) in _ARITHMETIC:
            (a, kind), (b, _) = self.pair(node.a, node.b)
            name = _ARITHMETIC[type(node)][kind.startswith(("f", "bf"))]
            if node.a.dtype.startswith("uint") and name in ("divsi", "remsi", "minsi", "maxsi"):
                name = name.replace("s", "u", 1) if name != "remsi" else "remui"
            return self.value(f"arith.{name} {a}, {b} : {kind}", kind)
        if isinstance(node, (e.FloorDiv, e.FloorMod)):
            return self.floor(node)
        if type(node) in _COMPARE:
            (a, kind), (b, _) = self.pair(node.a, node.b)
            names = _COMPARE[type(node)]
            if kind.startswith(("f", "bf")):
                return self.value(f"arith.cmpf {names[1]}, {a}, {b} : {kind}", "i1")
            name = names[0].replace("s", "u", 1) if node.a.dtype.startswith("uint") else names[0]
            return self.value(f"arith.cmpi {name}, {a}, {b} : {kind}", "i1")
        if isinstance(node, e.Not):
            value, _ = self.expr(node.a, "i1")
            true, _ = self.constant(1, "i1")
            return self.value(f"arith.xori {value}, {true} : i1", "i1")
        if isinstance(node, e.Select):
            condition, _ = self.expr(node.condition, "i1")
            (a, kind), (b, _) = self.pair(node.true_value, node.false_value)
            return self.value(f"arith.select {condition}, {a}, {b} : {kind}", kind)
        if isinstance(node, e.Cast):
            return self.cast(self.expr(node.value), to_mlir(node.dtype), node.value.dtype)
        if isinstance(node, e.Let):
            self.vars[id(node.var)] = self.expr(node.value)
            return self.expr(node.body)
        if isinstance(node, e.BufferLoad):
            buffer, indices, kind = self.element(node)
            return self.value(f"memref.load {buffer}[{indices}] : {kind}", to_mlir(node.dtype))
        if isinstance(node, e.Call):
            return self.call(node)
        raise uma.Error(f"an expression of the kind {type(node).__name__} has no counterpart here: {node}")

    def floor(self, node):
        """Division and remainder that round down; the divisor of indices is positive."""
        (a, kind), (b, _) = self.pair(node.a, node.b)
        quotient, _ = self.value(f"arith.divsi {a}, {b} : {kind}", kind)
        rest, _ = self.value(f"arith.remsi {a}, {b} : {kind}", kind)
        is_division = isinstance(node, e.FloorDiv)
        result = quotient if is_division else rest
        if self.is_natural(node.a):
            return result, kind
        zero, _ = self.constant(0, kind)
        is_below, _ = self.value(f"arith.cmpi slt, {rest}, {zero} : {kind}", "i1")
        if is_division:
            one, _ = self.constant(1, kind)
            other, _ = self.value(f"arith.subi {quotient}, {one} : {kind}", kind)
        else:
            other, _ = self.value(f"arith.addi {rest}, {b} : {kind}", kind)
        return self.value(f"arith.select {is_below}, {other}, {result} : {kind}", kind)

    def is_natural(self, node):
        """Whether an integer is no less than 0: loops begin there."""
        if isinstance(node, e.IntImm):
            return node.value >= 0
        if isinstance(node, e.Var):
            return id(node) in self.vars and self.vars[id(node)][1] == "index"
        return isinstance(node, (e.Add, e.Mul, e.FloorDiv, e.FloorMod, e.Min)) and self.is_natural(node.a) and self.is_natural(node.b)

    def element(self, node):
        """The buffer, the indices and the type of a load or store."""
        value, shape, dtype = self.buffer(node.buffer)
        if len(node.indices) == 1 and len(shape) != 1:
            # A pointer, indexed like an array of C.
            size = 1
            for extent in shape:
                size *= extent
            flat = buffer_type([size], dtype)
            value, _ = self.value(f"uma.tir.view {value}[0] : {buffer_type(shape, dtype)} as {flat}", flat)
            shape = [size]
        elif len(node.indices) != len(shape):
            raise uma.Error(f"the buffer '{node.buffer.name}' has {len(shape)} dimensions, found {len(node.indices)} indices")
        indices = ", ".join(self.expr(index, "index")[0] for index in node.indices)
        return value, indices, buffer_type(shape, dtype)

    def buffer(self, buffer):
        """The value of a buffer, its shape and its dtype; a view where its memory has another shape."""
        known = self.buffers.get(id(buffer.data))
        if known is None:
            raise uma.Error(f"the buffer '{buffer.name}' is neither a parameter of the function nor allocated in it")
        value, shape, dtype = known
        wanted = [int(size) for size in buffer.shape]
        if wanted in (shape, [0]):
            return known
        if buffer.dtype != dtype:
            raise uma.Error(f"the buffer '{buffer.name}' of {buffer.dtype} is in memory of {dtype}; one memory has elements of one type here")
        kind = buffer_type(wanted, dtype)
        value, _ = self.value(f"uma.tir.view {value}[0] : {buffer_type(shape, dtype)} as {kind}", kind)
        return value, wanted, dtype

    def call(self, node):
        name = node.op.name.removeprefix("tir.")
        if name == "if_then_else":
            return self.if_then_else(node)
        if name in ("call_extern", "call_pure_extern"):
            function = node.args[0].value
            if function.removesuffix("f") in MATH and len(node.args) in (2, 3):
                name = function.removesuffix("f")
                node = e.Call(node.dtype, f"tir.{name}", node.args[1:])
            else:
                raise uma.Error(f"the result of the extern function '{function}' is used as a number; here extern functions write results into buffers, "
                                "and the number that they return is a status")
        if name == "likely":
            return self.expr(node.args[0])
        if name in ("shift_left", "shift_right", "bitwise_and", "bitwise_or", "bitwise_xor"):
            (a, kind), (b, _) = self.pair(*node.args)
            op = {"shift_left": "shli", "shift_right": "shrsi", "bitwise_and": "andi", "bitwise_or": "ori", "bitwise_xor": "xori"}[name]
            return self.value(f"arith.{op} {a}, {b} : {kind}", kind)
        if name in MATH:
            if not DataType(node.args[0].dtype).is_float:
                raise uma.Error(f"'{name}' takes floating-point numbers, found {node.args[0].dtype}")
            kind = to_mlir(node.args[0].dtype)
            values = ", ".join(self.expr(arg, kind)[0] for arg in node.args)
            return self.value(f"math.{MATH[name]} {values} : {kind}", "i1" if name == "isnan" else kind)
        if name == "sigmoid":
            return self.expr(e.const(1.0, node.dtype) / (e.const(1.0, node.dtype) + e.Call(node.dtype, "tir.exp", [-node.args[0]])))
        raise uma.Error(f"the call of '{node.op.name}' has no counterpart here")

    def if_then_else(self, node):
        condition, _ = self.expr(node.args[0], "i1")
        kind = to_mlir(node.dtype) if node.dtype != "int32" else "index"
        name = f"%{self.number}"
        self.number += 1
        self.line(f"{name} = scf.if {condition} -> ({kind}) {{")
        for index, arg in enumerate(node.args[1:]):
            self.region(lambda arg=arg: self.line(f"  scf.yield {self.expr(arg, kind)[0]} : {kind}"))
            self.line("} else {" if index == 0 else "}")
        return name, kind

    # Statements.

    def stmt(self, node):
        if not isinstance(node, s.Stmt):
            raise uma.Error(f"expected a statement, found {type(node).__name__}: {node}")
        method = getattr(self, "print_" + type(node).__name__.lower(), None)
        if method is None:
            raise uma.Error(f"a statement of the kind {type(node).__name__} has no counterpart here")
        method(node)

    def print_seqstmt(self, node):
        for part in node.seq:
            self.stmt(part)

    def print_for(self, node):
        if node.kind == s.ForKind.THREAD_BINDING:
            raise uma.Error(f"the loop '{node.loop_var}' is bound to a thread of a GPU; the C has loops of the kinds serial, parallel, vectorize and unroll")
        low = self.bound(node.min)
        high = self.bound(node.min + node.extent)
        kind = {0: "", 1: "parallel ", 2: "vectorized ", 3: "unrolled "}[int(node.kind)]
        name = f"%{self.number}"
        self.number += 1
        self.vars[id(node.loop_var)] = name, "index"
        self.alive.append(node.loop_var)
        self.line(f"uma.tir.for {kind}{name} = {low} to {high} {{")
        self.region(lambda: self.stmt(node.body))
        self.line("}")

    def bound(self, node):
        return str(node.value) if isinstance(node, e.IntImm) else self.expr(node, "index")[0]

    def print_blockrealize(self, node):
        block = node.block
        if not isinstance(block, s.Block):
            raise uma.Error(f"a BlockRealize has {type(block).__name__} as its block")
        if not block.iter_vars:
            for buffer in block.alloc_buffers:
                self.allocate(buffer)
            if block.init is not None:
                self.stmt(block.init)
            self.stmt(block.body)
            return
        bindings = [self.expr(value, "index")[0] for value in node.iter_values]
        where = ""
        if not (isinstance(node.predicate, e.IntImm) and node.predicate.value):
            where = f" where {self.expr(node.predicate, 'i1')[0]}"
        names = []
        for axis, binding in zip(block.iter_vars, bindings):
            name = f"%{self.number}"
            self.number += 1
            self.vars[id(axis.var)] = name, "index"
            self.alive.append(axis.var)
            kind = "reduce" if axis.iter_type == e.IterVar.CommReduce else "spatial"
            names.append(f"{kind} {name} = {binding} in {int(axis.dom.extent)}")
        for buffer in block.alloc_buffers:
            self.allocate(buffer)
        reads, writes = regions(block.body, block.iter_vars, block.init)
        variables = ", ".join(f"d{number}" for number in range(len(names)))

        def print_regions(entries):
            texts = []
            for buffer, first, extents in entries:
                value, shape, dtype = self.buffer(buffer)
                texts.append(f"{value}[affine_map<({variables}) -> ({', '.join(first)})>, [{', '.join(map(str, extents))}]] : {buffer_type(shape, dtype)}")
            return ", ".join(texts)

        written, read = print_regions(writes), print_regions(reads)
        self.line(f"uma.tir.block {json.dumps(block.name_hint)} ({', '.join(names)}){where}"
                  + (f" reads({read})" if reads else "") + (f" writes({written})" if writes else "") + (" init {" if block.init is not None else " {"))
        if block.init is not None:
            self.region(lambda: self.stmt(block.init))
            self.line("} do {")
        self.region(lambda: self.stmt(block.body))
        self.line("}")

    def allocate(self, buffer):
        size = DataType(buffer.dtype).itemsize
        for extent in buffer.shape:
            size *= int(extent)
        scope = "local" if size <= LOCAL_BYTES or buffer.scope() == "local" and size <= 16 * LOCAL_BYTES else "workspace"
        kind = buffer_type(buffer.shape, buffer.dtype)
        value, _ = self.value(f"uma.tir.alloc {scope} label {json.dumps(buffer.name)} : {kind}", kind)
        self.buffers[id(buffer.data)] = value, [int(extent) for extent in buffer.shape], buffer.dtype
        self.writable.add(id(buffer.data))
        self.alive.append(buffer)

    def print_allocate(self, node):
        buffer = node.annotations.get("buffer") or s.Buffer(node.extents, node.dtype, node.buffer_var.name, data=node.buffer_var)
        self.allocate(buffer)
        self.stmt(node.body)

    def print_declbuffer(self, node):
        self.stmt(node.body)

    def print_attrstmt(self, node):
        # Pragmas and scopes of TVM's passes do not change what is computed.
        self.stmt(node.body)

    def print_letstmt(self, node):
        self.vars[id(node.var)] = self.expr(node.value)
        self.alive.append(node.var)
        self.stmt(node.body)

    def print_bufferstore(self, node):
        value, _ = self.expr(node.value, to_mlir(node.buffer.dtype))
        buffer, indices, kind = self.element(node)
        self.line(f"memref.store {value}, {buffer}[{indices}] : {kind}")

    def print_ifthenelse(self, node):
        condition, _ = self.expr(node.condition, "i1")
        self.line(f"scf.if {condition} {{")
        self.region(lambda: self.stmt(node.then_case))
        if node.else_case is not None:
            self.line("} else {")
            self.region(lambda: self.stmt(node.else_case))
        self.line("}")

    def print_evaluate(self, node):
        if isinstance(node.value, e.IntImm):
            return
        if not isinstance(node.value, e.Call):
            raise uma.Error(f"'{node.value}' is evaluated for nothing: only calls have an effect")
        name = node.value.op.name.removeprefix("tir.")
        if name in ("call_extern", "call_pure_extern", "call_packed", "tvm_call_packed"):
            self.extern(node.value)
        elif name == "opaque":
            self.line(node.value.code)
        else:
            raise uma.Error(f"the call of '{node.value.op.name}' has no effect here; call_extern calls a C function")

    def extern(self, node):
        """A call of a C function. Pointers into buffers and texts are written in C, the other arguments are values."""
        function = node.args[0]
        if not isinstance(function, e.StringImm):
            raise uma.Error(f"call_extern takes the type of the result and the name of the function first, found {function}")
        values, types, writes, pieces = [], [], [], []

        def add(value, kind):
            values.append(value)
            types.append(kind)
            return f"{{{len(values) - 1}}}"

        def add_buffer(var):
            if id(var) not in self.buffers:
                raise uma.Error(f"'{var.name}' is no buffer of the function: it cannot be an argument of '{function.value}'")
            value, shape, dtype = self.buffers[id(var)]
            if id(var) in self.writable:
                writes.append(len(values))
            return add(value, buffer_type(shape, dtype))

        for arg in node.args[1:]:
            if isinstance(arg, e.StringImm):
                pieces.append(json.dumps(arg.value))
            elif isinstance(arg, e.Var) and arg.dtype == "handle":
                pieces.append(add_buffer(arg))
            elif isinstance(arg, e.Call) and arg.op.name == "tir.tvm_access_ptr":
                offset = arg.args[2]
                pointer = add_buffer(arg.args[1])
                is_zero = isinstance(offset, e.IntImm) and offset.value == 0
                pieces.append(pointer if is_zero else f"{pointer} + {add(*self.expr(offset, 'index'))}")
            elif isinstance(arg, e.Call) and arg.op.name == "tir.address_of":
                load = arg.args[0]
                offset = e.const(0)
                if len(load.indices) != 1:
                    for index, size in zip(load.indices, load.buffer.shape):
                        offset = offset * size + index
                else:
                    offset = load.indices[0]
                pieces.append(f"{add_buffer(load.buffer.data)} + {add(*self.expr(offset, 'index'))}")
            else:
                pieces.append(add(*self.expr(arg)))
        plain = [f"{{{index}}}" for index in range(len(values))]
        code = node.code or (None if pieces == plain else f"{function.value}({', '.join(pieces)})")
        text = f"uma.tir.call_extern {json.dumps(function.value)}({', '.join(values)})"
        if writes:
            text += f" writes [{', '.join(map(str, writes))}]"
        if node.dtype in ("void", "handle", ""):
            text += " no_status"
        if code is not None:
            text += f" {{uma.code = {json.dumps(code)}}}"
        self.line(text + (f" : {', '.join(types)}" if types else ""))

    # Functions.

    def function(self, name):
        params = []
        for number, param in enumerate(self.func.params):
            buffer = self.func.buffer_map.get(param)
            if buffer is None:
                raise uma.Error(f"the parameter '{param}' of '{name}' is no buffer")
            shape = [int(size) for size in buffer.shape]
            kind = buffer_type(shape, buffer.dtype)
            entry = f"%arg{number}", shape, buffer.dtype
            self.buffers[id(param)] = self.buffers[id(buffer.data)] = entry
            self.alive.append(buffer)
            params.append(f"%arg{number}: {kind}")
        self.stmt(self.func.body)
        head = f"  uma.tir.func private @{json.dumps(name)}({', '.join(params)}) {{"
        return "\n".join([head, *self.lines, "  }"]) + "\n"


def print_function(func, name, writable=None):
    """The text of a function; `writable` are the numbers of the parameters that extern calls may write to, by default those that the
    function stores into, and the last one."""
    from uma.tvm.tir._regions import accesses

    if writable is None:
        written = {id(buffer.data) for buffer, _, is_written in accesses(func.body) if is_written}
        writable = [number for number, param in enumerate(func.params) if id(func.buffer_map[param].data) in written] or [len(func.params) - 1]
    pointers = set()
    for number in writable:
        param = func.params[number]
        pointers |= {id(param), id(func.buffer_map[param].data)}
    return Printer(func, pointers).function(name)
