"""Compiles the CUDA plug-in for a pack and collects what goes in with it. For release runners: it
takes an hour and 15 GB. The toolkit comes as Python packages, locked like every other.

    python -m packs.cuda WORK     leaves WORK/content, ready for `packs build`
"""

import os
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Iterable, Sequence
from pathlib import Path

from devenv import lockfiles
from native import flags

HERE = Path(__file__).resolve().parent
TOOLKIT_LOCK = HERE / "toolkit.lock"
ARCHITECTURES = "75-virtual;80-virtual;86-real;89-real;90-virtual;120a-real"
"""Turing and newer, as upstream's own builds: older cards are for CUDA 12."""
LIBRARIES = {
    "linux": ("libcudart.so.13", "libcublasLt.so.13", "libcublas.so.13"),
    "win32": ("cudart64_13.dll", "cublasLt64_13.dll", "cublas64_13.dll"),
}
"""What NVIDIA lets us pass on (CUDA EULA, attachment A), in the order of loading."""
_PLUGINS = {"linux": "libggml-cuda.so", "win32": "ggml-cuda.dll"}
_DRIVER_FUNCTIONS = (
    *("cuDeviceGet", "cuDeviceGetAttribute", "cuGetErrorString", "cuMemAddressFree"),
    *("cuMemAddressReserve", "cuMemCreate", "cuMemGetAllocationGranularity", "cuMemMap"),
    *("cuMemRelease", "cuMemSetAccess", "cuMemUnmap"),
)
"""What ggml-cuda calls in the driver (its vendors/cuda.h and ggml-cuda.cu)."""


def main(arguments: Sequence[str]) -> int:
    work = Path(arguments[0]).resolve()
    work.mkdir(parents=True, exist_ok=True)
    toolkit, source = _toolkit(work / "toolkit"), _source(work / "source")
    build = work / "build"
    _run(["cmake", "-G", "Ninja", "-S", source, "-B", build, *configuration(toolkit)])
    _run(["cmake", "--build", build, "--target", "ggml-cuda"])
    _collect(toolkit, source, build, work / "content")
    return 0


def configuration(toolkit: Path, system: str = sys.platform) -> list[str]:
    """The engine's own flags, and those of CUDA."""
    version, _ = lockfiles.engine_requirement()
    compiler = toolkit / "bin" / ("nvcc.exe" if system == "win32" else "nvcc")
    return [
        *flags.arguments(version, flags.this_target(), vulkan=False),
        "-DCMAKE_BUILD_TYPE=Release",
        "-DGGML_CUDA=ON",
        "-DGGML_CUDA_NCCL=OFF",  # for several cards in one server
        f"-DCMAKE_CUDA_ARCHITECTURES={ARCHITECTURES}",
        f"-DCMAKE_CUDA_COMPILER={compiler.as_posix()}",
        f"-DCUDAToolkit_ROOT={toolkit.as_posix()}",
    ]


def _toolkit(folder: Path) -> Path:
    _pip("install", "--no-deps", "--require-hashes", "-r", TOOLKIT_LOCK, "--target", folder)
    root = folder / "nvidia" / "cu13"
    if sys.platform == "linux":
        for name in LIBRARIES["linux"]:
            _link(root / "lib" / name)
        _driver_stub(root / "lib" / "stubs")
    return root


def _link(library: Path) -> None:
    """The name that linkers look for; Python packages leave it out."""
    short = library.with_name(library.name.partition(".so")[0] + ".so")
    if not short.exists():
        short.symlink_to(library.name)


def _driver_stub(folder: Path) -> None:
    """To link with on a machine without NVIDIA's driver. Never packed: the driver's own is used."""
    folder.mkdir(exist_ok=True)
    source = folder / "cuda.c"
    source.write_text("".join(f"void {name}(void) {{}}\n" for name in _DRIVER_FUNCTIONS))
    _run(["cc", "-shared", "-Wl,-soname,libcuda.so.1", source, "-o", folder / "libcuda.so"])


def _source(folder: Path) -> Path:
    """llama.cpp out of the very file that the engine is built from."""
    folder.mkdir(exist_ok=True)
    _, block = lockfiles.engine_requirement()
    requirement = folder / "engine.txt"
    requirement.write_text(block, encoding="utf-8")
    _pip(
        *("download", "--no-deps", "--no-build-isolation", "--no-binary", ":all:"),
        *("--require-hashes", "-r", requirement, "-d", folder),
    )
    archive = next(folder.glob("*.tar.gz"))
    with tarfile.open(archive) as tar:
        tar.extractall(folder, filter="data")
    return folder / archive.name.removesuffix(".tar.gz") / "vendor" / "llama.cpp"


def _collect(toolkit: Path, source: Path, build: Path, content: Path) -> None:
    """The plug-in, what it needs, and the licences. The same EULA lies in each package."""
    licences = content / "licences"
    licences.mkdir(parents=True)
    for name in LIBRARIES[sys.platform]:
        shutil.copy(_only(toolkit.rglob(name), name), content / name)
    plugin = _PLUGINS[sys.platform]
    shutil.copy(_only((build / "bin").rglob(plugin), plugin), content / plugin)
    eula = _only(toolkit.parents[1].glob("nvidia_cuda_runtime-*/**/License.txt"), "the EULA")
    shutil.copy(eula, licences / "CUDA-EULA.txt")
    shutil.copy(source / "LICENSE", licences / "llama.cpp-MIT.txt")


def _only(found: Iterable[Path], name: str) -> Path:
    paths = list(found)
    if len(paths) != 1:
        sys.exit(f"packs: {len(paths)} files for {name}")
    return paths[0]


def _pip(*words: str | Path) -> None:
    _run([sys.executable, "-m", "pip", *words])


def _run(argv: Sequence[str | Path]) -> None:
    subprocess.run([str(word) for word in argv], check=True, env=os.environ)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
