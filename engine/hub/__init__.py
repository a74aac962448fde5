"""Models that can be had from a hub: found, looked at, told apart. Nothing is downloaded here."""
