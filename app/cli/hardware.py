"""`snug hardware`: what this computer has for a model."""

import argparse


def run(arguments: argparse.Namespace) -> int:
    raise NotImplementedError(arguments)
