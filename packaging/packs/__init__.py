"""Makes backend packs: collects the files of one, and signs it. Standard library and cryptography.

What a pack is, is said once, in `engine/packs`: nothing is signed here that Snug would refuse.
"""
