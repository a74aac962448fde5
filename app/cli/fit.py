"""`snug fit`: whether a model fits this computer, and how."""

import argparse


def run(arguments: argparse.Namespace) -> int:
    raise NotImplementedError(arguments)
