"""The files of a release, by name: all of them, and nothing else. Pure, but for one look."""

from collections.abc import Iterable
from pathlib import Path

SYSTEMS = ("linux", "macos", "windows")
PACKS = ("linux-x86_64-cuda13", "windows-x86_64-cuda13")


def installers(version: str) -> tuple[str, ...]:
    """As `installer/` names them."""
    return (
        f"snug-{version}-setup.exe",
        f"snug-{version}-arm64.dmg",
        f"snug_{version}_amd64.deb",
        f"snug-{version}-1.x86_64.rpm",
        f"Snug-{version}-x86_64.AppImage",
    )


def packs(version: str) -> tuple[str, ...]:
    return tuple(f"snug-{version}-{pack}.pack" for pack in PACKS)


def sbom(system: str) -> str:
    """Without a version: attestations are asked for by name, in a file that nothing fills in."""
    return f"sbom-{system}.cdx.json"


def licences(system: str) -> str:
    return f"licences-{system}.zip"


def papers() -> tuple[str, ...]:
    """What is inside, and under which licences, for each system."""
    return tuple(kind(system) for system in SYSTEMS for kind in (sbom, licences))


def listed(version: str) -> tuple[str, ...]:
    """What SHA256SUMS lists."""
    return (*installers(version), *packs(version), *papers())


def attestations() -> tuple[str, ...]:
    """Made from SHA256SUMS, so it can not list them; they are signed themselves."""
    bundles = (f"sbom-{system}.sigstore.json" for system in SYSTEMS)
    return ("provenance.sigstore.json", *bundles, "trusted_root.jsonl")


def problems(folder: Path, version: str, besides: Iterable[str] = ()) -> list[str]:
    """A line for each file that is missing, empty, or not one of a release. `besides` what is
    listed the sums have to be there, and in the end the attestations."""
    wanted = {*listed(version), *besides}
    there = {path.name: path for path in folder.iterdir()}
    found = [f"{name} is missing" for name in wanted - there.keys()]
    found += [f"{name} is not a file of release {version}" for name in there.keys() - wanted]
    found += [f"{name} is empty" for name in _empty(there[n] for n in wanted & there.keys())]
    return sorted(found)


def _empty(paths: Iterable[Path]) -> list[str]:
    return [path.name for path in paths if not path.is_file() or not path.stat().st_size]
