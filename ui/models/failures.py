"""Whether two failures are the same one: a load and the reply that waited for it fail alike.

No Qt here.
"""

from engine.errors import DoesNotFit


def same_failure(one: Exception | None, other: Exception | None) -> bool:
    """What is free changes from moment to moment and makes no other failure."""
    return one is not None and other is not None and _key(one) == _key(other)


def _key(error: Exception) -> tuple[object, ...]:
    if isinstance(error, DoesNotFit):
        plan = error.plan
        return type(error), error.path, plan.needed_bytes, plan.layout.context_length
    return type(error), str(error)
