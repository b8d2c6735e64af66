"""The parts of UMA's interface."""

from uma.tvm.relay.backend.contrib.uma.api.utils import PassPhase

__all__ = ["PassPhase"]
