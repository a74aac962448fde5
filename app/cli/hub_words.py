"""What the command line says when a hub of models can not be asked: other next steps than where a
model's own server fails."""

from app.cli.words import NETWORK, USAGE, Words
from engine import errors

_BY_CLASS: dict[type[errors.RemoteError], Words] = {
    errors.AddressUnusable: Words(
        message="The settings have something else than an address for the hub or the proxy.",
        hint="Set it again in the settings, where it says what models come from.",
        exit_code=USAGE,
    ),
    errors.ServerUnreachable: Words(
        message="The hub of models can not be reached.",
        hint="Check the network; if others can not reach it either, choose another hub or a "
        "proxy in the settings.",
        exit_code=NETWORK,
    ),
    errors.ServerSilent: Words(
        message="The hub of models stopped answering.",
        hint="Check the network, then try again.",
        exit_code=NETWORK,
    ),
    errors.ServerIncomprehensible: Words(
        message="Something else than a hub of models answers there.",
        hint="The network may want you to log in first; else check the hub in the settings.",
        exit_code=NETWORK,
    ),
    errors.ServerBusy: Words(
        message="The hub of models is busy.",
        hint="Try again in a while.",
        exit_code=NETWORK,
    ),
    errors.ServerFailed: Words(
        message="The hub of models failed.",
        hint="Nothing is wrong here: try again later.",
        exit_code=NETWORK,
    ),
}


def words_at_hub(error: errors.EngineError) -> Words | None:
    """None where there are no better ones than everywhere."""
    return next((words for kind, words in _BY_CLASS.items() if isinstance(error, kind)), None)
