"""Plans for tests that only care about the verdict."""

from engine.types.plans import Layout, Plan, Verdict


def plan(verdict: Verdict = Verdict.FITS, needed_bytes: int = 0, free_bytes: int = 0) -> Plan:
    return Plan(
        verdict=verdict,
        backend="cpu",
        devices=(),
        layout=Layout(context_length=512),
        gpu_layers=0,
        layers=1,
        memory=(),
        predicted_tokens_per_s=9.0,
        reasons=(),
        needed_bytes=needed_bytes,
        free_bytes=free_bytes,
    )
