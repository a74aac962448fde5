"""Names of files in packs: whatever is allowed stays inside and means one thing everywhere."""

from pathlib import PurePosixPath, PureWindowsPath

from hypothesis import given
from hypothesis import strategies as st

from engine.packs import names
from engine.types.packs import PackProblem

PARTS = st.sampled_from(
    ["..", ".", "", "a", "con", "nul.txt", "C:", "x.dll", "a ", "b.", "\\", "é"]
)


@given(st.one_of(st.text(max_size=30), st.lists(PARTS, max_size=5).map("/".join)))
def test_what_is_allowed_stays_inside_on_every_system(name):
    if names.problem_of(name) is None:
        for kind in (PurePosixPath, PureWindowsPath):
            path = kind(name)
            assert not path.is_absolute()
            assert not path.drive
            assert ".." not in path.parts
            assert path.as_posix() == name
        assert not {part.lower().partition(".")[0] for part in path.parts} & {"con", "nul"}
        assert name.isascii()
        assert name.isprintable()


@given(st.lists(st.sampled_from(["a", "A", "a/b", "A/c", "b", "a/b/c"]), max_size=5))
def test_names_without_a_collision_can_stand_side_by_side(chosen):
    found = names.collision(chosen)
    files = [name.lower() for name in chosen]
    folders = {path.as_posix() for name in files for path in PurePosixPath(name).parents}
    assert (found is None) == (len(set(files)) == len(files) and not folders & set(files))


def test_ordinary_names_are_fine():
    for name in ("cudart64_13.dll", "libcublasLt.so.13", "licences/EULA.txt", "libstdc++.so.6"):
        assert names.problem_of(name) is None


def test_the_worst_is_said_first():
    assert names.problem_of("../con") is PackProblem.NAME_OUTSIDE
    assert names.problem_of("") is PackProblem.NAME_OUTSIDE
