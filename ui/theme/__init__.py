"""Colours, fonts and icons of the window. Every colour is read from `resources/tokens.json`."""
