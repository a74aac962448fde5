"""What each layer of a model remembers of a conversation: attention, a window, a state.

The rules are llama.cpp's: `load_hparams` and `create_memory` in src/llama-model.cpp, `n_embd_r`
and `n_embd_s` in src/llama-hparams.cpp. What differs between architectures is in `families`.
"""

from dataclasses import dataclass

from engine.models import families
from engine.models.families import Pattern, Recurrent, State, Window
from engine.models.numbers import LAYERS_LIMIT, TOKENS_LIMIT, Numbers, NumbersMissing
from engine.types.shapes import LayerKind

_STATE_ELEMENTS_LIMIT = 1 << 31
_FULL_KDA_KERNEL = 3
_LOOPS_LIMIT = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class Heads:
    """Attention heads of each layer, and the widths of one: (K, V), plain and in a window."""

    count: tuple[int, ...]
    kv_count: tuple[int, ...]
    plain: tuple[int, int]
    windowed: tuple[int, int]
    mla: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """What one layer keeps, in elements: K and V a token, state a sequence."""

    kind: LayerKind
    key_width: int = 0
    value_width: int = 0
    state_elements: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Layering:
    """`blocks` counts all of the file, `trunk` those a plain context uses: the last ones may
    be for guessing tokens ahead (NextN, MTP)."""

    blocks: int
    trunk: int
    width: int
    heads: Heads
    feed_forward: tuple[int, ...]
    slots: tuple[Slot, ...]
    window: int


def read_layering(numbers: Numbers) -> Layering:
    """Raises `NumbersMissing`."""
    blocks = numbers.positive("block_count", most=LAYERS_LIMIT)
    trunk = blocks - numbers.count("nextn_predict_layers", 0, most=blocks - 1)
    width = numbers.positive("embedding_length")
    feed_forward = numbers.per_layer("feed_forward_length", blocks, (0,) * blocks)
    heads = _heads(numbers, blocks, width)
    window, windowed = _windows(numbers, blocks, trunk, heads)
    recurrent = _recurrent(numbers, trunk, heads, feed_forward)
    state = _state(numbers, width, heads) if any(recurrent) else 0
    attending = _attending(numbers, trunk, recurrent, feed_forward)
    slots = [
        _slot(layer, heads, attending[layer], windowed[layer], state if recurrent[layer] else 0)
        for layer in range(blocks)
    ]
    return Layering(
        blocks=blocks,
        trunk=trunk,
        width=width,
        heads=heads,
        feed_forward=feed_forward,
        slots=tuple(slots) * _loops(numbers),
        window=window,
    )


def _slot(layer: int, heads: Heads, attends: bool, windowed: bool, state: int) -> Slot:
    key, value = heads.windowed if windowed else heads.plain
    kv_heads = heads.kv_count[layer] if attends else 0
    key_width, value_width = key * kv_heads, 0 if heads.mla else value * kv_heads
    if key_width + value_width == 0:
        kind = LayerKind.RECURRENT if state else LayerKind.NONE
        return Slot(kind=kind, state_elements=state)
    attention = LayerKind.WINDOW if windowed else LayerKind.ATTENTION
    return Slot(
        kind=LayerKind.BOTH if state else attention,
        key_width=key_width,
        value_width=value_width,
        state_elements=state,
    )


def _loops(numbers: Numbers) -> int:
    """How often the blocks run; each time has a cache of its own."""
    if numbers.architecture not in families.LOOPED:
        return 1
    return max(1, numbers.count("num_loops", 1, most=_LOOPS_LIMIT))


def _heads(numbers: Numbers, blocks: int, width: int) -> Heads:
    count = numbers.per_layer("attention.head_count", blocks, (0,) * blocks)
    kv_count = numbers.per_layer("attention.head_count_kv", blocks, count)
    plain = _head_widths(numbers, width // count[0]) if count[0] else (0, 0)
    windowed = (
        numbers.count("attention.key_length_swa", plain[0]),
        numbers.count("attention.value_length_swa", plain[1]),
    )
    mla = numbers.architecture in families.READS_MLA and all(
        numbers.count(f"attention.{part}_length_mla", 0) for part in ("key", "value")
    )
    return Heads(count=count, kv_count=kv_count, plain=plain, windowed=windowed, mla=mla)


def _head_widths(numbers: Numbers, default: int) -> tuple[int, int]:
    return (
        numbers.count("attention.key_length", default),
        numbers.count("attention.value_length", default),
    )


# --- windows ----------------------------------------------------------------------------------


def _windows(
    numbers: Numbers, blocks: int, trunk: int, heads: Heads
) -> tuple[int, tuple[bool, ...]]:
    """Tokens of the window, and which layers have it. llama.cpp aborts if none has."""
    rule = families.WINDOWS.get(numbers.architecture)
    tokens = _window_tokens(numbers, rule, trunk) if rule else 0
    if rule is None or not tokens:
        return 0, (False,) * blocks
    windowed = _windowed(numbers, rule, blocks, trunk, heads)
    if not any(windowed):
        raise NumbersMissing("attention.sliding_window_pattern")
    return tokens, windowed


def _window_tokens(numbers: Numbers, rule: Window, trunk: int) -> int:
    if rule.only_layers not in (None, trunk):
        return 0
    stated = numbers.maybe("attention.sliding_window", most=TOKENS_LIMIT)
    tokens = rule.tokens if stated is None else stated
    if not tokens and not rule.optional:
        raise NumbersMissing("attention.sliding_window")
    return (rule.fixed or tokens) if tokens else 0


def _windowed(
    numbers: Numbers, rule: Window, blocks: int, trunk: int, heads: Heads
) -> tuple[bool, ...]:
    """See `load_swa_pattern` in src/llama-model.cpp and `set_swa_pattern` in llama-hparams.cpp."""
    key = "attention.sliding_window_pattern"
    if rule.pattern is Pattern.ALL:
        return tuple(heads.kv_count[layer] > 0 for layer in range(blocks))
    listed = numbers.flags(key, blocks)
    if listed is not None:
        return listed
    if rule.pattern is Pattern.LISTED:
        raise NumbersMissing(key)
    period = numbers.count(key, rule.period)
    dense = 0 if rule.pattern is Pattern.FIRST_DENSE else period - 1
    return tuple(
        layer < trunk and (period == 0 or layer % period != dense) for layer in range(blocks)
    )


# --- attention and state ----------------------------------------------------------------------


def _attending(
    numbers: Numbers, trunk: int, recurrent: tuple[bool, ...], feed_forward: tuple[int, ...]
) -> tuple[bool, ...]:
    """Which layers have a cache of K and V: the layer filters of `create_memory`.

    Of the layers beyond the trunk only some hybrids' filters keep a cache.
    """
    rule = families.RECURRENCES.get(numbers.architecture)
    blocks = len(recurrent)
    if rule is None:
        end = min(trunk, _kv_layers(numbers, blocks))
        return tuple(layer < end for layer in range(blocks))
    match rule.layers:
        case Recurrent.ALL:
            return (False,) * blocks
        case Recurrent.ALL_AND_ATTENTION:
            return (True,) * blocks
        case Recurrent.WITHOUT_KV_HEADS_AND_FEED_FORWARD:
            pairs = zip(recurrent, feed_forward, strict=True)
            return tuple(not state and not ff for state, ff in pairs)
        case Recurrent.INTERVAL:
            return tuple(layer < trunk and not recurrent[layer] for layer in range(blocks))
        case Recurrent.WITHOUT_KV_HEADS:
            return tuple(not state for state in recurrent)


def _kv_layers(numbers: Numbers, blocks: int) -> int:
    """How many layers, from the first, have a cache of their own."""
    if numbers.architecture in families.WITHOUT_CACHE:
        return 0
    if numbers.architecture in families.SHARES_KV_AS_LISTED:
        return blocks - numbers.count("attention.shared_kv_layers", 0, most=blocks - 1)
    return families.KV_LAYERS_FROM_START.get(numbers.architecture, blocks)


def _recurrent(
    numbers: Numbers, trunk: int, heads: Heads, feed_forward: tuple[int, ...]
) -> tuple[bool, ...]:
    rule = families.RECURRENCES.get(numbers.architecture)
    blocks = range(len(feed_forward))
    if rule is None:
        return (False,) * len(blocks)
    match rule.layers:
        case Recurrent.ALL | Recurrent.ALL_AND_ATTENTION:
            chosen = (True,) * len(blocks)
        case Recurrent.WITHOUT_KV_HEADS:
            chosen = tuple(heads.kv_count[layer] == 0 for layer in blocks)
        case Recurrent.WITHOUT_KV_HEADS_AND_FEED_FORWARD:
            chosen = tuple(heads.kv_count[layer] + feed_forward[layer] == 0 for layer in blocks)
        case Recurrent.INTERVAL:
            chosen = _all_but_each(numbers, rule.interval, len(blocks))
    return tuple(layer < trunk and chosen[layer] for layer in blocks)


def _all_but_each(numbers: Numbers, default: int, blocks: int) -> tuple[bool, ...]:
    key = "attention.recurrent_layers"
    listed = numbers.flags(key, blocks)
    if listed is not None:
        return listed
    interval = numbers.count("full_attention_interval", default)
    if not interval:
        raise NumbersMissing("full_attention_interval")
    return tuple((layer + 1) % interval != 0 for layer in range(blocks))


def _state(numbers: Numbers, width: int, heads: Heads) -> int:
    """Elements of one layer's state: convolution and recurrence together."""
    state = families.RECURRENCES[numbers.architecture].state
    elements = _STATES[state](numbers, width, heads)
    if not 0 < elements <= _STATE_ELEMENTS_LIMIT:
        raise NumbersMissing("state")
    return elements


def _mamba(numbers: Numbers, groups: int) -> int:
    kernel = numbers.count("ssm.conv_kernel")
    inner = numbers.positive("ssm.inner_size")
    size = numbers.positive("ssm.state_size")
    return max(kernel - 1, 0) * (inner + 2 * groups * size) + size * inner


def _mamba_groups(numbers: Numbers, _width: int, _heads: Heads) -> int:
    return _mamba(numbers, numbers.count("ssm.group_count"))


def _rwkv(numbers: Numbers, width: int, _heads: Heads) -> int:
    shifts = numbers.count("token_shift_count", 2)
    return (shifts + numbers.positive("wkv.head_size")) * width


def _short_convolution(numbers: Numbers, width: int, _heads: Heads) -> int:
    return width * (numbers.positive("shortconv.l_cache") - 1)


def _kda(numbers: Numbers, _width: int, heads: Heads) -> int:
    kernel = numbers.count("ssm.conv_kernel")
    size = numbers.positive("kda.head_dim")
    convolution = 3 * (kernel - 1 if kernel else _FULL_KDA_KERNEL) * heads.count[0] * size
    return convolution + size * size * heads.count[0]


def _lightning(_numbers: Numbers, _width: int, heads: Heads) -> int:
    return heads.plain[0] ** 2 * heads.count[0]


_STATES = {
    State.MAMBA: lambda numbers, _width, _heads: _mamba(numbers, 0),
    State.MAMBA_GROUPS: _mamba_groups,
    State.RWKV: _rwkv,
    State.SHORT_CONVOLUTION: _short_convolution,
    State.KDA: _kda,
    State.LIGHTNING: _lightning,
}
