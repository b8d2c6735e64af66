"""The phases of passes, as `tvm.relay.backend.contrib.uma.api.utils`."""

from __future__ import annotations

import enum

__all__ = ["PassPhase", "add_llvm_to_block"]


class PassPhase(enum.IntEnum):
    """When a pass runs: the phases of docs/architecture.md. POST_PARTITIONING is the name of POST_PARTITIONING_0 in UMA's first texts."""

    PRE_PARTITIONING = 0
    POST_PARTITIONING_0 = 1
    POST_PARTITIONING_1 = 2
    TIR_PHASE_0 = 3
    TIR_PHASE_1 = 4
    TIR_PHASE_2 = 5
    TIR_PHASE_3 = 6
    POST_PARTITIONING = 1


def add_llvm_to_block(sch, block_name, c_code_str=""):
    raise NotImplementedError("the C here has no LLVM IR; _register_codegen(includes=…) adds C text, and a function in it is called by tir.call_extern")
