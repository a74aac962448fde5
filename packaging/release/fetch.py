"""What release runners need and no package index has: fetched by curl, used only when it is exactly
the file that is named here."""

from dataclasses import dataclass
from pathlib import Path

from devenv import commands
from devenv.errors import SetupError
from release.sums import sha256_of

_VULKAN = "1.4.357.0"
_CLIENT = "1.0.128"
_RUNTIME = "20251108"
"""Of type2-runtime: a release that stays as it is, unlike "continuous"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pinned:
    """A file and its sha256, in hexadecimal."""

    address: str
    sha256: str

    @property
    def name(self) -> str:
        return self.address.rpartition("/")[2]


PINNED = {
    "appimage-runtime": Pinned(
        address="https://github.com/AppImage/type2-runtime/releases/download/"
        f"{_RUNTIME}/runtime-x86_64",
        sha256="2fca8b443c92510f1483a883f60061ad09b46b978b2631c807cd873a47ec260d",
    ),
    # What lets signtool sign with Azure Artifact Signing; a package is a ZIP.
    "signing-client": Pinned(
        address="https://api.nuget.org/v3-flatcontainer/microsoft.artifactsigning.client/"
        f"{_CLIENT}/microsoft.artifactsigning.client.{_CLIENT}.nupkg",
        sha256="74bd7d27e6ce1051409c38d9b46bc8df0400ecd643d51ffbf2ac00869061e40b",
    ),
    # Its sha256 is that of https://vulkan.lunarg.com/sdk/files.json.
    "vulkan-sdk": Pinned(
        address="https://sdk.lunarg.com/sdk/download/"
        f"{_VULKAN}/windows/vulkansdk-windows-X64-{_VULKAN}.exe",
        sha256="81f474711e9042f4cd22b31b2f7a8870db2e428b21586fb43dd80150be97310d",
    ),
}


def fetch(pinned: Pinned, into: Path) -> Path:
    """Raises `SetupError`; what is not right is not kept."""
    into.mkdir(parents=True, exist_ok=True)
    target = into / pinned.name
    partial = target.with_name(f"{target.name}.part")
    try:
        commands.run(command(pinned, partial), f"fetching {pinned.name}")
        if (found := sha256_of(partial)) != pinned.sha256:
            msg = f"{pinned.address} has the sha256 {found}, not {pinned.sha256}"
            raise SetupError(msg)
        partial.replace(target)
    finally:
        partial.unlink(missing_ok=True)
    return target


def command(pinned: Pinned, target: Path) -> list[str | Path]:
    """No protocol but HTTPS, where it is sent on to as well."""
    options = ("--fail", "--silent", "--show-error", "--location", "--retry", "3")
    return ["curl", *options, "--proto", "=https", "--output", target, pinned.address]
