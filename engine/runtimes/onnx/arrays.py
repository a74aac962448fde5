"""numpy, which only models of ONNX Runtime need: a program without that runtime has none. Importing
this then raises `RuntimeMissing`, as a missing library of the runtime does."""

from engine.errors import RuntimeMissing

try:
    import numpy as np
    from numpy.typing import NDArray
except ImportError as missing:
    raise RuntimeMissing("onnx") from missing

__all__ = ["NDArray", "np"]
