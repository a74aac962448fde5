"""Shapes of published models, read from sparse files once a process."""

import pytest

from engine.models.shape import read_shape
from engine.types.shapes import ModelShape
from tests import zoo


class Shapes(dict[str, ModelShape]):
    """By the zoo's names. Says little of itself when a test fails."""

    def __repr__(self) -> str:
        return f"<{len(self)} shapes>"


@pytest.fixture(scope="session")
def shapes(tmp_path_factory: pytest.TempPathFactory) -> Shapes:
    folder = tmp_path_factory.mktemp("zoo")
    return Shapes({name: read_shape(zoo.write(name, folder)) for name in zoo.ZOO})
