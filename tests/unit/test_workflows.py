"""The workflows can not be run here: so they are read, as an auditor and as a runner would."""

import argparse
import importlib
import importlib.util
import inspect
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from fnmatch import fnmatch
from pathlib import Path
from typing import Any, NoReturn

import pytest
import yaml

import dev
from devenv.places import ROOT, program
from freeze.packages import FREEZE, KINDS
from macos.info import FLOOR
from release import names

FOLDER = ROOT / ".github" / "workflows"
FILES = sorted(FOLDER.glob("*.yml"))
PINNED = re.compile(r"(?P<action>[\w./-]+)@(?P<commit>[0-9a-f]{40}) # v\d+\.\d+\.\d+")

Job = Mapping[str, Any]


def workflow(path: Path) -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.safe_load(path.read_text(encoding="utf-8"))
    return loaded


RELEASE = workflow(FOLDER / "release.yml")
JOBS: Mapping[str, Job] = RELEASE["jobs"]


def jobs() -> Iterator[tuple[str, Job]]:
    for path in FILES:
        for name, job in workflow(path)["jobs"].items():
            yield f"{path.name}: {name}", job


def steps() -> Iterator[tuple[str, Mapping[str, Any]]]:
    for name, job in jobs():
        for step in job.get("steps", ()):
            yield f"{name}: {step.get('name', step.get('uses'))}", step


def runs() -> list[Any]:
    return [pytest.param(step["run"], id=where) for where, step in steps() if "run" in step]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_an_auditor_finds_nothing(path: Path) -> None:
    argv = [str(program("zizmor")), "--offline", "--no-progress", "--no-config", str(path)]
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_action_is_pinned_by_commit_and_says_its_version() -> None:
    """A tag can be moved to other code; a commit can not."""
    commits: dict[str, set[str]] = {}
    for path in FILES:
        for used in re.findall(r"uses: (.+)", path.read_text(encoding="utf-8")):
            if used.startswith("./"):
                assert (ROOT / used.split()[0]).is_file()
                continue
            found = PINNED.fullmatch(used)
            assert found, f"{path.name}: {used}"
            commits.setdefault(found["action"], set()).add(found["commit"])
    assert all(len(of_one) == 1 for of_one in commits.values()), commits


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_workflows_may_only_read(path: Path) -> None:
    assert workflow(path)["permissions"] == {"contents": "read"}


def test_one_job_writes_and_one_attests() -> None:
    more = {name: job["permissions"] for name, job in jobs() if "permissions" in job}
    assert more == {
        "release.yml: attest": {"contents": "read", "id-token": "write", "attestations": "write"},
        "release.yml: publish": {"contents": "write"},
    }


def test_whoever_sees_a_secret_waits_for_a_person() -> None:
    for name, job in jobs():
        said = yaml.safe_dump(dict(job))
        assert "inherit" not in said, name
        if "secrets." in said:
            assert isinstance(job.get("environment"), str), name


def test_no_job_that_signs_runs_what_it_was_handed() -> None:
    """Neither the frozen program nor code that came with it."""
    for name, job in jobs():
        if "secrets." in yaml.safe_dump(dict(job)):
            said = "\n".join(step.get("run", "") for step in job["steps"])
            assert "dev.py" not in said, name
            assert not re.search(r"selftest|doctor|snug\.exe|MacOS/snug", said), name


@pytest.mark.parametrize("text", runs())
def test_every_step_is_sound_bash(text: str) -> None:
    assert "${{" not in text, "values reach a script by variables, or they could be code"
    if bash := shutil.which("bash"):
        done = subprocess.run([bash, "-n"], input=text, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr


class ParsedError(Exception):
    """The arguments were understood."""


def by_hand() -> Iterator[str]:
    """What the papers say to type."""
    release = (ROOT / "packaging" / "README.md").read_text(encoding="utf-8")
    for block in re.findall(r"```\n(.*?)```", release, re.DOTALL):
        yield re.sub(
            r"(?m)^ *set .*$", "", block.replace("venv -m", "python -m").replace("\\", "/")
        )
    macs = (ROOT / "installer" / "macos" / "README.md").read_text(encoding="utf-8")
    yield from (f"python {typed}" for typed in re.findall(r"`(-m [^`]+)`", macs))


@pytest.mark.parametrize("text", [*runs(), *by_hand()])
def test_every_step_calls_what_there_is(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    parse = argparse.ArgumentParser.parse_args

    def parsed(self: argparse.ArgumentParser, arguments: list[str] | None = None) -> NoReturn:
        parse(self, arguments)
        raise ParsedError

    monkeypatch.setattr(argparse.ArgumentParser, "parse_args", parsed)
    for words in commands(text):
        for at, word in enumerate(words):
            if word.endswith(("python", "python3")) and words[at + 1] in ("-m", "dev.py"):
                called(words[at + 1 :], monkeypatch)


def commands(text: str) -> Iterator[list[str]]:
    """The words of each command of a script, near enough for ours. A variable alone may be any
    number of words, none for instance."""
    for line in text.splitlines():
        known = re.sub(r'(?<!["\w/])\$[A-Z]+(?!["\w])', "", line)
        lexer = shlex.shlex(known, posix=True, punctuation_chars=True)
        lexer.whitespace_split, lexer.commenters = True, ""
        words: list[str] = []
        for word in lexer:
            if set(word) <= set("();<>|&"):
                yield words
                words = []
            else:
                words.append(word)
        yield words


def called(words: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """What stands behind the name of Python."""
    if words[0] == "dev.py":
        assert words[1] in dev.VERBS
        assert words[1] != "package" or set(words[2:]) <= {FREEZE, *KINDS}
    elif words[1] not in ("pip", "zipfile"):
        understood(words[1], words[2:], monkeypatch)


def understood(module: str, given: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Modules with verbs parse them; others only have to be there."""
    package = importlib.util.find_spec(module)
    assert package is not None, module
    if package.submodule_search_locations is None:
        return
    main = importlib.import_module(f"{module}.__main__").main
    monkeypatch.setattr(sys, "argv", [module, *given])
    with pytest.raises(ParsedError):
        main(given) if inspect.signature(main).parameters else main()


def test_the_release_is_made_by_our_own_programs() -> None:
    """So that the test above looks at something."""
    said = "\n".join(step.get("run", "") for job in JOBS.values() for step in job.get("steps", ()))
    called_modules = set(re.findall(r"python3? -m (\w+)", said))
    assert {"release", "kit", "macos", "linux", "freeze", "packs"} <= called_modules


def test_a_wrong_verb_would_be_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    for wrong in ("release sign-everything", "kit verify", "macos dmg --fast"):
        module, *given = wrong.split()
        with pytest.raises(SystemExit):
            understood(module, given, monkeypatch)


def before(name: str) -> set[str]:
    """All jobs that must have passed before this one."""
    needed = JOBS[name].get("needs", [])
    direct = {needed} if isinstance(needed, str) else set(needed)
    return direct.union(*map(before, direct)) if direct else set()


def test_nothing_is_published_before_all_has_passed() -> None:
    assert set(JOBS["publish"]["needs"]) == set(JOBS) - {"publish"}
    assert JOBS["publish"]["if"] == "github.ref_type == 'tag'"
    assert "--draft" in JOBS["publish"]["steps"][-1]["run"]
    conditions = [job for name, job in JOBS.items() if "if" in job and name != "publish"]
    assert not conditions, "a job that is skipped would count as passed"
    assert "continue-on-error" not in (FOLDER / "release.yml").read_text(encoding="utf-8")


def test_nothing_is_attested_before_it_was_installed_and_used() -> None:
    tried = {name for name in JOBS if name.endswith("-try")}
    assert tried == {f"{system}-try" for system in names.SYSTEMS}
    assert tried <= before("attest")


@pytest.mark.parametrize("name", names.installers("1.2.3"))
def test_every_installer_is_tried(name: str) -> None:
    tried = "\n".join(yaml.safe_dump(dict(JOBS[job])) for job in JOBS if job.endswith("-try"))
    assert f"*{Path(name).suffix}" in tried


def test_macs_are_promised_what_is_compiled() -> None:
    assert JOBS["macos"]["env"]["MACOSX_DEPLOYMENT_TARGET"] == ".".join(map(str, FLOOR))


def test_artifacts_come_from_a_job_before() -> None:
    made: dict[str, str] = {}
    for name, job in JOBS.items():
        for step in job.get("steps", ()):
            if "upload-artifact" in step.get("uses", ""):
                assert step["with"]["if-no-files-found"] == "error"
                made[step["with"]["name"]] = name
    for name, job in JOBS.items():
        for step in job.get("steps", ()):
            if "download-artifact" in step.get("uses", "") and "name" in step["with"]:
                assert made[step["with"]["name"]] in before(name), name
    of_release = {job for artifact, job in made.items() if artifact.startswith("release-")}
    assert of_release <= before("collect")


def kept_by(job: str) -> set[str]:
    """Patterns of the files that a job hands on to the release."""
    given = [step.get("with", {}) for step in JOBS[job].get("steps", ())]
    paths = [this["path"] for this in given if this.get("name", "").startswith("release-")]
    return {Path(pattern).name for path in paths for pattern in path.split()}


def test_every_file_of_a_release_is_handed_on() -> None:
    """A pattern that finds nothing is no error where another beside it finds something."""
    for system in names.SYSTEMS:
        for name in (names.sbom(system), names.licences(system)):
            assert any(fnmatch(name, pattern) for pattern in kept_by(system)), name
    kept = set().union(*(kept_by(job) for job in JOBS if not job.endswith("-try"))) - {"*"}
    for name in (*names.installers("1.2.3"), *names.packs("1.2.3")):
        assert any(fnmatch(name, pattern) for pattern in kept), name


def test_the_attested_files_are_those_that_a_release_has() -> None:
    said = yaml.safe_dump(dict(JOBS["attest"]))
    for name in (*map(names.sbom, names.SYSTEMS), *names.attestations()):
        assert name in said, name
