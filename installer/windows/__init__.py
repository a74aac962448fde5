"""The installer for Windows, and what the frozen program needs there."""
