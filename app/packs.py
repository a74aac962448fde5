"""Backend packs on this computer: which the engine may use, and how a new one is tried.

Heavy parts are imported when there is a pack. Blocks; not for the window's thread.
"""

import platform
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path

from app.paths import Paths
from engine.backends import plugins
from engine.child.spawn import run_role
from engine.hardware.system import architecture, this_system
from engine.packs import keys, store
from engine.packs.install import Importer
from engine.packs.store import Shelf
from engine.packs.unpack import Heard
from engine.types.backends import Plugin
from engine.types.cancel import CancelToken
from engine.types.packs import InstalledPack

_TRIAL_S = 120.0
"""A virus scanner reads a new library of hundreds of megabytes before it lets it start."""


def shelf(paths: Paths) -> Shelf:
    return Shelf(
        folder=paths.packs,
        build_id=plugins.engine_build_id(),
        keys=keys.TRUSTED,
        version=version("snug"),
    )


def approved_packs(paths: Paths) -> tuple[Plugin, ...]:
    """The plug-ins of the packs in use, to be approved beside those that came with the engine."""
    return store.installed(shelf(paths))


def import_pack(
    paths: Paths,
    file: Path,
    heard: Heard = lambda _done, _total: None,
    cancel: CancelToken | None = None,
) -> InstalledPack:
    """It is used from the next start on. Raises `PackRefused`, `Cancelled` or
    `ProgramReplaced`."""
    token = cancel or CancelToken()
    return importer(paths, token).run(file, heard, token)


def importer(paths: Paths, cancel: CancelToken) -> Importer:
    """What looks at packs for this computer, and imports them."""

    def probe(plugin: Plugin) -> Mapping[str, object]:
        return _probe(plugin, cancel)

    return Importer(
        shelf=shelf(paths),
        system=this_system().value,
        architecture=architecture(platform.machine()),
        probe=probe,
    )


def _probe(plugin: Plugin, cancel: CancelToken) -> Mapping[str, object]:
    """In a child, which may load this one plug-in; nobody else may, as long as it is on trial."""
    return run_role(
        "probe",
        {"backend": plugin.backend},
        timeout_s=_TRIAL_S,
        cancel=cancel,
        approved=[plugin],
    )
