"""How Snug's engine is compiled: one build of llama.cpp, its backends as plug-ins beside it.

Standard library only, and nothing here runs on import: it is used before anything is installed.
"""
