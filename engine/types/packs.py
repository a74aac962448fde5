"""Backend packs: what one says of itself, what became of it here, and why one is refused."""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path


class PackProblem(StrEnum):
    """Why a pack is refused, in the order in which it is looked at. Codes; `app/cli` has the
    sentences. Whatever it is, nothing has changed."""

    # The file.
    NOT_FOUND = "not_found"
    UNREADABLE = "unreadable"
    NOT_A_PACK = "not_a_pack"
    CUT_OFF = "cut_off"
    TOO_LARGE = "too_large"
    EXTRA_DATA = "extra_data"
    """Bytes before, between or behind what the archive lists."""
    BIG_ARCHIVE = "big_archive"
    """In the form for more than 4 GiB, which packs do not use."""
    ARCHIVE_DAMAGED = "archive_damaged"
    TOO_MANY_FILES = "too_many_files"
    ENCRYPTED = "encrypted"
    UNKNOWN_COMPRESSION = "unknown_compression"
    HEADERS_DISAGREE = "headers_disagree"
    """The archive says one thing in its list and another beside the file."""
    OVERLAPPING = "overlapping"
    """Two files of the archive are partly the same bytes."""

    # What it says of itself, and who says so.
    MANIFEST_MISSING = "manifest_missing"
    MANIFEST_TOO_LARGE = "manifest_too_large"
    SIGNATURE_MISSING = "signature_missing"
    SIGNATURE_DAMAGED = "signature_damaged"
    UNKNOWN_KEY = "unknown_key"
    SIGNATURE_WRONG = "signature_wrong"
    MANIFEST_DAMAGED = "manifest_damaged"
    MANIFEST_AMBIGUOUS = "manifest_ambiguous"
    """It says something twice."""
    NEWER_FORMAT = "newer_format"

    # Whether it is for this computer and this Snug.
    OTHER_SYSTEM = "other_system"
    OTHER_PROCESSOR = "other_processor"
    OTHER_BUILD = "other_build"
    OTHER_INTERFACE = "other_interface"
    """For another version of the engine's interface to its backends."""
    ALREADY_BUSY = "already_busy"
    """Another Snug is changing the packs."""
    NO_SPACE = "no_space"

    # The files in it.
    NAME_OUTSIDE = "name_outside"
    """It would be written somewhere else: "..", a drive, an absolute path."""
    NAME_FORBIDDEN = "name_forbidden"
    """Some system can not have such a name, or reads it differently."""
    NAME_RESERVED = "name_reserved"
    """On Windows the name of a device."""
    NAME_TOO_LONG = "name_too_long"
    NAMES_COLLIDE = "names_collide"
    """Equal where capitals do not count, or a file where another needs a folder."""
    LISTED_TWICE = "listed_twice"
    LINK = "link"
    FOLDER = "folder"
    UNLISTED_FILE = "unlisted_file"
    FILE_MISSING = "file_missing"
    SIZE_DIFFERS = "size_differs"
    UNPACKS_LARGER = "unpacks_larger"
    """The data goes on after the size that is listed."""
    DATA_DAMAGED = "data_damaged"
    HASH_DIFFERS = "hash_differs"
    NOT_WRITABLE = "not_writable"

    # The plug-in.
    NO_PLUGIN = "no_plugin"
    PLUGIN_OTHER_BUILD = "plugin_other_build"
    BLOCKED = "blocked"
    """Something, such as a virus scanner, did not let the files go to their place."""
    NOT_LOADABLE = "not_loadable"
    CRASHED = "crashed"
    TIMED_OUT = "timed_out"
    DRIVER_TOO_OLD = "driver_too_old"
    NO_DEVICE = "no_device"

    # A pack that is, or is not, installed.
    NOT_INSTALLED = "not_installed"
    NOTHING_TO_RESTORE = "nothing_to_restore"


class PackState(StrEnum):
    IN_USE = "in_use"
    PREVIOUS = "previous"
    """Replaced by a newer one, and kept to go back to."""
    UNFINISHED = "unfinished"
    """Its import did not come to an end, or it was set aside."""
    CHANGED = "changed"
    """Its files are no longer those that were imported."""
    UNTRUSTED = "untrusted"
    """Its signature is not there, or no longer one that this Snug trusts."""
    OTHER_BUILD = "other_build"
    """For another Snug."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PackFile:
    """`path` has "/" between its parts, on every system."""

    path: str
    size_bytes: int
    sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """`system` and `architecture` as `System` and `hardware.system` spell them. `min_driver` is
    "" where any will do. `files` are in the order in which libraries are to be loaded."""

    pack_id: str
    backend: str
    build_id: str
    ggml_api: int
    system: str
    architecture: str
    min_driver: str
    licence: str
    created: str
    files: tuple[PackFile, ...]

    @property
    def size_bytes(self) -> int:
        return sum(file.size_bytes for file in self.files)


@dataclass(frozen=True, slots=True, kw_only=True)
class InstalledPack:
    """A pack in its folder. `manifest` is None where it can not be believed; `order` is higher
    for what was put to use later, 0 for what never was."""

    pack_id: str
    build_id: str
    folder: Path
    state: PackState
    manifest: Manifest | None = None
    order: int = 0
