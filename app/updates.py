"""Whether a hub has other files now than those that a model was made of. Pure."""

from engine.types.hub import HubRepo
from engine.types.library import FileRecord, Manifest


def is_updated(manifest: Manifest, repo: HubRepo) -> bool | None:
    """None where neither hashes nor the revision tell: then nobody knows."""
    if manifest.origin is not None and repo.revision == manifest.origin.revision:
        return False
    answers = [_differs(record, repo) for record in manifest.files]
    if True in answers:
        return True
    return None if None in answers else False


def _differs(record: FileRecord, repo: HubRepo) -> bool | None:
    """A file that is gone from the hub, or whose hash is not told, says nothing."""
    name = record.name.rpartition("/")[2]
    there = [file.sha256 for file in repo.files if file.path.rpartition("/")[2] == name]
    if len(there) != 1 or not there[0] or not record.sha256:
        return None
    return there[0] != record.sha256
