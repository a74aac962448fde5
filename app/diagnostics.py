"""Is everything in place? One small check a question; each ends as a value."""

import hashlib
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

from app import fitting
from app.db import quick_check
from app.errors import StorageError
from app.health import Check, Health, bad, good
from app.paths import Paths
from app.secrets import find_store, known_stores
from app.selftest import (
    SocketWatch,
    check_answer,
    check_downloads,
    check_processor,
    check_resources,
)
from app.starter import find_starter, read_manifest
from engine.backends import plugins
from engine.errors import EngineError

_LOW_SPACE_BYTES = 500_000_000


def check_engine() -> Check:
    """Load the native library and let it name the processor's abilities."""
    from engine.runtimes.llamacpp import native  # noqa: PLC0415 - heavy

    try:
        facts = [native.describe()]
        if variant := native.processor_variant():
            facts.append(f"the processor's part is {variant}")
    except (EngineError, ImportError, OSError, RuntimeError) as error:
        return bad("engine", str(error))
    if build := plugins.engine_build_id():
        facts.append(f"build {build}")
    return good("engine", "; ".join(facts))


def check_backends(paths: Paths) -> Check:
    """What lies beside the engine or came in packs, by reading files; `snug hardware` tries it."""
    found = fitting.approve_backends(paths)
    strange = [plugin for plugin in found if plugins.problem_of(plugin)]
    facts = [plugin.backend for plugin in found if plugin not in strange]
    facts += [f"{plugin.backend} is of another build: {plugin.build_id!r}" for plugin in strange]
    detail = ", ".join(facts) or "none but the processor's"
    health = Health.MISSING if strange else Health.GOOD
    return Check(name="backends", health=health, detail=detail)


def check_model(paths: Paths) -> Check:
    """The starter model's file, by its full hash."""
    path = find_starter(paths)
    if path is None:
        return bad("model", "the starter model is not installed")
    try:
        with path.open("rb") as file:
            found = hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        return bad("model", str(error))
    manifest = read_manifest()
    if found != manifest.sha256:
        return bad("model", f"{path} is damaged")
    return good("model", f"{manifest.name} at {path}")


def check_keyring() -> Check:
    """The store in use, and those that Snug could use elsewhere."""
    store, known = find_store(), known_stores()
    if not known:
        return bad("keyring", "Snug's ways to keep secrets are missing")
    health = Health.GOOD if store.usable else Health.MISSING
    detail = f"{store.name}; known: {', '.join(known)}"
    return Check(name="keyring", health=health, detail=detail)


def check_data(paths: Paths) -> Check:
    """Write a file, read the database, look at the space that is left."""
    try:
        paths.ensure()
        with tempfile.TemporaryFile(dir=paths.data) as file:
            file.write(b"snug")
        detail = _check_database(paths.database)
    except (OSError, StorageError) as error:
        return bad("data", str(error))
    free = shutil.disk_usage(paths.data).free
    if free < _LOW_SPACE_BYTES:
        return bad("data", f"only {free // 1_000_000} MB left at {paths.data}")
    return good("data", f"{paths.data}, {detail}")


def _check_database(path: Path) -> str:
    """Only looks: a damaged file is told, not moved aside."""
    if not path.exists():
        return "no chats yet"
    result = quick_check(path)
    if result != "ok":
        raise StorageError(path, result)
    return "chats are sound"


def run_checks(paths: Paths, window_check: Callable[[], Check] | None) -> tuple[Check, ...]:
    """All checks in the order a person should read them. The window's comes from the ui."""
    sockets = SocketWatch().begin()
    checks = [check_processor(paths), check_engine(), check_backends(paths)]
    checks += [check_model(paths), check_answer(paths), check_resources()]
    checks += [check_downloads(), check_keyring(), check_data(paths)]
    if window_check is not None:
        checks.append(window_check())
    return (*checks, sockets.end())
