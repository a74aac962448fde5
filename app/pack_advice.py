"""What a person can do about each reason that a pack is refused for. Codes: the sentences are in
`app/cli/pack_words.py` and `ui/packs/problem_words.py`."""

from enum import StrEnum

from engine.types.packs import PackProblem


class Advice(StrEnum):
    CHECK_PLACE = "check_place"
    OWN_DISK = "own_disk"
    """Copy it from where it is to this computer."""
    OTHER_FILE = "other_file"
    """It is none of ours at all."""
    GET_AGAIN = "get_again"
    """It may have been damaged on its way."""
    ONLY_OURS = "only_ours"
    """Nobody of us made it so."""
    NEVER = "never"
    """It means harm."""
    UPDATE = "update"
    RIGHT_ONE = "right_one"
    """There is another one for this computer or this Snug."""
    WAIT_FOR_SNUG = "wait_for_snug"
    MAKE_ROOM = "make_room"
    CHECK_DISK = "check_disk"
    WAIT_FOR_SCANNER = "wait_for_scanner"
    NEW_DRIVER = "new_driver"
    START_ANEW = "start_anew"
    NOTHING = "nothing"
    SEE_LIST = "see_list"


_P, _A = PackProblem, Advice

ADVICE: dict[PackProblem, Advice] = {
    _P.NOT_FOUND: _A.CHECK_PLACE,
    _P.UNREADABLE: _A.OWN_DISK,
    _P.NOT_A_PACK: _A.OTHER_FILE,
    _P.CUT_OFF: _A.GET_AGAIN,
    _P.TOO_LARGE: _A.ONLY_OURS,
    _P.EXTRA_DATA: _A.GET_AGAIN,
    _P.BIG_ARCHIVE: _A.GET_AGAIN,
    _P.ARCHIVE_DAMAGED: _A.GET_AGAIN,
    _P.TOO_MANY_FILES: _A.ONLY_OURS,
    _P.ENCRYPTED: _A.ONLY_OURS,
    _P.UNKNOWN_COMPRESSION: _A.GET_AGAIN,
    _P.HEADERS_DISAGREE: _A.GET_AGAIN,
    _P.OVERLAPPING: _A.ONLY_OURS,
    _P.MANIFEST_MISSING: _A.ONLY_OURS,
    _P.MANIFEST_TOO_LARGE: _A.ONLY_OURS,
    _P.SIGNATURE_MISSING: _A.ONLY_OURS,
    _P.SIGNATURE_DAMAGED: _A.GET_AGAIN,
    _P.UNKNOWN_KEY: _A.ONLY_OURS,
    _P.SIGNATURE_WRONG: _A.ONLY_OURS,
    _P.MANIFEST_DAMAGED: _A.GET_AGAIN,
    _P.MANIFEST_AMBIGUOUS: _A.ONLY_OURS,
    _P.NEWER_FORMAT: _A.UPDATE,
    _P.OTHER_SYSTEM: _A.RIGHT_ONE,
    _P.OTHER_PROCESSOR: _A.RIGHT_ONE,
    _P.OTHER_BUILD: _A.RIGHT_ONE,
    _P.OTHER_INTERFACE: _A.RIGHT_ONE,
    _P.ALREADY_BUSY: _A.WAIT_FOR_SNUG,
    _P.NO_SPACE: _A.MAKE_ROOM,
    _P.NAME_OUTSIDE: _A.NEVER,
    _P.NAME_FORBIDDEN: _A.ONLY_OURS,
    _P.NAME_RESERVED: _A.ONLY_OURS,
    _P.NAME_TOO_LONG: _A.ONLY_OURS,
    _P.NAMES_COLLIDE: _A.ONLY_OURS,
    _P.LISTED_TWICE: _A.ONLY_OURS,
    _P.LINK: _A.ONLY_OURS,
    _P.FOLDER: _A.GET_AGAIN,
    _P.UNLISTED_FILE: _A.ONLY_OURS,
    _P.FILE_MISSING: _A.GET_AGAIN,
    _P.SIZE_DIFFERS: _A.GET_AGAIN,
    _P.UNPACKS_LARGER: _A.ONLY_OURS,
    _P.DATA_DAMAGED: _A.GET_AGAIN,
    _P.HASH_DIFFERS: _A.GET_AGAIN,
    _P.NOT_WRITABLE: _A.CHECK_DISK,
    _P.NO_PLUGIN: _A.RIGHT_ONE,
    _P.PLUGIN_OTHER_BUILD: _A.RIGHT_ONE,
    _P.BLOCKED: _A.WAIT_FOR_SCANNER,
    _P.NOT_LOADABLE: _A.NEW_DRIVER,
    _P.CRASHED: _A.NEW_DRIVER,
    _P.TIMED_OUT: _A.START_ANEW,
    _P.DRIVER_TOO_OLD: _A.NEW_DRIVER,
    _P.NO_DEVICE: _A.NOTHING,
    _P.NOT_INSTALLED: _A.SEE_LIST,
    _P.NOTHING_TO_RESTORE: _A.SEE_LIST,
}
