"""llama.cpp's own sampler chain: which token comes next."""

import secrets
from typing import Any

from engine.types.generation import Sampling

_SEED_LIMIT = 2**32 - 1
"""The largest value means "random" to llama.cpp; we draw our own, so that it can be repeated."""


def _links(api: Any, vocabulary_size: int, sampling: Sampling) -> list[Any]:
    seed = secrets.randbelow(_SEED_LIMIT) if sampling.seed is None else sampling.seed % _SEED_LIMIT
    penalties = api.llama_sampler_init_penalties(
        vocabulary_size, sampling.repeat_window_tokens, sampling.repeat_penalty, 0.0, 0.0
    )
    if sampling.temperature <= 0:
        return [penalties, api.llama_sampler_init_greedy()]
    return [
        penalties,
        api.llama_sampler_init_top_k(sampling.top_k),
        api.llama_sampler_init_top_p(sampling.top_p, 1),
        api.llama_sampler_init_min_p(sampling.min_p, 1),
        api.llama_sampler_init_temp(sampling.temperature),
        api.llama_sampler_init_dist(seed),
    ]


class Sampler:
    """A chain for one reply. The chain owns its links; `close` frees them all."""

    def __init__(self, api: Any, vocabulary_size: int, context: Any, sampling: Sampling) -> None:
        self._api = api
        self._context = context
        self._chain = api.llama_sampler_chain_init(api.llama_sampler_chain_default_params())
        for link in _links(api, vocabulary_size, sampling):
            api.llama_sampler_chain_add(self._chain, link)

    def sample(self) -> int:
        """The next token after the last evaluated one; the chain remembers it."""
        return int(self._api.llama_sampler_sample(self._chain, self._context, -1))

    def close(self) -> None:
        if self._chain:
            self._api.llama_sampler_free(self._chain)
            self._chain = None
