"""From a checkout to a folder that runs without Python: frozen, with licences, a bill of materials
and a gate.

Runs with the build's own Python; only `snug.spec` and the hooks run in PyInstaller.
"""
