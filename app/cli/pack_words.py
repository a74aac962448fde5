"""What is wrong with a pack, for people: a sentence, and what to do. One for each code."""

from app.cli.words import ENGINE, FILE, NOT_ALLOWED, Words
from engine.types.packs import PackProblem, PackState


def _file(message: str, hint: str) -> Words:
    return Words(message=message, hint=hint, exit_code=FILE)


def _engine(message: str, hint: str) -> Words:
    return Words(message=message, hint=hint, exit_code=ENGINE)


def _disk(message: str, hint: str) -> Words:
    return Words(message=message, hint=hint, exit_code=NOT_ALLOWED)


_AGAIN = "Get the pack again from where you had it."
_FROM_US = "Use only packs from where Snug itself comes from."
_FOR_THIS = "Get the pack that belongs to this Snug."

WORDS: dict[PackProblem, Words] = {
    PackProblem.NOT_FOUND: _file("There is no file at this place.", "Check the path."),
    PackProblem.UNREADABLE: _file(
        "The pack can not be read.", "Copy it to this computer's own disk and try again."
    ),
    PackProblem.NOT_A_PACK: _file("This file is not a pack.", "Packs end with .pack"),
    PackProblem.CUT_OFF: _file("The pack ends too early: a part of it is missing.", _AGAIN),
    PackProblem.TOO_LARGE: _file("The file is larger than any pack is.", _FROM_US),
    PackProblem.EXTRA_DATA: _file("The pack holds something that it does not list.", _AGAIN),
    PackProblem.BIG_ARCHIVE: _file(
        "The pack was put together in a form that packs do not have.", _AGAIN
    ),
    PackProblem.ARCHIVE_DAMAGED: _file("The pack's list of files makes no sense.", _AGAIN),
    PackProblem.TOO_MANY_FILES: _file("The pack holds more files than any pack does.", _FROM_US),
    PackProblem.ENCRYPTED: _file("The pack is locked with a password.", _FROM_US),
    PackProblem.UNKNOWN_COMPRESSION: _file(
        "The pack is compressed in a way that packs are not.", _AGAIN
    ),
    PackProblem.HEADERS_DISAGREE: _file("The pack contradicts itself about its files.", _AGAIN),
    PackProblem.OVERLAPPING: _file("Files in the pack lie over each other.", _FROM_US),
    PackProblem.MANIFEST_MISSING: _file(
        "The pack does not say what it is.", "It may be another kind of archive. " + _FROM_US
    ),
    PackProblem.MANIFEST_TOO_LARGE: _file("The pack says too much about itself.", _FROM_US),
    PackProblem.SIGNATURE_MISSING: _file("Nobody signed this pack.", _FROM_US),
    PackProblem.SIGNATURE_DAMAGED: _file("The pack's signature can not be read.", _AGAIN),
    PackProblem.UNKNOWN_KEY: _file("Somebody signed this pack whom Snug does not know.", _FROM_US),
    PackProblem.SIGNATURE_WRONG: _file("The pack was changed after it was signed.", _FROM_US),
    PackProblem.MANIFEST_DAMAGED: _file("What the pack says of itself makes no sense.", _AGAIN),
    PackProblem.MANIFEST_AMBIGUOUS: _file(
        "The pack says two different things about itself.", _FROM_US
    ),
    PackProblem.NEWER_FORMAT: _file(
        "The pack is for a newer Snug.", "Update Snug, then try again."
    ),
    PackProblem.OTHER_SYSTEM: _file("The pack is for another system.", _FOR_THIS),
    PackProblem.OTHER_PROCESSOR: _file("The pack is for another kind of processor.", _FOR_THIS),
    PackProblem.OTHER_BUILD: _file("The pack is for another version of Snug.", _FOR_THIS),
    PackProblem.OTHER_INTERFACE: _file("The pack is for another version of the engine.", _FOR_THIS),
    PackProblem.ALREADY_BUSY: _disk(
        "Another Snug is changing the packs.", "Try again when it has finished."
    ),
    PackProblem.NO_SPACE: _disk(
        "There is not enough room on the disk.", "Remove something, then try again."
    ),
    PackProblem.NAME_OUTSIDE: _file(
        "The pack wants to write outside its own folder.", "Do not use it. " + _FROM_US
    ),
    PackProblem.NAME_FORBIDDEN: _file(
        "A file in the pack has a name that is not safe everywhere.", _FROM_US
    ),
    PackProblem.NAME_RESERVED: _file(
        "A file in the pack has a name that Windows keeps for a device.", _FROM_US
    ),
    PackProblem.NAME_TOO_LONG: _file("A file in the pack has too long a name.", _FROM_US),
    PackProblem.NAMES_COLLIDE: _file(
        "Two files in the pack have names that can not stand side by side.", _FROM_US
    ),
    PackProblem.LISTED_TWICE: _file("A file is in the pack twice.", _FROM_US),
    PackProblem.LINK: _file("The pack holds a link to some other place.", _FROM_US),
    PackProblem.FOLDER: _file("The pack holds a folder where a file should be.", _AGAIN),
    PackProblem.UNLISTED_FILE: _file("Something was added to the pack.", _FROM_US),
    PackProblem.FILE_MISSING: _file("A file is missing in the pack.", _AGAIN),
    PackProblem.SIZE_DIFFERS: _file("A file in the pack has the wrong size.", _AGAIN),
    PackProblem.UNPACKS_LARGER: _file(
        "A file in the pack grows larger than it may when it is unpacked.", _FROM_US
    ),
    PackProblem.DATA_DAMAGED: _file("A file in the pack can not be unpacked.", _AGAIN),
    PackProblem.HASH_DIFFERS: _file("A file of the pack is not the one that was signed.", _AGAIN),
    PackProblem.NOT_WRITABLE: _disk(
        "The pack's files can not be written.", "Check the disk and your permissions."
    ),
    PackProblem.NO_PLUGIN: _file("The pack does not hold what it promises.", _FOR_THIS),
    PackProblem.PLUGIN_OTHER_BUILD: _file(
        "What is in the pack was made for another version of Snug.", _FOR_THIS
    ),
    PackProblem.BLOCKED: _disk(
        "Another program holds the new files.", "It may be a virus scanner. Try again in a minute."
    ),
    PackProblem.NOT_LOADABLE: _engine(
        "This computer could not start the pack.",
        "Install the newest driver of the graphics card, then try again.",
    ),
    PackProblem.CRASHED: _engine(
        "The pack stopped when it was tried, so it is not used.",
        "Install the newest driver of the graphics card, then try again.",
    ),
    PackProblem.TIMED_OUT: _engine(
        "The pack gave no answer when it was tried, so it is not used.",
        "Start the computer anew, then try again.",
    ),
    PackProblem.DRIVER_TOO_OLD: _engine(
        "The graphics card's driver is too old for this pack.", "Install a newer driver."
    ),
    PackProblem.NO_DEVICE: _engine(
        "There is no graphics card that this pack could use.", "Nothing needs to be done."
    ),
    PackProblem.NOT_INSTALLED: _file("No such pack is installed.", "See: snug packs list"),
    PackProblem.NOTHING_TO_RESTORE: _file(
        "There is no earlier pack to go back to.", "See: snug packs list"
    ),
}

STATES: dict[PackState, str] = {
    PackState.IN_USE: "in use",
    PackState.PREVIOUS: "kept, to go back to with 'snug packs restore'",
    PackState.UNFINISHED: "not used: its import did not finish. Import it again.",
    PackState.CHANGED: "not used: its files have changed. Try 'snug packs check'.",
    PackState.UNTRUSTED: "not used: its signature is not one that this Snug trusts.",
    PackState.OTHER_BUILD: "for another Snug",
}
