"""Backends; there is one: CPUs."""
