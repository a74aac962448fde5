"""A person's conversations: values, and their store in SQLite."""
