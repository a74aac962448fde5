"""What a Mac is told about Snug (Info.plist). Pure.

Keys and values: Apple's "Information Property List" and "Uniform Type Identifiers".
"""

from typing import Any

NAME = "Snug"
IDENTIFIER = "app.snug.snug"
"""The AppStream id of Linux; a Mac remembers permissions and its own settings by it."""
FLOOR = (13, 3)
"""The oldest macOS: Qt's wheels ask for 13.0, and llama.cpp's makers build theirs for 13.3."""
LANGUAGES = ("en", "zh-Hans")

_MODEL, _PACK = "org.ggml.gguf", f"{IDENTIFIER}.pack"
_DATA, _ZIP = "public.data", "public.zip-archive"


def plist(version: str) -> dict[str, Any]:
    """`version` as in pyproject.toml: Apple allows three numbers at most, and `lint.py` looks."""
    return {
        "CFBundleName": NAME,
        "CFBundleDisplayName": NAME,
        "CFBundleIdentifier": IDENTIFIER,
        "CFBundleVersion": version,
        "CFBundleShortVersionString": version,
        "CFBundleDevelopmentRegion": LANGUAGES[0],
        "CFBundleLocalizations": list(LANGUAGES),
        "CFBundleDocumentTypes": [
            _opened("Language model", _MODEL),
            _opened("Part of Snug", _PACK),
        ],
        "UTImportedTypeDeclarations": [
            _known("Language model", _MODEL, _DATA, "gguf", "application/x-gguf"),
            _known("Part of Snug", _PACK, _ZIP, "pack", "application/x-snug-pack"),
        ],
        "LSApplicationCategoryType": "public.app-category.productivity",
        "LSMinimumSystemVersion": ".".join(map(str, FLOOR)),
        "NSHighResolutionCapable": True,
        "NSHumanReadableCopyright": "The Snug authors, Apache-2.0",
        "NSPrincipalClass": "NSApplication",
    }


def _opened(name: str, kind: str) -> dict[str, Any]:
    """Offered under "Open With"; the default stays whose it was."""
    return {
        "CFBundleTypeName": name,
        "CFBundleTypeRole": "Viewer",
        "LSHandlerRank": "Alternate",
        "LSItemContentTypes": [kind],
    }


def _known(name: str, kind: str, parent: str, extension: str, mime: str) -> dict[str, Any]:
    """Imported, even ours: whoever else means something by this ending goes first."""
    return {
        "UTTypeIdentifier": kind,
        "UTTypeDescription": name,
        "UTTypeConformsTo": [parent],
        "UTTypeTagSpecification": {
            "public.filename-extension": [extension],
            "public.mime-type": [mime],
        },
    }
