"""Which token comes next: the steps of llama.cpp's sampler chain, so that the same settings mean
the same for every model.

The library's own sampling is not used: its settings are fixed for as long as a cache lives.
"""

import secrets
from collections import deque
from collections.abc import Callable, Collection

from engine.errors import EngineStopped
from engine.runtimes.onnx.arrays import np
from engine.runtimes.onnx.failures import answering
from engine.runtimes.onnx.objects import Logits
from engine.types.generation import Sampling

_SEEDS = 2**32


class Sampler:
    """See `Sampler` of `prompting.seams`; `logits` gives those after the last token."""

    def __init__(self, logits: Callable[[], Logits], sampling: Sampling) -> None:
        self._logits = logits
        self._sampling = sampling
        seed = secrets.randbelow(_SEEDS) if sampling.seed is None else sampling.seed % _SEEDS
        self._random = np.random.default_rng(seed)
        self._recent: deque[int] = deque(maxlen=max(sampling.repeat_window_tokens, 0))

    def sample(self) -> int:
        with answering():
            logits = self._logits()
        require_numbers(logits)
        logits = penalised(logits, set(self._recent), self._sampling.repeat_penalty)
        token = self._chosen(logits)
        self._recent.append(token)
        return token

    def close(self) -> None:
        """There is nothing to free."""

    def _chosen(self, logits: Logits) -> int:
        if self._sampling.temperature <= 0:
            return int(logits.argmax())
        tokens = candidates(logits, self._sampling)
        shares = _shares(logits[tokens] / self._sampling.temperature)
        return int(self._random.choice(tokens, p=shares))


def require_numbers(logits: Logits) -> None:
    """Raises `EngineStopped` for what a wrong driver or kernel computes."""
    if np.isnan(logits).any() or not np.isfinite(logits.max()):
        raise EngineStopped("the logits are not numbers")


def penalised(logits: Logits, recent: Collection[int], penalty: float) -> Logits:
    """Less for what was just said."""
    if not recent or penalty == 1.0:
        return logits
    said = np.fromiter(recent, dtype=np.int64)
    changed = logits.copy()
    values = logits[said]
    changed[said] = np.where(values > 0, values / penalty, values * penalty)
    return changed


def candidates(logits: Logits, sampling: Sampling) -> "np.ndarray[tuple[int], np.dtype[np.int64]]":
    """The tokens to choose from, the likeliest first: top-k, then top-p, then min-p."""
    count = min(sampling.top_k, len(logits)) if sampling.top_k > 0 else len(logits)
    if count < len(logits):
        top = np.argpartition(logits, -count)[-count:]
        tokens = top[np.argsort(-logits[top], kind="stable")]
    else:
        tokens = np.argsort(-logits, kind="stable")
    if sampling.top_p < 1.0:
        reached = np.cumsum(_shares(logits[tokens])) >= sampling.top_p
        tokens = tokens[: int(reached.argmax()) + 1] if reached.any() else tokens
    if sampling.min_p > 0.0:
        least = logits[tokens[0]] + np.log(min(sampling.min_p, 1.0))
        tokens = tokens[logits[tokens] >= least]
    return tokens


def _shares(logits: Logits) -> "np.ndarray[tuple[int], np.dtype[np.float64]]":
    exact = np.exp(logits.astype(np.float64) - float(logits.max()))
    shares: np.ndarray[tuple[int], np.dtype[np.float64]] = exact / exact.sum()
    return shares
