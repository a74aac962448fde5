"""llama.cpp in this process: what `prompting` asks of it, native calls in `native`."""
