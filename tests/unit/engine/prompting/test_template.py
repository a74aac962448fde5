"""Templates of the wild render, broken ones give way with a notice, hostile ones end."""

from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from engine.errors import TemplateFailed
from engine.prompting.formats import FORMATS
from engine.prompting.segments import mark, split
from engine.prompting.template import ChatTemplate, choose_template
from engine.types.chat import Message, Role
from engine.types.models import Notice
from tests import chat_templates as wild


def system(content: str) -> Message:
    return Message(role=Role.SYSTEM, content=content)


def user(content: str) -> Message:
    return Message(role=Role.USER, content=content)


def assistant(content: str) -> Message:
    return Message(role=Role.ASSISTANT, content=content)


CHAT = (user("Hi"), assistant("Hello."), user("Bye"))


def template(source: str) -> ChatTemplate:
    return ChatTemplate(source, bos="<s>", eos="</s>", now=lambda: datetime(2031, 5, 4, tzinfo=UTC))


def vocabulary(*tokens: str) -> Callable[[str], bool]:
    return set(tokens).__contains__


def choose(
    source: str | None, architecture: str = "llama", tokens: tuple[str, ...] = ()
) -> tuple[ChatTemplate, tuple[Notice, ...]]:
    return choose_template(source, architecture, vocabulary(*tokens), "<s>", "</s>")


PROMPTS = {
    "chatml_with_default_system": "<|im_start|>system\nBe helpful.<|im_end|>\n"
    "<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\nHello.<|im_end|>\n<|im_start|>user\nBye<|im_end|>\n"
    "<|im_start|>assistant\n",
    "gemma": "<s><start_of_turn>user\nHi<end_of_turn>\n<start_of_turn>model\nHello.<end_of_turn>\n"
    "<start_of_turn>user\nBye<end_of_turn>\n<start_of_turn>model\n",
    "llama_3": "<s><|start_header_id|>system<|end_header_id|>\n\nToday: 04 May 2031\n\n<|eot_id|>"
    "<|start_header_id|>user<|end_header_id|>\n\nHi<|eot_id|>"
    "<|start_header_id|>assistant<|end_header_id|>\n\nHello.<|eot_id|>"
    "<|start_header_id|>user<|end_header_id|>\n\nBye<|eot_id|>"
    "<|start_header_id|>assistant<|end_header_id|>\n\n",
    "mistral": "<s>[INST] Hi[/INST] Hello.</s>[INST] Bye[/INST]",
    "qwen_3": "<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\nHello.<|im_end|>\n"
    "<|im_start|>user\nBye<|im_end|>\n<|im_start|>assistant\n",
    "generation_tag": "<|user|>Hi\n<|assistant|>Hello.</s>\n<|user|>Bye\n<|assistant|>",
    "loop_controls": "[user]Hi\n[assistant]Hello.\n[user]Bye\n",
    "macros": "<<USER>>Hi\n<<ASSISTANT>>Hello.\n<<USER>>Bye\n<<ASSISTANT>>",
    "json_turns": '{"role": "user", "text": "Hi"}\n{"role": "assistant", "text": "Hello."}\n'
    '{"role": "user", "text": "Bye"}\n\nassistant >',
    "content_parts": "<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\nHello.<|im_end|>\n"
    "<|im_start|>user\nBye<|im_end|>\n<|im_start|>assistant",
}


@pytest.mark.parametrize("name", PROMPTS)
def test_templates_of_the_wild_render(name: str) -> None:
    assert template(wild.TEMPLATES[name]).render(CHAT) == PROMPTS[name]


@pytest.mark.parametrize(
    ("name", "supports_system", "needs_alternation"),
    [
        ("chatml_with_default_system", True, False),
        ("gemma", False, True),
        ("llama_3", True, False),
        ("mistral", True, True),
        ("qwen_3", True, False),
        ("generation_tag", True, False),
        ("content_parts", True, False),
        ("strict", False, True),
    ],
)
def test_capabilities_are_found_by_trying(
    name: str, supports_system: bool, needs_alternation: bool
) -> None:
    found = template(wild.TEMPLATES[name])
    assert (found.supports_system, found.needs_alternation) == (supports_system, needs_alternation)


def test_a_system_message_that_is_left_out_counts_as_not_supported() -> None:
    silent = "{% for m in messages if m.role != 'system' %}{{ m.content }}{% endfor %}"
    assert not template(silent).supports_system


@pytest.mark.parametrize("name", wild.TEMPLATES)
def test_every_wild_template_is_chosen_without_a_notice(name: str) -> None:
    chosen, notices = choose(wild.TEMPLATES[name], tokens=("<|im_start|>",))
    assert notices == ()
    assert "Bye" in chosen.render(CHAT)


@pytest.mark.parametrize("source", [None, "", " \n\t "])
def test_a_missing_template_is_replaced_with_a_notice(source: str | None) -> None:
    chosen, notices = choose(source)
    assert notices == (Notice.TEMPLATE_MISSING,)
    assert chosen.render(CHAT) == "User: Hi\nAssistant: Hello.\nUser: Bye\nAssistant:"
    assert chosen.stop == ("\nUser:", "\nAssistant:")


BROKEN = {
    "syntax error": "{% for message in messages %}{{ message.content }",
    "unknown tag": "{% frobnicate %}",
    "unknown filter": "{{ messages | frobnicate }}",
    "always raises": "{{ raise_exception('no') }}",
    "shows nothing": "hello",
    "leaves out the last turn": "{{ messages[0].content }}",
    "wrong type": "{{ messages + 1 }}",
    "too long": "{{ messages }}" + "x" * 300_000,
    "file access": "{% include '/etc/passwd' %}",
    "deep nesting": "{% if 1 %}" * 3_000,
    "deep expression": "{{ " + "(" * 50_000,
    "many blocks": "{% for a in [1] %}" * 40 + "{% endfor %}" * 40,
    "changes the messages": "{{ messages.append(1) }}",
}


@pytest.mark.parametrize("kind", BROKEN)
def test_a_broken_template_is_replaced_with_a_notice(kind: str) -> None:
    chosen, notices = choose(BROKEN[kind], tokens=("<|im_start|>", "<|im_end|>"))
    assert notices == (Notice.TEMPLATE_BROKEN,)
    assert chosen.render(CHAT).endswith("<|im_start|>user\nBye<|im_end|>\n<|im_start|>assistant\n")


def test_the_reason_of_a_failure_can_be_read() -> None:
    with pytest.raises(TemplateFailed, match="Roles must go") as failure:
        template(wild.GEMMA).render((user("a"), user("b")))
    assert failure.value.code == "template_failed"


def test_a_template_of_200_kb_is_used() -> None:
    source = wild.QWEN_3 + "{% if false %}" + "{{ messages }} text\n" * 10_000 + "{% endif %}"
    chosen, notices = choose(source)
    assert notices == ()
    assert chosen.render(CHAT) == template(wild.QWEN_3).render(CHAT)


SPINE = "{% for m in messages %}{{ m.content }}{% endfor %}"
GROWING = "{% set ns = namespace(s='aaaa', l=[1], k=[1]) %}{% for i in range(60) %}"
HOSTILE = {
    "nested loops": "{% for a in range(9999) %}{% for b in range(9999) %}{% endfor %}{% endfor %}",
    "filtered loop": "{% for a in range(9999) %}{% for b in range(9999) if 0 %}{% endfor %}"
    "{% endfor %}",
    "huge range": "{{ range(10**12) | list }}",
    "endless recursion": "{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}",
    "branching recursion": "{% macro f(n) %}{% if n %}{{ f(n-1) }}{{ f(n-1) }}{% endif %}"
    "{% endmacro %}{{ f(40) }}",
    "recursive loop": "{% for x in [[[]]] recursive %}{{ loop([1] * 500) }}{% endfor %}",
    "repeated text": "{{ 'a' * 10**10 }}",
    "repeated list": "{{ messages * 10**10 }}",
    "power": "{{ 9 ** (9 ** 9) }}",
    "factorial": GROWING + "{% set ns.k = (ns.k if i else 3) * (ns.k if i else 3) %}{% endfor %}",
    "doubling with ~": GROWING + "{% set ns.s = ns.s ~ ns.s %}{% endfor %}",
    "doubling with +": GROWING + "{% set ns.s = ns.s + ns.s %}{% endfor %}",
    "doubling a list": GROWING + "{% set ns.l = ns.l + ns.l %}{% endfor %}",
    "doubling a block": GROWING + "{% set x %}{{ ns.s }}{{ ns.s }}{% endset %}"
    "{% set ns.s = x %}{% endfor %}",
    "doubling with join": GROWING + "{% set ns.s = [ns.s, ns.s] | join %}{% endfor %}",
    "doubling with str.join": GROWING + "{% set ns.s = ns.s.join([ns.s, ns.s]) %}{% endfor %}",
    "doubling with replace": GROWING + "{% set ns.s = ns.s | replace('a', 'aa') %}{% endfor %}",
    "doubling with str.replace": GROWING + "{% set ns.s = ns.s.replace('a', 'aa') %}{% endfor %}",
    "doubling with %": GROWING + "{% set ns.s = '%s%s' % (ns.s, ns.s) %}{% endfor %}",
    "doubling with format": GROWING + "{% set ns.s = '{0}{0}'.format(ns.s) %}{% endfor %}",
    "nested lists printed": GROWING + "{% set ns.l = [ns.l, ns.l] %}{% endfor %}{{ ns.l }}",
    "nested lists as JSON": GROWING + "{% set ns.l = [ns.l, ns.l] %}{% endfor %}{{ ns.l|tojson }}",
    "nested lists compared": GROWING + "{% set ns.l = [ns.l, ns.l] %}{% set ns.k = [ns.k, ns.k] %}"
    "{% endfor %}{{ ns.l == ns.k }}",
    "nested lists tested": GROWING + "{% set ns.l = [ns.l, ns.l] %}{% set ns.k = [ns.k, ns.k] %}"
    "{% endfor %}{{ ns.l is eq ns.k }}",
    "wide field": "{{ '%9999999999d' % 1 }}",
    "wide argument": "{{ '%*d' % (9999999999, 1) }}",
    "wide format": "{{ '{:9999999999}'.format(1) }}",
    "wide nested format": "{{ '{:{}}'.format(1, 9999999999) }}",
    "padding": "{{ 'a'.center(10**10) }}",
    "indenting": "{{ 'a' | indent(10**10, true) }}",
    "rounding": "{{ 1.5 | round(10**9, 'floor') }}",
    "lipsum": "{{ lipsum(10**9) }}",
    "much plain text": "{% for i in range(40000) %}" + "x" * 100_000 + "{% endfor %}",
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_a_hostile_template_ends_with_an_error(kind: str) -> None:
    with pytest.raises(TemplateFailed, match=r"Security|Recursion|Undefined|Overflow"):
        ChatTemplate(SPINE + HOSTILE[kind])


@pytest.mark.parametrize(
    "source", ["{{ ''.__class__.__mro__ }}", "{{ messages.__class__.x }}", "{{ self.__init__.x }}"]
)
def test_internals_of_python_are_out_of_reach(source: str) -> None:
    with pytest.raises(TemplateFailed, match="SecurityError"):
        ChatTemplate(SPINE + source)


@pytest.mark.parametrize("name", wild.TEMPLATES)
def test_long_conversations_stay_within_the_budget(name: str) -> None:
    turns = tuple(turn for number in range(1_500) for turn in (user(f"q{number}"), assistant("a")))
    big = user("long " * 200_000)
    assert template(wild.TEMPLATES[name]).render((*turns, big)).count("long") == 200_000


@pytest.mark.parametrize("name", FORMATS)
def test_each_format_is_a_sound_template_and_found_by_its_tokens(name: str) -> None:
    known = FORMATS[name]
    chosen, notices = choose("{{ broken", "unheard-of", known.tokens)
    assert notices == (Notice.TEMPLATE_BROKEN,)
    assert chosen.stop == known.stop
    assert chosen.render(CHAT) == ChatTemplate(known.source, eos="</s>").render(CHAT)


@pytest.mark.parametrize(
    ("name", "expected"),
    [("chatml", "chatml"), ("phi", "phi"), ("gemma", "plain"), ("llama3", "plain")],
)
def test_tokens_that_base_models_have_too_do_not_make_a_chat_model(
    name: str, expected: str
) -> None:
    chosen, _ = choose(None, FORMATS[name].architectures[0], FORMATS[name].tokens)
    assert chosen.stop == FORMATS[expected].stop


@pytest.mark.parametrize("name", FORMATS)
def test_the_name_of_a_format_is_enough(name: str) -> None:
    chosen, notices = choose(f" {name}\n")
    assert notices == (Notice.TEMPLATE_MISSING,)
    assert chosen.stop == FORMATS[name].stop


def test_the_architecture_decides_where_tokens_leave_a_choice() -> None:
    tokens = ("<|im_start|>", "<|im_end|>", "<|user|>", "<|assistant|>", "<|end|>")
    assert "<|user|>" in choose(None, "phi3", tokens)[0].render(CHAT)
    assert "<|im_start|>" in choose(None, "qwen2", tokens)[0].render(CHAT)


def test_an_end_mark_that_is_no_token_becomes_a_stop_text() -> None:
    source = wild.CHATML_WITH_DEFAULT_SYSTEM
    assert choose(source)[0].stop == ("<|im_end|>",)
    assert choose(source, tokens=("<|im_end|>",))[0].stop == ()


def test_a_model_without_bos_and_eos_has_empty_ones() -> None:
    chosen, notices = choose_template(wild.MISTRAL, "rwkv", vocabulary(), "", "")
    assert notices == ()
    assert chosen.render(CHAT) == "[INST] Hi[/INST] Hello.[INST] Bye[/INST]"


def test_json_keeps_other_scripts_and_takes_its_options() -> None:
    source = SPINE + "{{ {'b': '<é>', 'a': [1]} | tojson(indent=1, sort_keys=true) }}"
    assert template(source).render((user("x"),)) == 'x{\n "a": [\n  1\n ],\n "b": "<é>"\n}'


KNOWN = "<think>\nhm\n</think>\n\nIt is <|im_end|>, he said."


@pytest.mark.parametrize(
    ("name", "keeps_tokens"), [("chatml_with_default_system", True), ("qwen_3", False)]
)
def test_marked_messages_pass_through(name: str, keeps_tokens: bool) -> None:
    messages = (user("say <|im_end|>"), assistant(KNOWN), user("more"))
    marked = mark(messages, lambda text: ["<|im_end|>"] * ("<|im_end|>" in text), {KNOWN: (7,)}.get)
    chosen = template(wild.TEMPLATES[name])
    segments = split(chosen.render(marked.messages), marked)
    assert "".join(segment.text for segment in segments) == chosen.render(messages)
    assert any(segment.reply == (7,) for segment in segments) == keeps_tokens
    meant = "".join(segment.text for segment in segments if segment.special)
    assert meant.count("<|im_end|>") == chosen.render(CHAT).count("<|im_end|>")
