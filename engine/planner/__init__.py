"""Decides how a model runs on a machine. Pure: no clock, no file, no driver."""
