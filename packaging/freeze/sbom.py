"""The bill of materials, as CycloneDX 1.6 in JSON. Pure: equal parts give equal bytes."""

import json
import uuid
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from freeze.components import Component

_SPACE = uuid.UUID("6f1c7d3c-8a7f-5a53-9a3e-0f5d6c1f1a11")
"""Ours alone, so that serial numbers follow from the contents."""
_UNKNOWN = "NOASSERTION"


def document(program: Component, parts: Iterable[Component], made_s: int) -> str:
    """`made_s` is the time of the sources (SOURCE_DATE_EPOCH), in seconds since 1970."""
    components = [_entry(part) for part in sorted(parts, key=lambda part: part.purl)]
    body = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "timestamp": datetime.fromtimestamp(made_s, UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "component": _entry(program),
        },
        "components": components,
        "dependencies": [
            {"ref": program.purl, "dependsOn": [entry["bom-ref"] for entry in components]}
        ],
    }
    serial = uuid.uuid5(_SPACE, json.dumps(body, sort_keys=True))
    return json.dumps({"serialNumber": f"urn:uuid:{serial}", **body}, indent=1) + "\n"


def _entry(part: Component) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "type": part.kind,
        "bom-ref": part.purl,
        "name": part.name,
        "version": part.version,
        "purl": part.purl,
    }
    if part.licence != _UNKNOWN:
        entry["licenses"] = [_licence(part.licence)]
    if part.sha256:
        entry["hashes"] = [{"alg": "SHA-256", "content": part.sha256}]
    return entry


def _licence(text: str) -> dict[str, Any]:
    """An expression where it looks like one of SPDX, else just a name."""
    words = text.replace("(", " ").replace(")", " ").split()
    spdx = all(word in ("AND", "OR", "WITH") or "-" in word or word.isupper() for word in words)
    return {"expression": text} if spdx else {"license": {"name": text}}
