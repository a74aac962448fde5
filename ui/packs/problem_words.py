"""Why a pack is refused, and what to do: one plain sentence for each reason, one for each advice.

Tables and a look into them. The facts are shared with the command line (`app/pack_advice.py`).
"""

from PySide6.QtCore import QCoreApplication

from app.pack_advice import ADVICE, Advice
from engine.errors import NoSpace, PackRefused
from engine.types.packs import PackProblem
from ui.plan_words import joined
from ui.size_words import space


def QT_TRANSLATE_NOOP(_context: str, text: str) -> str:
    """Marks `text` for translation, under the name that lupdate looks for."""
    return text


translate = QCoreApplication.translate
_P = PackProblem

PROBLEMS: dict[PackProblem, str] = {
    _P.NOT_FOUND: QT_TRANSLATE_NOOP("Packs", "The file is not there any more."),
    _P.UNREADABLE: QT_TRANSLATE_NOOP("Packs", "The file cannot be read."),
    _P.NOT_A_PACK: QT_TRANSLATE_NOOP("Packs", "This is not a file that Snug can add."),
    _P.CUT_OFF: QT_TRANSLATE_NOOP("Packs", "The end of the file is missing."),
    _P.TOO_LARGE: QT_TRANSLATE_NOOP("Packs", "The file is larger than anything made for Snug."),
    _P.EXTRA_DATA: QT_TRANSLATE_NOOP("Packs", "There is more in the file than there should be."),
    _P.BIG_ARCHIVE: QT_TRANSLATE_NOOP("Packs", "The file was put together in an unknown way."),
    _P.ARCHIVE_DAMAGED: QT_TRANSLATE_NOOP("Packs", "The list of what is in the file is damaged."),
    _P.TOO_MANY_FILES: QT_TRANSLATE_NOOP("Packs", "There is far more in it than Snug could use."),
    _P.ENCRYPTED: QT_TRANSLATE_NOOP("Packs", "The file is locked with a password."),
    _P.UNKNOWN_COMPRESSION: QT_TRANSLATE_NOOP("Packs", "The file is packed in an unknown way."),
    _P.HEADERS_DISAGREE: QT_TRANSLATE_NOOP("Packs", "The file contradicts itself."),
    _P.OVERLAPPING: QT_TRANSLATE_NOOP("Packs", "Parts of the file lie over each other."),
    _P.MANIFEST_MISSING: QT_TRANSLATE_NOOP("Packs", "The file does not say what it is for."),
    _P.MANIFEST_TOO_LARGE: QT_TRANSLATE_NOOP("Packs", "The file says too much about itself."),
    _P.SIGNATURE_MISSING: QT_TRANSLATE_NOOP(
        "Packs", "Nothing in the file shows that it comes from Snug's makers."
    ),
    _P.SIGNATURE_DAMAGED: QT_TRANSLATE_NOOP(
        "Packs", "The mark of Snug's makers in the file is damaged."
    ),
    _P.UNKNOWN_KEY: QT_TRANSLATE_NOOP("Packs", "The file does not come from Snug's makers."),
    _P.SIGNATURE_WRONG: QT_TRANSLATE_NOOP(
        "Packs", "The file was changed after Snug's makers had made it."
    ),
    _P.MANIFEST_DAMAGED: QT_TRANSLATE_NOOP("Packs", "What the file says of itself is damaged."),
    _P.MANIFEST_AMBIGUOUS: QT_TRANSLATE_NOOP(
        "Packs", "The file says two different things about itself."
    ),
    _P.NEWER_FORMAT: QT_TRANSLATE_NOOP("Packs", "It is for a newer Snug."),
    _P.OTHER_SYSTEM: QT_TRANSLATE_NOOP("Packs", "It is for another system than this one."),
    _P.OTHER_PROCESSOR: QT_TRANSLATE_NOOP("Packs", "It is for computers of another kind."),
    _P.OTHER_BUILD: QT_TRANSLATE_NOOP("Packs", "It is for another version of Snug."),
    _P.OTHER_INTERFACE: QT_TRANSLATE_NOOP("Packs", "It does not go with this version of Snug."),
    _P.ALREADY_BUSY: QT_TRANSLATE_NOOP("Packs", "Another Snug is adding something just now."),
    _P.NO_SPACE: QT_TRANSLATE_NOOP("Packs", "There is not enough space on the disk."),
    _P.NAME_OUTSIDE: QT_TRANSLATE_NOOP(
        "Packs", "The file wants to write where it has no business."
    ),
    _P.NAME_FORBIDDEN: QT_TRANSLATE_NOOP("Packs", "A name in the file is not safe."),
    _P.NAME_RESERVED: QT_TRANSLATE_NOOP("Packs", "A name in the file belongs to the system."),
    _P.NAME_TOO_LONG: QT_TRANSLATE_NOOP("Packs", "A name in the file is too long."),
    _P.NAMES_COLLIDE: QT_TRANSLATE_NOOP("Packs", "Two names in the file get in each other's way."),
    _P.LISTED_TWICE: QT_TRANSLATE_NOOP("Packs", "Something is in the file twice."),
    _P.LINK: QT_TRANSLATE_NOOP("Packs", "Something in the file leads to another place."),
    _P.FOLDER: QT_TRANSLATE_NOOP("Packs", "Something in the file is not what it should be."),
    _P.UNLISTED_FILE: QT_TRANSLATE_NOOP("Packs", "Something was added to the file."),
    _P.FILE_MISSING: QT_TRANSLATE_NOOP("Packs", "Something is missing in the file."),
    _P.SIZE_DIFFERS: QT_TRANSLATE_NOOP("Packs", "A part of the file has the wrong size."),
    _P.UNPACKS_LARGER: QT_TRANSLATE_NOOP("Packs", "A part of the file is larger than it says."),
    _P.DATA_DAMAGED: QT_TRANSLATE_NOOP("Packs", "A part of the file is damaged."),
    _P.HASH_DIFFERS: QT_TRANSLATE_NOOP(
        "Packs", "A part of the file is not as Snug's makers made it."
    ),
    _P.NOT_WRITABLE: QT_TRANSLATE_NOOP("Packs", "Snug cannot write into its own folder."),
    _P.NO_PLUGIN: QT_TRANSLATE_NOOP("Packs", "The file does not hold what it promises."),
    _P.PLUGIN_OTHER_BUILD: QT_TRANSLATE_NOOP(
        "Packs", "What is in the file was made for another version of Snug."
    ),
    _P.BLOCKED: QT_TRANSLATE_NOOP("Packs", "Another program holds the new files back."),
    _P.NOT_LOADABLE: QT_TRANSLATE_NOOP("Packs", "It could not be started on this computer."),
    _P.CRASHED: QT_TRANSLATE_NOOP("Packs", "It stopped when Snug tried it."),
    _P.TIMED_OUT: QT_TRANSLATE_NOOP("Packs", "It gave no answer when Snug tried it."),
    _P.DRIVER_TOO_OLD: QT_TRANSLATE_NOOP(
        "Packs", "The driver of the graphics card is too old for it."
    ),
    _P.NO_DEVICE: QT_TRANSLATE_NOOP(
        "Packs", "Snug found no graphics card in this computer that it is for."
    ),
    _P.NOT_INSTALLED: QT_TRANSLATE_NOOP("Packs", "It was not added yet."),
    _P.NOTHING_TO_RESTORE: QT_TRANSLATE_NOOP("Packs", "There is no earlier one to go back to."),
}

ADVICES: dict[Advice, str] = {
    Advice.CHECK_PLACE: QT_TRANSLATE_NOOP("Packs", "Look where it is now, and open it again."),
    Advice.OWN_DISK: QT_TRANSLATE_NOOP(
        "Packs", "Copy it to this computer's own disk, then open it there."
    ),
    Advice.OTHER_FILE: QT_TRANSLATE_NOOP(
        "Packs", "It may belong to another program. Nothing needs to be done."
    ),
    Advice.GET_AGAIN: QT_TRANSLATE_NOOP("Packs", "Get it again from where you had it."),
    Advice.ONLY_OURS: QT_TRANSLATE_NOOP("Packs", "Use only files from where you got Snug."),
    Advice.NEVER: QT_TRANSLATE_NOOP(
        "Packs", "Do not use it. Use only files from where you got Snug."
    ),
    Advice.UPDATE: QT_TRANSLATE_NOOP("Packs", "Install the newer Snug, then open it again."),
    Advice.RIGHT_ONE: QT_TRANSLATE_NOOP("Packs", "Get the one that belongs to this Snug."),
    Advice.WAIT_FOR_SNUG: QT_TRANSLATE_NOOP("Packs", "Open it again when that is done."),
    Advice.MAKE_ROOM: QT_TRANSLATE_NOOP("Packs", "Make room, then open it again."),
    Advice.CHECK_DISK: QT_TRANSLATE_NOOP(
        "Packs", "Check whether the disk is locked or damaged, then open it again."
    ),
    Advice.WAIT_FOR_SCANNER: QT_TRANSLATE_NOOP(
        "Packs", "It may be your security program. Open the file again in a minute."
    ),
    Advice.NEW_DRIVER: QT_TRANSLATE_NOOP(
        "Packs", "Install the newest driver of the graphics card, then open the file again."
    ),
    Advice.START_ANEW: QT_TRANSLATE_NOOP(
        "Packs", "Restart the computer, then open the file again."
    ),
    Advice.NOTHING: QT_TRANSLATE_NOOP("Packs", "Nothing needs to be done."),
    Advice.SEE_LIST: QT_TRANSLATE_NOOP("Packs", "Nothing needs to be done."),
}


def problem_words(error: PackRefused | NoSpace) -> str:
    """Why, and what to do."""
    if isinstance(error, NoSpace):
        return _space_words(error)
    problem = PackProblem(error.problem)
    why = translate("Packs", PROBLEMS[problem])
    return joined(why, translate("Packs", ADVICES[ADVICE[problem]]))


def _space_words(error: NoSpace) -> str:
    lacking = max(error.needed_bytes - error.free_bytes, 0)
    words = translate(
        "Packs", "There is not enough space: {a} has to be free, and {b} is. Free {c} more, then"
        " open the file again."
    )  # fmt: skip
    a, b, c = map(space, (error.needed_bytes, error.free_bytes, lacking))
    return words.format(a=a, b=b, c=c)


def exact_words(error: PackRefused | NoSpace) -> str:
    """For Details."""
    return f"{error.code}: {error}"
