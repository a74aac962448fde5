"""The frozen program is its own child: with one flag it serves the engine and opens no window."""

from collections.abc import Sequence

_FLAG = "--snug-child"
"""As `engine.child.command` starts it, repeated here so that a usual start imports nothing."""


def become_child(arguments: Sequence[str]) -> None:
    """Does not return if this process was started as a child."""
    if arguments[:1] == [_FLAG]:
        from engine.child.entry import main  # noqa: PLC0415 - only a child needs it

        main(arguments[1:])
