"""Failures of which a model's file is the cause, or that name one."""

from pathlib import Path

from engine.errors.base import EngineError


class ModelFileError(EngineError):
    """Something is wrong with a model file. `detail` is for the Details fold and the log."""

    code = "model_file"

    def __init__(self, path: Path, detail: str = "") -> None:
        super().__init__(f"{path}: {detail}" if detail else str(path))
        self.path = path
        self.detail = detail


class ModelMissing(ModelFileError):
    code = "model_missing"


class StarterMissing(ModelMissing):
    code = "starter_missing"


class NotAModel(ModelFileError):
    code = "not_a_model"


class ModelCutOff(ModelFileError):
    code = "model_cut_off"


class ModelDamaged(ModelFileError):
    code = "model_damaged"


class ModelTooNew(ModelFileError):
    code = "model_too_new"


class WrongByteOrder(ModelFileError):
    code = "wrong_byte_order"


class SplitPart(ModelFileError):
    code = "split_part"

    def __init__(self, path: Path, part: int, parts: int) -> None:
        super().__init__(path, f"part {part} of {parts}")
        self.part = part
        self.parts = parts


class PartsMissing(ModelFileError):
    """`names` of the parts that are not beside the others."""

    code = "parts_missing"

    def __init__(self, path: Path, names: tuple[str, ...]) -> None:
        super().__init__(path, ", ".join(names))
        self.names = names


class HashMismatch(ModelFileError):
    code = "hash_mismatch"


class NotOurs(ModelFileError):
    """`owner` is the value of an `Owner`."""

    code = "not_ours"

    def __init__(self, path: Path, owner: str) -> None:
        super().__init__(path, owner)
        self.owner = owner


class AlreadyThere(ModelFileError):
    code = "already_there"


class NoBin(ModelFileError):
    """Nothing was removed. A person may still want it deleted for good."""

    code = "no_bin"


class FileTooBigForDisk(ModelFileError):
    """The disk has room, but its kind takes no file of this size. `path` is the file that was to be
    written."""

    code = "file_too_big_for_disk"


class NotAChatModel(ModelFileError):
    """`kind` is the value of the file's `ModelKind`."""

    code = "not_a_chat_model"

    def __init__(self, path: Path, kind: str) -> None:
        super().__init__(path, kind)
        self.kind = kind


class LoadFailed(ModelFileError):
    """The native loader gave up; `detail` holds the last lines of its log."""

    code = "load_failed"
