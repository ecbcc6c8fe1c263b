"""Triton for CPUs."""
