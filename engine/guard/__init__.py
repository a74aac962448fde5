"""Keeps the machine and the program alive: memory watch, crash marker, what was learned."""
