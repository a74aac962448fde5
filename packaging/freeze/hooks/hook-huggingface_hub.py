"""The hub's client imports its own parts by name, on first use; only what Snug uses goes in."""

hiddenimports = ["huggingface_hub.hf_api", "huggingface_hub.utils", "huggingface_hub.errors"]
excludedimports = ["hf_xet", "torch", "tensorflow", "numpy", "fastapi", "gradio", "IPython"]
