"""What a chat template may spend while it renders.

A template is a stranger's program, run on the inference thread, and Python can not interrupt
it. So loop steps, calls, filters and characters cost steps, and what could be huge is priced
before it is made. Bounded this way are loops, recursion, output, memory and large numbers. Not
measured, only finite: the work of a step that handles a long text (a search, a slice), so that
a hostile template can still cost seconds.
"""

import re
from collections.abc import ItemsView, Iterable, Iterator, KeysView, ValuesView
from typing import Any

from jinja2.exceptions import SecurityError
from jinja2.utils import Namespace

CHARS_A_STEP = 256
_STEPS = 50_000
_STEPS_A_MESSAGE = 1_000
_INTEGER_BITS = 4_096

_SHRINKING_METHODS = (
    "capitalize casefold count endswith find index isalnum isalpha isascii isdecimal isdigit"
    " isidentifier islower isnumeric isprintable isspace istitle isupper lower lstrip partition"
    " removeprefix removesuffix rfind rindex rpartition rsplit rstrip split splitlines startswith"
    " strip swapcase title upper format format_map"
)
"""Methods of str that give no more than they are given; `format` pays on its own."""
_PADDING_METHODS = {"center", "ljust", "rjust", "zfill"}
_WIDE_FIELD = re.compile(r"\d{4}|\*|:[^{}]*\{")


class Budget:
    """Steps that are left. Every method raises `SecurityError` when they do not suffice."""

    def __init__(self) -> None:
        self._steps_left = 0

    def refill(self, messages: int, chars: int) -> None:
        """Steps for a conversation of so many messages and characters."""
        self._steps_left = _STEPS + _STEPS_A_MESSAGE * messages + chars // 16

    def step(self, cost: int = 1) -> None:
        self._steps_left -= cost
        if self._steps_left < 0:
            raise SecurityError("the template takes too many steps")

    def steps(self, items: Iterable[Any]) -> Iterator[Any]:
        for item in items:
            self.step()
            yield item

    def weighed(self, value: Any) -> Any:
        """The value itself, once the work of printing or comparing it is paid for."""
        waiting = [value]
        while waiting:
            item = waiting.pop()
            if isinstance(item, Namespace):
                raise SecurityError("a namespace is no value")
            members = _members(item)
            self.step(len(members) or size(item))
            waiting += members
        return value

    def text(self, value: Any) -> str:
        """`value` as text, paid for."""
        self.weighed(value)
        return str(value)

    def concatenated(self, *parts: Any) -> str:
        return "".join(map(self.text, parts))

    def pay_size(self, value: Any) -> None:
        self.step(size(value))

    def pay_chars(self, chars: int) -> None:
        self.step(1 + chars // CHARS_A_STEP)

    def pay_replace(self, text: str, old: str, new: str) -> None:
        self.pay_chars(len(text) + text.count(old) * len(new))

    def pay_join(self, separator: str, texts: list[str]) -> None:
        self.pay_chars(sum(map(len, texts)) + len(separator) * len(texts))

    def pay_format(self, form: str, values: Any) -> None:
        if _WIDE_FIELD.search(form):
            raise SecurityError("wide fields are not for templates")
        self.weighed(values)
        self.step(1 + len(form))

    def pay_sum(self, left: Any, right: Any) -> None:
        for value in (left, right):
            self.step(1 + (len(value) // 16 if isinstance(value, list | tuple) else size(value)))

    def pay_product(self, left: Any, right: Any) -> None:
        if isinstance(left, int) and isinstance(right, int):
            _check_bits(left.bit_length() + right.bit_length())
        for sequence, times in ((left, right), (right, left)):
            if isinstance(times, int) and isinstance(sequence, str | list | tuple):
                chars_each = 1 if isinstance(sequence, str) else CHARS_A_STEP
                self.pay_chars(len(sequence) * chars_each * max(times, 0))

    def pay_power(self, base: Any, exponent: Any) -> None:
        if isinstance(base, int) and isinstance(exponent, int):
            _check_bits(base.bit_length() * max(exponent, 1))

    def pay_method(self, owner: str, name: str, args: tuple[Any, ...]) -> tuple[Any, ...]:
        """Pay for `owner.name(*args)`; gives the arguments to call it with."""
        self.pay_size(owner)
        if name == "join" and args:
            args = (list(self.steps(args[0])),)
            self.pay_join(owner, args[0])
        elif name == "replace" and len(args) >= 2:
            self.pay_replace(owner, args[0], args[1])
        elif name in _PADDING_METHODS:
            check_width(*args[:1], limit=1_000)
        elif name not in _SHRINKING_METHODS.split():
            raise SecurityError(f"str.{name} is not for templates")
        return args


def check_width(width: int, *, limit: int) -> None:
    """Raise `SecurityError` for a column width or a precision that no template needs."""
    if width > limit:
        raise SecurityError(f"a width of {width} is not for templates")


def size(value: Any) -> int:
    """The steps it costs to copy or search a value, without its members."""
    return len(value) // CHARS_A_STEP if isinstance(value, str | list | tuple | dict) else 0


def _check_bits(bits: int) -> None:
    if bits > _INTEGER_BITS:
        raise SecurityError("the number is too large")


def _members(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return [*value.keys(), *value.values()]
    if isinstance(value, list | tuple | set | frozenset | KeysView | ValuesView | ItemsView):
        return list(value)
    return []
