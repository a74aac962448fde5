"""llama.cpp's compute graphs without data, and where ggml would put their tensors: pure sizes."""
