"""What CMake is told: one set of flags a system, and the id of what they make. Pure.

The facts behind each flag are in README.md beside this file.
"""

import hashlib
import platform
import sys
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
FOLDER = "llama_cpp/lib"
"""Where everything is installed to, below the packages: llama.cpp's own rules would spread it."""

_COMPILED_IN = ("build_id.c", "snug.cmake", "relax.h")
_FOR_OLDER_MACS = ("-DCMAKE_OSX_DEPLOYMENT_TARGET=13.3",)
"""Without it the builder's own macOS would be the oldest; llama.cpp's makers build for this one."""
_VARIANT_SYSTEMS = {("win32", "arm64")}
"""Where llama.cpp refuses to build several variants of the processor's backend."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """`system` as `sys.platform` says it; `architecture` is x86_64 or arm64."""

    system: str
    architecture: str

    @property
    def has_variants(self) -> bool:
        return (self.system, self.architecture) not in _VARIANT_SYSTEMS


def this_target() -> Target:
    machine = platform.machine().lower()
    names = {"amd64": "x86_64", "aarch64": "arm64"}
    return Target(system=sys.platform, architecture=names.get(machine, machine))


def build_id(version: str, target: Target, sources: Path = HERE) -> str:
    """Equal only for libraries that may be loaded together: those made from one llama.cpp with
    the same flags. Which backends stand beside each other changes nothing in any of them."""
    digest = hashlib.sha256(" ".join(_common(target)).encode())
    for name in _COMPILED_IN:
        digest.update((sources / name).read_bytes().replace(b"\r\n", b"\n"))
    return f"{version}-{target.system}-{target.architecture}-{digest.hexdigest()[:12]}"


def arguments(version: str, target: Target, *, vulkan: bool) -> list[str]:
    """Of CMake, for the engine with every backend of its own system; `vulkan` needs Vulkan's
    headers, SPIR-V's, and glslc."""
    chosen = {"GGML_VULKAN": vulkan}
    if target.system == "darwin":
        # Gibberish and freezes on Intel Macs (engine.md 4.1): their processor is used.
        chosen = {"GGML_METAL": target.architecture == "arm64"}
    return [
        *_common(target),
        *(f"-D{name}={'ON' if on else 'OFF'}" for name, on in chosen.items()),
        f"-DCMAKE_PROJECT_TOP_LEVEL_INCLUDES={(HERE / 'snug.cmake').as_posix()}",
        f"-DSNUG_BUILD_ID={build_id(version, target)}",
    ]


def plain_arguments() -> list[str]:
    """The engine compiled for this very processor, all in one: what benchmarks compare with."""
    return ["-DGGML_NATIVE=ON", *_FOLDERS, "-DLLAVA_BUILD=OFF", "-DLLAMA_OPENSSL=OFF"]


_FOLDERS = (
    f"-DCMAKE_INSTALL_BINDIR={FOLDER}",
    f"-DCMAKE_INSTALL_LIBDIR={FOLDER}",
    "-DCMAKE_INSTALL_INCLUDEDIR=llama_cpp/include",
    # Wheels hold no links: each library would be there under three names, as three libraries.
    "-DCMAKE_PLATFORM_NO_VERSIONED_SONAME=ON",
)


def _common(target: Target) -> list[str]:
    origin = "@loader_path" if target.system == "darwin" else "$ORIGIN"
    return [
        "-DGGML_BACKEND_DL=ON",
        "-DGGML_NATIVE=OFF",
        f"-DGGML_CPU_ALL_VARIANTS={'ON' if target.has_variants else 'OFF'}",
        "-DGGML_OPENMP=OFF",
        "-DGGML_BLAS=OFF",
        "-DLLAVA_BUILD=OFF",  # the part for pictures: a quarter of the work, not used yet
        "-DLLAMA_BUILD_TOOLS=OFF",
        "-DLLAMA_OPENSSL=OFF",
        *_FOLDERS,
        f"-DCMAKE_INSTALL_RPATH={origin}",
        "-DCMAKE_BUILD_WITH_INSTALL_RPATH=ON",
        *(_FOR_OLDER_MACS if target.system == "darwin" else ()),
    ]
