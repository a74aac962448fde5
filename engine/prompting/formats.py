"""Chat formats that ship with Snug, for models whose file brings no usable template.

Chosen by the control tokens of a vocabulary: others would make a model answer with junk. But
families share one vocabulary between chat models and base models, which never learned to use
these tokens, and a file without a template mostly is a base model: given Gemma's turns,
gemma-3-270m only repeats the question; given plain text, it answers. No format writes a BOS
token: the tokeniser adds it where the model wants one.
"""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """`source`: a template. `tokens`: what a vocabulary must have for it. `architectures`:
    beginnings of GGUF architecture names that prefer it. `stop`: texts that end a reply.
    `in_base_models`: base models have these tokens too, without knowing what they mean.
    """

    name: str
    source: str
    tokens: tuple[str, ...]
    architectures: tuple[str, ...] = ()
    stop: tuple[str, ...]
    in_base_models: bool = False


_NO_SYSTEM_ROLE = (
    "{% if message.role == 'system' %}{{ raise_exception('no system role') }}{% endif %}"
)


def _turns(turn: str, reply: str, before: str = "") -> str:
    """A template that writes `turn` for every message and `reply` where the answer goes."""
    return (
        f"{before}{{% for message in messages %}}{turn}{{% endfor %}}"
        f"{{% if add_generation_prompt %}}{{{{ {reply} }}}}{{% endif %}}"
    )


CHATML = Format(
    name="chatml",
    source=_turns(
        r"{{ '<|im_start|>' + message.role + '\n' + message.content + '<|im_end|>\n' }}",
        r"'<|im_start|>assistant\n'",
    ),
    tokens=("<|im_start|>", "<|im_end|>"),
    architectures=("qwen",),
    stop=("<|im_end|>",),
)

LLAMA_3 = Format(
    name="llama3",
    source=_turns(
        r"{{ '<|start_header_id|>' + message.role + '<|end_header_id|>\n\n'"
        r" + message.content + '<|eot_id|>' }}",
        r"'<|start_header_id|>assistant<|end_header_id|>\n\n'",
    ),
    tokens=("<|start_header_id|>", "<|end_header_id|>", "<|eot_id|>"),
    architectures=("llama",),
    stop=("<|eot_id|>",),
    in_base_models=True,
)

GEMMA = Format(
    name="gemma",
    source=_turns(
        _NO_SYSTEM_ROLE + r"{% set role = 'model' if message.role == 'assistant' else 'user' %}"
        r"{{ '<start_of_turn>' + role + '\n' + message.content + '<end_of_turn>\n' }}",
        r"'<start_of_turn>model\n'",
    ),
    tokens=("<start_of_turn>", "<end_of_turn>"),
    architectures=("gemma",),
    stop=("<end_of_turn>",),
    in_base_models=True,
)

MISTRAL = Format(
    name="mistral",
    source=_turns(
        _NO_SYSTEM_ROLE + "{% if message.role == 'user' %}"
        "{{ '[INST] ' + message.content + '[/INST]' }}"
        "{% else %}{{ message.content + eos_token }}{% endif %}",
        "''",
    ),
    tokens=("[INST]", "[/INST]"),
    architectures=("mistral", "llama"),
    stop=("[INST]",),
    in_base_models=True,
)

PHI = Format(
    name="phi",
    source=_turns(
        r"{{ '<|' + message.role + '|>\n' + message.content + '<|end|>\n' }}",
        r"'<|assistant|>\n'",
    ),
    tokens=("<|user|>", "<|assistant|>", "<|end|>"),
    architectures=("phi",),
    stop=("<|end|>", "<|user|>"),
)

GLM = Format(
    name="glm",
    source=_turns(
        r"{{ '<|' + message.role + '|>\n' + message.content }}",
        r"'<|assistant|>\n'",
        before="[gMASK]<sop>",
    ),
    tokens=("[gMASK]", "<sop>", "<|user|>", "<|assistant|>"),
    architectures=("chatglm", "glm"),
    stop=("<|user|>",),
)

GRANITE = Format(
    name="granite",
    source=_turns(
        r"{{ '<|start_of_role|>' + message.role + '<|end_of_role|>'"
        r" + message.content + '<|end_of_text|>\n' }}",
        "'<|start_of_role|>assistant<|end_of_role|>'",
    ),
    tokens=("<|start_of_role|>", "<|end_of_role|>"),
    architectures=("granite",),
    stop=("<|start_of_role|>",),
    in_base_models=True,
)

PLAIN = Format(
    name="plain",
    source=_turns(
        r"{% if message.role == 'system' %}{{ message.content + '\n\n' }}"
        r"{% elif message.role == 'user' %}{{ 'User: ' + message.content + '\n' }}"
        r"{% else %}{{ 'Assistant:' + (' ' if message.content[:1].isalnum() else '')"
        r" + message.content + '\n' }}{% endif %}",
        "'Assistant:'",
    ),
    tokens=(),
    stop=("\nUser:", "\nAssistant:"),
)
"""For base models and vocabularies without control tokens: such dialogues they have read."""

FORMATS = {
    known.name: known for known in (CHATML, LLAMA_3, GEMMA, MISTRAL, PHI, GLM, GRANITE, PLAIN)
}


def fitting_format(
    architecture: str, has_token: Callable[[str], bool], *, learned_to_chat: bool
) -> Format:
    """The format whose control tokens the vocabulary has; `architecture` decides among several.

    Without `learned_to_chat` only tokens that base models do not have count.
    """
    possible = [
        known
        for known in FORMATS.values()
        if all(map(has_token, known.tokens)) and (learned_to_chat or not known.in_base_models)
    ]
    native = [known for known in possible if architecture.startswith(known.architectures)]
    return (native or possible)[0]
