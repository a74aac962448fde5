"""Servers that tests start on this machine: a real one, an odd one, and a hub of models."""
