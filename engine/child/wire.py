"""Values on their way between processes: JSON, built and read by the types of their fields.

Never pickle. `decode` makes nothing but what the hints of the expected type name: frozen
dataclasses and enums of the engine, paths, plain values, and errors of `engine.errors`. What comes
from a child is a stranger's: anything else in it raises `WireError`.
"""

import inspect
import json
import types
from collections.abc import Callable
from dataclasses import MISSING, fields, is_dataclass
from enum import Enum
from functools import cache
from pathlib import Path, PurePath
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints, overload

from engine import errors
from engine.errors import EngineError, EngineStopped
from engine.types.plans import Plan

T = TypeVar("T")
Decoder = Callable[[Any], Any]
_TAG, _ERROR = "is", "error"
_LATE = {"Plan": Plan}
"""Names that errors import for their annotations only."""


class WireError(EngineStopped):
    """What arrived is not what was expected."""


def encode(value: object) -> Any:
    """A JSON-able form of a frozen value or an `EngineError`; `decode` gives an equal one."""
    for kind, encode_it in _ENCODERS:
        if isinstance(value, kind):
            return encode_it(value)
    if is_dataclass(value):
        return _encode_record(value)
    msg = f"{type(value).__name__} does not cross processes"
    raise TypeError(msg)


def _encode_record(value: Any) -> dict[str, Any]:
    made = {field.name: encode(getattr(value, field.name)) for field in fields(value) if field.init}
    return {_TAG: type(value).__name__} | made


def _encode_items(value: Any) -> list[Any]:
    return [encode(item) for item in value]


@overload
def decode(expected: type[T], value: object) -> T: ...
@overload
def decode(expected: object, value: object) -> Any: ...
def decode(expected: object, value: object) -> Any:
    """The value of type `expected` (a class, or a union of some). Raises `WireError`."""
    try:
        return _decoder(expected)(value)
    except WireError:
        raise
    except (ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError) as why:
        raise WireError(f"{type(why).__name__}: {why}"[:200]) from why


def parse(line: bytes) -> dict[str, Any]:
    """One line from a child. Raises `WireError` for anything but an object."""
    try:
        message = json.loads(line)
    except (ValueError, RecursionError) as why:
        raise WireError(f"{type(why).__name__}: {why}"[:200]) from why
    if not isinstance(message, dict):
        raise WireError(f"{type(message).__name__} instead of an object")
    return message


# --- errors -------------------------------------------------------------------------------------


def error_classes() -> dict[str, type[EngineError]]:
    """Every class of the tree by its code."""
    found = [kind for kind in vars(errors).values() if inspect.isclass(kind)]
    return {kind.code: kind for kind in found if issubclass(kind, EngineError)}


def _encode_error(error: EngineError) -> dict[str, Any]:
    """Classes that other modules derive for themselves cross as their kin."""
    known = error_classes()
    kind: Any = next(k for k in type(error).__mro__ if known.get(getattr(k, "code", "")) is k)
    hints = _error_hints(kind)
    if hints is None:
        return {_TAG: _ERROR, "code": kind.code, "text": str(error) if error.args else None}
    values = {name: encode(getattr(error, name)) for name in hints}
    return {_TAG: _ERROR, "code": kind.code, "values": values}


def _decode_error(value: Any) -> Any:
    if value[_TAG] != _ERROR:
        raise WireError("not an error")
    kind: Any = error_classes()[value["code"]]
    hints = _error_hints(kind)
    if hints is None:
        text = value["text"]
        return kind() if text is None else kind(_plain(str)(text))
    given = value["values"]
    return kind(**{name: _decoder(hint)(given[name]) for name, hint in hints.items()})


@cache
def _error_hints(kind: Any) -> dict[str, Any] | None:
    """Types of the parameters, which each class also has as attributes; None: just a text."""
    if kind.__init__ is Exception.__init__:
        return None
    hints = get_type_hints(kind.__init__, localns=_LATE)
    return {name: hints[name] for name in inspect.signature(kind).parameters}


# --- one decoder a type -------------------------------------------------------------------------


@cache
def _decoder(expected: Any) -> Decoder:
    origin = get_origin(expected)
    if origin is not None:
        return _GENERIC[origin](get_args(expected))
    if expected in _PLAIN:
        return _PLAIN[expected]
    return _class(expected)


def _class(kind: type) -> Decoder:
    if issubclass(kind, Enum):
        return lambda value: kind(_plain(str)(value))
    if issubclass(kind, EngineError):
        return _checked(kind, _decode_error)
    if is_dataclass(kind) and kind.__module__.startswith("engine."):
        return _record(kind)
    msg = f"{kind} does not cross processes"
    raise TypeError(msg)


def _plain(kind: type) -> Decoder:
    def decode_plain(value: Any) -> Any:
        if type(value) is not kind:
            raise WireError(f"{type(value).__name__} instead of {kind.__name__}")
        return value

    return decode_plain


def _number(value: Any) -> float:
    if type(value) not in (int, float):
        raise WireError(f"{type(value).__name__} instead of a number")
    return float(value)


def _checked(kind: type, decode_it: Decoder) -> Decoder:
    def decode_checked(value: Any) -> Any:
        made = decode_it(value)
        if not isinstance(made, kind):
            raise WireError(f"{type(made).__name__} instead of {kind.__name__}")
        return made

    return decode_checked


def _frozenset(arguments: tuple[Any, ...]) -> Decoder:
    return lambda value: frozenset(map(_decoder(arguments[0]), _plain(list)(value)))


def _tuple(arguments: tuple[Any, ...]) -> Decoder:
    if arguments[-1] is Ellipsis:
        return lambda value: tuple(map(_decoder(arguments[0]), _plain(list)(value)))

    def decode_fixed(value: Any) -> tuple[Any, ...]:
        items = zip(arguments, _plain(list)(value), strict=True)
        return tuple(_decoder(kind)(item) for kind, item in items)

    return decode_fixed


def _union(members: tuple[Any, ...]) -> Decoder:
    """Records by their name, errors by their mark, plain values by trying."""
    records = {kind.__name__: kind for kind in members if _is_record(kind)}
    others = [kind for kind in members if kind is not types.NoneType and not _is_record(kind)]

    def decode_union(value: Any) -> Any:
        if value is None and types.NoneType in members:
            return None
        if isinstance(value, dict) and value.get(_TAG) in records:
            return _decoder(records[value[_TAG]])(value)
        for kind in others:
            try:
                return _decoder(kind)(value)
            except (WireError, ValueError, TypeError, KeyError):
                continue
        raise WireError(f"none of {[getattr(kind, '__name__', kind) for kind in members]}")

    return decode_union


def _is_record(kind: Any) -> bool:
    return is_dataclass(kind)


def _record(kind: Any) -> Decoder:
    """A mapping of the fields of `kind`; those with a default may be missing."""
    hints = get_type_hints(kind)
    names = {field.name for field in fields(kind) if field.init}
    needed = {
        field.name
        for field in fields(kind)
        if field.init and field.default is MISSING and field.default_factory is MISSING
    }

    def decode_record(value: Any) -> Any:
        given = {name: item for name, item in _plain(dict)(value).items() if name != _TAG}
        if value.get(_TAG, kind.__name__) != kind.__name__ or not needed <= set(given) <= names:
            raise WireError(f"not a {kind.__name__}")
        return kind(**{name: _decoder(hints[name])(item) for name, item in given.items()})

    return decode_record


_ENCODERS: tuple[tuple[Any, Callable[[Any], Any]], ...] = (
    (EngineError, _encode_error),
    (Enum, lambda value: value.value),
    (str | int | float | None, lambda value: value),
    (PurePath, str),
    (tuple | list, _encode_items),
    (frozenset, lambda value: sorted(_encode_items(value))),
)
_GENERIC: dict[Any, Callable[[tuple[Any, ...]], Decoder]] = {
    Union: _union,
    types.UnionType: _union,
    tuple: _tuple,
    frozenset: _frozenset,
}
_PLAIN: dict[Any, Decoder] = {
    str: _plain(str),
    int: _plain(int),
    bool: _plain(bool),
    float: _number,
    Path: lambda value: Path(_plain(str)(value)),
}
