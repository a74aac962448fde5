"""The way to a model for everybody above: plans, rehearses, loads, and keeps the machine alive."""
