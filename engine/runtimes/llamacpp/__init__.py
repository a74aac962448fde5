"""llama.cpp in this process: templates and prompts in pure Python, native calls in `native`."""
