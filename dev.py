"""One door to this checkout: `python3 dev.py run` starts Snug, `python3 dev.py test` checks it.

    run [ARGS]     set up what is missing, then start `snug ARGS`
    test [ARGS]    set up what is missing, then run every gate; ARGS go to pytest
    setup          only set up
    lock           resolve the dependencies again, into packaging/locks (needs uv)
    shots [ARGS]   take the pictures of README.md anew, from the real window
    bench [ARGS]   measure on this machine: `snug bench ARGS`
    package [ARGS] freeze the program, let it test itself, make this system's installers (into
                   dist/); ARGS choose: freeze, deb, rpm, appdir, nsis, dmg
    trial [ARGS]   use those as on somebody else's computer; ARGS choose: places, debian,
                   unpacked, windows

Only Python 3.11 or newer is needed. The work is done in packaging/devenv.
"""

import sys
from pathlib import Path

if sys.version_info < (3, 11):  # noqa: UP036 - people start this with whatever they have
    sys.exit(f"Snug needs Python 3.11 or newer; this is {sys.version.split()[0]}.")

sys.path.insert(0, str(Path(__file__).resolve().parent / "packaging"))

import os
from typing import NoReturn

from devenv.errors import SetupError
from devenv.places import ON_WINDOWS, ROOT, program


def become(program_path: Path, arguments: list[str]) -> NoReturn:
    """Go on as another program: no process of ours stays between it and the person."""
    argv = [str(program_path), *arguments]
    if ON_WINDOWS:
        import subprocess

        sys.exit(subprocess.run(argv, check=False).returncode)
    os.execv(argv[0], argv)


def set_up(level: str) -> None:
    """Quick when nothing is to be done: the slow modules are imported only when needed."""
    from devenv import stamp

    if not stamp.is_fresh(level):
        from devenv import environment

        environment.ensure(level)


def run(arguments: list[str]) -> NoReturn:
    set_up("run")
    become(program("snug"), arguments)


def test(arguments: list[str]) -> int:
    from devenv import gates

    set_up("test")
    return gates.run(arguments)


def setup(arguments: list[str]) -> int:
    set_up(arguments[0] if arguments else "run")
    return 0


def lock(_: list[str]) -> int:
    from devenv import lockfiles

    lockfiles.make_anew()
    return 0


def shots(arguments: list[str]) -> NoReturn:
    set_up("test")
    become(program("python"), [str(ROOT / "tests" / "shots.py"), *arguments])


def bench(arguments: list[str]) -> NoReturn:
    set_up("run")
    become(program("snug"), ["bench", *arguments])


def package(arguments: list[str]) -> NoReturn:
    os.environ.setdefault("SNUG_ENGINE", "all")  # compiled once, for every machine's card
    set_up("run")
    from freeze import environment, places

    environment.ensure()
    folders = (ROOT, ROOT / "packaging", ROOT / "installer")
    os.environ["PYTHONPATH"] = os.pathsep.join(map(str, folders))
    become(places.program("python"), ["-m", "freeze", "package", *arguments])


def trial(arguments: list[str]) -> int:
    from devenv import trials

    set_up("test")
    return trials.run(arguments)


VERBS = {
    "run": run,
    "test": test,
    "setup": setup,
    "lock": lock,
    "shots": shots,
    "bench": bench,
    "package": package,
    "trial": trial,
}


def main(arguments: list[str]) -> int:
    verb = VERBS.get(arguments[0]) if arguments else None
    if verb is None:
        print(__doc__)
        return 0 if arguments in (["-h"], ["--help"]) else 2
    try:
        return verb(arguments[1:])
    except KeyboardInterrupt:
        return 130
    except SetupError as error:
        print(f"snug: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
