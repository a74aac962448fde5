"""Odd plug-ins for tests: compiled with the system's C compiler, or made of a few bytes.

Each has a witness: a file that its constructor makes, so that a test knows whether it was loaded.
"""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from engine.backends import plugins

COMPILER = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")

ABORTS = "void *ggml_backend_init(void) { abort(); }"
HANGS = "void *ggml_backend_init(void) { for (;;) pause(); }"
GIVES_NOTHING = "void *ggml_backend_init(void) { return 0; }"
HAS_NO_START = "int something_else(void) { return 0; }"
CRASHES_AS_IT_IS_OPENED = (
    "__attribute__((constructor(102))) static void die(void) { raise(SIGSEGV); }" + GIVES_NOTHING
)
LIES_ABOUT_ITS_SCORE = "int ggml_backend_score(void) { return 1 << 20; }"
FINDS_NO_DEVICE = """
static const char *name(void *reg) { return "Vulkan"; }
static unsigned long count(void *reg) { return 0; }
static void *get(void *reg, unsigned long index) { return 0; }
static struct { int version; const char *(*name)(void *); unsigned long (*count)(void *);
    void *(*get)(void *, unsigned long); void *(*address)(void *, const char *); void *context; }
    registry = { VERSION, name, count, get, 0, 0 };
void *ggml_backend_init(void) { return &registry; }
"""
"""The start of a `ggml_backend_reg`, see ggml/src/ggml-backend-impl.h."""
_API_VERSION = 2
_TEMPLATE = """
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#define VERSION %(version)d
const char snug_build_id[] __attribute__((used)) = "snug-build-id:%(build_id)s;";
__attribute__((constructor(101))) static void witness(void) {
    FILE *file = fopen(%(witness)s, "a");
    if (file) fclose(file);
}
%(code)s
"""


def our_id() -> str:
    """The engine's own, which a plug-in needs to be loaded."""
    if not plugins.engine_build_id():
        pytest.skip("the engine is not a build of packaging/native")
    return plugins.engine_build_id()


def witness_of(library: Path) -> Path:
    """Exists when the library was loaded."""
    return library.with_suffix(".loaded")


def compile_plugin(
    library: Path,
    code: str,
    build_id: str,
    *,
    version: int = _API_VERSION,
    links: Path | None = None,
) -> Path:
    """`code` as a library with our mark; `links` is a library that it needs."""
    if COMPILER is None:
        pytest.skip("there is no C compiler")
    library.parent.mkdir(parents=True, exist_ok=True)
    source = library.with_suffix(".c")
    values = {"code": code, "build_id": build_id, "version": version}
    source.write_text(_TEMPLATE % {**values, "witness": json.dumps(str(witness_of(library)))})
    command = [COMPILER, "-shared", "-fPIC", "-o", str(library), str(source)]
    if links is not None:
        command += ["-Wl,--no-as-needed", str(links)]
    subprocess.run(command, check=True, capture_output=True)
    source.unlink()
    return library


def compile_without_its_driver(library: Path, driver: str, build_id: str) -> Path:
    """A plug-in that needs a library which is not there, `driver` by name ("libcuda.so.1")."""
    stub = library.with_name(driver)
    library.parent.mkdir(parents=True, exist_ok=True)
    command = [COMPILER or "cc", "-shared", "-fPIC", f"-Wl,-soname,{driver}", "-o", str(stub)]
    subprocess.run([*command, "-x", "c", "/dev/null"], check=True, capture_output=True)
    compile_plugin(library, GIVES_NOTHING, build_id, links=stub)
    stub.unlink()
    return library


def mark(build_id: str) -> bytes:
    """What a library of ours holds somewhere."""
    return b"snug-build-id:" + build_id.encode() + b";"
