"""Makes a checkout ready to run and to test. Only the standard library, Python 3.11 or newer.

`dev.py` is its only caller. Nothing here is shipped, and nothing here imports app, engine or ui.
"""
