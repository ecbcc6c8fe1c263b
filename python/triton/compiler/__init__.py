"""From Python functions to TTIR, and on to kernels."""
