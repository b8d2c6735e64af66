#!/usr/bin/python3
"""Damages what passes in Python do, and looks whether the process survives.

  PYTHONPATH=build/python utils/fuzz-python.py [--count N] [--seed N]

Each round changes a network in one of three ways: primitive functions with nodes exchanged, removed, repeated or of other types; graphs with
expressions exchanged; random calls of uma.ir on random operations, values and places. The compiler may accept the result or raise an
exception that the interface documents. Anything else, such as a crash or another exception, is a failure; the seed and the number of the
round repeat it.
"""

import argparse
import random
import sys
import warnings

import numpy as np
import uma
import uma.tvm as tvm
from uma.tvm import relay, tir
from uma.tvm.relay.backend.contrib.uma.api.utils import PassPhase
from uma.tvm.relay.backend.contrib.uma.backend import UMABackend
from uma.tvm.relay.dataflow_pattern import is_op, wildcard
from uma.tvm.tir.stmt_functor import copy_with, post_order_visit

#: What wrong uses raise.
DOCUMENTED = (uma.Error, TypeError, ValueError, KeyError, IndexError, NotImplementedError)


def network(choice):
    """A small network with a few kinds of operators."""
    rng = np.random.default_rng(choice.randrange(100))
    x = relay.var("x", shape=(1, 2, 6, 6))
    y = relay.nn.conv2d(x, relay.const(rng.standard_normal((3, 2, 3, 3)).astype("float32")), padding=(1, 1))
    y = relay.nn.relu(relay.nn.bias_add(y, relay.const(rng.standard_normal(3).astype("float32"))))
    y = relay.nn.batch_flatten(relay.nn.max_pool2d(relay.add(y, y), (2, 2), (2, 2)))
    y = relay.nn.dense(y, relay.const(rng.standard_normal((4, 27)).astype("float32")))
    return tvm.IRModule.from_expr(relay.Function([x], relay.nn.softmax(y)))


class Unit(UMABackend):
    """Takes every operator that strategies know."""

    def __init__(self, phase, each):
        super().__init__()
        for op, count in (("nn.conv2d", 2), ("nn.relu", 1), ("add", 2), ("nn.dense", 2), ("nn.bias_add", 2)):
            self._register_pattern(op.replace(".", "_"), is_op(op)(*[wildcard() for _ in range(count)]))
        register = self._register_relay_pass if phase < PassPhase.TIR_PHASE_0 else self._register_tir_pass
        register(phase, each)

    @property
    def target_name(self):
        return "unit"


def damage_function(choice, func):
    """The function with one to three nodes changed."""
    nodes = []
    post_order_visit(func.body, nodes.append)
    for _ in range(choice.randrange(1, 4)):
        victim, other = choice.choice(nodes), choice.choice(nodes)
        kind = choice.randrange(7)
        if kind == 0:
            new = other
        elif kind == 1:
            new = tir.Evaluate(0) if isinstance(victim, tir.Stmt) else tir.const(choice.choice([-1, 0, 1 << 40]), choice.choice(["int32", "int8", "float32", "bool"]))
        elif kind == 2 and isinstance(victim, tir.Stmt):
            new = tir.SeqStmt([victim, victim])
        elif kind == 3 and isinstance(victim, tir.For):
            new = copy_with(victim, extent=tir.const(choice.choice([-3, 0, 1, 7, 1 << 33])), kind=choice.choice(list(tir.ForKind)))
        elif kind == 4 and isinstance(victim, (tir.BufferStore, tir.BufferLoad)):
            new = copy_with(victim, indices=choice.sample(victim.indices, len(victim.indices))[:choice.randrange(len(victim.indices) + 1)])
        elif kind == 5 and isinstance(victim, tir.Stmt):
            new = tir.Evaluate(tir.call_extern(choice.choice(["int32", "void", "float32"]), choice.choice(["f", "", "a b", "main"]),
                                               *choice.sample([*(b.data for b in func.buffer_map.values()), 1, 2.5, "text", tir.Var("v")], 3)))
        elif kind == 6 and isinstance(victim, tir.Block):
            new = copy_with(victim, iter_vars=victim.iter_vars[::-1], name_hint=choice.choice(["", "a\"b", "ü" * 50]))
        else:
            continue
        body = tir.stmt_functor.ir_transform(func.body, None, lambda node: new if node is victim and node is not new else None)
        func = func.with_body(body)
    return func


def damage_graph(choice, mod):
    """The module with a random expression in the place of another one."""
    main = mod["main"]
    nodes = []
    relay.analysis.post_order_visit(main.body, nodes.append)
    victim, other = choice.choice(nodes), choice.choice(nodes)
    op = choice.choice(["nn.relu", "nn.dense", "add", "transpose", "nn.conv2d", "reshape", "concatenate", "nn.max_pool2d", "cast"])
    new = choice.choice([
        other, relay.Call(op, [other] * choice.randrange(1, 3), {"newshape": [choice.choice([-1, 0, 3, 1 << 31])], "pool_size": [9, 9], "dtype": "int8"}),
        relay.Tuple([other, victim]), relay.TupleGetItem(other, choice.randrange(3)), relay.const(np.float32(choice.choice([0, 1, float("nan")])))
    ])

    class Exchange(relay.ExprMutator):
        def visit_call(self, call):
            return new if call is victim else super().visit_call(call)

    result = mod.shallow_copy()
    result["main"] = relay.Function(main.params[:choice.randrange(2) or None], Exchange().visit(main.body), attrs=main.attrs)
    return result


def damage_operations(choice, root):
    """Random calls; handles of earlier ones stay in use."""
    operations = [root, *root.walk()]
    values = [value for op in operations for value in [*op.results, *op.operands]]
    for _ in range(choice.randrange(1, 12)):
        op, other = choice.choice(operations), choice.choice(operations)
        value = choice.choice(values)
        calls = [
            op.erase,
            lambda: op.replace(choice.sample(values, choice.randrange(3))),
            lambda: op.set_operand(choice.randrange(3), value),
            lambda: op.move_before(other),
            lambda: op.set_attribute(choice.choice(["strides", "axis", "value", "sym_name", "function_type", "uma.target", ""]),
                                     choice.choice([1, -1, 0.5, "x", [1, 2], [], {"a": 1}, True, np.zeros((2, 2), "float32"), None, 1 << 70])),
            lambda: op.remove_attribute(choice.choice(["strides", "padding", "sym_name", "value", "axis"])),
            lambda: value.replace_all_uses_with(choice.choice(values)),
            lambda: operations.append(getattr(uma.ir.Builder, choice.choice(["before", "after"]))(op).create(
                choice.choice(["uma.graph.relu", "uma.graph.add", "uma.graph.conv2d", "func.return", "func.func", "uma.tir.for", "uma.graph.composite"]),
                choice.sample(values, min(len(values), choice.randrange(4))), choice.choice([{}, {"strides": [2, 2]}, {"value": 3}]))),
            lambda: uma.ir.Builder.before(op).parse(choice.choice(["", "module {}", "func.func @f() { return }", "\"x.y\"() : () -> ()", "%0 = arith"])),
            lambda: values.extend(op.results),
            lambda: str(op) + str(value) + str(value.type) + repr(value.array()) + str(op.parent),
            lambda: uma.ir.Builder.at_end(choice.choice(op.blocks or root.blocks)).create("uma.graph.relu", [value]),
        ]
        try:
            choice.choice(calls)()
        except DOCUMENTED:
            pass
    # The caller uses the handles once more after the call.
    return operations + values


def run_round(choice):
    kind = choice.randrange(3)
    mod = network(choice)
    if kind == 0:
        native = relay.transform._graph.build_module(mod)
        for handle in native.edit(lambda root: damage_operations(choice, root)):
            try:
                str(handle)
            except uma.Error:
                pass
        native.run_pipeline("builtin.module(uma-lower,uma-emit-c)")
    elif kind == 1:
        each = tvm.ir.transform.module_pass(lambda mod, ctx: damage_graph(choice, mod), opt_level=0)
        phase = choice.choice([PassPhase.PRE_PARTITIONING, PassPhase.POST_PARTITIONING_0])
        native = Unit(phase, each).partition(mod).native
        native.run_pipeline("builtin.module(uma-lower,uma-emit-c)")
    else:
        each = tir.transform.prim_func_pass(lambda func, mod, ctx: damage_function(choice, func), opt_level=0)
        device = Unit(choice.choice([p for p in PassPhase if p >= PassPhase.TIR_PHASE_0]), each)
        native = relay.transform._graph.build_module(mod)
        native.partition([device])
        native.run_pipeline("builtin.module(uma-lower,uma-emit-c)")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--round", type=int, help="only this one, with its exception")
    args = parser.parse_args()
    warnings.simplefilter("ignore", uma.CompilerWarning)
    accepted = refused = 0
    for number in range(args.count) if args.round is None else [args.round]:
        # If the process dies, this is the round.
        print(f"\r{number}", end="", file=sys.stderr, flush=True)
        try:
            run_round(random.Random(f"{args.seed} {number}"))
            accepted += 1
        except DOCUMENTED:
            if args.round is not None:
                raise
            refused += 1
        except Exception as error:
            sys.exit(f"\nround {number} of seed {args.seed}: {type(error).__name__}: {error}")
    print(f"\r{args.count} rounds: {accepted} accepted, {refused} refused", file=sys.stderr)
    print("no crash")


main()
