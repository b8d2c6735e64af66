"""Compiles, runs and compares networks, as `tvm.testing.aot`."""

from __future__ import annotations

import os
from collections import OrderedDict
from typing import NamedTuple

import numpy as np

import uma
from uma.tvm.ir import IRModule
from uma.tvm.relay import _graph
from uma.tvm.relay.build_module import build

__all__ = ["AOTTestModel", "AOTTestRunner", "compile_and_run", "generate_ref_data"]


class AOTTestModel(NamedTuple):
    """A network with inputs and the outputs that they give.

    module: an IRModule, also a partitioned one; inputs, outputs: arrays by name; params: constants by the names of parameters;
    name: the network's name in C; output_tolerance: relative and absolute, 0 by default for integers."""

    module: IRModule
    inputs: dict
    outputs: dict
    output_tolerance: object = None
    name: str = "default"
    params: dict = None
    extra_memory_in_bytes: int = 0


class AOTTestRunner(NamedTuple):
    """The settings of a run. Those for TVM's makefiles have no effect."""

    makefile: str = "default"
    prologue: str = ""
    epilogue: str = ""
    includes: list = []
    parameters: dict = {}
    pass_config: dict = {}


def generate_ref_data(mod, input_data, params=None, target="c"):
    """The outputs that the CPU computes, by name."""
    if not isinstance(mod, IRModule):
        mod = IRModule.from_expr(mod)
    from uma.tvm.relay.backend.contrib.uma import _bridge

    native = getattr(mod, "source", None) or _graph.build_module(_bridge.bind_params(mod, params) if params else mod)
    network = uma.compile(native, kernels="loops")
    outputs = network.run({name: np.asarray(array) for name, array in input_data.items()})
    return OrderedDict(("output" if index == 0 else f"output{index + 1}", array) for index, array in enumerate(outputs.values()))


def compile_and_run(models, runner=None, interface_api="c", use_unpacked_api=True, debug_calculated_workspaces=False, workspace_byte_alignment=8,
                    constant_byte_alignment=8, enable_op_fusion=True, data_linkage=None, use_runtime_executor=True, target="c", target_opts=None,
                    test_dir=None, verbose=False, schedule_name=None, debug_last_error=False, checker=None):
    """Compiles networks, runs them and compares the outputs with those given. The C goes to `test_dir`, in Model Library Format where
    that is what TVM's users unpack: `codegen/host/src`. Differences are an AssertionError."""
    models = models if isinstance(models, (list, tuple)) and not isinstance(models, AOTTestModel) else [models]
    for model in models:
        network = build(model.module, target, model.params)
        if test_dir is not None:
            network.save(os.path.join(str(test_dir), model.name))
        inputs = {name: np.asarray(array) for name, array in model.inputs.items()}
        outputs = list(network.run(inputs).values())
        expected = list(model.outputs.values())
        if len(outputs) != len(expected):
            raise uma.Error(f"the network '{model.name}' has {len(outputs)} outputs, {len(expected)} are expected")
        for found, wanted in zip(outputs, expected):
            wanted = np.asarray(wanted)
            tolerance = model.output_tolerance
            if tolerance is None:
                tolerance = 1e-5 if np.issubdtype(wanted.dtype, np.floating) else 0
            tolerances = tolerance if isinstance(tolerance, (list, tuple)) else (tolerance, tolerance)
            scale = float(np.max(np.abs(wanted))) if wanted.size else 0.0
            np.testing.assert_allclose(found, wanted, rtol=tolerances[0], atol=tolerances[-1] * max(scale, 1.0))
        if verbose:
            print(f"{model.name}: {len(outputs)} outputs are equal to what is expected")
    return True


