"""Whose packs are trusted: public keys by their id. Two, so that one can be given up.

These two are of development and nobody has their private halves any more: a release puts its own
in their place (packaging/README.md), the key in use and the one that lies in a safe.
"""

from collections.abc import Mapping
from types import MappingProxyType

Keys = Mapping[str, bytes]

TRUSTED: Keys = MappingProxyType(
    {
        "0e23237d7fe602ac": bytes.fromhex(
            "16b734112317d60f6fe5d5daafca4688097643ba7f9522aff010bd634b371f6e"
        ),
        "be7c44da45ed1091": bytes.fromhex(
            "6b19ede171ab4721deaf3801c7c9491f64dc4811ec49a24ed0be8bf79953bbe6"
        ),
    }
)
