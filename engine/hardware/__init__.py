"""What this machine has. Each source: a pure `parse_*` on text and a tiny `read_*`."""
