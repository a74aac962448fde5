"""Started by `test_keyring` in a session of its own: keeps a token as Snug does, and says how.

Arguments are what to do with the token, in order: get, set (to a line of standard input), delete,
keeps_another, store. Prints one JSON list of what was answered and the seconds each took.
"""

import json
import logging
import os
import sys
import time

from app import logs, paths
from app.secrets import Secrets, find_store

NAME = "hub:token"
TIMEOUT_S = float(os.environ.get("TALK_TIMEOUT_S", "5"))


def main(doings: list[str]) -> None:
    logs.start(paths.find())
    logging.getLogger().setLevel(logging.DEBUG)
    secrets = Secrets(TIMEOUT_S)
    told: list[object] = []
    for doing in doings:
        begun = time.monotonic()
        if doing == "store":
            found = find_store(TIMEOUT_S)
            answer: object = [found.name, found.usable]
        elif doing == "set":
            answer = secrets.set(NAME, sys.stdin.readline().strip())
        else:
            answer = getattr(secrets, doing)(NAME)
        told.append([answer, round(time.monotonic() - begun, 2)])
    print(json.dumps(told))


if __name__ == "__main__":
    main(sys.argv[1:])
