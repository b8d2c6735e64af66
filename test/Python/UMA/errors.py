"""Wrong uses of the interface in Python: each is one exception with a message that says what to do."""
# REQUIRES: python
# RUN: env PYTHONPATH=%build/python %python -B %s | FileCheck %s --match-full-lines --implicit-check-not={{.}}

import numpy as np
import uma
import uma.tvm as tvm
from uma.tvm import relay, te, tir
from uma.tvm.relay.backend.contrib.uma.api.utils import PassPhase
from uma.tvm.relay.backend.contrib.uma.backend import UMABackend
from uma.tvm.relay.dataflow_pattern import is_op, is_tuple, wildcard
from uma.tvm.relay.op.strategy import OpStrategy
from uma.tvm.target import Target


def device(action=None, name="unit", pattern=None):
    class Unit(UMABackend):
        def __init__(self):
            super().__init__()
            self._register_pattern("relu", pattern or is_op("nn.relu")(wildcard()))
            if action is not None:
                action(self)

        @property
        def target_name(self):
            return name

    return Unit()


x = relay.var("x", shape=(1, 4))
mod = tvm.IRModule.from_expr(relay.nn.relu(x))


def told(action):
    """Prints the exception of a wrong use on one line."""
    try:
        result = action()
    except Exception as error:
        print(f"{type(error).__name__}: {error}".replace("\n", " / "))
    else:
        print(f"no exception: {result!r}")


def compile_with(*passes, **kwargs):
    """Compiles with passes on functions."""
    def register(unit):
        for each in passes:
            unit._register_tir_pass(PassPhase.TIR_PHASE_0, each)

    return uma.compile(relay.transform._graph.build_module(mod), [device(register, **kwargs)])


def tir_pass(change):
    @tir.transform.prim_func_pass(opt_level=0, name="wrong")
    class Wrong:
        def transform_function(self, func, mod, ctx):
            return change(func)

    return Wrong()


def graph_pass(change):
    @tvm.ir.transform.module_pass(opt_level=0, name="wrong")
    class Wrong:
        def transform_module(self, mod, ctx):
            return change(mod)

    return device(lambda unit: unit._register_relay_pass(PassPhase.PRE_PARTITIONING, Wrong())).partition(mod)


class Bare(UMABackend):
    def __init__(self):
        pass

    target_name = "bare"


# Registration.
# CHECK: Error: the name of a target attribute is 'two words', expected letters, digits and '_'
told(lambda: device(lambda unit: unit._register_target_attr("two words", 1)))
# CHECK-NEXT: Error: the target attribute 'ratio' has a default of the type float, expected str, int or bool
told(lambda: device(lambda unit: unit._register_target_attr("ratio", 0.5)))
# CHECK-NEXT: Error: the phase of a pass is 'TIR_PHASE_0', expected PassPhase.TIR_PHASE_0
told(lambda: device(lambda unit: unit._register_tir_pass("TIR_PHASE_0", tir_pass(lambda func: func))))
# CHECK-NEXT: Error: '_register_tir_pass' has the phases TIR_PHASE_0, TIR_PHASE_1, TIR_PHASE_2, TIR_PHASE_3; PRE_PARTITIONING is a phase of _register_relay_pass
told(lambda: device(lambda unit: unit._register_tir_pass(PassPhase.PRE_PARTITIONING, tir_pass(lambda func: func))))
# CHECK-NEXT: Error: the pass given to '_register_tir_pass' is of the type int
told(lambda: device(lambda unit: unit._register_tir_pass(PassPhase.TIR_PHASE_0, 3)))
# CHECK-NEXT: Error: 'wrong' is a pass on primitive functions; _register_tir_pass takes it
told(lambda: device(lambda unit: unit._register_relay_pass(PassPhase.PRE_PARTITIONING, tir_pass(lambda func: func))))
# CHECK-NEXT: Error: there is a pattern 'relu' already
told(lambda: device(lambda unit: unit._register_pattern("relu", is_op("nn.relu")(wildcard()))))
# CHECK-NEXT: Error: the pattern 'other' is <function{{.*}}>, expected one of relay.dataflow_pattern; did you forget to call the function that makes it?
told(lambda: device(lambda unit: unit._register_pattern("other", lambda: wildcard())))
# CHECK-NEXT: Error: there is no operator 'nn.conv2'; did you mean 'nn.conv2d'?
told(lambda: device(lambda unit: unit._register_operator_strategy("nn.conv2", lambda *args: None)))
# CHECK-NEXT: Error: _register_codegen has the format 'llvm', expected 'c'
told(lambda: device(lambda unit: unit._register_codegen(fmt="llvm")))
# CHECK-NEXT: Error: _register_codegen has no hook 'include'; did you mean 'includes'?
told(lambda: device(lambda unit: unit._register_codegen(include=lambda: "")))
# CHECK-NEXT: Error: the target_name of Unit is 'my unit', expected letters, digits and '_'
told(lambda: device(name="my unit").register())
# CHECK-NEXT: Error: Bare.__init__ does not call super().__init__()
told(lambda: Bare().register())
# CHECK-NEXT: ValueError: a pass needs an opt_level, e.g. @module_pass(opt_level=0)
told(lambda: tvm.ir.transform.module_pass(lambda mod, ctx: mod))
# CHECK-NEXT: Error: the pass 'Empty' has no method 'transform_module'
told(lambda: tvm.ir.transform.module_pass(type("Empty", (), {}), opt_level=0))

# Patterns.
# CHECK-NEXT: Error: there is no operator 'nn.rellu'; did you mean 'nn.relu'?
told(lambda: is_op("nn.rellu"))
# CHECK-NEXT: Error: the pattern 'relu' gives 'nn.relu' 2 arguments, it has 1
told(lambda: device(pattern=is_op("nn.relu")(wildcard(), wildcard())).register())
# CHECK-NEXT: Error: the pattern 'relu' asks for the attribute 'stride' of 'nn.conv2d'; did you mean 'strides'?
told(lambda: device(pattern=is_op("nn.conv2d")(wildcard(), wildcard()).has_attr({"stride": [1, 1]})).register())
# CHECK-NEXT: Error: the pattern 'relu' names the operator 'nn.relu' without its arguments: is_op('nn.relu')(wildcard(), …)
told(lambda: device(pattern=is_op("nn.relu")).register())
# CHECK-NEXT: Error: the pattern 'relu' has no operator
told(lambda: device(pattern=wildcard()).register())
# CHECK-NEXT: Error: the pattern 'relu' has a 'concatenate' of any number of tensors; is_tuple([…]) says how many
told(lambda: device(pattern=is_op("concatenate")(is_tuple(None))).register())
# CHECK-NEXT: Error: 'qnn.conv2d': quantized tensors have quantized types here, and patterns in Python are for plain ones; {{.*}}
told(lambda: is_op("qnn.conv2d"))
# CHECK-NEXT: Error: 'dominates' needs a path that names operators, e.g. is_op('nn.relu')(wildcard()): {{.*}}
told(lambda: is_op("add")(wildcard(), wildcard()).dominates(is_op("nn.relu")(wildcard()), wildcard()))
# CHECK-NEXT: Error: the pattern has more than 64 combinations of alternatives; register several patterns
many = is_op("nn.relu")(wildcard())
for _ in range(7):
    many = many.optional(lambda x: is_op("nn.relu")(x))
told(lambda: device(pattern=many).register())
# CHECK-NEXT: TypeError: an argument in a pattern of 'nn.relu' is 1, expected a pattern such as wildcard()
told(lambda: is_op("nn.relu")(1))

# Predicates and passes on graphs.
# CHECK-NEXT: ZeroDivisionError: {{.*}} by zero
told(lambda: device(lambda unit: unit._register_pattern("second", is_op("nn.relu")(wildcard()), lambda match: 1 // 0)).partition(mod) and None
     or device(lambda unit: setattr(unit, "_patterns", [("only", is_op("nn.relu")(wildcard()), lambda match: 1 // 0)])).partition(mod))
# CHECK-NEXT: TypeError: the pass 'wrong' gave NoneType, expected an IRModule: does it end with 'return mod'?
told(lambda: graph_pass(lambda mod: None))


def change_main(body):
    def change(mod):
        mod["main"] = relay.Function(mod["main"].params, body(mod["main"]))
        return mod

    return change


# CHECK-NEXT: Error: result 0 of the function 'main' was tensor<1x4xf32>, the pass makes it tensor<4x1xf32>
told(lambda: graph_pass(change_main(lambda main: relay.transpose(main.body))))
# CHECK-NEXT: Error: the variable 'free' is no parameter of the function
told(lambda: graph_pass(change_main(lambda main: relay.add(main.body, relay.var("free", shape=(1, 4))))))
# CHECK-NEXT: Error: {{.*}}add{{.*}}
told(lambda: graph_pass(change_main(lambda main: relay.add(main.body, relay.const(np.zeros(3, "float32"))))))
# CHECK-NEXT: Error: the pass adds a function 'more'; passes change the functions that there are
told(lambda: graph_pass(lambda mod: mod.__setitem__("more", mod["main"]) or mod))

# Passes on functions.
# CHECK-NEXT: TypeError: the pass 'wrong' gave NoneType, expected a PrimFunc: does it end with 'return func'?
told(lambda: compile_with(tir_pass(lambda func: None)))
# CHECK-NEXT: Error: the function has no block 'conv2d_nchw'; it has T_relu
told(lambda: compile_with(tir_pass(lambda func: tir.Schedule(func).get_block("conv2d_nchw"))))
# CHECK-NEXT: Error: the variable 'i' is used outside of the loop or function that defines it
told(lambda: compile_with(tir_pass(lambda func: func.with_body(tir.Evaluate(tir.call_extern("int32", "f", tir.Var("i", "int32")))))))
# CHECK-NEXT: Error: 'p' is no buffer of the function: it cannot be an argument of 'f'
told(lambda: compile_with(tir_pass(lambda func: func.with_body(tir.Evaluate(tir.call_extern("int32", "f", tir.Var("p", "handle")))))))
# CHECK-NEXT: Error: '(1 + i)' is evaluated for nothing: only calls have an effect
told(lambda: compile_with(tir_pass(lambda func: func.with_body(tir.Evaluate(1 + tir.Var("i", "int32"))))))
# CHECK-NEXT: NotImplementedError: packed functions belong to TVM's runtime; the C here calls C functions: tir.call_extern('int32', 'name', …)
told(lambda: tir.call_packed("f"))


def split(func):
    schedule = tir.Schedule(func)
    loops = schedule.get_loops(schedule.get_block("T_relu"))
    schedule.split(loops[1], [3, 5, None, None])


# CHECK-NEXT: Error: {{.*}}split{{.*}}
told(lambda: compile_with(tir_pass(split)))
# CHECK-NEXT: TypeError: only_enable has names like 'tir.For', found 'For'
told(lambda: tir.stmt_functor.ir_transform(tir.Evaluate(0), None, None, ["For"]))

# Tensor expressions.
A = te.placeholder((4, 4), name="A")
# CHECK-NEXT: ValueError: the tensor 'A' has 2 dimensions, found 1 indices
told(lambda: te.compute((4,), lambda i: A[i] + 1, name="B"))
# CHECK-NEXT: ValueError: the function of 'B' has 1 indices, the shape 2 sizes
told(lambda: te.compute((4, 4), lambda i: A[i, i], name="B"))
# CHECK-NEXT: Error: te.var('n') is a size that is not known; sizes are numbers here, since each network is compiled for its shapes
told(lambda: te.var("n"))


def strategy(attrs, inputs, out_type, target):
    result = OpStrategy()
    result.add_implementation(lambda attrs, inputs, out_type: [te.compute((2, 2), lambda i, j: inputs[0](0, j), name="B")], lambda attrs, outs, target: None)
    return result


# CHECK-NEXT: Error: the compute of 'nn.relu' gives Tensor(B: [2, 2], float32), the operator Tensor[(1, 4), float32]
told(lambda: uma.compile(relay.transform._graph.build_module(mod), [device(lambda unit: unit._register_operator_strategy("nn.relu", strategy))]))
# CHECK-NEXT: Error: the strategy of 'nn.relu' gave None, expected an OpStrategy with an implementation: does it end with 'return strategy'?
told(lambda: uma.compile(relay.transform._graph.build_module(mod), [device(lambda unit: unit._register_operator_strategy("nn.relu", lambda *args: None))]))

# Targets and networks.
device(lambda unit: unit._register_target_attr("lanes", 4), name="known").register()
# CHECK-NEXT: Error: there is no target 'knwon'; did you mean 'known'?: call register() of its UMABackend first
told(lambda: Target("knwon"))
# CHECK-NEXT: Error: the target 'known' has no attribute 'lane'; did you mean 'lanes'?
told(lambda: Target("known -lane=3"))
# CHECK-NEXT: Error: the attribute 'lanes' of the target 'known' is 'many', expected an integer
told(lambda: Target("known -lanes=many"))
# CHECK-NEXT: TypeError: 'nn.conv2d' has no attribute 'stride'; did you mean 'strides'?
told(lambda: relay.nn.conv2d(x, x, stride=2))
# CHECK-NEXT: Error: 'uma.graph.dense' op {{.*}}
told(lambda: relay.transform.InferType()(tvm.IRModule.from_expr(relay.nn.dense(x, relay.const(np.zeros((2, 5), "float32"))))))
# CHECK-NEXT: Error: the parameter 'y' has no type; relay.var('y', shape=…) gives it one
told(lambda: relay.transform.InferType()(tvm.IRModule.from_expr(relay.nn.relu(relay.var("y")))))
# CHECK-NEXT: ValueError: the type is not known yet; relay.transform.InferType()(mod) infers it
told(lambda: relay.nn.relu(x).checked_type)
# CHECK-NEXT: Error: 'main' has no parameter 'weight'; did you mean 'weights'?
told(lambda: device().partition(tvm.IRModule.from_expr(relay.nn.dense(x, relay.var("weights", shape=(2, 4)))), {"weight": np.zeros((2, 4), "float32")}))
# CHECK-NEXT: TypeError: accelerators is a list; write {{.*}}
told(lambda: uma.compile("net.onnx", device()))
# CHECK-NEXT: Error: PyTorch exports a network by torch.onnx.export(model, example_inputs, 'model.onnx'); {{.*}}
told(lambda: relay.frontend.from_pytorch(None))

# Operations.
kept = []


def keep(op):
    kept.extend(op.walk())


def wrong(change):
    module = relay.transform._graph.build_module(mod)
    return module.edit(lambda op: change([inner for inner in op.walk() if inner.name == "uma.graph.relu"][0]))


relay.transform._graph.build_module(mod).edit(keep)
# CHECK-NEXT: Error: the pass that this object belongs to has ended; keep texts or numbers instead of operations, values and types
told(lambda: kept[0].name)
# CHECK-NEXT: Error: 'uma.graph.relu' of layer 'relu' cannot be erased: 'func.return' uses its result; replace it first
told(lambda: wrong(lambda op: op.erase()))
# CHECK-NEXT: Error: there is no operation 'uma.graph.rellu'; did you mean 'uma.graph.relu'?
told(lambda: wrong(lambda op: uma.ir.Builder.before(op).create("uma.graph.rellu", op.operands)))
# CHECK-NEXT: Error: 'uma.graph.relu' of layer 'relu' gives tensor<1x4xf32> and cannot be replaced by a value of tensor<4xf32>
told(lambda: wrong(lambda op: op.replace([uma.ir.Builder.before(op).create("uma.graph.reshape", op.operands, {"newshape": [4]}).result])))
