"""What is wrong with a pack, for people: a sentence, and what to do. One for each code."""

from app.cli.words import ENGINE, FILE, NOT_ALLOWED, Words
from app.pack_advice import ADVICE, Advice
from engine.types.packs import PackProblem, PackState

_HINTS = {
    Advice.CHECK_PLACE: "Check the path.",
    Advice.OWN_DISK: "Copy it to this computer's own disk and try again.",
    Advice.OTHER_FILE: "Packs end with .pack",
    Advice.GET_AGAIN: "Get the pack again from where you had it.",
    Advice.ONLY_OURS: "Use only packs from where Snug itself comes from.",
    Advice.NEVER: "Do not use it. Use only packs from where Snug itself comes from.",
    Advice.UPDATE: "Update Snug, then try again.",
    Advice.RIGHT_ONE: "Get the pack that belongs to this Snug.",
    Advice.WAIT_FOR_SNUG: "Try again when it has finished.",
    Advice.MAKE_ROOM: "Remove something, then try again.",
    Advice.CHECK_DISK: "Check the disk and your permissions.",
    Advice.WAIT_FOR_SCANNER: "It may be a virus scanner. Try again in a minute.",
    Advice.NEW_DRIVER: "Install the newest driver of the graphics card, then try again.",
    Advice.START_ANEW: "Start the computer anew, then try again.",
    Advice.NOTHING: "Nothing needs to be done.",
    Advice.SEE_LIST: "See: snug packs list",
}
_EXIT_CODES = {
    Advice.WAIT_FOR_SNUG: NOT_ALLOWED,
    Advice.MAKE_ROOM: NOT_ALLOWED,
    Advice.CHECK_DISK: NOT_ALLOWED,
    Advice.WAIT_FOR_SCANNER: NOT_ALLOWED,
    Advice.NEW_DRIVER: ENGINE,
    Advice.START_ANEW: ENGINE,
    Advice.NOTHING: ENGINE,
}
"""Where the file itself is not to blame."""

_MESSAGES: dict[PackProblem, str] = {
    PackProblem.NOT_FOUND: "There is no file at this place.",
    PackProblem.UNREADABLE: "The pack can not be read.",
    PackProblem.NOT_A_PACK: "This file is not a pack.",
    PackProblem.CUT_OFF: "The pack ends too early: a part of it is missing.",
    PackProblem.TOO_LARGE: "The file is larger than any pack is.",
    PackProblem.EXTRA_DATA: "The pack holds something that it does not list.",
    PackProblem.BIG_ARCHIVE: "The pack was put together in a form that packs do not have.",
    PackProblem.ARCHIVE_DAMAGED: "The pack's list of files makes no sense.",
    PackProblem.TOO_MANY_FILES: "The pack holds more files than any pack does.",
    PackProblem.ENCRYPTED: "The pack is locked with a password.",
    PackProblem.UNKNOWN_COMPRESSION: "The pack is compressed in a way that packs are not.",
    PackProblem.HEADERS_DISAGREE: "The pack contradicts itself about its files.",
    PackProblem.OVERLAPPING: "Files in the pack lie over each other.",
    PackProblem.MANIFEST_MISSING: "The pack does not say what it is.",
    PackProblem.MANIFEST_TOO_LARGE: "The pack says too much about itself.",
    PackProblem.SIGNATURE_MISSING: "Nobody signed this pack.",
    PackProblem.SIGNATURE_DAMAGED: "The pack's signature can not be read.",
    PackProblem.UNKNOWN_KEY: "Somebody signed this pack whom Snug does not know.",
    PackProblem.SIGNATURE_WRONG: "The pack was changed after it was signed.",
    PackProblem.MANIFEST_DAMAGED: "What the pack says of itself makes no sense.",
    PackProblem.MANIFEST_AMBIGUOUS: "The pack says two different things about itself.",
    PackProblem.NEWER_FORMAT: "The pack is for a newer Snug.",
    PackProblem.OTHER_SYSTEM: "The pack is for another system.",
    PackProblem.OTHER_PROCESSOR: "The pack is for another kind of processor.",
    PackProblem.OTHER_BUILD: "The pack is for another version of Snug.",
    PackProblem.OTHER_INTERFACE: "The pack is for another version of the engine.",
    PackProblem.ALREADY_BUSY: "Another Snug is changing the packs.",
    PackProblem.NO_SPACE: "There is not enough room on the disk.",
    PackProblem.NAME_OUTSIDE: "The pack wants to write outside its own folder.",
    PackProblem.NAME_FORBIDDEN: "A file in the pack has a name that is not safe everywhere.",
    PackProblem.NAME_RESERVED: "A file in the pack has a name that Windows keeps for a device.",
    PackProblem.NAME_TOO_LONG: "A file in the pack has too long a name.",
    PackProblem.NAMES_COLLIDE: "Two files in the pack have names that can not stand side by side.",
    PackProblem.LISTED_TWICE: "A file is in the pack twice.",
    PackProblem.LINK: "The pack holds a link to some other place.",
    PackProblem.FOLDER: "The pack holds a folder where a file should be.",
    PackProblem.UNLISTED_FILE: "Something was added to the pack.",
    PackProblem.FILE_MISSING: "A file is missing in the pack.",
    PackProblem.SIZE_DIFFERS: "A file in the pack has the wrong size.",
    PackProblem.UNPACKS_LARGER: "A file in the pack grows larger than it may when it is unpacked.",
    PackProblem.DATA_DAMAGED: "A file in the pack can not be unpacked.",
    PackProblem.HASH_DIFFERS: "A file of the pack is not the one that was signed.",
    PackProblem.NOT_WRITABLE: "The pack's files can not be written.",
    PackProblem.NO_PLUGIN: "The pack does not hold what it promises.",
    PackProblem.PLUGIN_OTHER_BUILD: "What is in the pack was made for another version of Snug.",
    PackProblem.BLOCKED: "Another program holds the new files.",
    PackProblem.NOT_LOADABLE: "This computer could not start the pack.",
    PackProblem.CRASHED: "The pack stopped when it was tried, so it is not used.",
    PackProblem.TIMED_OUT: "The pack gave no answer when it was tried, so it is not used.",
    PackProblem.DRIVER_TOO_OLD: "The graphics card's driver is too old for this pack.",
    PackProblem.NO_DEVICE: "There is no graphics card that this pack could use.",
    PackProblem.NOT_INSTALLED: "No such pack is installed.",
    PackProblem.NOTHING_TO_RESTORE: "There is no earlier pack to go back to.",
}

WORDS: dict[PackProblem, Words] = {
    problem: Words(
        message=message,
        hint=_HINTS[ADVICE[problem]],
        exit_code=_EXIT_CODES.get(ADVICE[problem], FILE),
    )
    for problem, message in _MESSAGES.items()
}

STATES: dict[PackState, str] = {
    PackState.IN_USE: "in use",
    PackState.PREVIOUS: "kept, to go back to with 'snug packs restore'",
    PackState.UNFINISHED: "not used: its import did not finish. Import it again.",
    PackState.CHANGED: "not used: its files have changed. Try 'snug packs check'.",
    PackState.UNTRUSTED: "not used: its signature is not one that this Snug trusts.",
    PackState.OTHER_BUILD: "for another Snug",
}
