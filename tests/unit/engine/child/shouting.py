"""A role that prints as badly behaved native code does, for `test_spawn`."""

import os
from collections.abc import Mapping


def role(argument: Mapping[str, object]) -> dict[str, object]:
    print("from Python")
    os.write(1, b"from native code\n")
    code = argument["exit"]
    if isinstance(code, int):
        os._exit(code)
    return {"heard": True}
