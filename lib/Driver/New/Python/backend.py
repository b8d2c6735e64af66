"""The accelerator @name@: what it takes, and how its functions are called."""

from uma.tvm.relay.backend.contrib.uma.api.utils import PassPhase
from uma.tvm.relay.backend.contrib.uma.backend import UMABackend

from codegen import gen_includes
from passes import CallConv2d
from patterns import conv2d_pattern, same_padding
from strategies import relu_strategy


class @Name@Backend(UMABackend):
    """Registers everything; docs/python.md describes each call."""

    def __init__(self):
        super().__init__()
        # An option of the target: tvm.target.Target("@name@ -lanes=16").
        self._register_target_attr("lanes", default=8)
        # A match of the pattern runs on the accelerator unless the predicate refuses it.
        self._register_pattern("conv2d", conv2d_pattern(), same_padding)
        # The loops of the operators in a match, where those of uma.tvm.topi are not the right ones.
        self._register_operator_strategy("nn.relu", relu_strategy, plevel=12)
        # Loops become calls of the accelerator's C.
        self._register_tir_pass(PassPhase.TIR_PHASE_0, CallConv2d())
        # The C for the top of the file.
        self._register_codegen(fmt="c", includes=gen_includes)

    @property
    def target_name(self):
        return "@name@"
