"""Only the low-level module is used; the package's `__init__` with its high-level half never runs.
Its libraries are listed by the spec: PyInstaller's own search would miss the plug-ins."""

excludedimports = ["llama_cpp.llama", "llama_cpp.llama_chat_format", "numpy", "diskcache"]
