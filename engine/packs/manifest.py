"""Reads what a pack says of itself: JSON in exactly one form, and nothing beyond it. Pure.

It comes from whoever signed it, and is checked like a stranger's all the same: the names in it are
written to. A signature must have been checked before.
"""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from engine.errors import PackRefused
from engine.packs import names
from engine.packs.archive import LARGEST_BYTES, MOST_FILES
from engine.types.packs import Manifest, PackFile, PackProblem

SCHEMA = 1
LONGEST_BYTES = 256 << 10

_TEXTS = {
    "pack_id": re.compile(r"[a-z0-9][a-z0-9_-]{0,39}"),
    "backend": re.compile(r"[a-z0-9]{1,20}"),
    "build_id": re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]{0,119}"),
    "os": re.compile(r"[a-z]{1,20}"),
    "arch": re.compile(r"[a-z0-9_]{1,20}"),
    "min_driver": re.compile(r"|[0-9]{1,6}(?:\.[0-9]{1,6}){0,3}"),
    "licence": re.compile(r"[ -~]{1,200}"),
    "created": re.compile(r"[0-9]{4}-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-5][0-9]Z"),
}
_KEYS = {"schema", "ggml_api", "files", *_TEXTS}
_FILE_KEYS = {"path", "size", "sha256"}
_SHA256 = re.compile(r"[0-9a-f]{64}")
_MOST_API = 10_000


class _Ambiguous(ValueError):
    """A key stands there twice: two readers would read two manifests."""


class _Wrong(ValueError):
    """Not the form; the text says where."""


def parse(data: bytes, path: Path) -> Manifest:
    """Raises `PackRefused`, with `path` in it."""
    if len(data) > LONGEST_BYTES:
        raise PackRefused(path, PackProblem.MANIFEST_TOO_LARGE, f"{len(data)} bytes")
    try:
        content = json.loads(data.decode("utf-8"), object_pairs_hook=_once, parse_constant=_none)
        fields = _mapping(content, "manifest")
        _check_schema(fields, path)
        manifest = _manifest(fields)
    except _Ambiguous as error:
        raise PackRefused(path, PackProblem.MANIFEST_AMBIGUOUS, str(error)) from error
    except (ValueError, RecursionError) as error:
        raise PackRefused(path, PackProblem.MANIFEST_DAMAGED, str(error)[:200]) from error
    _check_names(manifest, path)
    return manifest


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        raise _Ambiguous(", ".join(sorted(key for key, _ in pairs))[:200])
    return made


def _none(name: str) -> None:
    raise _Wrong(f"{name} is no value of JSON")


def _check_schema(fields: Mapping[str, Any], path: Path) -> None:
    schema = _whole(fields.get("schema"), "schema", 1 << 31)
    if schema > SCHEMA:
        raise PackRefused(path, PackProblem.NEWER_FORMAT, f"{schema}, known is {SCHEMA}")
    if schema != SCHEMA:
        raise _Wrong(f"schema {schema} never was")


def _manifest(fields: Mapping[str, Any]) -> Manifest:
    _check_keys(fields, _KEYS, "manifest")
    texts = {key: _text(fields[key], key, form) for key, form in _TEXTS.items()}
    return Manifest(
        pack_id=texts["pack_id"],
        backend=texts["backend"],
        build_id=texts["build_id"],
        ggml_api=_whole(fields["ggml_api"], "ggml_api", _MOST_API),
        system=texts["os"],
        architecture=texts["arch"],
        min_driver=texts["min_driver"],
        licence=texts["licence"],
        created=texts["created"],
        files=_files(fields["files"]),
    )


def _files(entries: object) -> tuple[PackFile, ...]:
    if not isinstance(entries, list) or not 0 < len(entries) <= MOST_FILES - len(names.OURS):
        raise _Wrong("files is no list, empty, or too long")
    return tuple(_file(_mapping(entry, "a file")) for entry in entries)


def _file(fields: Mapping[str, Any]) -> PackFile:
    _check_keys(fields, _FILE_KEYS, "a file")
    if not isinstance(fields["path"], str):
        raise _Wrong("a path is no text")
    return PackFile(
        path=fields["path"],
        size_bytes=_whole(fields["size"], "size", LARGEST_BYTES),
        sha256=_text(fields["sha256"], "sha256", _SHA256),
    )


def _check_names(manifest: Manifest, path: Path) -> None:
    paths = [file.path for file in manifest.files]
    for name in paths:
        if problem := names.problem_of(name):
            raise PackRefused(path, problem, ascii(name)[:200])
    if found := names.collision([*names.OURS, *paths]):
        problem, name = found
        raise PackRefused(path, problem, ascii(name)[:200])


def _check_keys(fields: Mapping[str, Any], expected: set[str], where: str) -> None:
    if set(fields) != expected:
        odd = sorted(set(fields) ^ expected)
        raise _Wrong(f"{where}: missing or unknown: {odd!a}")


def _mapping(value: object, where: str) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise _Wrong(f"{where} is no object")
    return value


def _text(value: object, key: str, form: "re.Pattern[str]") -> str:
    if not isinstance(value, str) or not form.fullmatch(value):
        raise _Wrong(f"{key} is {value!a}")
    return value


def _whole(value: object, key: str, most: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= most:
        raise _Wrong(f"{key} is {value!a}")
    return value
