"""What the frozen program is made of: every collected file belongs to somebody, and this says whom.

Three sources: installed Python packages, packages of the system (Debian), and a short list of what
neither knows. Runs with the build's own Python.
"""

import json
import platform
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib.metadata import Distribution, distributions, version
from pathlib import Path

from devenv.commands import output
from devenv.places import ROOT, STARTER_MANIFEST
from freeze.metadata import project
from freeze.places import HERE
from freeze.provenance import Collected

TEXTS = HERE.parent / "licences"
_LICENCE_NAMES = ("LICEN", "COPYING", "NOTICE", "AUTHORS")
_NO_LICENCE = "NOASSERTION"


@dataclass(frozen=True, slots=True, kw_only=True)
class Component:
    """`kind` and `purl` as CycloneDX means them; `texts` are files to pass on."""

    name: str
    version: str
    licence: str
    purl: str
    texts: tuple[Path, ...]
    kind: str = "library"
    sha256: str = ""


def all_of(collected: Collected, *, with_model: bool) -> tuple[Component, ...]:
    """Sorted by name; Snug itself is not among them."""
    sources = {Path(source) for source in collected.modules.values() if Path(source).is_absolute()}
    sources |= {Path(source) for source in collected.files.values()}
    packages, rest = _python_packages(sources)
    found = [*packages, *_system_packages(rest), *_listed(with_model=with_model)]
    return tuple(sorted(found, key=lambda component: (component.name.lower(), component.purl)))


def itself() -> Component:
    facts = project()
    return Component(
        name=facts["name"],
        version=facts["version"],
        licence=facts["license"],
        purl=f"pkg:generic/{facts['name']}@{facts['version']}",
        texts=(ROOT / "LICENSE",),
        kind="application",
    )


def _python_packages(sources: set[Path]) -> tuple[list[Component], set[Path]]:
    """Those that brought one of `sources`, and the sources that none of them brought."""
    found, left = [], set(sources)
    for distribution in distributions():
        own = {Path(str(distribution.locate_file(file))) for file in distribution.files or ()}
        if own & sources:
            found.append(_python_component(distribution))
            left -= own
    return found, left


def _python_component(distribution: Distribution) -> Component:
    name, facts = distribution.metadata["Name"], distribution.metadata
    return Component(
        name=name,
        version=distribution.version,
        licence=_licence_of(facts.json),
        purl=f"pkg:pypi/{name.lower().replace('_', '-')}@{distribution.version}",
        texts=tuple(_texts_of(distribution)),
    )


def _licence_of(facts: Mapping[str, str | list[str]]) -> str:
    """The first that is a name and no whole text."""
    said = (facts.get("license_expression"), facts.get("license"))
    return next((text for text in said if isinstance(text, str) and len(text) < 80), _NO_LICENCE)


def _texts_of(distribution: Distribution) -> Iterator[Path]:
    name = distribution.metadata["Name"].lower()
    if name.startswith(("pyside6", "shiboken6")):
        yield from (TEXTS / text for text in ("Qt.txt", "LGPL-3.0.txt", "GPL-3.0.txt"))
    if name.startswith("llama"):
        yield TEXTS / "llama.cpp.txt"
    for file in distribution.files or ():
        in_metadata = any(part.endswith(".dist-info") for part in file.parts)
        if in_metadata and file.name.upper().startswith(_LICENCE_NAMES):
            yield Path(str(distribution.locate_file(file)))


def _system_packages(sources: Iterable[Path]) -> Iterator[Component]:
    """Of Debian and its relatives; elsewhere nothing comes from the system but Python."""
    names = {package for source in sources for package in _owners(source)}
    for name in sorted(names):
        found = output(["dpkg-query", "-W", "-f=${Version} ${Architecture}", name])
        release, _, architecture = found.partition(" ")
        text = Path("/usr/share/doc") / name.partition(":")[0] / "copyright"
        yield Component(
            name=name.partition(":")[0],
            version=release,
            licence=_NO_LICENCE,
            purl=f"pkg:deb/debian/{name.partition(':')[0]}@{release}?arch={architecture}",
            texts=(text,) if text.exists() else (),
        )


def _owners(source: Path) -> Iterator[str]:
    if not source.is_relative_to("/usr") and not source.is_relative_to("/lib"):
        return
    real = str(source.resolve())
    for place in (real, real.removeprefix("/usr")):  # packages say one or the other
        if found := output(["dpkg-query", "-S", place]):
            yield found.partition(": ")[0].partition(",")[0]
            return


def _listed(*, with_model: bool) -> Iterator[Component]:
    python = platform.python_version()
    yield Component(
        name="CPython",
        version=python,
        licence="PSF-2.0",
        purl=f"pkg:generic/cpython@{python}",
        texts=_python_texts(),
    )
    yield Component(
        name="llama.cpp",
        version=f"as in llama-cpp-python {version('llama-cpp-python')}",
        licence="MIT",
        purl="pkg:github/ggml-org/llama.cpp",
        texts=(TEXTS / "llama.cpp.txt",),
    )
    yield Component(
        name="ICU",
        version=f"as in PySide6 {version('PySide6-Essentials')}",
        licence="Unicode-3.0",
        purl="pkg:generic/icu",
        texts=(TEXTS / "ICU.txt",),
    )
    yield Component(
        name="Lucide icons",
        version="as in resources/icons",
        licence="ISC AND MIT",
        purl="pkg:generic/lucide",
        texts=(ROOT / "resources" / "icons" / "LICENSE",),
    )
    if with_model:
        yield _model()


def _python_texts() -> tuple[Path, ...]:
    base = Path(sys.base_prefix)
    places = (base / "LICENSE.txt", Path(f"{json.__file__}").parents[1] / "LICENSE.txt")
    return tuple(place for place in places if place.exists())[:1]


def _model() -> Component:
    facts = json.loads(STARTER_MANIFEST.read_text(encoding="utf-8"))
    return Component(
        name=facts["name"],
        version=facts["id"],
        licence=facts["licence"],
        purl=f"pkg:generic/{facts['id']}",
        texts=(TEXTS / "SmolLM2.txt",),
        kind="machine-learning-model",
        sha256=facts["sha256"],
    )
