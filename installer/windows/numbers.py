"""Versions as Windows wants them."""


def four_numbers(version: str) -> str:
    """Of 0.1.0 it is 0.1.0.0; what is no number is left out."""
    numbers = [part for part in version.split(".") if part.isdecimal()]
    return ".".join([*numbers, "0", "0", "0", "0"][:4])
