"""The box that a chat template runs in: jinja2's immutable sandbox, metered by a `Budget`.

It offers what templates in the wild expect, and nothing whose work could not be priced. Used
by one thread at a time.
"""

import json
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from functools import wraps
from types import BuiltinMethodType
from typing import Any, ClassVar, NoReturn

from jinja2 import Template, TemplateError, nodes, pass_context
from jinja2.ext import Extension
from jinja2.filters import FILTERS, do_indent, do_round, make_attrgetter
from jinja2.parser import Parser
from jinja2.runtime import Context
from jinja2.sandbox import ImmutableSandboxedEnvironment
from jinja2.tests import TESTS
from jinja2.visitor import NodeTransformer

from engine.prompting.budget import CHARS_A_STEP, Budget, check_width

_LINEAR_FILTERS = (
    "abs capitalize count d default e escape first float int items last length list lower map"
    " reject rejectattr reverse safe select selectattr title trim truncate upper wordcount"
)
_ORDERING_FILTERS = "dictsort groupby max min sort unique"
_COMPARING_TESTS = "!= < <= == > >= eq equalto ge greaterthan gt in le lessthan lt ne"
_COMPARING = frozenset(f"{_ORDERING_FILTERS} {_COMPARING_TESTS}".split())


class GenerationTag(Extension):
    """`{% generation %}` marks what a model wrote, for training; here it changes nothing."""

    tags: ClassVar[set[str]] = {"generation"}  # type: ignore[misc]

    def parse(self, parser: Parser) -> list[nodes.Node]:
        next(parser.stream)
        return parser.parse_statements(("name:endgeneration",), drop_needle=True)


class TemplateSandbox(ImmutableSandboxedEnvironment):
    """Compiles chat templates and renders them."""

    intercepted_binops = frozenset({"+", "*", "**", "%"})

    def __init__(self, now: Callable[[], datetime]) -> None:
        super().__init__(
            trim_blocks=True,
            lstrip_blocks=True,
            optimized=False,  # nothing is computed while compiling, where no budget counts
            finalize=self.printed,
            extensions=["jinja2.ext.loopcontrols", GenerationTag],
        )
        self.budget = Budget()
        self.step, self.steps = self.budget.step, self.budget.steps
        self.weighed, self.concatenated = self.budget.weighed, self.budget.concatenated
        self.filters = self._all_filters()
        self.tests = {name: self._priced(name, test) for name, test in TESTS.items()}
        self.globals["range"] = self._range
        self.globals["raise_exception"] = _raise_exception
        self.globals["strftime_now"] = lambda form: now().strftime(form)
        del self.globals["lipsum"]

    def render(
        self, template: Template, messages: list[dict[str, Any]], values: Mapping[str, Any]
    ) -> str:
        """Render within a budget in proportion to `messages`; any exception may come out."""
        chars = sum(len(str(message["content"])) for message in messages)
        self.budget.refill(len(messages), chars)
        return template.render(messages=messages, **values)

    @pass_context  # the context also keeps jinja2 from printing constants while compiling
    def printed(self, _context: Context, value: Any) -> Any:
        return self.weighed(value)

    def _generate(self, source: nodes.Template, *args: Any, **kwargs: Any) -> str:
        metered = _Metering().visit(source)
        metered.set_environment(self)
        return super()._generate(metered, *args, **kwargs)

    def call(self, context: Context, obj: Any, /, *args: Any, **kwargs: Any) -> Any:
        self.step()
        if isinstance(obj, BuiltinMethodType) and isinstance(obj.__self__, str):
            args = self.budget.pay_method(obj.__self__, obj.__name__, args)
        return super().call(context, obj, *args, **kwargs)

    def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:
        if operator == "+":
            self.budget.pay_sum(left, right)
        elif operator == "*":
            self.budget.pay_product(left, right)
        elif operator == "**":
            self.budget.pay_power(left, right)
        elif isinstance(left, str):
            self.budget.pay_format(left, right)
        return super().call_binop(context, operator, left, right)

    def wrap_str_format(self, value: Any) -> Callable[..., str] | None:
        wrapped = super().wrap_str_format(value)
        if wrapped is None:
            return None

        def paid(*args: Any, **kwargs: Any) -> str:
            self.budget.pay_format(value.__self__, [*args, kwargs])
            return wrapped(*args, **kwargs)

        return paid

    def _all_filters(self) -> dict[str, Any]:
        own: dict[str, Any] = {
            "format": self._format,
            "indent": self._indent,
            "join": self._join,
            "replace": self._replace,
            "round": self._round,
            "string": self.budget.text,
            "tojson": self._tojson,
        }
        for name in f"{_LINEAR_FILTERS} {_ORDERING_FILTERS}".split():
            own[name] = self._priced(name, FILTERS[name])
        return own

    def _priced(self, name: str, function: Any) -> Any:
        pay = self.weighed if name in _COMPARING else self.budget.pay_size

        @wraps(function)
        def priced(*args: Any, **kwargs: Any) -> Any:
            self.step()
            for value in args:
                pay(value)
            return function(*args, **kwargs)

        return priced

    def _range(self, *bounds: int) -> range:
        numbers = range(*bounds)
        self.step(1 + len(numbers) // 16)
        return numbers

    def _format(self, form: str, *values: Any) -> str:
        self.budget.pay_format(form, values)
        return form % values

    def _indent(self, text: str, width: int | str = 4, *args: Any, **kwargs: Any) -> str:
        columns = width if isinstance(width, int) else len(width)
        check_width(columns, limit=1_000)
        self.budget.pay_chars(len(text) + (text.count("\n") + 1) * columns)
        return do_indent(text, width, *args, **kwargs)

    def _join(self, items: Iterable[Any], d: str = "", attribute: str | None = None) -> str:
        values = list(self.steps(items))
        if attribute is not None:
            values = list(map(make_attrgetter(self, attribute), values))
        texts = [self.budget.text(value) for value in values]
        self.budget.pay_join(d, texts)
        return d.join(texts)

    def _replace(self, text: Any, old: str, new: str, count: int | None = None) -> str:
        written = self.budget.text(text)
        self.budget.pay_replace(written, old, new)
        return written.replace(old, new, -1 if count is None else count)

    def _round(self, value: float, precision: int = 0, method: Any = "common") -> float:
        check_width(abs(precision), limit=30)
        return do_round(value, precision, method)

    def _tojson(
        self,
        value: Any,
        ensure_ascii: bool = False,
        indent: int | str | None = None,
        separators: tuple[str, str] | None = None,
        sort_keys: bool = False,
    ) -> str:
        """JSON for a model to read: no HTML escapes, other scripts as they are."""
        check_width(indent if isinstance(indent, int) else len(indent or ""), limit=16)
        return json.dumps(
            self.weighed(value),
            ensure_ascii=ensure_ascii,
            indent=indent,
            separators=separators,
            sort_keys=sort_keys,
        )


class _Metering(NodeTransformer):
    """Puts calls to the budget where a compiled template loops, prints, joins and compares."""

    def visit_For(self, node: nodes.For) -> nodes.Node:  # noqa: N802 - jinja2's name
        self.generic_visit(node)
        node.iter = _call(node, "steps", node.iter)
        node.body.insert(0, _statement(_call(node, "step")))
        return node

    def visit_Output(self, node: nodes.Output) -> list[nodes.Node]:  # noqa: N802
        self.generic_visit(node)
        chars = sum(len(part.data) for part in node.nodes if isinstance(part, nodes.TemplateData))
        cost = nodes.Const(1 + chars // CHARS_A_STEP, lineno=node.lineno)
        return [_statement(_call(node, "step", cost)), node]

    def visit_Concat(self, node: nodes.Concat) -> nodes.Node:  # noqa: N802
        self.generic_visit(node)
        return _call(node, "concatenated", *node.nodes)

    def visit_Compare(self, node: nodes.Compare) -> nodes.Node:  # noqa: N802
        self.generic_visit(node)
        node.expr = _call(node, "weighed", node.expr)
        for operand in node.ops:
            operand.expr = _call(node, "weighed", operand.expr)
        return node


def _call(at: nodes.Node, method: str, *args: Any) -> nodes.Call:
    callee = nodes.EnvironmentAttribute(method, lineno=at.lineno)
    return nodes.Call(callee, list(args), [], None, None, lineno=at.lineno)


def _statement(call: nodes.Call) -> nodes.ExprStmt:
    return nodes.ExprStmt(call, lineno=call.lineno)


def _raise_exception(message: object) -> NoReturn:
    raise TemplateError(str(message))
