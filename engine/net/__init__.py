"""The one door to other computers: nothing else in Snug opens a connection.

Nothing is connected before a person asks for it, and nothing stays connected afterwards.
"""
