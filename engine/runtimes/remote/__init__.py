"""Models on another computer, behind a server that speaks the OpenAI protocol."""
