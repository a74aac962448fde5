"""Conversations to prompts and tokens to text, the same for every runtime in this process."""
