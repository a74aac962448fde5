"""From a checkout to a folder that runs without Python: freezing, licences, bill of materials, gate.

Everything here runs with the build's own Python; only `snug.spec` and the hooks run in PyInstaller.
"""
