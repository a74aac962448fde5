"""What a model takes in memory, from its header alone."""
