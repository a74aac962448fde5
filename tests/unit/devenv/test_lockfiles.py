"""The engine is taken out of the lock exactly, because it is built apart."""

from devenv import lockfiles
from devenv.places import LOCKS


def test_the_engine_is_the_only_thing_left_out() -> None:
    lock = LOCKS / "run.lock"
    everything = set(lockfiles.blocks(lock).values())
    rest = lockfiles.without_engine(lock)
    missing = [block for block in everything if block not in rest]
    assert [block.split("==")[0] for block in missing] == [lockfiles.ENGINE]


def test_the_engine_comes_with_its_version_and_hash() -> None:
    version, block = lockfiles.engine_requirement()
    assert block.startswith(f"{lockfiles.ENGINE}=={version} ")
    assert "--hash=sha256:" in block


def test_both_locks_pin_the_same_engine() -> None:
    _, block = lockfiles.engine_requirement()
    assert block in lockfiles.blocks(LOCKS / "test.lock").values()
