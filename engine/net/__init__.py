"""The only door out of this computer: every connection is asked for, allowed and written down."""
