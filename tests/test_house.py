"""House rules that no other gate knows. Each says why, so that a failure can be understood."""

import ast
import re
import subprocess
import sys
import tomllib
from itertools import chain
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
LOCKS = sorted((ROOT / "packaging" / "locks").glob("*.lock"))
ROOTS = ("app", "engine", "ui")

LONGEST_MODULE_LINES = 400
VAGUE_NAMES = {"utils", "util", "common", "helpers", "helper", "manager", "misc"}
# Places of one person's machine. In a regular expression, so that this file passes its own rule.
MACHINE_PATH = re.compile(r"(?<![\w.~*}])/(?:work|tmp|root|home|Users)/[\w.]")
HEAVY = ("llama_cpp", "huggingface_hub", "numpy", "keyring", "PySide6")


def tracked(*patterns: str) -> list[Path]:
    """Files of the repository, those not yet added included, ignored ones not."""
    argv = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", *patterns]
    listed = subprocess.run(argv, cwd=ROOT, capture_output=True, check=True).stdout
    paths = (ROOT / name for name in listed.decode().split("\0") if name)
    return [path for path in paths if path.is_file()]


def relative(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def text_of(path: Path) -> str:
    """The file's text; empty for pictures and the like."""
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return ""


def test_the_rules_look_at_something() -> None:
    assert len(tracked("*.py")) > 20
    assert len(LOCKS) == 4


def test_no_path_of_one_machine() -> None:
    """It would work for its author only."""
    found = [
        f"{relative(path)}: {match[0]}"
        for path in tracked()
        if path.suffix != ".lock" and (match := MACHINE_PATH.search(text_of(path)))
    ]
    assert not found


def test_modules_are_short() -> None:
    """A module with one purpose fits; split before it grows past the limit."""
    lengths = {relative(path): len(text_of(path).splitlines()) for path in tracked("*.py")}
    assert not {name: n for name, n in lengths.items() if n > LONGEST_MODULE_LINES}


def test_modules_say_why_they_exist() -> None:
    """A reader learns from the first lines why a module exists and what it must never do."""
    silent = [
        relative(path)
        for path in tracked("*.py")
        if (text := text_of(path)).strip() and not ast.get_docstring(ast.parse(text))
    ]
    assert not silent


def test_names_say_what_is_inside() -> None:
    """A drawer without a name collects everything."""
    names = {
        relative(path): {*path.relative_to(ROOT).with_suffix("").parts} for path in tracked("*.py")
    }
    assert not [name for name, parts in names.items() if parts & VAGUE_NAMES]


def test_packaging_is_not_a_package() -> None:
    """It would hide the package of that name that tools rely on."""
    assert not (ROOT / "packaging" / "__init__.py").exists()


def locked_blocks(lock: Path) -> list[str]:
    blocks = re.split(r"^(?=[A-Za-z0-9])", lock.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return [block for block in blocks if block.strip()]


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.name)
def test_locks_hold_hashes_and_no_address(lock: Path) -> None:
    """Hashes make downloads safe from any index; which index is the machine's own setting."""
    blocks = locked_blocks(lock)
    assert blocks
    assert not [block.split()[0] for block in blocks if "--hash=sha256:" not in block]
    text = lock.read_text(encoding="utf-8")
    assert not re.search(r"://|--index-url|--extra-index-url|--find-links|--trusted-host", text)


def normal(requirement: str) -> str:
    name = re.match(r"[A-Za-z0-9._-]+", requirement)
    assert name, requirement
    return re.sub(r"[-_.]+", "-", name[0]).lower()


def declared() -> dict[str, list[str]]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras: dict[str, list[str]] = project["optional-dependencies"]
    tests = [*chain(*(extras[name] for name in extras if name != "package"))]
    package = [*project["dependencies"], *extras["package"]]
    return {"run.lock": project["dependencies"], "test.lock": tests, "package.lock": package}


@pytest.mark.parametrize("name", ["run.lock", "test.lock", "package.lock"])
def test_what_is_declared_is_locked(name: str) -> None:
    """Otherwise setup installs something else than the project asks for: `dev.py lock`."""
    lock = ROOT / "packaging" / "locks" / name
    locked = {normal(block) for block in locked_blocks(lock)}
    assert not {normal(requirement) for requirement in declared()[name]} - locked


@pytest.mark.parametrize("other", ["test", "package"])
def test_run_lock_is_part_of_the_others(other: str) -> None:
    """Tests must see the very versions that people run, and packages hold them."""
    run, others = (
        set(locked_blocks(ROOT / "packaging/locks" / f"{n}.lock")) for n in ("run", other)
    )
    assert not {block.split()[0] for block in run - others}


def test_every_dependency_is_justified() -> None:
    """A dependency is a promise to follow it for years: one line says what it is for."""
    lines = (ROOT / "pyproject.toml").read_text(encoding="utf-8").splitlines()
    wanted = {requirement for group in declared().values() for requirement in group}
    bare = [
        requirement
        for requirement in wanted
        if not any(re.search(rf'"{re.escape(requirement)}",\s+# \S', line) for line in lines)
    ]
    assert not bare


def test_qt_network_stays_out() -> None:
    """It would be a second way out. import-linter can not see parts of foreign packages."""
    unwanted = re.compile(r"\b(?:PySide6\.QtNetwork|PySide6 import .*\bQtNetwork)\b")
    sources = [path for path in tracked("*.py") if relative(path).split("/")[0] in ROOTS]
    assert not [relative(path) for path in sources if unwanted.search(text_of(path))]


def imported_by(module: str) -> set[str]:
    """Heavy packages that a fresh Python has loaded after importing the module."""
    code = f"import sys, {module}; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return set(HEAVY) & set(done.stdout.split())


@pytest.mark.parametrize("module", ["app.cli", "ui.main"])
def test_start_is_light(module: str) -> None:
    """`snug --help` and the first window must not wait for what only an answer needs."""
    assert not imported_by(module)


def engine_modules() -> list[str]:
    """Every module of the engine that does not exist to load native code."""
    paths = (path.relative_to(ROOT) for path in tracked("engine/*.py"))
    dotted = (".".join(path.with_suffix("").parts).removesuffix(".__init__") for path in paths)
    return sorted(dotted)


def test_engine_knows_no_window() -> None:
    """import-linter reads the source; this looks at what really gets loaded."""
    light = [name for name in engine_modules() if not name.endswith(".native")]
    assert "PySide6" not in imported_by(", ".join(light))


def test_both_readme_commands_exist() -> None:
    """The README's first promise is made by dev.py."""
    done = subprocess.run(
        [sys.executable, "dev.py", "--help"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert {"run", "test", "setup", "lock", "shots", "bench"} <= set(done.stdout.split())
