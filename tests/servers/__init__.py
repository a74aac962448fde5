"""Servers that tests start on this machine: a real one, and one that misbehaves."""
