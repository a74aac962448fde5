"""How many threads the processor's part of the work gets. Pure."""

from engine.types.hardware import Cpu

_MOST = 16
"""More do not help: memory is the bottleneck long before."""
_CAN_SPARE_ONE = 6
_MOST_BESIDE_DEVICE = 4


def threads_for(cpu: Cpu, *, all_on_device: bool = False) -> int:
    """Performance cores we may use; one is left to the window where there are enough. With the
    whole model on a graphics device the processor has little to do."""
    cores = max(min(cpu.performance_cores or cpu.physical_cores, cpu.usable_cores), 1)
    threads = min(cores - 1 if cores >= _CAN_SPARE_ONE else cores, _MOST)
    return min(threads, _MOST_BESIDE_DEVICE) if all_on_device else threads
