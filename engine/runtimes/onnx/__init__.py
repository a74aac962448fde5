"""ONNX Runtime GenAI: models in folders, for DirectML where Windows has nothing else."""
