"""The tiny ONNX model of the tests, made by `tests/data/make_tiny_onnx.py`."""

from pathlib import Path

TINY_ONNX = Path(__file__).parent / "data" / "tiny-onnx"
