"""The sizes of recurrent and latent mixers in a header, and of wide inputs. Only the compute
buffer depends on them, so what is absent or odd of a mixer is None here, and no reason to know
nothing of the rest. Any thread.
"""

from collections.abc import Callable

from engine.models import families
from engine.models.families import State
from engine.models.layering import Layering
from engine.models.numbers import LAYERS_LIMIT, Numbers, NumbersMissing
from engine.types.shapes import Latent, StateSpace

_KDA_KERNEL = 4
_SIXTH = ("time_mix_extra_dim", "time_decay_extra_dim")
_SEVENTH = tuple(
    f"attention.{name}_lora_rank" for name in ("decay", "iclr", "value_residual_mix", "gate")
)
_RANKS = {"rwkv6": _SIXTH, "rwkv6qwen2": _SIXTH, "rwkv7": _SEVENTH, "arwkv7": _SEVENTH}


def state_space(numbers: Numbers, layering: Layering) -> StateSpace | None:
    """Sizes of the recurrent mixer; None without one, or where they are absent or odd."""
    rule = families.RECURRENCES.get(numbers.architecture)
    try:
        return _SIZES[rule.state](numbers, layering) if rule else None
    except NumbersMissing:
        return None


def _short_convolution(numbers: Numbers, layering: Layering) -> StateSpace:
    return StateSpace(kernel=numbers.positive("shortconv.l_cache"), inner=layering.width)


def _mamba(numbers: Numbers, _layering: Layering) -> StateSpace:
    return StateSpace(
        kernel=numbers.positive("ssm.conv_kernel"),
        inner=numbers.positive("ssm.inner_size"),
        state=numbers.positive("ssm.state_size"),
        heads=numbers.positive("ssm.time_step_rank"),
        groups=numbers.count("ssm.group_count", 0),
    )


def _kda(numbers: Numbers, layering: Layering) -> StateSpace:
    size, heads = numbers.positive("kda.head_dim"), layering.heads.count[0]
    kernel = numbers.count("ssm.conv_kernel", 0) or _KDA_KERNEL
    return StateSpace(kernel=kernel, inner=heads * size, state=size, heads=heads)


def _lightning(_numbers: Numbers, layering: Layering) -> StateSpace:
    size, heads = layering.heads.plain[0], layering.heads.count[0]
    return StateSpace(kernel=1, inner=heads * size, state=size, heads=heads)


def _rwkv(numbers: Numbers, layering: Layering) -> StateSpace:
    head = numbers.positive("wkv.head_size")
    return StateSpace(
        kernel=numbers.count("token_shift_count", 2),
        inner=layering.width,
        state=head,
        heads=layering.width // head,
        ranks=tuple(numbers.count(key, 0) for key in _RANKS[numbers.architecture]),
    )


_SIZES: dict[State, Callable[[Numbers, Layering], StateSpace]] = {
    State.MAMBA: _mamba,
    State.MAMBA_GROUPS: _mamba,
    State.RWKV: _rwkv,
    State.SHORT_CONVOLUTION: _short_convolution,
    State.KDA: _kda,
    State.LIGHTNING: _lightning,
}


def latent(numbers: Numbers, layering: Layering) -> Latent | None:
    """Sizes of latent attention; None without it."""
    if not layering.heads.mla:
        return None
    try:
        return Latent(
            rank=numbers.positive("attention.kv_lora_rank"),
            rope=numbers.positive("rope.dimension_count"),
            key=numbers.positive("attention.key_length_mla"),
            value=numbers.positive("attention.value_length_mla"),
            query_rank=numbers.count("attention.q_lora_rank", 0),
        )
    except NumbersMissing:
        return None


def deepstack(numbers: Numbers) -> int:
    """Embeddings of a token beside the first one; llama.cpp refuses a mapping beyond them."""
    if numbers.architecture in families.COUNTS_DEEPSTACK:
        return numbers.count("n_deepstack_layers", 0, most=LAYERS_LIMIT)
    if numbers.architecture not in families.MAPS_DEEPSTACK:
        return 0
    used = {number for number in numbers.whole_list("deepstack_mapping") if number >= 0}
    if used and max(used) > len(used):
        raise NumbersMissing("deepstack_mapping")
    return len(used)
