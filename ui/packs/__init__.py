"""Packs that a person hands over: the question, the progress, and what became of them."""
