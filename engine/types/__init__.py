"""Frozen values that cross the engine's ports. They hold facts, never words for people."""
