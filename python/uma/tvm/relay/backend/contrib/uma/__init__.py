"""UMA: accelerators in Python."""

from uma.tvm.relay.backend.contrib.uma.api.utils import PassPhase
from uma.tvm.relay.backend.contrib.uma.backend import UMABackend


def uma_available() -> bool:
    return True


__all__ = ["PassPhase", "UMABackend", "uma_available"]
