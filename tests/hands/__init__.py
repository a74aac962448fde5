"""A person's hands and eyes on the real window, which runs in a process of its own."""
