"""A zoo of published model shapes as sparse GGUF files: true headers, holes instead of weights.

llama.cpp opens them with `no_alloc` and load mode NONE only: any other way would read gigabytes
of zeros. Tensor lists follow src/models/*.cpp of the llama.cpp in llama-cpp-python 0.3.36.
"""

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from tests.ggufs import write_sparse
from tests.zoo import dense, linear, mixed, recurrent, seeing, windowed
from tests.zoo.model import ZooModel

MODELS = (
    *dense.MODELS,
    *seeing.MODELS,
    *windowed.MODELS,
    *mixed.MODELS,
    *recurrent.MODELS,
    *linear.MODELS,
)
ZOO: Mapping[str, ZooModel] = MappingProxyType({model.name: model for model in MODELS})
"""By name, from small to large within dense, mixture-of-experts and recurrent ones."""


def write(name: str, folder: Path) -> Path:
    """Write one of `ZOO` as a sparse file; its path. A file that is there already is kept."""
    path = folder / f"{name}.gguf"
    if not path.exists():
        write_sparse(path, ZOO[name].metadata(), ZOO[name].tensors())
    return path


__all__ = ["ZOO", "ZooModel", "write"]
