"""A program that was packaged without ONNX Runtime says so, in words that the window knows."""

import sys

import pytest

from engine.errors import RuntimeMissing


def test_a_missing_numpy_is_a_missing_runtime(monkeypatch):
    monkeypatch.delitem(sys.modules, "engine.runtimes.onnx.arrays", raising=False)
    monkeypatch.setitem(sys.modules, "numpy", None)
    with pytest.raises(RuntimeMissing):
        __import__("engine.runtimes.onnx.arrays")
