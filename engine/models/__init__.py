"""Model files on disk: what their headers say. Never loads a model, never trusts a file."""
