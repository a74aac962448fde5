"""What crosses between processes: equal on the other side, and harmless when it is not ours."""

import dataclasses
import inspect
import json
from enum import Enum
from functools import cache
from pathlib import Path
from typing import Any, get_args, get_origin, get_type_hints

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine import errors
from engine.child.wire import WireError, decode, encode, error_classes, parse
from engine.errors import EngineError, EngineStopped, LoadFailed
from engine.ports import GenerationEvent
from engine.runtimes.fake import Script
from engine.types.generation import GenerationRequest, TextDelta
from engine.types.hardware import HardwareReport
from engine.types.models import Failed, LoadEvent, LoadSpec
from engine.types.plans import Plan

few = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
"""Plans are large: many fields an example, not many examples."""

_LEAVES = {
    str: st.text(max_size=20),
    int: st.integers(-(2**70), 2**70),
    float: st.floats(allow_nan=False),
    bool: st.booleans(),
    type(None): st.none(),
    Path: st.text(st.characters(exclude_characters="\0"), max_size=20).map(Path),
}


@cache
def values(hint: Any) -> st.SearchStrategy[Any]:
    """Values of a type that crosses."""
    if hint in _LEAVES:
        return _LEAVES[hint]
    if get_args(hint):
        return generic_values(get_origin(hint), get_args(hint))
    if issubclass(hint, EngineError):
        return st.one_of([an_error(kind) for kind in tree(EngineError)])
    if issubclass(hint, Enum):
        return st.sampled_from(hint)
    hints = get_type_hints(hint)
    named = {field.name: values(hints[field.name]) for field in dataclasses.fields(hint)}
    return st.builds(hint, **named)


def generic_values(origin: Any, arguments: tuple[Any, ...]) -> st.SearchStrategy[Any]:
    if origin is tuple and arguments[-1] is Ellipsis:
        return st.lists(values(arguments[0]), max_size=2).map(tuple)
    if origin is tuple:
        return st.tuples(*map(values, arguments))
    if origin is frozenset:
        return st.frozensets(values(arguments[0]), max_size=2)
    return st.one_of(*map(values, arguments))


def tree(root: type[EngineError]) -> list[type[EngineError]]:
    """Every class of the tree, but not those that other modules derive for themselves."""
    below = [kind for child in root.__subclasses__() for kind in tree(child)]
    return [kind for kind in (root, *below) if kind.__module__.startswith(errors.__name__)]


def an_error(kind: Any) -> st.SearchStrategy[Any]:
    if kind.__init__ is Exception.__init__:
        return st.one_of(st.builds(kind), st.builds(kind, st.text()))
    hints = get_type_hints(kind.__init__, localns={"Plan": Plan})
    return st.builds(
        kind, **{name: values(hints[name]) for name in inspect.signature(kind).parameters}
    )


def same(one: object, other: object) -> bool:
    """Errors are equal by their class, words and parameters, which `==` does not compare."""
    if isinstance(one, Failed):
        return isinstance(other, Failed) and same(one.error, other.error)
    if isinstance(one, EngineError):
        return type(one) is type(other) and str(one) == str(other) and vars(one) == vars(other)
    return one == other


def crossed(expected: object, value: object) -> object:
    line = json.dumps(encode(value)).encode()
    assert b"\n" not in line
    return decode(expected, json.loads(line))


@pytest.mark.parametrize(
    "kind",
    [LoadSpec, GenerationRequest, GenerationEvent, LoadEvent, Plan, HardwareReport],
    ids=lambda kind: getattr(kind, "__name__", str(kind)[:40]),
)
@few
@given(data=st.data())
def test_values_are_the_same_on_the_other_side(kind: Any, data: st.DataObject) -> None:
    value = data.draw(values(kind))
    assert same(crossed(kind, value), value)


@pytest.mark.parametrize("kind", tree(EngineError), ids=lambda kind: kind.__name__)
@few
@given(data=st.data())
def test_every_error_crosses_as_itself(kind: type[EngineError], data: st.DataObject) -> None:
    error = data.draw(an_error(kind))
    assert same(crossed(EngineError, error), error)


def test_every_error_has_a_code_of_its_own() -> None:
    assert set(error_classes().values()) == set(tree(EngineError))


def test_an_error_of_another_module_crosses_as_its_kin() -> None:
    class Odd(LoadFailed):
        def __init__(self) -> None:
            super().__init__(Path("m"), "odd")

    got = crossed(EngineError, Odd())
    assert type(got) is LoadFailed
    assert got.detail == "odd"


def test_a_narrower_error_type_takes_no_other() -> None:
    with pytest.raises(WireError):
        crossed(LoadFailed, EngineStopped("x"))


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["is", "code", "error", "values", "text", "path", "plan"]) | st.text(),
            inner | st.sampled_from([*error_classes(), "error", "Failed", "TextDelta", "Loaded"]),
            max_size=5,
        )
    ),
    max_leaves=20,
)


@given(JUNK)
def test_junk_is_an_error_value_and_nothing_else(junk: object) -> None:
    for expected in (GenerationEvent, LoadEvent, LoadSpec, EngineError, Script):
        try:
            made = decode(expected, junk)
        except WireError:
            continue
        assert type(made).__module__.startswith("engine.")


@given(st.binary())
def test_any_bytes_are_an_object_or_an_error_value(line: bytes) -> None:
    try:
        assert isinstance(parse(line), dict)
    except WireError:
        return


@pytest.mark.parametrize(
    "message",
    [
        {"is": "Popen", "args": ["true"]},
        {"is": "Script"},
        {"is": "TextDelta", "text": "x", "more": 1},
        {"is": "TextDelta"},
        {"is": "TextDelta", "text": 7},
        {"is": "Failed", "error": {"is": "error", "code": "engine_stopped"}},
        {"is": "Failed", "error": {"is": "TextDelta", "text": "x"}},
        {"is": "Failed", "error": {"is": "error", "code": "load_failed", "values": {"path": 1}}},
        {"is": "Failed", "error": {"is": "error", "code": ["x"]}},
        {"is": ["TextDelta"]},
        {"is": "Finished", "reason": "bored", "stats": {}},
        [],
        None,
    ],
)
def test_what_is_nearly_right_is_refused(message: object) -> None:
    with pytest.raises(WireError):
        decode(GenerationEvent, message)


@pytest.mark.parametrize("value", [object(), b"x", {"a": 1}, {1}, TextDelta])
def test_other_values_do_not_leave(value: object) -> None:
    with pytest.raises(TypeError):
        encode(value)


@pytest.mark.parametrize("kind", [dict, object, json.JSONDecoder, int | bytes])
def test_other_types_are_never_made(kind: object) -> None:
    with pytest.raises(WireError):
        decode(kind, {"is": "JSONDecoder"})


def names_below(hint: Any, seen: set[str]) -> set[str]:
    for argument in get_args(hint):
        names_below(argument, seen)
    if dataclasses.is_dataclass(hint) and hint.__name__ not in seen:  # type: ignore[union-attr]
        seen.add(hint.__name__)  # type: ignore[union-attr]
        for inner in get_type_hints(hint).values():
            names_below(inner, seen)
    return seen


def test_what_a_child_can_make_in_its_parent_is_this_and_no_more() -> None:
    """Enums, paths and errors beside it. A new name here is a decision."""
    made = names_below(GenerationEvent, set()) | names_below(LoadEvent, set())
    assert made == {
        "ContextTrimmed",
        "Failed",
        "Finished",
        "GenerationStats",
        "Layout",
        "LoadProgress",
        "LoadSpec",
        "Loaded",
        "LoadedInfo",
        "Measured",
        "Offer",
        "Plan",
        "PoolUse",
        "PromptProgress",
        "ReasoningDelta",
        "RemoteModel",
        "TextDelta",
        "Use",
    }
