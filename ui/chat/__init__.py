"""The conversation: what was said, the header above it and the composer below it."""
