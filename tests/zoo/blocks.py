"""The tensors of one block, part by part, as src/models/*.cpp of llama.cpp asks for them."""

from tests.zoo.model import Row, ZooModel


def norm(model: ZooModel, name: str = "ffn_norm.weight") -> Row:
    return name, (model.width,)


def expert_numbers(count: int, used: int, inner: int | None = None) -> dict[str, object]:
    sizes: dict[str, object] = {"expert_count": count, "expert_used_count": used}
    return sizes if inner is None else {**sizes, "expert_feed_forward_length": inner}


def attention(
    model: ZooModel, block: int, *, bias: bool = False, norms: bool = False, gated: bool = False
) -> list[Row]:
    width, query = model.width, model.heads * model.head
    kv = model.kv_of(block) * model.head
    q_out = 2 * query if gated else query
    rows: list[Row] = [
        ("attn_norm.weight", (width,)),
        ("attn_q.weight", (width, q_out)),
        ("attn_k.weight", (width, kv)),
        ("attn_v.weight", (width, kv)),
        ("attn_output.weight", (query, width)),
    ]
    if bias:
        rows += [("attn_q.bias", (q_out,)), ("attn_k.bias", (kv,)), ("attn_v.bias", (kv,))]
    if norms:
        rows += [("attn_q_norm.weight", (model.head,)), ("attn_k_norm.weight", (model.head,))]
    return rows


def feed_forward(model: ZooModel, block: int) -> list[Row]:
    return [("ffn_norm.weight", (model.width,)), *gated(model.width, model.ff_of(block))]


def gated(width: int, inner: int, suffix: str = "") -> list[Row]:
    return [
        (f"ffn_gate{suffix}.weight", (width, inner)),
        (f"ffn_up{suffix}.weight", (width, inner)),
        (f"ffn_down{suffix}.weight", (inner, width)),
    ]


def experts(model: ZooModel, inner: int) -> list[Row]:
    """The router and the routed experts, without a norm."""
    count = model.number("expert_count")
    return [
        ("ffn_gate_inp.weight", (model.width, count)),
        ("ffn_gate_exps.weight", (model.width, inner, count)),
        ("ffn_up_exps.weight", (model.width, inner, count)),
        ("ffn_down_exps.weight", (inner, model.width, count)),
    ]


def mamba1(model: ZooModel, *, norms: bool = False) -> list[Row]:
    inner, state = model.number("ssm.inner_size"), model.number("ssm.state_size")
    rank = model.number("ssm.time_step_rank")
    rows: list[Row] = [
        ("attn_norm.weight", (model.width,)),
        ("ssm_in.weight", (model.width, 2 * inner)),
        ("ssm_conv1d.weight", (model.number("ssm.conv_kernel"), inner)),
        ("ssm_conv1d.bias", (inner,)),
        ("ssm_x.weight", (inner, rank + 2 * state)),
        ("ssm_dt.weight", (rank, inner)),
        ("ssm_dt.bias", (inner,)),
        ("ssm_a", (state, inner)),
        ("ssm_d", (inner,)),
        ("ssm_out.weight", (inner, model.width)),
    ]
    if norms:
        rows += [("ssm_dt_norm.weight", (rank,)), ("ssm_b_norm.weight", (state,))]
        rows += [("ssm_c_norm.weight", (state,))]
    return rows


def mamba2(model: ZooModel, *, norm: bool = True) -> list[Row]:
    inner, state = model.number("ssm.inner_size"), model.number("ssm.state_size")
    heads, groups = model.number("ssm.time_step_rank"), model.number("ssm.group_count")
    convolved = inner + 2 * groups * state
    rows: list[Row] = [
        ("ssm_in.weight", (model.width, inner + convolved + heads)),
        ("ssm_conv1d.weight", (model.number("ssm.conv_kernel"), convolved)),
        ("ssm_conv1d.bias", (convolved,)),
        ("ssm_dt.bias", (heads,)),
        ("ssm_a", (1, heads)),
        ("ssm_d", (1, heads)),
        ("ssm_out.weight", (inner, model.width)),
    ]
    return [*rows, ("ssm_norm.weight", (inner // groups, groups))] if norm else rows


def delta_net(model: ZooModel) -> list[Row]:
    """Gated delta net of qwen3next and qwen35, without the projections of beta and alpha."""
    state, heads = model.number("ssm.state_size"), model.number("ssm.time_step_rank")
    keys, values = state * model.number("ssm.group_count"), state * heads
    return [
        ("attn_norm.weight", (model.width,)),
        ("attn_qkv.weight", (model.width, 2 * keys + values)),
        ("attn_gate.weight", (model.width, values)),
        ("ssm_conv1d.weight", (model.number("ssm.conv_kernel"), 2 * keys + values)),
        ("ssm_dt.bias", (heads,)),
        ("ssm_a", (heads,)),
        ("ssm_norm.weight", (state,)),
        ("ssm_out.weight", (values, model.width)),
    ]
