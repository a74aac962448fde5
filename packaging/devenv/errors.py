"""The one way setup fails. Apart from the rest so that `dev.py` can name it without a cost."""


class SetupError(Exception):
    """Setup can not go on. The message is for the person at the keyboard."""
