"""Models on another computer, behind any server that speaks the OpenAI protocol."""
