"""Snug that trusts a test's keys for packs. Run as

`python -m tests.system.packed KEYS import-slowly PACK WHERE` it imports a pack and stands still at
WHERE ("unpacking" or "trial") for good, after a line that says so; with any other words it is the
command line. KEYS is JSON: ids and public keys in hexadecimal.
"""

import json
import sys
import threading
from pathlib import Path

from app import packs
from app.cli import main
from app.paths import find
from engine.packs import keys
from engine.types.backends import Plugin


def trust(text: str) -> None:
    keys.TRUSTED = {key_id: bytes.fromhex(key) for key_id, key in json.loads(text).items()}


def stand_still() -> None:
    print("here", flush=True)
    threading.Event().wait()


def import_slowly(pack: Path, where: str) -> None:
    def probe(_plugin: Plugin, _cancel: object) -> dict[str, object]:
        stand_still()
        return {}

    def heard(done_bytes: int, total_bytes: int) -> None:
        if where == "unpacking" and done_bytes > total_bytes // 2:
            stand_still()

    packs._probe = probe
    packs.import_pack(find(), pack, heard)


if __name__ == "__main__":
    trust(sys.argv[1])
    if sys.argv[2] == "import-slowly":
        import_slowly(Path(sys.argv[3]), sys.argv[4])
    sys.exit(main(sys.argv[2:]))
