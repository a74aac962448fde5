"""What is wrong with an Info.plist, before Apple or somebody's Mac says so. Pure."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

_TEXTS = (
    *("CFBundleName", "CFBundleDisplayName", "CFBundleIdentifier", "CFBundleVersion"),
    *("CFBundleShortVersionString", "CFBundleExecutable", "CFBundleIconFile"),
    *("CFBundleDevelopmentRegion", "LSApplicationCategoryType", "LSMinimumSystemVersion"),
    *("NSHumanReadableCopyright", "CFBundlePackageType", "CFBundleInfoDictionaryVersion"),
)
_VERSIONS = ("CFBundleVersion", "CFBundleShortVersionString", "LSMinimumSystemVersion")
_NUMBERS = re.compile(r"\d+(\.\d+){0,2}")
_IDENTIFIER = re.compile(r"[A-Za-z][A-Za-z0-9-]*(\.[A-Za-z0-9-]+)+")
_EXTENSION = re.compile(r"[a-z0-9]+")
_MIME = re.compile(r"[a-z]+/[a-z0-9.+-]+")


def problems(info: Mapping[str, Any]) -> list[str]:
    """Of a finished Info.plist: also what PyInstaller puts there."""
    return [*_texts(info), *_switches(info), *_kinds(info), *_documents(info)]


def _texts(info: Mapping[str, Any]) -> Iterator[str]:
    for name in _TEXTS:
        if not isinstance(info.get(name), str) or not info[name]:
            yield f"{name} must be a text"
    for name in _VERSIONS:
        if not _NUMBERS.fullmatch(str(info.get(name))):
            yield f"{name} must be one to three numbers"
    if not _IDENTIFIER.fullmatch(str(info.get("CFBundleIdentifier"))):
        yield "CFBundleIdentifier is no identifier"


def _switches(info: Mapping[str, Any]) -> Iterator[str]:
    if info.get("NSHighResolutionCapable") is not True:
        yield "NSHighResolutionCapable must be true"
    if info.get("LSBackgroundOnly"):
        yield "LSBackgroundOnly would hide the window"
    if "LSEnvironment" in info:
        yield "LSEnvironment would not hold in a terminal"


def _kinds(info: Mapping[str, Any]) -> Iterator[str]:
    for kind in info.get("UTImportedTypeDeclarations", []):
        name = str(kind.get("UTTypeIdentifier"))
        if not _IDENTIFIER.fullmatch(name) or name.startswith(("public.", "com.apple.")):
            yield f"{name} is no name for a kind of files"
        if not kind.get("UTTypeDescription") or not kind.get("UTTypeConformsTo"):
            yield f"{name} has no description or no parent"
        tags = kind.get("UTTypeTagSpecification", {})
        endings, mimes = tags.get("public.filename-extension"), tags.get("public.mime-type")
        if not endings or not all(map(_EXTENSION.fullmatch, endings)):
            yield f"{name} has no ending"
        if not all(map(_MIME.fullmatch, mimes or ())):
            yield f"{name} has a strange MIME type"


def _documents(info: Mapping[str, Any]) -> Iterator[str]:
    known = {kind.get("UTTypeIdentifier") for kind in info.get("UTImportedTypeDeclarations", [])}
    for document in info.get("CFBundleDocumentTypes", []):
        name = str(document.get("CFBundleTypeName"))
        kinds = document.get("LSItemContentTypes") or []
        if not kinds or not set(kinds) <= known:
            yield f"{name} is of a kind that nobody declares"
        if document.get("CFBundleTypeRole") != "Viewer":
            yield f"{name} is only looked at, not edited"
        if document.get("LSHandlerRank") != "Alternate":
            yield f"{name} would take somebody's default"
